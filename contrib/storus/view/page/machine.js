// SPDX-License-Identifier: GPL-2.0-or-later
// The machine and its jobs, from the page's data. Nodes are numbered through all tori, jobs
// as in the data. Texts that users chose reach the page by textContent only.

const FREE = -1, OTHER = -2, DOWN = -3;
const LEVELS = ['rows', 'cabinets', 'cages', 'slots'];

// numbersOf("0-3,7"): the numbers of a list, in its order; a range may descend
function numbersOf(text) {
	const numbers = [];
	if (!text)
		return numbers;
	for (const item of text.split(',')) {
		const ends = item.split('-').map(Number);
		const last = ends[ends.length - 1];
		for (let i = ends[0]; i <= last; i++)
			numbers.push(i);
		for (let i = ends[0]; i >= last && ends[0] > last; i--)
			numbers.push(i);
	}
	return numbers;
}

// coordinatesOf(7, [4, 2]): [3, 1], x being fastest
function coordinatesOf(cell, dims) {
	const coordinates = [];
	for (const length of dims) {
		coordinates.push(cell % length);
		cell = Math.floor(cell / length);
	}
	return coordinates;
}

// loadsOf(["3*2,0"]): how many jobs use each link, as in the data, or null
function loadsOf(links) {
	if (!links)
		return null;
	return links.map(text => {
		const loads = [];
		for (const item of text.split(',')) {
			const [load, count] = item.split('*').map(Number);
			for (let i = count === undefined ? 1 : count; i > 0; i--)
				loads.push(load);
		}
		return Uint32Array.from(loads);
	});
}

// placeIndexes: a place in the room as the indexes of its row, cabinet, cage and slot
function placeIndexes(place, counts) {
	const indexes = [];
	for (let level = counts.length - 1; level >= 0; level--) {
		indexes.unshift(place % counts[level]);
		place = Math.floor(place / counts[level]);
	}
	return indexes;
}

// nextCells: call with axis and cell for the routers one link upward from a router; in a ring of two the
// way round is a second link between the same routers
function nextCells(torus, cell, call) {
	let stride = 1;
	torus.dims.forEach((length, axis) => {
		const last = Math.floor(cell / stride) % length === length - 1;
		if (length > 1 && (!last || (torus.wrap[axis] && length > 2)))
			call(axis, cell + (last ? (1 - length) * stride : stride), last);
		stride *= length;
	});
}

// readTorus: a torus of the data with its arrays by node
function readTorus(data, number, first) {
	return {
		number, first, name: data.name, dims: data.dims, wrap: data.wrap, span: data.span,
		curve: data.curve, allocator: data.allocator,
		places: data.places ? Uint32Array.from(numbersOf(data.places)) : null, load: loadsOf(data.links),
		count: data.names.length, names: data.names,
		cells: Uint32Array.from(numbersOf(data.cells)), ranks: Uint32Array.from(numbersOf(data.ranks)),
		weights: data.weights || null, unusable: data.unusable || {}, others: numbersOf(data.others),
		cellCount: data.dims.reduce((a, b) => a * b, 1),
	};
}

// readJob: a job of the data with its nodes in the whole machine
function readJob(data, number, tori, nodeOfRank) {
	const job = Object.assign({}, data, { number, nodes: [], size: 0 });
	for (const part of data.parts) {
		job.size += part.nodes;
		if (part.torus !== null)
			for (const rank of numbersOf(part.ranks))
				job.nodes.push(tori[part.torus].first + nodeOfRank[part.torus][rank]);
	}
	return job;
}

// meanOf: of a metric over a job's parts, by their nodes; null where no part has one
function meanOf(job, metric) {
	let sum = 0, nodes = 0;
	for (const part of job.parts) {
		if (part.torus === null || part[metric] === null)
			continue;
		sum += part[metric] * part.nodes;
		nodes += part.nodes;
	}
	return nodes ? sum / nodes : null;
}

function readMachine(data) {
	const tori = [], nodeOfRank = [];
	let count = 0;
	for (const each of data.tori) {
		const torus = readTorus(each, tori.length, count);
		const inverse = new Uint32Array(torus.count);
		torus.ranks.forEach((rank, node) => { inverse[rank] = node; });
		tori.push(torus);
		nodeOfRank.push(inverse);
		count += torus.count;
	}
	const jobs = data.jobs.map((job, number) => readJob(job, number, tori, nodeOfRank));
	const torusOf = new Uint16Array(count);
	for (const torus of tori)
		torusOf.fill(torus.number, torus.first, torus.first + torus.count);
	const machine = { tori, jobs, count, torusOf, nodeOfRank, time: data.time, holder: null, several: null,
		history: data.history || null, dates: Boolean(data.dates), live: data.live || null, racks: null };
	if (data.racks) {
		machine.racks = {};
		for (const level of LEVELS)
			machine.racks[level] = numbersOf(data.racks[level]);
	}
	settle(machine, jobs);
	machine.name = node => tori[torusOf[node]].names[node - tori[torusOf[node]].first];
	machine.cell = node => tori[torusOf[node]].cells[node - tori[torusOf[node]].first];
	machine.rank = node => tori[torusOf[node]].ranks[node - tori[torusOf[node]].first];
	machine.weight = node => {
		const torus = tori[torusOf[node]];
		return torus.weights ? torus.weights[node - torus.first] : null;
	};
	// place: in the room, as in the data; null where it is not known
	machine.place = node => {
		const torus = tori[torusOf[node]];
		return torus.places ? torus.places[node - torus.first] : null;
	};
	// linkLoad: how many jobs use a link upward from a router, in the direction that has more
	machine.linkLoad = (torus, axis, cell, next) => Math.max(torus.load[2 * axis][cell], torus.load[2 * axis + 1][next]);
	// load: of the links that leave a node's router, the most
	machine.load = node => {
		const load = tori[torusOf[node]].load, cell = machine.cell(node);
		return load ? Math.max(...load.map(loads => loads[cell])) : 0;
	};
	machine.stateText = node => {
		const torus = tori[torusOf[node]];
		return torus.unusable[node - torus.first] || 'up';
	};
	machine.coordinates = node => coordinatesOf(machine.cell(node), tori[torusOf[node]].dims);
	return machine;
}

// settle: who holds each node, these jobs running; nodes of several have the first of them
function settle(machine, jobs) {
	const holder = new Int32Array(machine.count).fill(FREE), several = new Map();
	for (const torus of machine.tori) {
		for (const node of Object.keys(torus.unusable))
			holder[torus.first + Number(node)] = DOWN;
		if (jobs === machine.jobs)
			for (const node of torus.others)
				holder[torus.first + node] = OTHER;
	}
	for (const job of jobs) {
		for (const node of job.nodes) {
			if (holder[node] >= 0) {
				if (!several.has(node))
					several.set(node, [holder[node]]);
				several.get(node).push(job.number);
			} else {
				holder[node] = job.number;
			}
		}
	}
	machine.running = jobs;
	machine.settled = (machine.settled || 0) + 1;
	machine.holder = holder;
	machine.several = several;
}

// jobsOf: the jobs on a node
function jobsOf(machine, node) {
	const holder = machine.holder[node];
	return machine.several.get(node) || (holder >= 0 ? [holder] : []);
}

// neighboursOf: the nodes one hop from a node, and those on its router
function neighboursOf(machine, node) {
	const torus = machine.tori[machine.torusOf[node]], cells = new Set();
	const at = machine.coordinates(node);
	let stride = 1;
	torus.dims.forEach((length, axis) => {
		for (const step of [-1, 1]) {
			let to = at[axis] + step;
			if (torus.wrap[axis])
				to = (to + length) % length;
			if (to >= 0 && to < length && to !== at[axis])
				cells.add(machine.cell(node) + (to - at[axis]) * stride);
		}
		stride *= length;
	});
	const found = [];
	torus.cells.forEach((cell, i) => {
		if (cells.has(cell) || (cell === machine.cell(node) && torus.first + i !== node))
			found.push(torus.first + i);
	});
	return found;
}
