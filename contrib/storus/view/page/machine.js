// SPDX-License-Identifier: GPL-2.0-or-later
// The machine and its jobs, from the page's data. Nodes are numbered through all tori, jobs
// as in the data. Texts that users chose reach the page by textContent only.

// What stands in place of a job where a node has none
const FREE = -1, OTHER = -2, DOWN = -3, RESERVED = -4;
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
		weights: data.weights || null, unusable: data.unusable || {}, reasons: data.reasons || {}, others: numbersOf(data.others),
		reserved: (data.reserved || []).map(each => Object.assign({}, each, { nodes: numbersOf(each.nodes) })),
		cellCount: data.dims.reduce((a, b) => a * b, 1),
	};
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
	const torusOf = new Uint16Array(count);
	for (const torus of tori)
		torusOf.fill(torus.number, torus.first, torus.first + torus.count);
	const machine = { tori, count, torusOf, nodeOfRank, time: data.time, holder: null, several: null, jobs: null, queue: data.queue || null,
		history: data.history || null, dates: Boolean(data.dates), live: data.live || null, racks: null };
	machine.jobs = data.runs ? packedJobs(data.runs, machine) : listedJobs(data.jobs, machine);
	if (data.racks) {
		machine.racks = {};
		for (const level of LEVELS)
			machine.racks[level] = numbersOf(data.racks[level]);
	}
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
	// stateText: of a node, and why if it is not up
	machine.stateText = node => {
		const torus = tori[torusOf[node]], i = node - torus.first;
		return (torus.unusable[i] || 'up') + (torus.reasons[i] ? ': ' + torus.reasons[i] : '');
	};
	machine.coordinates = node => coordinatesOf(machine.cell(node), tori[torusOf[node]].dims);
	// reservations: of a node, those in force and those to come
	machine.reservations = node => {
		const torus = tori[torusOf[node]];
		return torus.reserved.filter(each => each.nodes.includes(node - torus.first));
	};
	settle(machine, machine.history ? [] : machine.jobs.all());
	return machine;
}

// settle: who holds each node, the jobs of these numbers running; nodes of several have the first of them
function settle(machine, numbers) {
	const holder = new Int32Array(machine.count).fill(FREE), several = new Map();
	for (const torus of machine.tori) {
		for (const each of torus.reserved.filter(reservation => reservation.active))
			for (const node of each.nodes)
				holder[torus.first + node] = RESERVED;
		for (const node of Object.keys(torus.unusable))
			holder[torus.first + Number(node)] = DOWN;
		for (const node of torus.others)
			holder[torus.first + node] = OTHER;
	}
	machine.running = numbers.map(number => machine.jobs.job(number));
	for (const job of machine.running) {
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
	machine.settled = (machine.settled || 0) + 1;
	machine.holder = holder;
	machine.several = several;
}

// jobsOf: the jobs on a node
function jobsOf(machine, node) {
	const holder = machine.holder[node];
	return machine.several.get(node) || (holder >= 0 ? [holder] : []);
}

// besides: {first, list}: of each node, list[first[node]] to list[first[node + 1] - 1] are the nodes one hop from it
// and those on its router; made when it is first asked for
function besides(machine) {
	if (machine.beside)
		return machine.beside;
	const first = new Uint32Array(machine.count + 1), list = [];
	for (const torus of machine.tori) {
		// The nodes of a router as a chain
		const head = new Int32Array(torus.cellCount).fill(-1), next = new Int32Array(torus.count);
		for (let i = torus.count - 1; i >= 0; i--) {
			next[i] = head[torus.cells[i]];
			head[torus.cells[i]] = i;
		}
		for (let i = 0; i < torus.count; i++) {
			const cell = torus.cells[i], cells = [cell];
			let stride = 1;
			torus.dims.forEach((length, axis) => {
				const at = Math.floor(cell / stride) % length;
				for (const step of [-1, 1]) {
					const to = torus.wrap[axis] ? (at + step + length) % length : at + step, other = cell + (to - at) * stride;
					if (to >= 0 && to < length && !cells.includes(other))
						cells.push(other);
				}
				stride *= length;
			});
			for (const each of cells)
				for (let other = head[each]; other >= 0; other = next[other])
					if (other !== i)
						list.push(torus.first + other);
			first[torus.first + i + 1] = list.length;
		}
	}
	machine.beside = { first, list: Uint32Array.from(list) };
	return machine.beside;
}

// neighboursOf: the nodes one hop from a node, and those on its router, by their numbers
function neighboursOf(machine, node) {
	const { first, list } = besides(machine);
	return Array.from(list.subarray(first[node], first[node + 1])).sort((a, b) => a - b);
}
