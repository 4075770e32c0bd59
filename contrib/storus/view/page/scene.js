// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of a model (wired.js, room.js): nodes, links, the box of a picked job, labels. A frame is
// drawn only when something has changed.

// makeScene: in an element that has a canvas and another one for labels
function makeScene(machine, model, frame, onFrame) {
	const canvas = frame.querySelector('canvas'), labels = frame.querySelector('.labels');
	const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: false, preserveDrawingBuffer: false });
	const scene = new THREE.Scene(), cubes = makeBoxes(machine.count, 0.22);
	// Bars are most of the work of drawing; on a large machine only a picked job has them.
	const manyBars = machine.count > 20000;
	const bars = makeBoxes(Math.max(1, model.barRoom), 0);
	const steps = makeBoxes(machine.count, 0), lines = makeLines(), outline = makeLines(), path = makeLines(), cables = makeLines();
	const faces = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({
		transparent: true, opacity: 0.10, depthWrite: false, side: THREE.DoubleSide }));
	let queued = false, look = null, names = [], ghosts = [];
	scene.add(lines.mesh, cubes.mesh, bars.mesh, faces, outline.mesh, path.mesh, cables.mesh, steps.mesh);
	faces.visible = false;
	path.mesh.visible = steps.mesh.visible = cables.mesh.visible = false;
	lines.mesh.renderOrder = -1;

	const eye = makeCamera(canvas, () => draw());
	setWhole([]);

	// setWhole: what the camera takes for the whole machine, and where else it stands
	function setWhole(repeats) {
		const high = model.high.map((value, k) => Math.max(value, ...repeats.map(move => value + move[k])));
		const low = model.low.map((value, k) => Math.min(value, ...repeats.map(move => value + move[k])));
		const corners = [];
		for (let i = 0; i < 8; i++)
			corners.push(new THREE.Vector3(...[0, 1, 2].map(k => i >> k & 1 ? high[k] + 0.7 : low[k] - 0.7)));
		eye.setWhole({
			centre: new THREE.Vector3(...low.map((value, k) => (value + high[k]) / 2)), corners, aslant: model.aslant,
			radius: Math.hypot(...low.map((value, k) => high[k] - value + 1.4)) / 2,
		});
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
		const width = frame.clientWidth, height = frame.clientHeight;
		renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
		renderer.setSize(width, height, false);
		eye.setAspect(width / Math.max(1, height));
		draw();
	}

	// paint: nodes and bars as `look` says: {theme, colours, isChosen(node) or null, only, picked, near, marked}
	function paint(next) {
		look = next;
		const theme = look.theme, ground = rgbOf(PLAIN[theme].ground), choice = look.isChosen;
		renderer.setClearColor(new THREE.Color(PLAIN[theme].ground), 1);
		for (let node = 0; node < machine.count; node++) {
			const holder = machine.holder[node], i = 3 * node;
			let colour = look.colours.colourOf(node);
			let size = holder >= 0 || holder === OTHER || look.colours.everyNode ? 0.66 : holder === DOWN ? 0.36 : 0.15;
			// Room to see the links, where there are any
			if (look.colours.loads && model.barRoom)
				size = 0.3;
			if (choice && !choice(node)) {
				colour = colour.map((value, k) => value * 0.28 + ground[k] * 0.72);
				size = look.only ? 0 : Math.min(size, 0.30);
			} else if (node === look.picked || (look.near && look.near.has(node))) {
				size = Math.max(size, node === look.picked ? 0.86 : 0.4);
			}
			if (look.marked && look.marked.has(node)) {
				colour = rgbOf(PLAIN[theme].box);
				size = 0.4;
			}
			if (look.reveal !== null) {
				const reached = machine.rank(node) < look.reveal;
				size = reached ? 0.34 : 0.13;
				if (!reached)
					colour = rgbOf(PLAIN[theme].free);
			}
			size *= model.size[node];
			for (let k = 0; k < 3; k++) {
				cubes.place[i + k] = model.position[i + k];
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
		if (look.colours.loads && !manyBars)
			model.eachBar(torus => (axis, cell, next) => look.colours.loads.of(torus, axis, cell, next) || null,
				(middle, sides, load) => bars.set(count++, middle, look.colours.loads.colour(load), sides));
		if (!look.colours.everyNode && (!manyBars || look.isChosenJob))
			model.eachBar(jobBars(machine, manyBars && look.isChosenJob), (middle, sides, job) => {
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

	// wires: the lines, which change with the theme, with how wrap links are shown, and with loads
	function wires(theme, wraps, loads) {
		const drawn = model.wires(theme, wraps, loads), repeats = model.repeats(wraps);
		lines.replace(drawn.points, drawn.tints);
		for (const ghost of ghosts) {
			scene.remove(ghost.mesh);
			ghost.mesh.material.dispose();
		}
		ghosts = [];
		for (const move of repeats)
			for (const boxes of [cubes, bars]) {
				const faded = [...rgbOf(PLAIN[theme].ground), 0.6], mesh = boxes.meshOf(faded);
				mesh.position.set(...move);
				ghosts.push({ mesh, boxes, move, faded });
				scene.add(mesh);
			}
		setWhole(repeats);
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
		eachStep(machine, model, theme, (end, from, to, colour) => {
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

	// box: the shaded bounding boxes of a job, one that goes round an end in two pieces; and free boxes
	function box(job, free, theme) {
		const points = [], tints = [], triangles = [], colour = rgbOf(PLAIN[theme].box);
		const pieces = job ? model.pieces(job) : [];
		for (const each of free)
			pieces.push(...model.piecesOf(each.torus, each.origin, each.sides));
		for (const piece of pieces) {
			const grown = { low: piece.low.map(value => value - 0.5), high: piece.high.map(value => value + 0.5) };
			addEdges(grown, points, tints, colour, 0.8);
			addFaces(grown, triangles);
		}
		outline.replace(points, tints);
		faces.geometry.dispose();
		faces.geometry = new THREE.BufferGeometry();
		setAttribute(faces.geometry, 'position', new THREE.BufferAttribute(new Float32Array(triangles), 3));
		faces.material.color = new THREE.Color(PLAIN[theme].box);
		faces.visible = triangles.length > 0;
		faces.frustumCulled = false;
		draw();
	}

	// connect: the cables between nodes, where the model shows them
	function connect(nodes, theme) {
		const drawn = model.cables(nodes, theme);
		cables.replace(drawn.points, drawn.tints);
		draw();
	}

	// label: what is drawn by the page's own text stays sharp
	function label(theme) {
		labels.textContent = '';
		names = model.labels(theme).map(each => {
			const span = make('span', { textContent: each.text, className: each.kind });
			span.style.color = each.colour || '';
			labels.append(span);
			return { span, text: each.text, colour: each.colour, at: new THREE.Vector3(...each.at) };
		});
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
			const half = cubes.scale[3 * node] && Math.max(0.2 * model.size[node], cubes.scale[3 * node] / 2);
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

	return {
		name: model.name, canvas, frame, eye, moved: false,
		curve, timeFrame, draw, drawNow, resize, paint, wires, box, connect, label, nodeAt, screenOf,
		// What there is to see, for svg.js
		solids: () => [cubes, bars, steps].filter(boxes => boxes.mesh.visible)
			.map(boxes => ({ boxes, move: [0, 0, 0], faded: [0, 0, 0, 0] })).concat(ghosts.filter(ghost => ghost.boxes.mesh.visible)),
		lines: () => [lines, outline, path, cables], labels: () => names,
	};
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

// addEdges, addFaces: those of a box from its low to its high corner
function addEdges(box, points, tints, colour, alpha) {
	const corner = i => [0, 1, 2].map(k => i >> k & 1 ? box.high[k] : box.low[k]);
	for (const [a, b] of [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]])
		addLine(corner(a), corner(b), colour, alpha, alpha, points, tints);
}

function addFaces(box, triangles) {
	const corner = i => [0, 1, 2].map(k => i >> k & 1 ? box.high[k] : box.low[k]);
	for (const [a, b, c, d] of [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]])
		triangles.push(...corner(a), ...corner(b), ...corner(c), ...corner(a), ...corner(c), ...corner(d));
}
