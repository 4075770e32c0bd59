// SPDX-License-Identifier: GPL-2.0-or-later
// Where nodes and routers are drawn. The first three dimensions are x to the right, y towards
// the viewer (downwards from above, as in `storus show`) and z upwards; with the fourth to the
// sixth, blocks of three dimensions stand in rows, columns and floors.

const BLOCK_GAP = 1.6;	// routers between two blocks
const TORUS_GAP = 4;	// and between two tori

// placeOf: the position of coordinates within a torus, in routers
function placeOf(torus, at) {
	const place = [0, 0, 0];
	torus.dims.forEach((length, axis) => {
		const under = axis < 3 ? 1 : torus.dims[axis - 3] + BLOCK_GAP;
		place[axis % 3] += at[axis] * under;
	});
	return place;
}

// extentOf: how many routers' room a torus takes in each direction
function extentOf(torus) {
	return placeOf(torus, torus.dims.map(length => length - 1)).map(last => last + 1);
}

// wiredLayout: where tori begin, and the positions of the nodes, in the scene's coordinates
function wiredLayout(machine) {
	const origins = [], position = new Float32Array(3 * machine.count), size = new Float32Array(machine.count);
	const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
	let left = 0;
	for (const torus of machine.tori) {
		const extent = extentOf(torus), router = new Uint16Array(torus.cellCount);
		const many = new Uint16Array(torus.cellCount);
		for (const cell of torus.cells)
			many[cell]++;
		origins.push([left, 0, 0]);
		for (let i = 0; i < torus.count; i++) {
			const cell = torus.cells[i];
			const place = placeOf(torus, coordinatesOf(cell, torus.dims));
			// Several nodes of a router share its cube.
			const side = Math.ceil(Math.cbrt(many[cell])), nth = router[cell]++;
			const offset = k => ((k % side) - (side - 1) / 2) / side * 0.72;
			const at = 3 * (torus.first + i);
			position[at] = left + place[0] + offset(nth);
			position[at + 1] = place[2] + offset(Math.floor(nth / side / side));
			position[at + 2] = place[1] + offset(Math.floor(nth / side));
			size[torus.first + i] = side === 1 ? 1 : 1.05 / side;
		}
		[[left, 0, 0], [left + extent[0] - 1, extent[2] - 1, extent[1] - 1]].forEach(corner =>
			corner.forEach((value, axis) => {
				low[axis] = Math.min(low[axis], value);
				high[axis] = Math.max(high[axis], value);
			}));
		left += extent[0] + TORUS_GAP;
	}
	return {
		origins, position, size, low, high,
		// at: a router's coordinates, also broken ones, in the scene
		at: (torus, coordinates) => {
			const place = placeOf(torus, coordinates);
			return [origins[torus.number][0] + place[0], place[2], place[1]];
		},
		flat: machine.tori.every(torus => extentOf(torus)[2] === 1),
	};
}
