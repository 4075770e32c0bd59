// SPDX-License-Identifier: GPL-2.0-or-later
// The wired view: routers at their coordinates, links between them.

// isCutOff: whether a router is beyond a cut {axis, low, high}: before its low or behind its high coordinate
function isCutOff(cut, coordinates) {
	return Boolean(cut && cut.axis < coordinates.length && (coordinates[cut.axis] < cut.low || coordinates[cut.axis] > cut.high));
}

// wiredModel: what a scene draws of the network, the planes across the axis `apart` (null: none) beside each other;
// room.js has the same for the room
function wiredModel(machine, apart) {
	const layout = wiredLayout(machine, apart), repeats = apart === null ? repeatsOf(machine) : [];
	return Object.assign(layout, {
		name: 'wired',
		aslant: layout.flat ? null : { azimuth: -0.62, polar: 1.13 },
		barRoom: barRoom(machine),
		wires: (theme, wraps, loads, cut) => drawLinks(machine, layout, theme, wraps, loads, cut),
		eachBar: (cut, valueOf, call) => eachBar(machine, layout, cut, valueOf, call),
		pieces: job => [].concat(...job.parts.filter(part => part.torus !== null)
			.map(part => boxPieces(machine.tori[part.torus], part.origin, String(part.box).split('x').map(Number), layout))),
		piecesOf: (torus, origin, sides) => boxPieces(torus, origin, sides, layout),
		labels: theme => axisLabels(machine, layout, theme),
		repeats: wraps => wraps === 'repeated' ? repeats : [],
		cables: () => ({ points: [], tints: [] }),
	});
}

// Where the machine stands once more, by dimension: behind itself, as it is seen first
const REPEATED_AT = [1, -1, -1];

// repeatsOf: how far to move the machine so that it stands once more beyond an end of its wrapped
// dimensions; none where other tori or blocks stand there
function repeatsOf(machine) {
	const torus = machine.tori[0];
	let moves = [[0, 0, 0]];
	if (machine.tori.length > 1 || torus.dims.length > 3)
		return [];
	torus.dims.forEach((length, axis) => {
		if (!torus.wrap[axis] || length < 2)
			return;
		const along = [0, 2, 1][axis];
		moves = moves.concat(moves.map(move => move.map((value, k) => k === along ? value + REPEATED_AT[axis] * length : value)));
	});
	return moves.slice(1);
}

// boxPieces: a box of routers in the scene: [low, high] corners, in each dimension of one piece, or of
// two where it goes round an end
function boxPieces(torus, origin, sides, layout) {
	let pieces = [{ low: [], high: [] }];
	torus.dims.forEach((length, axis) => {
		const begin = origin[axis], end = begin + sides[axis] - 1;
		const ranges = end < length ? [[begin, end]] : [[begin, length - 1], [0, end - length]];
		const next = [];
		for (const piece of pieces)
			for (const range of ranges)
				next.push({ low: piece.low.concat(range[0]), high: piece.high.concat(range[1]) });
		pieces = next;
	});
	// Each block of a machine of more than three dimensions has its own, and each plane taken apart.
	const blocks = [];
	for (const piece of pieces)
		splitBlocks(torus, piece, layout, 0, blocks);
	return blocks.map(piece => {
		const ends = [layout.at(torus, piece.low), layout.at(torus, piece.high)];
		return { low: ends[0].map((value, k) => Math.min(value, ends[1][k])), high: ends[0].map((value, k) => Math.max(value, ends[1][k])) };
	});
}

function splitBlocks(torus, piece, layout, axis, blocks) {
	if (axis >= torus.dims.length) {
		blocks.push(piece);
		return;
	}
	if (!layout.isApart(torus, axis)) {
		splitBlocks(torus, piece, layout, axis + 1, blocks);
		return;
	}
	for (let i = piece.low[axis]; i <= piece.high[axis]; i++) {
		const low = piece.low.slice(), high = piece.high.slice();
		low[axis] = high[axis] = i;
		splitBlocks(torus, { low, high }, layout, axis + 1, blocks);
	}
}

// axisLabels: the names of tori and axes, [{text, at, kind, colour}]
function axisLabels(machine, layout, theme) {
	const labels = [];
	for (const torus of machine.tori) {
		const planes = layout.planes[torus.number], extent = extentOf(torus, planes), origin = layout.origins[torus.number];
		if (planes)
			labels.push(...planeLabels(torus, planes, layout, theme));
		if (machine.tori.length > 1)
			labels.push({ text: torus.name, at: [origin[0] + (extent[0] - 1) / 2, extent[2] + 0.5, -1.2], kind: 'torus' });
		torus.dims.slice(0, 3).forEach((length, axis) => {
			if (length < 2 || planes)
				return;
			// x along the near lower edge, y and z at the left
			const ends = [0, length - 1].map(i => {
				const at = torus.dims.map((side, k) => k === axis ? i : k === 1 && axis === 0 ? side - 1 : 0);
				const place = layout.at(torus, at.map((v, k) => k >= 3 ? 0 : v));
				if (axis === 0)
					return [place[0], place[1] - (layout.flat ? 0 : 0.9), place[2] + (layout.flat ? 1 : 0.6)];
				if (axis === 1)
					return [place[0] - 1, place[1] - (layout.flat ? 0 : 0.7), place[2]];
				return [place[0] - 0.9, place[1], place[2] - 0.9];
			});
			const letter = 'xyzuvw'[axis], colour = AXIS_COLOURS[theme][axis];
			labels.push({ text: '0', at: ends[0], kind: 'axis', colour },
				{ text: letter, at: ends[0].map((value, k) => (value + ends[1][k]) / 2), kind: 'axis', colour },
				{ text: String(length - 1), at: ends[1], kind: 'axis', colour });
		});
	}
	return labels;
}

// planeLabels: which plane each is, and the axes at the first one
function planeLabels(torus, planes, layout, theme) {
	const { axis, across: [right, down] } = planes, labels = [], colours = AXIS_COLOURS[theme];
	const place = (plane, toRight, towards) => {
		const at = [0, 0, 0];
		at[axis] = plane;
		at[right] = toRight;
		at[down] = down === 2 ? torus.dims[2] - 1 - towards : towards;
		return layout.at(torus, at);
	};
	const wide = torus.dims[right] - 1, high = torus.dims[down] - 1;
	for (let plane = 0; plane < torus.dims[axis]; plane++)
		labels.push({ text: 'xyz'[axis] + '=' + plane, at: place(plane, wide / 2, -1.25), kind: 'axis', colour: colours[axis] });
	labels.push({ text: 'xyz'[right] + ' \u2192', at: place(0, wide / 2, high + 1.1), kind: 'axis', colour: colours[right] },
		{ text: 'xyz'[down] + (down === 2 ? ' \u2191' : ' \u2193'), at: place(0, -1.3, high / 2), kind: 'axis', colour: colours[down] });
	return labels;
}
