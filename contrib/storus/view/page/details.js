// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of the picked job or node.

const JOB_ROWS = [
	['name', 'name'], ['user', 'user'], ['account', 'account'], ['partition', 'partition'], ['qos', 'QOS'], ['state', 'state'],
	['network', 'network'], ['comment', 'comment'], ['system_comment', 'system comment'],
];
const PART_ROWS = [
	['box', 'box'], ['average_distance', 'mean hops'], ['diameter', 'farthest pair'], ['components', 'pieces'],
	['stretch_span', 'span / nodes'], ['foreign_nodes', 'foreign nodes in box'], ['links_used', 'links used'], ['links_shared', 'of these shared'],
];

function addRow(list, name, value) {
	list.append(make('dt', { textContent: name }), value instanceof Node ? value : make('dd', { textContent: value }));
}

function buttonsOf(items, text, click) {
	const cell = make('dd');
	for (const item of items) {
		const button = make('button', { type: 'button', textContent: text(item) });
		button.addEventListener('click', () => click(item));
		cell.append(button);
	}
	return cell;
}

function showJob(machine, job, colour, actions) {
	const list = make('dl');
	for (const [key, text] of JOB_ROWS)
		if (job[key])
			addRow(list, text, short(job[key], 4000));
	if (job.start || machine.history)
		addRow(list, 'started', momentText(machine, job.start || 0));
	if (job.end)
		addRow(list, machine.history ? 'ended' : 'ends at latest', momentText(machine, job.end));
	addRow(list, 'nodes', format(job.size));
	for (const part of job.parts) {
		if (machine.tori.length > 1 || part.torus === null)
			addRow(list, 'torus', part.torus === null ? 'none: ' + format(part.nodes) + ' other nodes' : machine.tori[part.torus].name);
		if (part.torus !== null)
			for (const [key, text] of PART_ROWS.filter(row => part[row[0]] !== null))
				addRow(list, text, typeof part[key] === 'number' ? format(part[key]) : String(part[key]).replace(/x/g, '\u00d7'));
		const nodelist = part.nodelist || nodelistOf(machine, job, part.torus);
		if (nodelist)
			addRow(list, 'node list', short(nodelist, 4000));
	}
	showDetails('Job ' + short(job.id, 80), swatchOf(colour), list, actions);
}

// nodelistOf: a job's nodes on a torus, "n[00-05],n09", for runs of which the data has only numbers
function nodelistOf(machine, job, torus) {
	const names = job.nodes.filter(node => machine.torusOf[node] === torus).sort((a, b) => a - b).map(machine.name), found = [];
	let before = null;
	for (const name of names) {
		const [, stem, digits] = /^(.*?)(\d*)$/.exec(name);
		if (before && digits && before.stem === stem && before.last.length === digits.length && Number(digits) === Number(before.last) + 1) {
			before.last = digits;
		} else {
			before = { stem, first: digits, last: digits };
			found.push(before);
		}
	}
	const parts = [];
	for (const { stem, first, last } of found) {
		const range = first === last ? first : first + '-' + last, end = parts[parts.length - 1];
		if (end && end.stem === stem)
			end.ranges.push(range);
		else
			parts.push({ stem, ranges: [range] });
	}
	return parts.map(({ stem, ranges }) => ranges.length === 1 && !ranges[0].includes('-') ? stem + ranges[0] : stem + '[' + ranges.join(',') + ']').join(',');
}

// reservationText: what a reservation is called and how long it holds
function reservationText(machine, each) {
	const until = each.end ? ' until ' + momentText(machine, each.end) : '';
	return short(each.name || 'a reservation whose name Slurm does not show', 200) + (each.active ? '' : ' from ' + momentText(machine, each.start)) + until;
}

// nodeText: what there is to say of a node that has no job to show
function nodeText(machine, node) {
	const holder = machine.holder[node], state = machine.stateText(node);
	if (holder === RESERVED)
		return 'reserved: ' + machine.reservations(node).filter(each => each.active).map(each => reservationText(machine, each)).join(', ');
	return holder === OTHER ? 'in use by jobs that are not shown' : holder === DOWN ? state : 'free';
}

function showNode(machine, node, actions) {
	const list = make('dl'), torus = machine.tori[machine.torusOf[node]], jobs = jobsOf(machine, node);
	if (machine.tori.length > 1)
		addRow(list, 'torus', torus.name);
	addRow(list, 'place', machine.coordinates(node).map((value, axis) => 'xyzuvw'[axis] + '=' + value).join('  '));
	if (machine.place(node) !== null)
		addRow(list, 'stands in', placeIndexes(machine.place(node), LEVELS.map(level => machine.racks[level].length))
			.map((index, i) => ['row', 'cabinet', 'cage', 'slot'][i] + ' ' + machine.racks[LEVELS[i]][index]).join('  '));
	addRow(list, 'rank', format(machine.rank(node)) + ' along ' + torus.curve);
	addRow(list, 'state', machine.stateText(node));
	if (machine.holder[node] === OTHER)
		addRow(list, 'in use', 'by jobs that are not shown');
	for (const each of machine.reservations(node))
		addRow(list, each.active ? 'reserved' : 'reservation', reservationText(machine, each));
	if (machine.weight(node) !== null)
		addRow(list, 'weight', format(machine.weight(node)));
	addRow(list, jobs.length > 1 ? 'jobs' : 'job', jobs.length ? buttonsOf(jobs, job => short(machine.jobs.job(job).id, 80), actions.pickJob) : machine.holder[node] === OTHER ? 'not shown' : 'none');
	addRow(list, 'neighbours', buttonsOf(neighboursOf(machine, node), machine.name, actions.pickNode));
	showDetails(machine.name(node), null, list, actions);
}

function showDetails(title, swatch, list, actions) {
	const section = byId('details'), close = make('button', { type: 'button', textContent: '\u00d7', title: 'close (Esc)' });
	close.setAttribute('aria-label', 'close');
	close.addEventListener('click', actions.clear);
	section.textContent = '';
	section.append(make('h2', {}, swatch, make('span', { className: 'clip', textContent: title }), close), list);
	section.hidden = false;
}
