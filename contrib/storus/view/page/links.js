// SPDX-License-Identifier: GPL-2.0-or-later
// The links of the network as lines in the colour of their dimension, and those within a job
// as bars in the job's colour, so that a job's nodes hang together where its network does.

const LINE_VERTEX = `
attribute vec4 tint;
varying vec4 colour;
void main() {
	colour = tint;
	gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const LINE_FRAGMENT = `
precision mediump float;
uniform float strength;
varying vec4 colour;
void main() {
	gl_FragColor = vec4(colour.rgb, colour.a * strength);
}`;

function makeLines() {
	const material = new THREE.ShaderMaterial({
		vertexShader: LINE_VERTEX, fragmentShader: LINE_FRAGMENT, transparent: true, depthWrite: false,
		uniforms: { strength: { value: 1 } },
	});
	const mesh = new THREE.LineSegments(new THREE.BufferGeometry(), material);
	mesh.frustumCulled = false;
	const set = (name, array, size) => setAttribute(mesh.geometry, name, new THREE.BufferAttribute(array, size));
	return {
		mesh,
		strength: value => {
			if (value !== undefined)
				material.uniforms.strength.value = value;
			return material.uniforms.strength.value;
		},
		replace: (points, tints) => {
			mesh.geometry.dispose();
			mesh.geometry = new THREE.BufferGeometry();
			set('position', new Float32Array(points), 3);
			set('tint', new Float32Array(tints), 4);
			mesh.visible = points.length > 0;
		},
	};
}

// eachLink: of a torus, call with its axis, its two cells, the coordinates of both and whether it
// wraps; only between routers that have nodes and are not cut off
function eachLink(torus, cut, call) {
	const has = new Uint8Array(torus.cellCount);
	for (const cell of torus.cells)
		has[cell] = isCutOff(cut, coordinatesOf(cell, torus.dims)) ? 0 : 1;
	for (let cell = 0; cell < torus.cellCount; cell++) {
		if (!has[cell])
			continue;
		const at = coordinatesOf(cell, torus.dims);
		nextCells(torus, cell, (axis, next, last) => {
			if (!has[next])
				return;
			const other = at.slice();
			other[axis] = last ? 0 : at[axis] + 1;
			call(axis, cell, next, at, other, last);
		});
	}
}

// barRoom: as many bars as there can be: two ends for each link that wraps
function barRoom(machine) {
	let count = 0;
	for (const torus of machine.tori)
		eachLink(torus, null, (axis, cell, next, at, other, last) => { count += last ? 2 : 1; });
	return count;
}

function addLine(from, to, colour, alpha, fading, points, tints) {
	points.push(from[0], from[1], from[2], to[0], to[1], to[2]);
	tints.push(colour[0], colour[1], colour[2], alpha, colour[0], colour[1], colour[2], fading);
}

// addArc: a line from one place to another that rises in between along an axis of the scene
function addArc(from, to, up, rise, colour, alpha, points, tints) {
	const steps = 14;
	let before = from;
	for (let i = 1; i <= steps; i++) {
		const share = i / steps, bow = 4 * share * (1 - share) * rise;
		const now = [0, 1, 2].map(k => from[k] + (to[k] - from[k]) * share + (k === up ? bow : 0));
		addLine(before, now, colour, alpha, alpha, points, tints);
		before = now;
	}
}

// drawLinks: all lines of the machine; wrap links as ends that fade out, as arcs, into the repeated
// machine or not at all. With loads, {of(torus, axis, cell, next), colour(load)}, in their colours, otherwise in that of the axis.
function drawLinks(machine, layout, theme, wraps, loads, cut) {
	const points = [], tints = [], plain = PLAIN[theme], axisColours = AXIS_COLOURS[theme].map(rgbOf);
	const line = (from, to, colour, alpha, fading) => addLine(from, to, colour, alpha, fading, points, tints);
	for (const torus of machine.tori) {
		eachLink(torus, cut, (axis, cell, next, at, other, last) => {
			const load = loads ? loads.of(torus, axis, cell, next) : 0, block = layout.isApart(torus, axis);
			const colour = load ? loads.colour(load) : axisColours[axis], alpha = load ? 1 : plain.link;
			const from = layout.at(torus, at), to = layout.at(torus, other);
			if (!last && !block)
				line(from, to, colour, alpha, alpha);
			else if (block ? wraps !== 'none' || !last : wraps === 'ends')
				stubs(from, to, colour, last);
			else if (wraps === 'arcs')
				addArc(from, to, axis % 3 === 2 ? 0 : 1, 0.5 + 0.16 * Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]),
					colour, alpha, points, tints);
			else if (wraps === 'repeated' && axis < 3)
				intoRepeated(REPEATED_AT[axis] > 0 ? from : to, from.map((value, k) => REPEATED_AT[axis] * Math.sign(value - to[k])), colour, alpha);
		});
	}

	// Links between blocks or planes, and those round the end, as they would be too many lines across.
	function stubs(from, to, colour, outwards) {
		const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) || 1;
		const step = to.map((value, k) => (value - from[k]) / length * (outwards ? -0.75 : 0.6));
		line(from, from.map((value, k) => value + step[k]), colour, 0.75, 0.0);
		line(to, to.map((value, k) => value - step[k]), colour, 0.75, 0.0);
	}

	function intoRepeated(from, step, colour, alpha) {
		line(from, from.map((value, k) => value + step[k]), colour, alpha, alpha);
	}

	return { points, tints };
}

// eachBar: call with middle, sides and value for each link of the first three dimensions for which
// valueOf(torus)(axis, cell, next) says one that is not null
function eachBar(machine, layout, cut, valueOf, call) {
	const thick = 0.2;
	for (const torus of machine.tori) {
		const of = valueOf(torus);
		eachLink(torus, cut, (axis, cell, next, at, other, last) => {
			const value = layout.isApart(torus, axis) ? null : of(axis, cell, next);
			if (value === null)
				return;
			const from = layout.at(torus, at), to = layout.at(torus, other), sides = [thick, thick, thick];
			// Along which axis of the scene, and which way: in a wrapped dimension its last router is the first one's
			// neighbour beyond the end.
			const apart = to.map((place, k) => place - from[k]), along = apart.findIndex(way => Math.abs(way) > 0.01);
			if (!last) {
				sides[along] = 1;
				call(from.map((place, k) => (place + to[k]) / 2), sides, value);
				return;
			}
			sides[along] = 0.34;
			const outwards = [0, 0, 0];
			outwards[along] = -0.5 * Math.sign(apart[along]);
			call(from.map((place, k) => place + outwards[k]), sides, value);
			call(to.map((place, k) => place - outwards[k]), sides, value);
		});
	}
}

// jobBars: for eachBar(): a job that is on both routers, of those that [wanted] says (null: all)
function jobBars(machine, wanted) {
	return torus => {
		const onCell = new Map();
		torus.cells.forEach((cell, i) => {
			const jobs = jobsOf(machine, torus.first + i);
			if (jobs.length)
				onCell.set(cell, onCell.has(cell) ? onCell.get(cell).concat(jobs) : jobs);
		});
		return (axis, cell, next) => {
			const jobs = onCell.get(cell), others = onCell.get(next);
			if (!jobs || !others)
				return null;
			const found = jobs.find(job => others.includes(job) && (!wanted || wanted(job)));
			return found === undefined ? null : found;
		};
	};
}
