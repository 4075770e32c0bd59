// SPDX-License-Identifier: GPL-2.0-or-later
// The physical view: rows of cabinets, cages one above the other, the slots of a cage as a panel. Rows
// come towards the viewer, cabinets go to the right.

const CAGE_GAP = 0.6, CABINET_GAP = 1.4;	// in slots
const MOST_CABLES = 6000;			// of a picked job; more are a thicket

// panelWidth: how many slots a cage has beside each other: about twice as many as above each other, and
// without a gap in the last line if that can be
function panelWidth(slots) {
	const least = Math.ceil(Math.sqrt(slots));
	for (let width = least; width <= 2 * least; width++)
		if (slots % width === 0)
			return width;
	return least;
}

function roomModel(machine) {
	const counts = LEVELS.map(level => machine.racks[level].length), [rows, cabinets, cages, slots] = counts;
	const width = panelWidth(slots), height = Math.ceil(slots / width);
	const tall = cages * height + (cages - 1) * CAGE_GAP, aisle = Math.max(4, 0.8 * tall);
	const position = new Float32Array(3 * machine.count), size = new Float32Array(machine.count);
	const at = ([row, cabinet, cage, slot]) => [cabinet * (width + CABINET_GAP) + slot % width,
		cage * (height + CAGE_GAP) + Math.floor(slot / width), row * aisle];
	const filled = new Set();
	for (let node = 0; node < machine.count; node++) {
		const place = machine.place(node);
		// Nodes of a torus without racks are not here; their cubes have no size.
		if (place === null)
			continue;
		const indexes = placeIndexes(place, counts);
		position.set(at(indexes), 3 * node);
		size[node] = 1;
		filled.add(indexes[0] * cabinets + indexes[1]);
	}
	// With room for the labels
	const low = [-3, -1.6, 0], high = [(cabinets - 1) * (width + CABINET_GAP) + width - 1, tall - 1, (rows - 1) * aisle];

	// The cabinets that have nodes, as frames
	function wires(theme) {
		const points = [], tints = [], colour = rgbOf(PLAIN[theme].free);
		for (const cabinet of filled) {
			const begin = at([Math.floor(cabinet / cabinets), cabinet % cabinets, 0, 0]);
			addEdges({ low: begin.map(value => value - 0.2), high: begin.map((value, k) => value + 0.2 + [width - 1, tall - 1, 0][k]) },
				points, tints, colour, 0.75);
		}
		return { points, tints };
	}

	function labels() {
		const found = [];
		const some = (numbers, call) => {
			const step = Math.ceil(numbers.length / 16);
			numbers.forEach((number, i) => {
				if (i % step === 0)
					call(number, i);
			});
		};
		some(machine.racks.rows, (number, i) => found.push({ text: 'row ' + number, at: [-2.2, -0.8, i * aisle], kind: 'axis' }));
		some(machine.racks.cabinets, (number, i) => found.push({ text: String(number), kind: 'axis',
			at: [i * (width + CABINET_GAP) + (width - 1) / 2, -1.6, high[2] + 0.6] }));
		return found;
	}

	// cables: the links between nodes that are picked, in the colour of their dimension, bowed to the front
	function cables(nodes, theme) {
		const points = [], tints = [], colours = AXIS_COLOURS[theme].map(rgbOf);
		let count = 0;
		eachCable(machine, nodes, (axis, a, b) => {
			if (!size[a] || !size[b] || ++count > MOST_CABLES)
				return;
			const from = position.slice(3 * a, 3 * a + 3), to = position.slice(3 * b, 3 * b + 3);
			const bow = 0.7 + 0.16 * Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
			addArc(from, to, 2, bow, colours[axis], 0.8, points, tints);
		});
		return count > MOST_CABLES ? { points: [], tints: [] } : { points, tints };
	}

	return {
		name: 'physical', position, size, low, high, flat: false, aslant: { azimuth: -0.3, polar: 0.95 }, barRoom: 0,
		wires, labels, cables, eachBar: () => {}, pieces: () => [], piecesOf: () => [], repeats: () => [],
	};
}

// eachCable: call with the axis and two nodes for each link between routers that have nodes of a set; the
// first such node of a router stands for it
function eachCable(machine, nodes, call) {
	for (const torus of machine.tori) {
		const first = new Map();
		for (const node of nodes)
			if (machine.torusOf[node] === torus.number && !first.has(machine.cell(node)))
				first.set(machine.cell(node), node);
		first.forEach((node, cell) => nextCells(torus, cell, (axis, next) => {
			if (first.has(next))
				call(axis, node, first.get(next));
		}));
	}
}
