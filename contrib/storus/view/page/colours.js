// SPDX-License-Identifier: GPL-2.0-or-later
// What colours mean: the ways to colour nodes, and the palettes. Palettes are told apart with
// every kind of colour blindness: hues after Okabe and Ito at two lightnesses, and viridis.

const PALETTES = {
	dark: ['#56b4e9', '#e69f00', '#2fc79a', '#f0e442', '#e58fc0', '#ff7f50', '#9db7ff', '#b7d97a',
		'#d9b48f', '#7fe0e6', '#c79bff', '#f7b6b0'],
	light: ['#2a8fcf', '#e08e00', '#009e73', '#c9b400', '#c25e96', '#d55e00', '#5a6fd6', '#6f9a1f',
		'#94643a', '#0f9aa8', '#8a52c9', '#d9706a'],
};
const AXIS_COLOURS = {
	dark: ['#ff8f66', '#3fd0a0', '#62aef5', '#e58fc0', '#f2c14e', '#b5b5ff'],
	light: ['#c2410c', '#00815c', '#0b66a8', '#a83c7c', '#a87400', '#5b4bc4'],
};
const VIRIDIS = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];
const PLAIN = {
	dark: { ground: '#0e1318', free: '#5b6a79', other: '#8a929b', down: '#e2574c', box: '#ffffff', link: 0.30 },
	light: { ground: '#f4f6f8', free: '#a3afbb', other: '#7b848d', down: '#b8261b', box: '#17202a', link: 0.34 },
};

function rgbOf(hex) {
	return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255);
}

// scaleColour: of a share from 0 to 1; on a dark ground without the darkest, and the reverse
function scaleColour(share, theme) {
	const from = theme === 'dark' ? 1.6 : 0, to = theme === 'dark' ? 9 : 8.2;
	const at = from + Math.min(1, Math.max(0, share)) * (to - from);
	const i = Math.min(VIRIDIS.length - 2, Math.floor(at));
	const a = rgbOf(VIRIDIS[i]), b = rgbOf(VIRIDIS[i + 1]);
	return a.map((value, k) => value + (b[k] - value) * (at - i));
}

function cssOf(rgb) {
	return 'rgb(' + rgb.map(value => Math.round(value * 255)).join(',') + ')';
}

// isolationOf: which part of the links that a job uses it has to itself; 1 where it uses none
function isolationOf(job) {
	let used = 0, shared = 0;
	for (const part of job.parts.filter(each => each.torus !== null)) {
		if (part.links_used === null)
			return null;
		used += part.links_used;
		shared += part.links_shared;
	}
	return used ? 1 - shared / used : 1;
}

// The ways to colour. `of` gives a job's value, `at` a node's; kind says whether values are
// names or numbers.
const WAYS = {
	job: { label: 'job', kind: 'names', of: job => job.id },
	user: { label: 'user', kind: 'names', of: job => job.user },
	account: { label: 'account', kind: 'names', of: job => job.account },
	partition: { label: 'partition', kind: 'names', of: job => job.partition },
	state: { label: 'state', kind: 'names', of: job => job.state },
	hops: { label: 'mean hops of the job', kind: 'numbers', of: job => meanOf(job, 'average_distance') },
	pieces: { label: 'pieces of the job', kind: 'numbers', of: job => meanOf(job, 'components') },
	foreign: { label: 'foreign nodes in its box', kind: 'numbers', of: job => meanOf(job, 'foreign_nodes') },
	shared: { label: 'links shared with others', kind: 'numbers', of: job => meanOf(job, 'links_shared') },
	isolation: { label: 'isolation: share of links not shared', kind: 'numbers', of: isolationOf },
	load: { label: 'load: jobs on a link', kind: 'numbers', links: true, at: (machine, node) => machine.load(node) },
	rank: { label: 'rank along the curve', kind: 'numbers', at: (machine, node) => machine.rank(node) },
	weight: { label: 'weight of the node', kind: 'numbers', at: (machine, node) => machine.weight(node) },
};

// waysFor: those of which the data knows something
function waysFor(machine) {
	return Object.keys(WAYS).filter(name => {
		const way = WAYS[name];
		if (name === 'weight')
			return machine.tori.some(torus => torus.weights);
		if (way.links)
			return machine.tori.some(torus => torus.load);
		return way.at || name === 'job' ||
			machine.jobs.some(job => way.of(job) !== undefined && way.of(job) !== null);
	});
}

// jobColours: a palette number for each job, other than those of the jobs beside it, if there
// is one left, and otherwise the one used least; `kept` has the numbers of jobs that keep theirs,
// by their ids
function jobColours(machine, colours, kept = new Map()) {
	const beside = machine.jobs.map(() => new Set()), chosen = machine.jobs.map(job => kept.get(job.id));
	for (const torus of machine.tori) {
		const at = new Map();
		torus.cells.forEach((cell, i) => {
			const jobs = jobsOf(machine, torus.first + i);
			if (jobs.length)
				at.set(cell, (at.get(cell) || []).concat(jobs));
		});
		at.forEach((jobs, cell) => {
			let stride = 1;
			torus.dims.forEach(length => {
				const x = Math.floor(cell / stride) % length;
				const next = cell + (x + 1 < length ? stride : (1 - length) * stride);
				for (const a of jobs)
					for (const b of at.get(next) || [])
						if (a !== b) {
							beside[a].add(b);
							beside[b].add(a);
						}
				stride *= length;
			});
		});
	}
	const used = new Array(colours).fill(0);
	chosen.filter(colour => colour !== undefined).forEach(colour => used[colour]++);
	machine.jobs.forEach((job, number) => {
		if (chosen[number] !== undefined)
			return;
		const taken = new Set([...beside[number]].map(other => chosen[other]));
		let best = -1;
		for (let i = 0; i < colours; i++) {
			const colour = (number + i) % colours;
			if (taken.has(colour) && taken.size < colours)
				continue;
			if (best < 0 || used[colour] < used[best])
				best = colour;
		}
		chosen[number] = best;
		used[best]++;
	});
	return chosen;
}

// namesLegend: a row for each name, the most nodes first, also for jobs that do not run now, so
// that a name keeps its colour; colours in that order, for jobs as
// above
function namesLegend(machine, way, theme, chosen) {
	const rows = new Map();
	const running = new Set(machine.running);
	for (const job of machine.jobs) {
		const value = way.of(job);
		const key = value === undefined || value === null ? '' : String(value);
		if (!rows.has(key))
			rows.set(key, { key, name: key || 'unknown', nodes: 0, total: 0, running: 0, jobs: [] });
		const row = rows.get(key);
		row.total += job.size;
		row.jobs.push(job.number);
		if (running.has(job)) {
			row.nodes += job.size;
			row.running++;
		}
	}
	const palette = PALETTES[theme], sorted = [...rows.values()];
	if (way !== WAYS.job)
		sorted.sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
	sorted.forEach((row, i) => {
		row.colour = rgbOf(palette[(way === WAYS.job ? chosen[row.jobs[0]] : i) % palette.length]);
	});
	return sorted;
}

// colouring: for a way and a theme, {rows or scale, colourOf(node), keyOf(node)}
function colouring(machine, name, theme, chosen) {
	const way = WAYS[name], plain = PLAIN[theme];
	const fixed = { [FREE]: rgbOf(plain.free), [OTHER]: rgbOf(plain.other), [DOWN]: rgbOf(plain.down) };
	const result = { name, way, rows: null, scale: null };
	if (way.kind === 'names') {
		result.rows = namesLegend(machine, way, theme, chosen);
		const rowOf = new Map();
		result.rows.forEach(row => row.jobs.forEach(job => rowOf.set(job, row)));
		result.keyOfJob = job => rowOf.get(job).key;
		result.colourOf = node => {
			const holder = machine.holder[node];
			return holder >= 0 ? rowOf.get(holder).colour : fixed[holder];
		};
		result.colourOfJob = job => rowOf.get(job).colour;
		return result;
	}
	let low = Infinity, high = -Infinity;
	const see = value => {
		if (value !== null && value !== undefined) {
			low = Math.min(low, value);
			high = Math.max(high, value);
		}
	};
	if (way.at)
		for (let node = 0; node < machine.count; node++)
			see(way.at(machine, node));
	else
		machine.jobs.forEach(job => see(way.of(job)));
	const share = value => high > low ? (value - low) / (high - low) : 0.5;
	const colour = value => value === null || value === undefined ? fixed[OTHER] : scaleColour(share(value), theme);
	result.scale = low <= high ? { low, high } : { low: 0, high: 0 };
	result.everyNode = Boolean(way.at);
	// The links themselves are coloured; what torus has no load has no job.
	result.loads = way.links ? { of: (torus, ...link) => torus.load ? machine.linkLoad(torus, ...link) : 0, colour } : null;
	result.valueOfJob = job => way.at ? null : way.of(machine.jobs[job]);
	result.colourOfJob = job => way.at ? colour(way.at(machine, machine.jobs[job].nodes[0] || 0)) : colour(way.of(machine.jobs[job]));
	const jobColour = new Map();
	if (!way.at)
		machine.jobs.forEach(job => jobColour.set(job.number, colour(way.of(job))));
	result.colourOf = node => {
		if (way.at)
			return colour(way.at(machine, node));
		const holder = machine.holder[node];
		return holder >= 0 ? jobColour.get(holder) : fixed[holder];
	};
	return result;
}
