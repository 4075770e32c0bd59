// SPDX-License-Identifier: GPL-2.0-or-later
// What brings the parts together: what is picked and how it is shown.

const HELP = [
	['drag', 'turn'], ['shift or right drag', 'move'], ['wheel, + -', 'closer, farther'], ['arrows', 'turn'], ['0', 'whole machine'],
	['v', 'from above or aslant'], ['r', 'wired view, physical view or both'], ['/', 'search'], ['f', 'free boxes'], ['n, b', 'next job, job before'], ['o', 'only these'], ['w', 'wrap links: ends, arcs, the machine repeated, none'],
	['c', 'next way to colour'], ['k', 'how the curve is built'], ['space', 'play'], ['t', 'light or dark'], ['p, s', 'save a picture, a drawing (SVG)'], ['Esc', 'nothing picked'],
];

function start() {
	const machine = readMachine(JSON.parse(byId('machine').textContent));
	const dark = window.matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
	let ways = waysFor(machine), chosen = jobColours(machine, PALETTES.dark.length);
	const shown = { way: 'job', keys: new Set(), job: -1, node: -1, only: false, boxes: '', view: 'wired', wrap: 'ends', theme: dark, rank: null };
	const wraps = repeatsOf(machine).length ? ['ends', 'arcs', 'repeated', 'none'] : ['ends', 'arcs', 'none'];
	const views = makeViews(machine, () => { document.body.dataset.frames = String(++frames); }, listenTo);
	let colours = null, frames = 0, player = null, past = null, curve = null, free = null, wired = '';

	const actions = {
		pickJob: number => pick(number === shown.job ? -1 : number, -1),
		pickNode: node => pick(shown.job, node),
		clear: () => {
			shown.keys.clear();
			pick(-1, -1);
		},
	};

	function pick(job, node) {
		shown.job = job;
		shown.node = node;
		refresh();
	}

	// chosenTest: which nodes the legend's choice, or the picked job, leaves bright; null: all
	function chosenTest() {
		if (shown.job >= 0 || shown.node >= 0) {
			const nodes = new Set(shown.job >= 0 ? machine.jobs[shown.job].nodes : []);
			for (const node of shown.node >= 0 ? neighboursOf(machine, shown.node).concat(shown.node) : [])
				nodes.add(node);
			return node => nodes.has(node);
		}
		if (!shown.keys.size)
			return null;
		return node => {
			const holder = machine.holder[node];
			if (holder === FREE || holder === DOWN)
				return shown.keys.has(holder === FREE ? '\0free' : '\0down');
			return jobsOf(machine, node).some(job => colours.keyOfJob && shown.keys.has(colours.keyOfJob(job)));
		};
	}

	function chosenJobTest() {
		if (shown.job >= 0 || shown.node >= 0)
			return job => job === shown.job;
		return shown.keys.size ? job => Boolean(colours.keyOfJob && shown.keys.has(colours.keyOfJob(job))) : null;
	}

	// refresh: everything that depends on what is picked and how it is coloured
	function refresh() {
		document.documentElement.dataset.theme = shown.theme;
		colours = colouring(machine, shown.rank === null ? shown.way : 'rank', shown.theme, chosen);
		byId('colour').value = shown.way;
		byId('only').checked = shown.only;
		byId('wrap').textContent = 'Wrap: ' + shown.wrap;
		byId('view').textContent = 'View: ' + shown.view;
		findFree();
		showLegend(machine, colours, Object.assign({ pickJob: actions.pickJob, toggleKey }, shown));
		if (shown.node >= 0)
			showNode(machine, shown.node, actions);
		else if (shown.job >= 0)
			showJob(machine, machine.jobs[shown.job], colours.colourOfJob(shown.job), actions);
		else
			byId('details').hidden = true;
		const near = shown.node >= 0 ? new Set(neighboursOf(machine, shown.node)) : null;
		const look = {
			theme: shown.theme, colours, isChosen: chosenTest(), isChosenJob: chosenJobTest(), only: shown.only,
			picked: shown.node, near, marked: free && free.nodes, reveal: shown.rank,
		};
		for (const scene of views.seen()) {
			scene.paint(look);
			scene.box(shown.job >= 0 ? machine.jobs[shown.job] : null, free ? free.boxes : [], shown.theme);
			scene.connect(near ? [shown.node, ...near] : shown.job >= 0 ? machine.jobs[shown.job].nodes : [], shown.theme);
			scene.curve(shown.rank, shown.theme);
		}
		rewire();
		keep();
	}

	// rewire: what depends on the theme, on wrap links and on whether links have the colour of their load
	function rewire() {
		const now = [shown.theme, shown.wrap, shown.view, colours.loads ? machine.settled : ''].join();
		if (now === wired)
			return;
		wired = now;
		for (const scene of views.seen()) {
			scene.wires(shown.theme, shown.wrap, colours.loads);
			scene.label(shown.theme);
			if (!scene.moved)
				scene.eye.fit(Boolean(player));
		}
		showAxes();
	}

	// findFree: the free boxes of the shape that is asked for, anew when jobs have come or gone
	function findFree() {
		if (byId('shape') !== document.activeElement)
			byId('shape').value = shown.boxes;
		if (!shown.boxes) {
			free = null;
			byId('boxes').textContent = '';
			return;
		}
		if (free && free.text === shown.boxes && free.settled === machine.settled)
			return;
		const found = freeBoxes(machine, shown.boxes);
		free = Object.assign(found || { nodes: new Set(), boxes: [] }, { text: shown.boxes, settled: machine.settled });
		byId('boxes').textContent = !found ? 'not a shape' : found.count ? format(found.boxes.length) + ' at once, ' + format(found.count) + ' places' : 'none';
	}

	function showAxes() {
		const list = byId('links'), most = Math.max(...machine.tori.map(torus => torus.dims.length));
		list.textContent = '';
		for (let axis = 0; axis < most; axis++) {
			const line = make('i');
			line.style.background = AXIS_COLOURS[shown.theme][axis];
			list.append(make('span', {}, line, 'xyzuvw'[axis]));
		}
	}

	function toggleKey(key) {
		shown.job = shown.node = -1;
		if (!shown.keys.delete(key))
			shown.keys.add(key);
		refresh();
	}

	function setWay(way) {
		shown.way = way;
		shown.keys.clear();
		refresh();
	}

	// keep: the address
	function keep() {
		writeState({
			colour: shown.way === 'job' ? '' : shown.way,
			keys: [...shown.keys].map(key => key.replace(/\0/g, '!').replace(/,/g, '\u201a')).join(','),
			job: shown.job >= 0 ? machine.jobs[shown.job].id : '', node: shown.node >= 0 ? machine.name(shown.node) : '',
			only: shown.only ? '1' : '', wrap: shown.wrap === 'ends' ? '' : shown.wrap, theme: shown.theme === dark ? '' : shown.theme,
			boxes: shown.boxes, view: shown.view === 'wired' ? '' : shown.view,
			eye: eyeText('wired'), room: eyeText('physical'), rank: shown.rank,
			t: past ? Math.round(past.value()) : '',
		});
	}

	function eyeText(name) {
		const scene = views.of(name);
		return scene && scene.moved ? scene.eye.text() : '';
	}

	function findNode(name) {
		for (const torus of machine.tori) {
			const i = torus.names.indexOf(name);
			if (i >= 0)
				return torus.first + i;
		}
		return -1;
	}

	// restore: from the address; what it names and is not there is as if not named
	function restore() {
		const state = readState();
		shown.way = ways.includes(state.colour) ? state.colour : 'job';
		shown.keys = new Set((state.keys || '').split(',').filter(Boolean).map(key => key.replace(/!/g, '\0').replace(/\u201a/g, ',')));
		shown.job = state.job ? machine.jobs.findIndex(job => job.id === state.job) : -1;
		shown.node = state.node ? findNode(state.node) : -1;
		shown.only = state.only === '1';
		shown.boxes = state.boxes || '';
		shown.wrap = wraps.includes(state.wrap) ? state.wrap : 'ends';
		shown.theme = ['light', 'dark'].includes(state.theme) ? state.theme : dark;
		setView(views.known.includes(state.view) ? state.view : 'wired');
		if (past && Number.isFinite(Number(state.t)) && state.t)
			past.move(Number(state.t));
		showCurve(/^\d+$/.test(state.rank || '') ? Number(state.rank) : null);
		for (const scene of views.seen())
			scene.moved = scene.eye.setText((scene.name === 'wired' ? state.eye : state.room) || '');
		refresh();
		if (player)
			player.paint();
	}

	// setView: scenes that are seen now have to be painted and wired
	function setView(view) {
		shown.view = view;
		wired = '';
		try {
			views.show(view);
			byId('failure').hidden = true;
		} catch (error) {
			byId('failure').textContent = 'This browser cannot draw in three dimensions (WebGL): ' + error.message;
			byId('failure').hidden = false;
		}
	}

	// showCurve: up to a rank; null: not at all, and the history is there again
	function showCurve(rank) {
		if ((rank !== null) === (shown.rank !== null) && rank === shown.rank)
			return;
		if (player)
			player.stop();
		shown.rank = rank;
		byId('curve').classList.toggle('on', rank !== null);
		if (rank !== null && !curve)
			curve = makePlayer(makeCurve(machine, to => {
				shown.rank = to;
				refresh();
			}));
		setPlayer(rank === null ? past : curve);
		if (rank !== null)
			curve.move(rank);
		else
			refresh();
	}

	function setPlayer(next) {
		player = next;
		byId('extra').textContent = '';
		if (player)
			byId('extra').append(player.bar);
		views.seen().filter(scene => !scene.moved).forEach(scene => scene.eye.fit(Boolean(player)));
	}

	function choose(item) {
		if (item.kind === 'job') {
			pick(item.job, -1);
		} else if (item.kind === 'node') {
			pick(-1, item.node);
		} else {
			shown.job = shown.node = -1;
			shown.way = 'user';
			shown.keys = new Set([item.user]);
			refresh();
		}
		views.used().canvas.focus();
	}

	function stepJob(by) {
		const jobs = machine.running;
		if (!jobs.length)
			return;
		const at = jobs.findIndex(job => job.number === shown.job);
		pick(jobs[at < 0 ? (by > 0 ? 0 : jobs.length - 1) : (at + by + jobs.length) % jobs.length].number, -1);
	}

	function tip(scene, event) {
		const box = byId('tip'), node = scene.eye.moving() ? -1 : scene.nodeAt(event.clientX, event.clientY);
		scene.canvas.classList.toggle('over', node >= 0);
		box.hidden = node < 0;
		if (node < 0)
			return;
		const jobs = jobsOf(machine, node).map(job => machine.jobs[job]);
		box.textContent = machine.name(node);
		box.append(make('small', { textContent: jobs.length ? jobs.map(job => short([job.id, job.user, job.name].filter(Boolean).join('  '), 60)).join(', ') :
			machine.holder[node] === DOWN ? machine.stateText(node) : machine.holder[node] === OTHER ? 'completing' : 'free' }));
		const stage = byId('stage').getBoundingClientRect();
		const x = Math.min(event.clientX - stage.left + 14, stage.width - box.offsetWidth - 8);
		box.style.transform = 'translate(' + x + 'px,' + (event.clientY - stage.top + 16) + 'px)';
	}

	function pressed(key) {
		const eye = views.used().eye;
		const keys = {
			'+': () => eye.zoom(0.85), '=': () => eye.zoom(0.85), '-': () => eye.zoom(1.18),
			'ArrowLeft': () => eye.turn(0.12, 0), 'ArrowRight': () => eye.turn(-0.12, 0),
			'ArrowUp': () => eye.turn(0, 0.12), 'ArrowDown': () => eye.turn(0, -0.12),
			'0': () => byId('reset').click(), 'v': () => eye.toggleTurn(), '/': () => byId('search').focus(),
			'n': () => stepJob(1), 'b': () => stepJob(-1), 'o': () => byId('only').click(), 'w': () => byId('wrap').click(),
			't': () => byId('theme').click(), 'p': () => byId('png').click(), 's': () => byId('svg').click(),
			'r': () => byId('view').click(), 'f': () => byId('shape').focus(),
			'?': () => byId('help').showModal(), 'Escape': actions.clear,
			'k': () => byId('curve').click(), ' ': () => player && player.toggle(),
			'c': () => setWay(ways[(ways.indexOf(shown.way) + 1) % ways.length]),
		};
		if (!keys[key])
			return false;
		keys[key]();
		if (/^Arrow|^[+=v-]$/.test(key))
			moved(views.used());
		return true;
	}

	function moved(scene) {
		scene.moved = true;
		keep();
	}

	// listenTo: a scene's pointers
	function listenTo(scene) {
		const canvas = scene.canvas;
		canvas.addEventListener('pointermove', event => tip(scene, event));
		canvas.addEventListener('pointerleave', () => { byId('tip').hidden = true; });
		canvas.addEventListener('pointerup', event => {
			if (scene.eye.wasDragged()) {
				moved(scene);
				return;
			}
			const node = event.button === 0 ? scene.nodeAt(event.clientX, event.clientY) : -1;
			if (node < 0)
				actions.clear();
			else if (machine.holder[node] >= 0 && shown.job !== machine.holder[node])
				pick(machine.holder[node], -1);
			else
				pick(Math.max(-1, machine.holder[node]), node);
		});
		canvas.addEventListener('wheel', () => moved(scene));
	}

	function listen() {
		const withEye = (id, change) => byId(id).addEventListener('click', () => {
			change(views.used().eye);
			moved(views.used());
		});
		withEye('zoom-in', eye => eye.zoom(0.8));
		withEye('zoom-out', eye => eye.zoom(1.25));
		withEye('turn', eye => eye.toggleTurn());
		byId('reset').addEventListener('click', () => {
			for (const scene of views.seen()) {
				scene.eye.fit(Boolean(player));
				scene.moved = false;
				scene.draw();
			}
			keep();
		});
		byId('view').addEventListener('click', () => {
			setView(views.known[(views.known.indexOf(shown.view) + 1) % views.known.length]);
			refresh();
		});
		byId('shape').addEventListener('change', event => {
			shown.boxes = event.target.value.trim();
			refresh();
		});
		byId('shape').addEventListener('keydown', event => {
			if (event.key === 'Escape' || event.key === 'Enter')
				views.used().canvas.focus();
		});
		byId('wrap').addEventListener('click', () => {
			shown.wrap = wraps[(wraps.indexOf(shown.wrap) + 1) % wraps.length];
			refresh();
		});
		byId('theme').addEventListener('click', () => {
			shown.theme = shown.theme === 'dark' ? 'light' : 'dark';
			refresh();
			if (player)
				player.paint();
		});
		byId('curve').addEventListener('click', () => {
			const begin = shown.rank === null;
			showCurve(begin ? 0 : null);
			if (begin)
				curve.toggle();
		});
		byId('png').addEventListener('click', () => savePng(views.seen()));
		byId('svg').addEventListener('click', () => saveSvg(views.seen(), shown.theme));
		byId('help-button').addEventListener('click', () => byId('help').showModal());
		byId('only').addEventListener('change', event => {
			shown.only = event.target.checked;
			refresh();
		});
		byId('colour').addEventListener('change', event => setWay(event.target.value));
		window.addEventListener('resize', () => views.seen().forEach(scene => scene.resize()));
		window.addEventListener('hashchange', restore);
		document.addEventListener('keydown', event => {
			if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName) ||
			    byId('help').open)
				return;
			// A space presses the button that has the focus.
			if (event.key === ' ' && event.target.tagName === 'BUTTON')
				return;
			if (pressed(event.key))
				event.preventDefault();
		});
	}

	function fillWays() {
		byId('colour').textContent = '';
		for (const way of ways)
			byId('colour').append(make('option', { value: way, textContent: WAYS[way].label }));
	}

	// update: the machine as it is now; what is picked stays so while it is there
	function update(data) {
		const kept = new Map(machine.jobs.map((job, number) => [job.id, chosen[number]]));
		const picked = shown.job >= 0 ? machine.jobs[shown.job].id : null;

		if (!renewMachine(machine, data))
			return false;
		chosen = jobColours(machine, PALETTES.dark.length, kept);
		shown.job = machine.jobs.findIndex(job => job.id === picked);
		const now = waysFor(machine);
		if (now.join() !== ways.join()) {
			ways = ways.concat(now.filter(way => !ways.includes(way)));
			fillWays();
		}
		showTitle(machine);
		showSummary(machine);
		document.body.dataset.jobs = String(machine.jobs.length);
		refresh();
		return true;
	}

	function fillControls() {
		fillWays();
		const list = make('dl');
		for (const [keys, text] of HELP)
			addRow(list, keys, text);
		const close = make('button', { type: 'button', textContent: 'Close' });
		close.addEventListener('click', () => byId('help').close());
		byId('help').append(list, close);
	}

	fillControls();
	showTitle(machine);
	showSummary(machine);
	makeSearch(machine, choose);
	if (machine.history) {
		const subject = makeHistory(machine, () => {
			showSummary(machine);
			if (colours)
				refresh();
		});
		past = makePlayer(subject);
		setPlayer(past);
		past.move(subject.fullest);
	}
	document.documentElement.dataset.theme = shown.theme;
	byId('view').hidden = views.known.length < 2;
	restore();
	if (!views.seen().length)
		return;
	listen();
	views.seen().forEach(scene => scene.drawNow());
	document.body.dataset.nodes = String(machine.count);
	document.body.dataset.jobs = String(machine.jobs.length);
	document.body.dataset.ready = 'true';
	if (machine.live)
		startLive(machine, update);
	// For tests and for people with a console: where a node is on the page, what a frame takes.
	const sceneOf = view => views.of(view || 'wired') || views.used();
	window.storus = {
		screenOf: (name, view) => sceneOf(view).screenOf(findNode(name)), frames: () => frames,
		timeFrame: (nothing, view) => sceneOf(view).timeFrame(nothing),
	};
}
