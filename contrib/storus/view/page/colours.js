// SPDX-License-Identifier: GPL-2.0-or-later
// What colours mean: the ways to colour nodes, and the palettes. How far apart the colours of a palette are for those who
// see all of them and for dichromats is measured by test/cli/colours.py; what is more than them has a pattern as well.

const PALETTES = {
	dark: ['#0ff0c3', '#b469d2', '#e1a578', '#5a961e', '#f04b87', '#e1f069', '#c3a5ff', '#ffd2ff'],
	light: ['#00695a', '#d20f69', '#968700', '#784bc3', '#00d2b4', '#f087ff', '#a5c369', '#784b0f'],
};
const AXIS_COLOURS = {
	dark: ['#d269d2', '#1ea578', '#d2f069', '#96960f', '#78ffd2', '#ffd2ff'],
	light: ['#d2690f', '#0fa569', '#004ba5', '#871e4b', '#4b4b00', '#c369d2'],
};
const VIRIDIS = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];
const PLAIN = {
	dark: { ground: '#0e1318', free: '#5b6a79', other: '#8a929b', down: '#e2574c', reserved: '#a99be8', marked: '#ffffff', box: '#ffffff', link: 0.30 },
	light: { ground: '#f4f6f8', free: '#a3afbb', other: '#7b848d', down: '#b8261b', reserved: '#6a56b8', marked: '#17202a', box: '#17202a', link: 0.34 },
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

// faint: a colour that is not chosen; its pattern stays
function faint(colour, ground) {
	return [0, 1, 2].map(k => colour[k] * 0.28 + ground[k] * 0.72).concat(colour[3] || 0);
}

// dressColour: the colour of a dress, its fourth number the pattern
function dressColour(dress, theme) {
	return [...rgbOf(PALETTES[theme][dress % COLOURS]), Math.floor(dress / COLOURS)];
}

function cssOf(colour) {
	return 'rgb(' + colour.slice(0, 3).map(value => Math.round(value * 255)).join(',') + ')';
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

// The ways to colour: by a text that jobs have, by a metric of theirs, or `at` a node.
const WAYS = {
	job: { label: 'job', text: 'id' },
	user: { label: 'user', text: 'user' },
	account: { label: 'account', text: 'account' },
	partition: { label: 'partition', text: 'partition' },
	state: { label: 'state', text: 'state' },
	hops: { label: 'mean hops of the job', metric: 'average_distance' },
	pieces: { label: 'pieces of the job', metric: 'components' },
	foreign: { label: 'foreign nodes in its box', metric: 'foreign_nodes' },
	shared: { label: 'links shared with others', metric: 'links_shared' },
	isolation: { label: 'isolation: share of links not shared', metric: 'isolation' },
	load: { label: 'load: jobs on a link', links: true, at: (machine, node) => machine.load(node) },
	rank: { label: 'rank along the curve', at: (machine, node) => machine.rank(node) },
	weight: { label: 'weight of the node', at: (machine, node) => machine.weight(node) },
};

// waysFor: those of which the data knows something
function waysFor(machine) {
	return Object.keys(WAYS).filter(name => {
		const way = WAYS[name];
		if (name === 'weight')
			return machine.tori.some(torus => torus.weights);
		if (way.links)
			return machine.tori.some(torus => torus.load);
		if (way.text)
			return name === 'job' || machine.jobs.names(way.text).values.length > 0;
		return way.at || machine.jobs.numbers(way.metric).some(value => !Number.isNaN(value));
	});
}

// rowsOf: the legend of a text: a row for each that running jobs have, the most nodes first. `worn` keeps the dresses of
// names, also of jobs that do not run now: those with the most nodes of all jobs come first, later ones behind them.
function rowsOf(machine, way, theme, worn) {
	const { values, at } = machine.jobs.names(way.text), nameOf = number => at[number] < 0 ? '' : values[at[number]];
	if (worn.jobs !== machine.jobs) {
		const total = new Float64Array(values.length + 1);
		for (let number = 0; number < at.length; number++)
			total[at[number] + 1] += machine.jobs.size[number];
		const order = numbersTo(values.length + 1).filter(i => i || total[0]).sort((a, b) => total[b] - total[a] || a - b);
		for (const i of order) {
			const key = i ? values[i - 1] : '';
			if (!worn.has(key))
				worn.set(key, worn.size % DRESSES);
		}
		worn.jobs = machine.jobs;
	}
	const rows = new Map();
	for (const job of machine.running) {
		const key = nameOf(job.number);
		if (!rows.has(key))
			rows.set(key, { key, name: key || 'unknown', nodes: 0, running: 0, colour: dressColour(worn.get(key), theme) });
		rows.get(key).nodes += job.size;
		rows.get(key).running++;
	}
	return { rows: [...rows.values()].sort((a, b) => b.nodes - a.nodes || (a.key < b.key ? -1 : 1)), nameOf };
}

// rowsOfJobs: one for each job that runs, in their order
function rowsOfJobs(machine, theme, dresses) {
	const rows = machine.running.map(job =>
		({ key: job.id, name: job.id, nodes: job.size, running: 1, job: job.number, colour: dressColour(dresses[job.number], theme) }));
	return { rows, nameOf: number => machine.jobs.job(number).id };
}

// colouring: for a way and a theme, {rows or scale, colourOf(node), colourOfJob(job) ...}; dresses of jobs, and of names
// by their ways
function colouring(machine, name, theme, dresses, worn) {
	const way = WAYS[name], plain = PLAIN[theme];
	const fixed = { [FREE]: rgbOf(plain.free), [OTHER]: rgbOf(plain.other), [DOWN]: rgbOf(plain.down), [RESERVED]: rgbOf(plain.reserved) };
	const result = { name, way, rows: null, scale: null };
	const ofHolder = node => machine.holder[node] >= 0 ? result.colourOfJob(machine.holder[node]) : fixed[machine.holder[node]];
	if (way.text) {
		worn[name] = worn[name] || new Map();
		const { rows, nameOf } = name === 'job' ? rowsOfJobs(machine, theme, dresses) : rowsOf(machine, way, theme, worn[name]);
		result.rows = rows;
		result.keyOfJob = nameOf;
		result.colourOfJob = number => dressColour(name === 'job' ? dresses[number] : worn[name].get(nameOf(number)), theme);
		result.colourOf = ofHolder;
		return result;
	}
	let low = Infinity, high = -Infinity;
	const values = way.metric ? machine.jobs.numbers(way.metric) : null;
	const see = value => {
		if (value !== null && !Number.isNaN(value)) {
			low = Math.min(low, value);
			high = Math.max(high, value);
		}
	};
	if (way.at)
		for (let node = 0; node < machine.count; node++)
			see(way.at(machine, node));
	else
		values.forEach(see);
	const share = value => high > low ? (value - low) / (high - low) : 0.5;
	const colour = value => value === null || Number.isNaN(value) ? fixed[OTHER] : scaleColour(share(value), theme);
	result.scale = low <= high ? { low, high } : { low: 0, high: 0 };
	result.everyNode = Boolean(way.at);
	// The links themselves are coloured; what torus has no load has no job.
	result.loads = way.links ? { of: (torus, ...link) => torus.load ? machine.linkLoad(torus, ...link) : 0, colour } : null;
	result.valueOfJob = job => way.at || Number.isNaN(values[job]) ? null : values[job];
	result.colourOfJob = job => way.at ? colour(way.at(machine, machine.jobs.job(job).nodes[0] || 0)) : colour(values[job]);
	result.colourOf = way.at ? node => colour(way.at(machine, node)) : ofHolder;
	return result;
}
