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
	const set = (name, array, size) => {
		const attribute = new THREE.BufferAttribute(array, size);
		if (mesh.geometry.setAttribute)
			mesh.geometry.setAttribute(name, attribute);
		else
			mesh.geometry.addAttribute(name, attribute);
	};
	return {
		mesh,
		strength: value => { material.uniforms.strength.value = value; },
		replace: (points, tints) => {
			mesh.geometry.dispose();
			mesh.geometry = new THREE.BufferGeometry();
			set('position', new Float32Array(points), 3);
			set('tint', new Float32Array(tints), 4);
			mesh.visible = points.length > 0;
		},
	};
}

// eachLink: of a torus, call with its axis, its two cells, the coordinates of the first and
// whether it wraps; only between routers that have nodes
function eachLink(torus, call) {
	const has = new Uint8Array(torus.cellCount);
	for (const cell of torus.cells)
		has[cell] = 1;
	for (let cell = 0; cell < torus.cellCount; cell++) {
		if (!has[cell])
			continue;
		const at = coordinatesOf(cell, torus.dims);
		let stride = 1;
		torus.dims.forEach((length, axis) => {
			const last = at[axis] === length - 1;
			const next = cell + (last ? (1 - length) * stride : stride);
			// In a ring of two the way round is a second link between the same routers.
			if (has[next] && next !== cell && (!last || (torus.wrap[axis] && length > 2)))
				call(axis, cell, next, at, last);
			stride *= length;
		});
	}
}

// drawLinks: all lines of the machine; wrap links as ends that fade out, as arcs or not at all
function drawLinks(machine, layout, lines, theme, wraps) {
	const points = [], tints = [], plain = PLAIN[theme], axisColours = AXIS_COLOURS[theme].map(rgbOf);
	const line = (from, to, colour, alpha, fading) => {
		points.push(from[0], from[1], from[2], to[0], to[1], to[2]);
		tints.push(colour[0], colour[1], colour[2], alpha, colour[0], colour[1], colour[2], fading);
	};
	for (const torus of machine.tori) {
		eachLink(torus, (axis, cell, next, at, last) => {
			const colour = axisColours[axis], other = at.slice();
			other[axis] = last ? 0 : at[axis] + 1;
			const from = layout.at(torus, at), to = layout.at(torus, other);
			const block = axis >= 3;
			if (!last && !block) {
				line(from, to, colour, plain.link, plain.link);
			} else if (block || wraps === 'ends') {
				if (wraps !== 'none' || !last)
					stubs(from, to, colour, last);
			} else if (wraps === 'arcs') {
				arc(from, to, axis, colour);
			}
		});
	}

	// Links between blocks, and those round the end, as they would be too many lines across.
	function stubs(from, to, colour, outwards) {
		const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) || 1;
		const step = to.map((value, k) => (value - from[k]) / length * (outwards ? -0.75 : 0.6));
		line(from, from.map((value, k) => value + step[k]), colour, 0.75, 0.0);
		line(to, to.map((value, k) => value - step[k]), colour, 0.75, 0.0);
	}

	function arc(from, to, axis, colour) {
		const steps = 14, rise = 0.5 + 0.16 * Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
		const up = axis % 3 === 2 ? 0 : 1;
		let before = from;
		for (let i = 1; i <= steps; i++) {
			const share = i / steps, bow = 4 * share * (1 - share) * rise;
			const now = from.map((value, k) => value + (to[k] - value) * share + (k === up ? bow : 0));
			line(before, now, colour, plain.link, plain.link);
			before = now;
		}
	}

	lines.replace(points, tints);
}

// eachBar: call with middle, sides and job for each link within a job, or only for the jobs that
// [wanted] says
function eachBar(machine, layout, wanted, call) {
	for (const torus of machine.tori) {
		const job = new Int32Array(torus.cellCount).fill(-1);
		torus.cells.forEach((cell, i) => {
			const holder = machine.holder[torus.first + i];
			// A router whose nodes several jobs have belongs to none.
			job[cell] = job[cell] === -1 || job[cell] === holder ? Math.max(holder, -4) : -4;
		});
		const thick = 0.2;
		eachLink(torus, (axis, cell, next, at, last) => {
			if (job[cell] < 0 || job[cell] !== job[next] || axis >= 3 || (wanted && !wanted(job[cell])))
				return;
			const other = at.slice();
			other[axis] = last ? 0 : at[axis] + 1;
			const from = layout.at(torus, at), to = layout.at(torus, other);
			const along = axis === 0 ? 0 : axis === 1 ? 2 : 1;
			const sides = [thick, thick, thick];
			if (!last) {
				sides[along] = 1;
				call(from.map((value, k) => (value + to[k]) / 2), sides, job[cell]);
				return;
			}
			sides[along] = 0.34;
			const outwards = [0, 0, 0];
			outwards[along] = 0.5;
			call(from.map((value, k) => value + outwards[k]), sides, job[cell]);
			call(to.map((value, k) => value - outwards[k]), sides, job[cell]);
		});
	}
}
