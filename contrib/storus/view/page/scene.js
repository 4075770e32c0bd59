// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of a model (wired.js, room.js): nodes, links, labels, and on top of all of it, whatever would hide it, what
// is picked, searched or marked, with a border. A frame is drawn only when something has changed.

const BORDER = 0.08;	// of what is on top, in routers
const ROOM = 1.2;	// around the machine, for its labels

// makeScene: in an element that has a canvas and another one for labels
function makeScene(machine, model, frame, onFrame) {
	const canvas = frame.querySelector('canvas'), labels = frame.querySelector('.labels');
	const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: false, preserveDrawingBuffer: false });
	const scene = new THREE.Scene(), top = new THREE.Scene();
	const cubes = makeBoxes(0.22), bars = makeBoxes(0), topCubes = makeBoxes(0.22), topBars = makeBoxes(0), steps = makeBoxes(0);
	// Bars are most of the work of drawing; on a large machine only a picked job has them.
	const manyBars = machine.count > 20000;
	const lines = makeLines(), outline = makeLines(), path = makeLines(), cables = makeLines(), planned = makeLines();
	const faces = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({
		transparent: true, opacity: 0.10, depthWrite: false, side: THREE.DoubleSide }));
	const borders = [topCubes, topBars].map(boxes => boxes.meshOf([1, 1, 1, 1], BORDER));
	let queued = false, look = null, names = [], ghosts = [], owners = [], topOwners = [];
	scene.add(lines.mesh, cubes.mesh, bars.mesh, path.mesh, cables.mesh, steps.mesh);
	top.add(...borders, topCubes.mesh, topBars.mesh, faces, outline.mesh, planned.mesh);
	faces.visible = false;
	path.mesh.visible = steps.mesh.visible = cables.mesh.visible = planned.mesh.visible = outline.mesh.visible = false;
	lines.mesh.renderOrder = -1;
	renderer.autoClear = false;
	[cubes, bars, topCubes, topBars, steps].forEach(boxes => boxes.update(0));

	const eye = makeCamera(canvas, () => draw());
	setWhole([]);

	// setWhole: what the camera takes for the whole machine, and where else it stands
	function setWhole(repeats) {
		const high = model.high.map((value, k) => Math.max(value, ...repeats.map(move => value + move[k])));
		const low = model.low.map((value, k) => Math.min(value, ...repeats.map(move => value + move[k])));
		const corners = [];
		for (let i = 0; i < 8; i++)
			corners.push(new THREE.Vector3(...[0, 1, 2].map(k => i >> k & 1 ? high[k] + ROOM : low[k] - ROOM)));
		eye.setWhole({
			centre: new THREE.Vector3(...low.map((value, k) => (value + high[k]) / 2)), corners, aslant: model.aslant,
			radius: Math.hypot(...low.map((value, k) => high[k] - value + 2 * ROOM)) / 2,
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

	function render() {
		renderer.clear();
		renderer.render(scene, eye.camera);
		renderer.clearDepth();
		renderer.render(top, eye.camera);
	}

	function drawNow() {
		queued = false;
		render();
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

	// remodel: another model of the same machine
	function remodel(next) {
		model = next;
		setWhole([]);
	}

	// paint: nodes and bars as `look` says: {theme, colours, isChosen(node, job) or null, isChosenJob(job) or null, only,
	// picked, near, marked, reveal, cut}
	function paint(next) {
		look = next;
		const { theme, cut } = look, ground = rgbOf(PLAIN[theme].ground);
		renderer.setClearColor(new THREE.Color(PLAIN[theme].ground), 1);
		for (const boxes of [cubes, bars, topCubes, topBars])
			boxes.setGround(ground);
		for (const border of borders)
			border.material.uniforms.faded.value.set(...rgbOf(PLAIN[theme].box), 1);
		cubes.ensure(machine.count);
		owners = [];
		topOwners = [];
		for (let node = 0; node < machine.count; node++) {
			if (!model.size[node] || (cut && isCutOff(cut, machine.coordinates(node))))
				continue;
			// What several jobs share is divided among them.
			const jobs = look.colours.everyNode || look.reveal !== null ? null : machine.several.get(node);
			if (jobs)
				jobs.forEach((job, i) => paintNode(node, job, i, jobs.length, ground));
			else
				paintNode(node, machine.holder[node], 0, 1, ground);
		}
		cubes.update(owners.length);
		topCubes.update(topOwners.length);
		paintBars(ground);
		borders[0].visible = topOwners.length > 0;
		borders[1].visible = topBars.shown > 0;
		draw();
	}

	// paintNode: a node, or the share of a job in one, which is one of so many slices
	function paintNode(node, holder, slice, slices, ground) {
		const { theme } = look, reached = look.reveal === null || machine.rank(node) < look.reveal;
		const isMarked = Boolean(look.marked && look.marked.has(node)), isChosen = !look.isChosen || look.isChosen(node, holder);
		let colour = slices > 1 ? look.colours.colourOfJob(holder) : look.colours.colourOf(node);
		let size = holder >= 0 || holder === OTHER || look.colours.everyNode ? 0.66 : holder === DOWN ? 0.36 : holder === RESERVED ? 0.3 : 0.15;
		// Room to see the links, where there are any
		if (look.colours.loads && model.barRoom)
			size = 0.3;
		if (!isChosen) {
			colour = faint(colour, ground);
			// Where it may hide something it is smaller.
			size = look.only ? 0 : Math.min(size, model.flat ? 0.5 : 0.3);
		} else if (node === look.picked || (look.near && look.near.has(node))) {
			size = Math.max(size, node === look.picked ? 0.86 : 0.4);
		}
		if (isMarked) {
			colour = rgbOf(PLAIN[theme].marked);
			size = 0.4;
		}
		if (look.reveal !== null) {
			size = reached ? 0.34 : 0.13;
			if (!reached)
				colour = rgbOf(PLAIN[theme].free);
		}
		if (!size)
			return;
		size *= model.size[node];
		const at = [0, 1, 2].map(k => model.position[3 * node + k]);
		at[0] += ((slice + 0.5) / slices - 0.5) * 0.66 * model.size[node];
		const onTop = isMarked || Boolean(look.isChosen && isChosen), boxes = onTop ? topCubes : cubes, list = onTop ? topOwners : owners;
		boxes.ensure(list.length + 1);
		boxes.set(list.length, at, colour, [size / slices * (slices > 1 ? 0.92 : 1), size, size]);
		list.push({ node, job: holder });
	}

	function paintBars(ground) {
		const found = [], onTop = [];
		if (look.colours.loads && !manyBars)
			model.eachBar(look.cut, torus => (axis, cell, next) => look.colours.loads.of(torus, axis, cell, next) || null,
				(middle, sides, load) => found.push([middle, look.colours.loads.colour(load), sides]));
		if (!look.colours.everyNode && look.reveal === null && (!manyBars || look.isChosenJob)) {
			const chosen = look.isChosenJob;
			// A bar is of one job: of a picked one where it can be.
			if (chosen)
				model.eachBar(look.cut, jobBars(machine, chosen), (middle, sides, job) =>
					onTop.push([middle, look.colours.colourOfJob(job).slice(0, 3), sides]));
			if (!manyBars && !(chosen && look.only))
				model.eachBar(look.cut, jobBars(machine, chosen && (job => !chosen(job))), (middle, sides, job) => {
					const colour = look.colours.colourOfJob(job).slice(0, 3).map(value => value * 0.92);
					found.push(chosen ? [middle, faint(colour, ground), sides.map(value => value < 0.3 ? 0.08 : value)] : [middle, colour, sides]);
				});
		}
		for (const [boxes, list] of [[bars, found], [topBars, onTop]]) {
			boxes.ensure(list.length);
			list.forEach((bar, i) => boxes.set(i, ...bar));
			boxes.update(list.length);
		}
	}

	// wires: the lines, which change with the theme, with how wrap links are shown, with loads and with a cut
	function wires(theme, wraps, loads, cut) {
		const drawn = model.wires(theme, wraps, loads, cut), repeats = model.repeats(wraps);
		lines.replace(drawn.points, drawn.tints);
		for (const ghost of ghosts) {
			scene.remove(ghost.mesh);
			ghost.mesh.material.dispose();
		}
		ghosts = [];
		for (const move of repeats)
			for (const boxes of [cubes, bars, topCubes, topBars]) {
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
		steps.ensure(machine.count);
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

	// plan: the places of nodes that a job is to have
	function plan(nodes, theme) {
		const points = [], tints = [], colour = rgbOf(PLAIN[theme].box);
		for (const node of nodes) {
			const half = 0.46 * model.size[node], at = [0, 1, 2].map(k => model.position[3 * node + k]);
			addEdges({ low: at.map(value => value - half), high: at.map(value => value + half) }, points, tints, colour, 0.9);
		}
		planned.replace(points, tints);
		draw();
	}

	// nodeAt: what is drawn nearest under a point of the page, on top first: {node, job}, or null
	function nodeAt(clientX, clientY) {
		const frame = canvas.getBoundingClientRect();
		const ray = new THREE.Raycaster();
		ray.setFromCamera(new THREE.Vector2((clientX - frame.left) / frame.width * 2 - 1,
			1 - (clientY - frame.top) / frame.height * 2), eye.camera);
		const from = ray.ray.origin.toArray(), along = ray.ray.direction.toArray();
		return nearest(topCubes, topOwners, from, along) || nearest(cubes, owners, from, along);
	}

	function nearest(boxes, list, from, along) {
		let best = null, least = Infinity;
		list.forEach((owner, i) => {
			// Small cubes are given a little more room.
			const half = [0, 1, 2].map(k => boxes.scale[3 * i + k] / 2);
			if (half[0] === half[1])
				half.fill(Math.max(0.2 * model.size[owner.node], half[0]));
			const at = enters(from, along, boxes.place, 3 * i, half);
			if (at < least) {
				least = at;
				best = owner;
			}
		});
		return best;
	}

	// screenOf: where a node is on the page, for tests and for the keyboard
	function screenOf(node) {
		const at = new THREE.Vector3(...model.position.slice(3 * node, 3 * node + 3)).project(eye.camera);
		const frame = canvas.getBoundingClientRect();
		return [frame.left + (at.x + 1) / 2 * frame.width, frame.top + (1 - at.y) / 2 * frame.height];
	}

	// timeFrame: milliseconds for a frame until its pixels are there, or for one of nothing
	function timeFrame(nothing) {
		const gl = renderer.getContext(), pixel = new Uint8Array(4), begin = performance.now();
		scene.visible = top.visible = !nothing;
		render();
		gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
		scene.visible = top.visible = true;
		return performance.now() - begin;
	}

	const solidsOf = list => list.filter(boxes => boxes.mesh.visible).map(boxes => ({ boxes, move: [0, 0, 0], faded: [0, 0, 0, 0] }));
	return {
		name: model.name, canvas, frame, eye, moved: false,
		curve, timeFrame, draw, drawNow, resize, paint, wires, box, plan, connect, label, nodeAt, screenOf, remodel,
		// What there is to see, for svg.js: [what is below, what is on top]
		layers: () => [
			{ solids: solidsOf([cubes, bars, steps]).concat(ghosts.filter(ghost => ghost.boxes.mesh.visible)), lines: [lines, path, cables] },
			{ solids: solidsOf([topCubes, topBars]), lines: [outline, planned] },
		],
		labels: () => names,
		drawn: nodes => new Set(owners.concat(topOwners).map(owner => owner.node).filter(node => !nodes || nodes.has(node))).size,
	};
}

// enters: how far along a ray it enters a box, or Infinity
function enters(from, along, place, i, half) {
	let near = -Infinity, far = Infinity;
	for (let k = 0; k < 3; k++) {
		const low = (place[i + k] - half[k] - from[k]) / along[k], high = (place[i + k] + half[k] - from[k]) / along[k];
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
