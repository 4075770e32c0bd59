// The picture: nodes, links, the box of a picked job, labels. A frame is drawn only when
// something has changed.

function makeScene(machine, canvas, labels, onFrame) {
	const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: false, preserveDrawingBuffer: false });
	const scene = new THREE.Scene(), layout = wiredLayout(machine);
	const cubes = makeBoxes(machine.count, 0.22);
	let barCount = 0;
	// Bars are most of the work of drawing; on a large machine only a picked job has them.
	const manyBars = machine.count > 20000;
	eachBarRoom();
	const bars = makeBoxes(Math.max(1, barCount), 0);
	const steps = makeBoxes(machine.count, 0), lines = makeLines(), outline = makeLines(), path = makeLines();
	const faces = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({
		transparent: true, opacity: 0.10, depthWrite: false, side: THREE.DoubleSide }));
	let queued = false, look = null, names = [];
	scene.add(lines.mesh, cubes.mesh, bars.mesh, faces, outline.mesh, path.mesh, steps.mesh);
	faces.visible = false;
	path.mesh.visible = steps.mesh.visible = false;
	lines.mesh.renderOrder = -1;

	const eye = makeCamera(canvas, () => draw());
	const low = layout.low, high = layout.high;
	const corners = [];
	for (let i = 0; i < 8; i++)
		corners.push(new THREE.Vector3(...[0, 1, 2].map(k => i >> k & 1 ? high[k] + 0.7 : low[k] - 0.7)));
	eye.setWhole({
		centre: new THREE.Vector3(...low.map((value, k) => (value + high[k]) / 2)), corners, flat: layout.flat,
		radius: Math.hypot(...low.map((value, k) => high[k] - value + 1.4)) / 2,
	});

	// As many bars as there can be: two ends for each link
	function eachBarRoom() {
		for (const torus of machine.tori)
			eachLink(torus, (axis, cell, next, at, last) => { barCount += last ? 2 : 1; });
	}

	// draw: a frame, at the browser's next chance
	function draw() {
		if (queued)
			return;
		queued = true;
		requestAnimationFrame(() => {
			// Somebody may have drawn it meanwhile.
			if (queued)
				drawNow();
		});
	}

	function drawNow() {
		queued = false;
		renderer.render(scene, eye.camera);
		placeLabels();
		onFrame();
	}

	function resize() {
		const width = canvas.parentElement.clientWidth, height = canvas.parentElement.clientHeight;
		renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
		renderer.setSize(width, height, false);
		eye.setAspect(width / Math.max(1, height));
		draw();
	}

	// paint: nodes and bars as `look` says: {theme, colours, isChosen(node) or null, only, picked}
	function paint(next) {
		look = next;
		const theme = look.theme, ground = rgbOf(PLAIN[theme].ground), choice = look.isChosen;
		renderer.setClearColor(new THREE.Color(PLAIN[theme].ground), 1);
		for (let node = 0; node < machine.count; node++) {
			const holder = machine.holder[node], i = 3 * node;
			let colour = look.colours.colourOf(node);
			let size = holder >= 0 || holder === OTHER || look.colours.everyNode ? 0.66 : holder === DOWN ? 0.36 : 0.15;
			if (choice && !choice(node)) {
				colour = colour.map((value, k) => value * 0.28 + ground[k] * 0.72);
				size = look.only ? 0 : Math.min(size, 0.30);
			} else if (node === look.picked || (look.near && look.near.has(node))) {
				size = Math.max(size, node === look.picked ? 0.86 : 0.4);
			}
			if (look.reveal !== null) {
				const reached = machine.rank(node) < look.reveal;
				size = reached ? 0.34 : 0.13;
				if (!reached)
					colour = rgbOf(PLAIN[theme].free);
			}
			size *= layout.size[node];
			for (let k = 0; k < 3; k++) {
				cubes.place[i + k] = layout.position[i + k];
				cubes.tint[i + k] = colour[k];
				cubes.scale[i + k] = size;
			}
		}
		cubes.update(machine.count);
		paintBars(ground);
		draw();
	}

	function paintBars(ground) {
		let count = 0;
		if (!look.colours.everyNode && (!manyBars || look.isChosenJob))
			eachBar(machine, layout, manyBars && look.isChosenJob, (middle, sides, job) => {
				let colour = look.colours.colourOfJob(job).map(value => value * 0.92);
				if (look.isChosenJob && !look.isChosenJob(job)) {
					if (look.only)
						return;
					colour = colour.map((value, k) => value * 0.28 + ground[k] * 0.72);
					sides = sides.map(value => value < 0.3 ? 0.08 : value);
				}
				bars.set(count++, middle, colour, sides);
			});
		bars.update(count);
	}

	// wires: the lines, which change with the theme and with how wrap links are shown
	function wires(theme, wraps) {
		drawLinks(machine, layout, lines, theme, wraps);
		draw();
	}

	// curve: through the nodes of the ranks below [rank]; null: none
	function curve(rank, theme) {
		path.mesh.visible = steps.mesh.visible = rank !== null;
		lines.strength(rank === null ? 1 : 0.4);
		if (rank === null)
			return;
		const points = [], tints = [];
		let count = 0;
		eachStep(machine, layout, theme, (end, from, to, colour) => {
			if (end >= rank)
				return;
			const apart = to.map((value, k) => Math.abs(value - from[k]));
			if (apart.filter(value => value > 0.01).length === 1 && Math.max(...apart) < 1.01) {
				steps.set(count++, from.map((value, k) => (value + to[k]) / 2), colour, apart.map(value => Math.max(value, 0.17)));
			} else {
				points.push(...from, ...to);
				tints.push(...colour, 1, ...colour, 1);
			}
		});
		steps.update(count);
		path.replace(points, tints);
		draw();
	}

	// box: the shaded bounding boxes of a job; one that goes round an end is in two pieces
	function box(job, theme) {
		const points = [], tints = [], triangles = [];
		const colour = rgbOf(PLAIN[theme].box);
		for (const part of job ? job.parts : [])
			if (part.torus !== null)
				boxPieces(machine.tori[part.torus], part, layout).forEach(piece => addBox(piece, points, tints, triangles, colour));
		outline.replace(points, tints);
		faces.geometry.dispose();
		faces.geometry = new THREE.BufferGeometry();
		const attribute = new THREE.BufferAttribute(new Float32Array(triangles), 3);
		if (faces.geometry.setAttribute)
			faces.geometry.setAttribute('position', attribute);
		else
			faces.geometry.addAttribute('position', attribute);
		faces.material.color = new THREE.Color(PLAIN[theme].box);
		faces.visible = triangles.length > 0;
		faces.frustumCulled = false;
		draw();
	}

	// label: the names of tori and axes; what is drawn by the page's own text stays sharp
	function label(theme) {
		names = [];
		labels.textContent = '';
		const add = (text, at, kind, colour) => {
			const span = document.createElement('span');
			span.textContent = text;
			span.className = kind;
			if (colour)
				span.style.color = colour;
			labels.appendChild(span);
			names.push({ span, at: new THREE.Vector3(...at) });
		};
		for (const torus of machine.tori) {
			const extent = extentOf(torus), origin = layout.origins[torus.number];
			if (machine.tori.length > 1)
				add(torus.name, [origin[0] + (extent[0] - 1) / 2, extent[2] + 0.5, -1.2], 'torus');
			torus.dims.slice(0, 3).forEach((length, axis) => {
				if (length < 2)
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
				const letter = 'xyzuvw'[axis], css = AXIS_COLOURS[theme][axis];
				add('0', ends[0], 'axis', css);
				add(letter, ends[0].map((value, k) => (value + ends[1][k]) / 2), 'axis', css);
				add(String(length - 1), ends[1], 'axis', css);
			});
		}
		draw();
	}

	function placeLabels() {
		const width = canvas.clientWidth, height = canvas.clientHeight, seen = new THREE.Vector3();
		for (const name of names) {
			seen.copy(name.at).project(eye.camera);
			const x = (seen.x + 1) / 2 * width, y = (1 - seen.y) / 2 * height;
			name.span.style.transform = 'translate(' + x.toFixed(1) + 'px,' + y.toFixed(1) + 'px) translate(-50%,-50%)';
			name.span.hidden = seen.z > 1;
		}
	}

	// nodeAt: the nearest node drawn under a point of the page, or -1
	function nodeAt(clientX, clientY) {
		const frame = canvas.getBoundingClientRect();
		const ray = new THREE.Raycaster();
		ray.setFromCamera(new THREE.Vector2((clientX - frame.left) / frame.width * 2 - 1,
			1 - (clientY - frame.top) / frame.height * 2), eye.camera);
		const from = ray.ray.origin.toArray(), along = ray.ray.direction.toArray();
		let best = -1, nearest = Infinity;
		for (let node = 0; node < machine.count; node++) {
			// Small cubes are given a little more room.
			const half = cubes.scale[3 * node] && Math.max(0.2 * layout.size[node], cubes.scale[3 * node] / 2);
			const at = half ? enters(from, along, cubes.place, 3 * node, half) : Infinity;
			if (at < nearest) {
				nearest = at;
				best = node;
			}
		}
		return best;
	}

	// screenOf: where a node is on the page, for tests and for the keyboard
	function screenOf(node) {
		const at = new THREE.Vector3(...cubes.place.slice(3 * node, 3 * node + 3)).project(eye.camera);
		const frame = canvas.getBoundingClientRect();
		return [frame.left + (at.x + 1) / 2 * frame.width, frame.top + (1 - at.y) / 2 * frame.height];
	}

	// timeFrame: milliseconds for a frame until its pixels are there, or for one of nothing
	function timeFrame(nothing) {
		const gl = renderer.getContext(), pixel = new Uint8Array(4), begin = performance.now();
		scene.visible = !nothing;
		renderer.render(scene, eye.camera);
		gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
		scene.visible = true;
		return performance.now() - begin;
	}

	return { curve, timeFrame, eye, layout, draw, drawNow, resize, paint, wires, box, label, nodeAt, screenOf, scene, renderer };
}

// enters: how far along a ray it enters a cube, or Infinity
function enters(from, along, place, i, half) {
	let near = -Infinity, far = Infinity;
	for (let k = 0; k < 3; k++) {
		const low = (place[i + k] - half - from[k]) / along[k], high = (place[i + k] + half - from[k]) / along[k];
		near = Math.max(near, Math.min(low, high));
		far = Math.min(far, Math.max(low, high));
	}
	return near <= far && far > 0 ? near : Infinity;
}

// boxPieces: a job's bounding box in the scene: [low, high] corners, in each dimension of one
// piece, or of two where it goes round an end
function boxPieces(torus, part, layout) {
	const sides = String(part.box).split('x').map(Number);
	let pieces = [{ low: [], high: [] }];
	torus.dims.forEach((length, axis) => {
		const begin = part.origin[axis], end = begin + sides[axis] - 1;
		const ranges = end < length ? [[begin, end]] : [[begin, length - 1], [0, end - length]];
		const next = [];
		for (const piece of pieces)
			for (const range of ranges)
				next.push({ low: piece.low.concat(range[0]), high: piece.high.concat(range[1]) });
		pieces = next;
	});
	// Each block of a machine of more than three dimensions has its own.
	const blocks = [];
	for (const piece of pieces)
		splitBlocks(piece, torus.dims.length, 3, blocks);
	return blocks.map(piece => ({ low: layout.at(torus, piece.low), high: layout.at(torus, piece.high) }));
}

function splitBlocks(piece, dims, axis, blocks) {
	if (axis >= dims) {
		blocks.push(piece);
		return;
	}
	for (let i = piece.low[axis]; i <= piece.high[axis]; i++) {
		const low = piece.low.slice(), high = piece.high.slice();
		low[axis] = high[axis] = i;
		splitBlocks({ low, high }, dims, axis + 1, blocks);
	}
}

function addBox(piece, points, tints, triangles, colour) {
	const corner = i => [0, 1, 2].map(k => i >> k & 1 ? piece.high[k] + 0.5 : piece.low[k] - 0.5);
	for (const [a, b] of [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]]) {
		points.push(...corner(a), ...corner(b));
		tints.push(...colour, 0.8, ...colour, 0.8);
	}
	for (const [a, b, c, d] of [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]])
		triangles.push(...corner(a), ...corner(b), ...corner(c), ...corner(a), ...corner(c), ...corner(d));
}
