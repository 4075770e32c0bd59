// SPDX-License-Identifier: GPL-2.0-or-later
// The panel beside the picture: the machine in numbers, the search, the legend.

const MOST_ROWS = 400;

function byId(id) { return document.getElementById(id); }

// make('div', {className, textContent ...}, children...)
function make(tag, properties, ...children) {
	const element = document.createElement(tag);
	Object.assign(element, properties || {});
	element.append(...children.filter(child => child !== null && child !== undefined));
	return element;
}

// short: a text fit for a title or a row; names of jobs may be of any length
function short(text, most = 200) {
	return text.length > most ? text.slice(0, most) + '\u2026' : text;
}

function format(value, digits = 2) {
	if (value === null || value === undefined)
		return '\u2013';
	return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(digits);
}

// dimsText: "8x8x5 torus wrapping in xyz"
function dimsText(torus) {
	const letters = torus.wrap.map((wraps, axis) => wraps ? 'xyzuvw'[axis] : '').join('');
	return torus.dims.join('\u00d7') + (letters.length === torus.dims.length ? ' torus' :
		letters ? ' torus wrapping in ' + letters : ' mesh');
}

// What the legend and the page's address call nodes without a job
const PLAIN_KEYS = { [FREE]: '\0free', [OTHER]: '\0other', [DOWN]: '\0down', [RESERVED]: '\0reserved' };

// countNodes: {busy, other, idle, reserved, down} of the whole machine; other: of the busy ones those whose jobs are not shown
function countNodes(machine) {
	const counts = { busy: 0, other: 0, idle: 0, reserved: 0, down: 0 };
	for (let node = 0; node < machine.count; node++) {
		const holder = machine.holder[node];
		if (holder === OTHER)
			counts.other++;
		counts[holder >= 0 || holder === OTHER ? 'busy' : holder === FREE ? 'idle' : holder === RESERVED ? 'reserved' : 'down']++;
	}
	return counts;
}

// meanHops: of the running jobs, weighted by their nodes; jobs of one node count as 0
function meanHops(jobs) {
	let sum = 0, nodes = 0;
	for (const job of jobs) {
		const hops = meanOf(job, 'average_distance');
		if (hops === null || job.size < 2)
			continue;
		sum += hops * job.size;
		nodes += job.size;
	}
	return nodes ? sum / nodes : null;
}

function showTitle(machine) {
	const first = machine.tori[0];
	byId('title').textContent = machine.tori.length === 1 ? short(first.name, 60) : machine.tori.length + ' tori';
	const when = machine.time && !machine.live ? new Date(machine.time * 1000).toLocaleString() : '';
	const about = machine.tori.length === 1 ? dimsText(first) : machine.tori.slice(0, 4).map(torus => torus.name + ' ' + dimsText(torus)).join(', ');
	byId('subtitle').textContent = [short(about, 120), machine.count.toLocaleString('en') + ' nodes', when].filter(Boolean).join('  \u00b7  ');
	document.title = byId('title').textContent + ' \u2013 storus view';
	byId('canvas').setAttribute('aria-label', byId('title').textContent + ', ' + byId('subtitle').textContent +
		', ' + machine.running.length + ' jobs');
}

function showSummary(machine) {
	const counts = countNodes(machine), section = byId('summary');
	const bar = make('div', { id: 'bar' }), list = make('div', { id: 'counts' });
	for (const [kind, text] of [['busy', 'in use'], ['idle', 'free'], ['reserved', 'reserved'], ['down', 'down']]) {
		if (!counts[kind] && (kind === 'down' || kind === 'reserved'))
			continue;
		const piece = make('i', { className: kind });
		piece.style.flex = String(counts[kind]);
		bar.append(piece);
		list.append(make('span', {}, make('i', { className: 'key ' + kind }),
			make('b', { textContent: format(counts[kind]) }), text));
	}
	const one = machine.running.filter(job => meanOf(job, 'components') === 1 && job.parts.length === 1).length;
	const figure = (value, text) => make('div', {}, make('b', { textContent: value }), text);
	section.textContent = '';
	section.append(bar, list, make('div', { id: 'figures' },
		figure(format(machine.running.length), 'jobs'),
		figure(Math.round(100 * counts.busy / machine.count) + '%', 'of nodes'),
		figure(format(meanHops(machine.running)), 'mean hops'),
		figure(machine.running.length ? Math.round(100 * one / machine.running.length) + '%' : '\u2013', 'in one piece')));
}

// search: what a text finds: [{kind, text, what, ...}], at most 60
function search(machine, waiting, text) {
	const wanted = text.trim().toLowerCase(), found = [], users = new Map();
	if (!wanted)
		return found;
	const has = value => value !== undefined && value !== null && String(value).toLowerCase().includes(wanted);
	const rank = value => String(value).toLowerCase() === wanted ? 0 : String(value).toLowerCase().startsWith(wanted) ? 1 : 2;
	for (const job of machine.running) {
		if (has(job.id) || has(job.name))
			found.push({ kind: 'job', job: job.number, text: job.id + (job.name ? '  ' + short(job.name) : ''),
				order: Math.min(rank(job.id), rank(job.name || '')) });
		if (has(job.user))
			users.set(job.user, (users.get(job.user) || 0) + 1);
	}
	for (const job of waiting)
		if (has(job.id) || has(job.name) || has(job.user))
			found.push({ kind: 'waiting', id: job.id, text: job.id + '  ' + short([job.user, job.name].filter(Boolean).join('  ')),
				order: Math.min(rank(job.id), rank(job.name || '')) });
	users.forEach((jobs, user) => found.push({ kind: 'user', user, text: short(user), order: rank(user) }));
	let nodes = 0;
	for (const torus of machine.tori)
		for (let i = 0; i < torus.count && nodes < 60; i++)
			if (has(torus.names[i])) {
				found.push({ kind: 'node', node: torus.first + i, text: torus.names[i], order: rank(torus.names[i]) });
				nodes++;
			}
	const kinds = ['job', 'user', 'waiting', 'node'];
	found.sort((a, b) => a.order - b.order || kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
	return found.slice(0, 60);
}

// makeSearch: the field and its list; waiting() are the jobs that wait
function makeSearch(machine, waiting, choose) {
	const field = byId('search'), list = byId('found');
	let found = [], at = 0;
	const close = () => {
		list.hidden = true;
		field.setAttribute('aria-expanded', 'false');
		field.removeAttribute('aria-activedescendant');
	};
	const take = i => {
		close();
		if (found[i])
			choose(found[i]);
	};
	const show = () => {
		list.textContent = '';
		found.forEach((item, i) => {
			const row = make('li', { id: 'found-' + i }, make('span', { className: 'clip', textContent: item.text }),
				make('span', { className: 'what', textContent: item.kind }));
			row.setAttribute('role', 'option');
			row.setAttribute('aria-selected', String(i === at));
			row.addEventListener('mousedown', event => {
				event.preventDefault();
				take(i);
			});
			list.append(row);
		});
		if (!found.length) {
			const none = make('li', { textContent: 'nothing found' });
			none.setAttribute('role', 'option');
			none.setAttribute('aria-disabled', 'true');
			none.setAttribute('aria-selected', 'false');
			list.append(none);
		}
		if (!field.value.trim()) {
			close();
			return;
		}
		list.hidden = false;
		field.setAttribute('aria-expanded', 'true');
		if (found.length) {
			field.setAttribute('aria-activedescendant', 'found-' + at);
			list.children[at].scrollIntoView({ block: 'nearest' });
		}
	};
	field.addEventListener('input', () => {
		found = search(machine, waiting(), field.value);
		at = 0;
		show();
	});
	field.addEventListener('blur', close);
	field.addEventListener('keydown', event => {
		if (event.key === 'Enter') {
			take(at);
		} else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
			at = Math.max(0, Math.min(found.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)));
			show();
			event.preventDefault();
		} else if (event.key === 'Escape') {
			field.value = '';
			close();
			byId('canvas').focus();
		}
		event.stopPropagation();
	});
}

// legendRow: a button with a swatch, a name and a number
function legendRow(swatch, name, more, number, pressed, click) {
	// Who hears it hears the parts one by one.
	const pause = () => make('span', { className: 'said', textContent: ', ' });
	const row = make('button', { className: 'row', type: 'button' }, swatch,
		make('span', { className: 'name clip', textContent: short(name) }), pause(), make('span', { className: 'number', textContent: number }));
	if (more)
		row.children[1].append(pause(), make('small', { textContent: short(more, 80) }));
	row.setAttribute('aria-pressed', String(pressed));
	row.title = short(name + (more ? '  ' + more : ''));
	row.addEventListener('click', click);
	return row;
}

function swatchOf(colour) {
	const swatch = make('span', { className: 'swatch' + (colour[3] ? ' pattern' + colour[3] : '') });
	swatch.style.backgroundColor = cssOf(colour);
	return swatch;
}

// showLegend: rows of names that select, or a scale and the jobs with the highest values
function showLegend(machine, colours, shown) {
	const section = byId('legend'), top = section.scrollTop, counts = countNodes(machine);
	section.textContent = '';
	if (colours.scale)
		showScale(section, machine, colours, shown);
	else
		colours.rows.slice(0, MOST_ROWS).forEach(row => {
			const job = colours.name === 'job' ? machine.jobs.job(row.job) : null;
			const more = job ? [job.user, job.name].filter(Boolean).join('  ') : row.running === 1 ? '1 job' : row.running + ' jobs';
			section.append(legendRow(swatchOf(row.colour), row.name, more, format(row.nodes),
				job ? shown.job === job.number || shown.keys.has(row.key) : shown.keys.has(row.key),
				() => job ? shown.pickJob(job.number) : shown.toggleKey(row.key)));
		});
	const rows = colours.scale ? machine.running.length : colours.rows.length;
	if (rows > MOST_ROWS)
		section.append(make('p', { className: 'note', textContent: 'and ' + format(rows - MOST_ROWS) + ' more: search for them' }));
	if (!machine.running.length)
		section.append(make('p', { className: 'note', textContent: 'No job is running.' }));
	if (!colours.everyNode)
		for (const [kind, text, count, more] of [['other', 'jobs that are not shown', counts.other, ''], ['free', 'free', counts.idle, ''],
			['reserved', 'reserved', counts.reserved, reservedText(machine)], ['down', 'down or drained', counts.down, '']])
			if (count) {
				const row = legendRow(make('span', { className: 'swatch ' + kind }), text, more, format(count),
					shown.keys.has('\0' + kind), () => shown.toggleKey('\0' + kind));
				section.append(row);
			}
	section.scrollTop = top;
}

// reservedText: which reservations are in force
function reservedText(machine) {
	const found = new Map();
	for (const torus of machine.tori)
		for (const each of torus.reserved.filter(reservation => reservation.active))
			found.set(each.name, reservationText(machine, each));
	return [...found.values()].join(', ');
}

function showScale(section, machine, colours, shown) {
	const bar = make('canvas', { width: 128, height: 1 }), context = bar.getContext('2d');
	for (let i = 0; i < 128; i++) {
		context.fillStyle = cssOf(scaleColour(i / 127, shown.theme));
		context.fillRect(i, 0, 1, 1);
	}
	section.append(make('div', { className: 'scale' }, bar, make('div', {},
		make('span', { textContent: format(colours.scale.low) }), make('span', { textContent: colours.way.label }),
		make('span', { textContent: format(colours.scale.high) }))));
	if (colours.everyNode)
		return;
	const sorted = machine.running.slice().sort((a, b) => (colours.valueOfJob(b.number) || 0) - (colours.valueOfJob(a.number) || 0));
	for (const job of sorted.slice(0, MOST_ROWS))
		section.append(legendRow(swatchOf(colours.colourOfJob(job.number)), job.id, [job.user, format(job.size) + (job.size === 1 ? ' node' : ' nodes')].filter(Boolean).join('  '),
			format(colours.valueOfJob(job.number)), shown.job === job.number, () => shown.pickJob(job.number)));
}
