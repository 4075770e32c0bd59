// SPDX-License-Identifier: GPL-2.0-or-later
// Free boxes of a shape, as `storus capacity --shape` finds them: in every rotation, round the ends of
// wrapped dimensions.

// shapeOf("4x4x2", 3): [4, 4, 2]; null for what is no shape in so many dimensions
function shapeOf(text, dims) {
	if (!/^[0-9]{1,9}([x×][0-9]{1,9})*$/i.test(text.trim()))
		return null;
	const sides = text.trim().split(/[x×]/i).map(Number);
	while (sides.length > dims && sides.includes(1))
		sides.splice(sides.indexOf(1), 1);
	while (sides.length < dims)
		sides.push(1);
	return sides.length === dims && !sides.includes(0) ? sides : null;
}

// rotationsOf: the different orders of the sides that are no longer than the torus
function rotationsOf(sides, torus) {
	const found = new Map();
	const extend = (taken, left) => {
		if (!left.length)
			found.set(taken.join('x'), taken);
		left.forEach((side, i) => {
			if (side <= torus.dims[taken.length])
				extend(taken.concat(side), left.filter((_, k) => k !== i));
		});
	};
	extend([], sides);
	return [...found.values()];
}

// usableCells: 1 for each router that has nodes, all of them free
function usableCells(machine, torus) {
	const usable = new Uint8Array(torus.cellCount), busy = new Uint8Array(torus.cellCount);
	torus.cells.forEach((cell, i) => {
		usable[cell] = 1;
		if (machine.holder[torus.first + i] !== FREE)
			busy[cell] = 1;
	});
	return usable.map((has, cell) => has && !busy[cell] ? 1 : 0);
}

// cornersOf: 1 for each router at which a usable box of these sides begins; one that goes all around a ring
// is the same box wherever it begins, and counts at the lowest
function cornersOf(torus, usable, sides) {
	let corners = usable, stride = 1;
	torus.dims.forEach((length, axis) => {
		const side = sides[axis], run = new Uint32Array(torus.cellCount);
		// From the end of each line back to its begin, in a ring twice
		for (let cell = torus.cellCount - 1; side > 1 && cell >= 0; cell--) {
			if (Math.floor(cell / stride) % length)
				continue;
			let count = 0;
			for (let i = (torus.wrap[axis] ? 2 : 1) * length - 1; i >= 0; i--) {
				const at = cell + i % length * stride;
				count = corners[at] ? count + 1 : 0;
				run[at] = count;
			}
		}
		if (side > 1)
			corners = corners.map((corner, cell) => run[cell] >= side ? 1 : 0);
		if (torus.wrap[axis] && side === length && length > 1) {
			const row = stride;
			corners = corners.map((corner, cell) => Math.floor(cell / row) % length ? 0 : corner);
		}
		stride *= length;
	});
	return corners;
}

// cellsOf: the routers of a box
function cellsOf(torus, origin, sides) {
	let cells = [0], stride = 1;
	torus.dims.forEach((length, axis) => {
		const next = [];
		for (const cell of cells)
			for (let i = 0; i < sides[axis]; i++)
				next.push(cell + (origin[axis] + i) % length * stride);
		cells = next;
		stride *= length;
	});
	return cells;
}

// freeBoxes: {count, boxes: [{torus, origin, sides}], nodes}: how many there are, and some that are free
// together, packed one after the other, with their nodes; null for a text that is no shape
function freeBoxes(machine, text) {
	const found = { count: 0, boxes: [], nodes: new Set() };
	let shapes = 0;
	for (const torus of machine.tori) {
		const shape = shapeOf(text, torus.dims.length), taken = new Uint8Array(torus.cellCount);
		if (!shape)
			continue;
		shapes++;
		const usable = usableCells(machine, torus);
		for (const sides of rotationsOf(shape, torus))
			cornersOf(torus, usable, sides).forEach((corner, cell) => {
				if (!corner)
					return;
				found.count++;
				if (taken[cell])
					return;
				const origin = coordinatesOf(cell, torus.dims), cells = cellsOf(torus, origin, sides);
				if (cells.some(each => taken[each]))
					return;
				cells.forEach(each => { taken[each] = 1; });
				found.boxes.push({ torus, origin, sides });
			});
		torus.cells.forEach((cell, i) => {
			if (taken[cell])
				found.nodes.add(torus.first + i);
		});
	}
	return shapes ? found : null;
}
