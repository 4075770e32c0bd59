// SPDX-License-Identifier: GPL-2.0-or-later
// Where nodes and routers are drawn. The first three dimensions are x to the right, y towards
// the viewer (downwards from above, as in `storus show`) and z upwards; with the fourth to the
// sixth, blocks of three dimensions stand in rows, columns and floors. Taken apart, the planes across
// a dimension lie beside each other, so that nothing hides anything.

const BLOCK_GAP = 1.6;	// routers between two blocks
const PLANE_GAP = 3.4;	// two planes, with room for their labels
const TORUS_GAP = 4;	// and between two tori
const PLANES_WIDE = 1.5;	// planes beside each other are about so much wider than high

// planesOf: how the planes across an axis lie: {axis, across: [right, down], columns}; null: they do not
function planesOf(torus, axis) {
	if (axis === null || torus.dims.length !== 3 || torus.dims[axis] < 2)
		return null;
	const across = [[1, 2], [0, 2], [0, 1]][axis];
	const [wide, high] = across.map(each => torus.dims[each] + PLANE_GAP);
	const columns = Math.ceil(Math.sqrt(torus.dims[axis] * PLANES_WIDE * high / wide));
	return { axis, across, columns: Math.min(torus.dims[axis], columns) };
}

// placeOf: the position of coordinates within a torus, in routers: to the right, towards the viewer, up
function placeOf(torus, at, planes) {
	const place = [0, 0, 0];
	if (planes) {
		const { axis, across: [right, down], columns } = planes, plane = Math.round(at[axis]);
		// z goes up in a plane, too.
		const towards = down === 2 ? torus.dims[2] - 1 - at[2] : at[down];
		return [plane % columns * (torus.dims[right] + PLANE_GAP) + at[right],
			Math.floor(plane / columns) * (torus.dims[down] + PLANE_GAP) + towards, 0];
	}
	torus.dims.forEach((length, axis) => {
		const under = axis < 3 ? 1 : torus.dims[axis - 3] + BLOCK_GAP;
		place[axis % 3] += at[axis] * under;
	});
	return place;
}

// extentOf: how many routers' room a torus takes in each direction
function extentOf(torus, planes) {
	if (!planes)
		return placeOf(torus, torus.dims.map(length => length - 1)).map(last => last + 1);
	const { axis, across: [right, down], columns } = planes;
	return [columns * (torus.dims[right] + PLANE_GAP) - PLANE_GAP,
		Math.ceil(torus.dims[axis] / columns) * (torus.dims[down] + PLANE_GAP) - PLANE_GAP, 1];
}

// wiredLayout: where tori begin, and the positions of the nodes, in the scene's coordinates; apart: the axis along
// which planes are taken apart, or null
function wiredLayout(machine, apart) {
	const origins = [], position = new Float32Array(3 * machine.count), size = new Float32Array(machine.count);
	const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
	const planes = machine.tori.map(torus => planesOf(torus, apart));
	let left = 0;
	for (const torus of machine.tori) {
		const extent = extentOf(torus, planes[torus.number]), router = new Uint16Array(torus.cellCount);
		const many = new Uint16Array(torus.cellCount);
		for (const cell of torus.cells)
			many[cell]++;
		origins.push([left, 0, 0]);
		for (let i = 0; i < torus.count; i++) {
			const cell = torus.cells[i];
			const place = placeOf(torus, coordinatesOf(cell, torus.dims), planes[torus.number]);
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
		origins, position, size, low, high, planes,
		// at: a router's coordinates, also broken ones, in the scene
		at: (torus, coordinates) => {
			const place = placeOf(torus, coordinates, planes[torus.number]);
			return [origins[torus.number][0] + place[0], place[2], place[1]];
		},
		// isApart: whether routers one hop apart in a dimension are not beside each other
		isApart: (torus, axis) => axis >= 3 || Boolean(planes[torus.number] && planes[torus.number].axis === axis),
		flat: machine.tori.every(torus => extentOf(torus, planes[torus.number])[2] === 1),
	};
}
