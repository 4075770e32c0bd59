// SPDX-License-Identifier: GPL-2.0-or-later
// What brings the parts together: what is picked and how it is shown.

const HELP = [
	['drag', 'turn'], ['shift or right drag', 'move'], ['wheel, + -', 'closer, farther'], ['arrows', 'turn'], ['0', 'whole machine'],
	['v', 'from above or aslant'], ['r', 'wired view, physical view or both'], ['/', 'search'], ['f', 'free boxes'], ['n, b', 'next job, job before'], ['o', 'only these'], ['x, y, z', 'cut along x, y or z; again: no cut'], ['[ ]', 'move the cut'], ['i', 'one plane of it'], ['e', 'planes taken apart'], ['q', 'running jobs or queue'], ['w', 'wrap links: ends, arcs, the machine repeated, none'],
	['c', 'next way to colour'], ['k', 'how the curve is built'], ['space', 'play'], ['t', 'light or dark'], ['p, s', 'save a picture, a drawing (SVG)'], ['Esc', 'nothing picked'],
];

function start() {
	const data = JSON.parse(byId('machine').textContent), machine = readMachine(data);
	const dark = window.matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
	const course = machine.history ? courseOf(machine) : null, worn = {};
	let ways = waysFor(machine), dresses = course ? course.dresses : dressJobs(machine), waiting = readQueue(machine);
	const shown = { way: 'job', keys: new Set(), job: -1, queued: null, node: -1, only: false, boxes: '', view: 'wired', wrap: 'ends', theme: dark, rank: null,
		cut: null, apart: null, list: 'jobs' };
	// Along which planes can be taken apart: z first, as storus show prints them
	const aparts = [null].concat(machine.tori.some(torus => planesOf(torus, 2)) ? [2, 1, 0] : []);
	const wraps = repeatsOf(machine).length ? ['ends', 'arcs', 'repeated', 'none'] : ['ends', 'arcs', 'none'];
	const views = makeViews(machine, () => shown.apart, () => { document.body.dataset.frames = String(++frames); }, listenTo);
	const cutBar = makeCutBar(machine, setCut);
	let colours = null, frames = 0, player = null, past = null, curve = null, free = null, wired = '';

	const actions = {
		pickJob: number => pick(number === shown.job ? -1 : number, -1),
		pickNode: node => pick(shown.job, node),
		pickQueued: id => {
			shown.queued = id === shown.queued ? null : id;
			shown.job = shown.node = -1;
			refresh();
		},
		clear: () => {
			shown.keys.clear();
			pick(-1, -1);
		},
	};

	function pick(job, node) {
		shown.job = job;
		shown.node = node;
		shown.queued = null;
		refresh();
	}

	function queued() {
		return shown.queued === null ? null : waiting.find(job => job.id === shown.queued) || null;
	}

	// chosenTest: which nodes, or shares of jobs in them, are bright: those of what is picked, of the legend's choice, or
	// the planned ones of a job that waits; null: all
	function chosenTest() {
		const job = queued();
		if (job) {
			const nodes = new Set(job.planned);
			return node => nodes.has(node);
		}
		if (shown.job >= 0 || shown.node >= 0) {
			const nodes = new Set(shown.job >= 0 ? machine.jobs.job(shown.job).nodes : []);
			const near = new Set(shown.node >= 0 ? neighboursOf(machine, shown.node).concat(shown.node) : []);
			return (node, holder) => near.has(node) || (nodes.has(node) && (holder < 0 || holder === shown.job));
		}
		if (!shown.keys.size)
			return null;
		return (node, holder) => shown.keys.has(holder >= 0 ? colours.keyOfJob && colours.keyOfJob(holder) : PLAIN_KEYS[holder]);
	}

	function chosenJobTest() {
		if (shown.job >= 0 || shown.node >= 0 || queued())
			return job => job === shown.job;
		return shown.keys.size ? job => Boolean(colours.keyOfJob && shown.keys.has(colours.keyOfJob(job))) : null;
	}

	// refresh: everything that depends on what is picked and how it is coloured
	function refresh() {
		document.documentElement.dataset.theme = shown.theme;
		colours = colouring(machine, shown.rank === null ? shown.way : 'rank', shown.theme, dresses, worn);
		byId('colour').value = shown.way;
		byId('only').checked = shown.only;
		byId('wrap').textContent = 'Wrap: ' + shown.wrap;
		byId('view').textContent = 'View: ' + shown.view;
		byId('cut').textContent = shown.cut ? 'Cut: ' + 'xyz'[shown.cut.axis] : 'Cut';
		byId('apart').textContent = shown.apart === null ? 'Planes' : 'Planes: ' + 'xyz'[shown.apart];
		cutBar.bar.hidden = !shown.cut;
		if (shown.cut)
			cutBar.show(shown.cut);
		showLists();
		findFree();
		if (shown.list === 'queue')
			showQueue(machine, waiting, Object.assign({ pickQueued: actions.pickQueued }, shown));
		else
			showLegend(machine, colours, Object.assign({ pickJob: actions.pickJob, toggleKey }, shown));
		const job = shown.job >= 0 ? machine.jobs.job(shown.job) : null, next = queued();
		if (next)
			showQueued(machine, next, actions);
		else if (shown.node >= 0)
			showNode(machine, shown.node, actions);
		else if (shown.job >= 0)
			showJob(machine, job, colours.colourOfJob(shown.job), actions);
		else
			byId('details').hidden = true;
		const near = shown.node >= 0 ? new Set(neighboursOf(machine, shown.node)) : null;
		const look = {
			theme: shown.theme, colours, isChosen: chosenTest(), isChosenJob: chosenJobTest(), only: shown.only,
			picked: shown.node, near, marked: free && free.nodes, reveal: shown.rank, cut: shown.cut,
		};
		for (const scene of views.seen()) {
			scene.paint(look);
			scene.box(job, free ? free.boxes : [], shown.theme);
			scene.plan(next ? next.planned : [], shown.theme);
			scene.connect(near ? [shown.node, ...near] : job ? job.nodes : [], shown.theme);
			scene.curve(shown.rank, shown.theme);
		}
		rewire();
		keep();
	}

	// rewire: what depends on the theme, on wrap links and on whether links have the colour of their load
	function rewire() {
		const now = [shown.theme, shown.wrap, shown.view, shown.apart, cutText(shown.cut), colours.loads ? machine.settled : ''].join();
		if (now === wired)
			return;
		wired = now;
		for (const scene of views.seen()) {
			scene.wires(shown.theme, shown.wrap, colours.loads, shown.cut);
			scene.label(shown.theme);
			if (!scene.moved)
				fit(scene);
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

	// fit: with room for the title above and the bars below
	function fit(scene) {
		const stage = byId('stage').getBoundingClientRect();
		scene.eye.fit(document.querySelector('header').getBoundingClientRect().bottom - stage.top, stage.bottom - byId('foot').getBoundingClientRect().top);
	}

	function setCut(cut) {
		const had = Boolean(shown.cut);
		shown.cut = cut;
		refresh();
		if (had !== Boolean(cut))
			views.seen().filter(scene => !scene.moved).forEach(fit);
	}

	function setApart(axis) {
		shown.apart = axis;
		views.remodel();
		for (const scene of views.seen().filter(each => each.name === 'wired')) {
			scene.moved = false;
			fit(scene);
		}
	}

	// showLists: which list the panel shows, where jobs wait
	function showLists() {
		byId('lists').hidden = !machine.queue;
		if (!machine.queue)
			shown.list = 'jobs';
		byId('list-jobs').textContent = format(machine.running.length) + ' running';
		byId('list-queue').textContent = format(machine.queue ? machine.queue.count : 0) + ' waiting';
		for (const list of ['jobs', 'queue'])
			byId('list-' + list).setAttribute('aria-pressed', String(shown.list === list));
	}

	function setList(list) {
		shown.list = list;
		refresh();
	}

	function toggleKey(key) {
		shown.job = shown.node = -1;
		shown.queued = null;
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
			job: shown.job >= 0 ? machine.jobs.job(shown.job).id : shown.queued || '', node: shown.node >= 0 ? machine.name(shown.node) : '',
			only: shown.only ? '1' : '', wrap: shown.wrap === 'ends' ? '' : shown.wrap, theme: shown.theme === dark ? '' : shown.theme,
			boxes: shown.boxes, view: shown.view === 'wired' ? '' : shown.view, cut: cutText(shown.cut), apart: shown.apart === null ? '' : 'xyz'[shown.apart],
			list: shown.list === 'jobs' ? '' : shown.list,
			eye: eyeText('wired'), room: eyeText('physical'), rank: shown.rank,
			t: past ? Math.round(past.value()) : '',
		});
	}

	function eyeText(name) {
		const scene = views.of(name);
		return scene && scene.moved ? scene.eye.text() : '';
	}

	// findJob: of a history's runs with that id the one that is there at a moment, or the last
	function findJob(id, moment) {
		const found = machine.history && runningAt(machine.jobs, moment).find(number => machine.jobs.job(number).id === id);
		return found === undefined || found === false || found === null ? machine.jobs.find(id) : found;
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
		shown.job = state.job ? findJob(state.job, Number(state.t)) : -1;
		shown.queued = shown.job < 0 && waiting.some(job => job.id === state.job) ? state.job : null;
		shown.node = state.node ? findNode(state.node) : -1;
		shown.only = state.only === '1';
		shown.boxes = state.boxes || '';
		shown.wrap = wraps.includes(state.wrap) ? state.wrap : 'ends';
		shown.theme = ['light', 'dark'].includes(state.theme) ? state.theme : dark;
		shown.cut = cutFrom(machine, state.cut);
		shown.list = state.list === 'queue' ? 'queue' : 'jobs';
		const apart = state.apart ? 'xyz'.indexOf(state.apart) : null;
		if (aparts.includes(apart) && apart !== shown.apart)
			setApart(apart);
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
		byId('extra').append(cutBar.bar, ...(player ? [player.bar] : []));
		views.seen().filter(scene => !scene.moved).forEach(fit);
	}

	function choose(item) {
		if (item.kind === 'job') {
			pick(item.job, -1);
		} else if (item.kind === 'waiting') {
			shown.list = 'queue';
			shown.queued = null;
			actions.pickQueued(item.id);
		} else if (item.kind === 'node') {
			pick(-1, item.node);
		} else {
			shown.job = shown.node = -1;
			shown.queued = null;
			shown.list = 'jobs';
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
		const box = byId('tip'), found = scene.eye.moving() ? null : scene.nodeAt(event.clientX, event.clientY);
		scene.canvas.classList.toggle('over', Boolean(found));
		box.hidden = !found;
		if (!found)
			return;
		const { node } = found, jobs = jobsOf(machine, node).map(job => machine.jobs.job(job));
		box.textContent = machine.name(node);
		box.append(make('small', { textContent: jobs.length ? jobs.map(job => short([job.id, job.user, job.name].filter(Boolean).join('  '), 60)).join(', ') :
			short(nodeText(machine, node), 120) }));
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
			'x': () => setCut(turnedCut(machine, shown.cut, 0)), 'y': () => setCut(turnedCut(machine, shown.cut, 1)),
			'z': () => setCut(turnedCut(machine, shown.cut, 2)), '[': () => moveCut(-1), ']': () => moveCut(1),
			'i': () => shown.cut && setCut(cutOf(machine, shown.cut.axis, awayOf(machine, shown.cut), !shown.cut.one)),
			'e': () => byId('apart').click(), 'q': () => machine.queue && setList(shown.list === 'jobs' ? 'queue' : 'jobs'),
			'c': () => setWay(ways[(ways.indexOf(shown.way) + 1) % ways.length]),
		};
		if (!keys[key])
			return false;
		keys[key]();
		if (/^Arrow|^[+=v-]$/.test(key))
			moved(views.used());
		return true;
	}

	function moveCut(by) {
		if (shown.cut)
			setCut(movedCut(machine, shown.cut, by));
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
			const found = event.button === 0 ? scene.nodeAt(event.clientX, event.clientY) : null;
			if (!found)
				actions.clear();
			else if (found.job >= 0 && shown.job !== found.job)
				pick(found.job, -1);
			else
				pick(Math.max(-1, found.job), found.node);
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
				fit(scene);
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
		byId('cut').addEventListener('click', () => {
			const along = [0, 1, 2].filter(axis => cutLength(machine, axis) > 1);
			setCut(shown.cut ? turnedCut(machine, shown.cut, along[along.indexOf(shown.cut.axis) + 1] === undefined ? shown.cut.axis : along[along.indexOf(shown.cut.axis) + 1]) :
				turnedCut(machine, null, along[0]));
		});
		byId('apart').addEventListener('click', () => {
			setApart(aparts[(aparts.indexOf(shown.apart) + 1) % aparts.length]);
			refresh();
		});
		byId('list-jobs').addEventListener('click', () => setList('jobs'));
		byId('list-queue').addEventListener('click', () => setList('queue'));
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
		listenToPrinter();
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

	// listenToPrinter: paper is light, and has the picture as it stands
	function listenToPrinter() {
		let before = null;
		window.addEventListener('beforeprint', () => {
			before = shown.theme;
			shown.theme = 'light';
			refresh();
			byId('print').replaceChildren(pictureOf(views.seen()));
		});
		window.addEventListener('afterprint', () => {
			shown.theme = before;
			refresh();
			byId('print').replaceChildren();
		});
	}

	function fillWays() {
		byId('colour').textContent = '';
		for (const way of ways)
			byId('colour').append(make('option', { value: way, textContent: WAYS[way].label }));
	}

	// update: the machine as it is now; what is picked stays so while it is there
	function update(news, same) {
		const jobs = machine.jobs, kept = new Map(jobs.all().map(number => [jobs.job(number).id, dresses[number]]));
		const picked = shown.job >= 0 ? jobs.job(shown.job).id : null;

		if (!renewMachine(machine, news, same))
			return false;
		dresses = dressJobs(machine, kept);
		waiting = readQueue(machine);
		shown.job = picked === null ? -1 : machine.jobs.find(picked);
		// A job that waited and is picked may run now.
		if (shown.queued !== null && !queued()) {
			shown.job = machine.jobs.find(shown.queued);
			shown.queued = null;
		}
		const now = waysFor(machine);
		if (now.join() !== ways.join()) {
			ways = ways.concat(now.filter(way => !ways.includes(way)));
			fillWays();
		}
		showTitle(machine);
		showSummary(machine);
		document.body.dataset.jobs = String(machine.jobs.count);
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
	makeSearch(machine, () => waiting, choose);
	if (machine.history) {
		const subject = makeHistory(machine, course, () => {
			showSummary(machine);
			if (colours)
				refresh();
		});
		past = makePlayer(subject);
		past.move(subject.fullest);
	}
	document.documentElement.dataset.theme = shown.theme;
	setPlayer(past);
	byId('view').hidden = views.known.length < 2;
	byId('apart').hidden = aparts.length < 2;
	byId('cut').hidden = [0, 1, 2].every(axis => cutLength(machine, axis) < 2);
	restore();
	if (!views.seen().length)
		return;
	listen();
	views.seen().forEach(scene => scene.drawNow());
	document.body.dataset.nodes = String(machine.count);
	document.body.dataset.jobs = String(machine.jobs.count);
	document.body.dataset.ready = 'true';
	if (machine.live)
		startLive(data, update);
	// For tests and for people with a console: where a node is on the page, what a frame takes.
	const sceneOf = view => views.of(view || 'wired') || views.used();
	window.storus = {
		screenOf: (name, view) => sceneOf(view).screenOf(findNode(name)), frames: () => frames,
		timeFrame: (nothing, view) => sceneOf(view).timeFrame(nothing),
		// Of these nodes, or of all, how many are drawn; the moment of a history
		drawn: (names, view) => sceneOf(view).drawn(names && new Set(names.map(findNode))), moment: () => past && Math.round(past.value()),
	};
}
