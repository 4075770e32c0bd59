// SPDX-License-Identifier: GPL-2.0-or-later
// What tells jobs apart: a dress, one of COLOURS colours plain or with one of the patterns. Jobs that run beside each
// other at the same time have different ones; a colour alone comes before a pattern.

const COLOURS = 8, PATTERNS = 3, DRESSES = COLOURS * PATTERNS;

// makeStage: which jobs are on the nodes while jobs come and go
function makeStage(machine) {
	// The first job of a node, and the others of those that have several
	const head = new Int32Array(machine.count).fill(-1), more = new Map(), { first, list } = besides(machine);
	const stage = {
		busy: 0,	// nodes that have a job
		enter: number => machine.jobs.eachNode(number, node => {
			if (head[node] < 0) {
				head[node] = number;
				stage.busy++;
			} else if (more.has(node)) {
				more.get(node).push(number);
			} else {
				more.set(node, [number]);
			}
		}),
		leave: number => machine.jobs.eachNode(number, node => {
			const others = more.get(node);
			if (!others) {
				head[node] = -1;
				stage.busy--;
				return;
			}
			if (head[node] === number)
				head[node] = others.pop();
			else
				others.splice(others.indexOf(number), 1);
			if (!others.length)
				more.delete(node);
		}),
		// taken: the dresses of those on the nodes of a job and beside them, as bits; a dress below 0 is none
		taken: (number, dresses) => {
			let bits = 0;
			const see = node => {
				const job = head[node];
				if (job < 0)
					return;
				if (dresses[job] >= 0)
					bits |= 1 << dresses[job];
				if (more.size && more.has(node))
					for (const other of more.get(node))
						if (dresses[other] >= 0)
							bits |= 1 << dresses[other];
			};
			machine.jobs.eachNode(number, node => {
				see(node);
				for (let i = first[node]; i < first[node + 1]; i++)
					see(list[i]);
			});
			return bits;
		},
	};
	return stage;
}

// freeDress: one that is not taken, its colour by the job's number, or if all are taken that one
function freeDress(taken, number) {
	for (let i = 0; i < DRESSES; i++) {
		const dress = (number + i) % COLOURS + COLOURS * Math.floor(i / COLOURS);
		if (!(taken >> dress & 1))
			return dress;
	}
	return number % COLOURS;
}

// dressJobs: of jobs that all run now, by number; `kept` has those that jobs keep, by their ids
function dressJobs(machine, kept = new Map()) {
	const jobs = machine.jobs, stage = makeStage(machine), dresses = new Int8Array(jobs.count).fill(-1);
	for (let number = 0; number < jobs.count; number++) {
		const dress = kept.get(jobs.job(number).id);
		if (dress !== undefined)
			dresses[number] = dress;
		stage.enter(number);
	}
	for (let number = 0; number < jobs.count; number++)
		if (dresses[number] < 0)
			dresses[number] = freeDress(stage.taken(number, dresses), number);
	return dresses;
}

// eachEvent: call begin(number) and end(number) in the order of time, and after(t) behind those of each moment; a run
// is there from its start on, and at its end no more
function eachEvent(jobs, begin, end, after) {
	const { start, end: ends } = jobs, count = jobs.count;
	const begins = Uint32Array.from(numbersTo(count)).filter(number => ends[number] > start[number]);
	const finishes = begins.slice();
	const inOrder = times => (a, b) => times[a] - times[b] || a - b;
	// The data has them by their start.
	if (begins.some((number, i) => i && start[number] < start[begins[i - 1]]))
		begins.sort(inOrder(start));
	finishes.sort(inOrder(ends));
	let i = 0, k = 0;
	while (k < finishes.length) {
		const t = i < begins.length ? Math.min(start[begins[i]], ends[finishes[k]]) : ends[finishes[k]];
		while (k < finishes.length && ends[finishes[k]] === t)
			end(finishes[k++]);
		while (i < begins.length && start[begins[i]] === t)
			begin(begins[i++]);
		after(t);
	}
}

// courseOf: what a history comes to: {t, busy, hops, dresses}: at each moment at which runs begin or end how many
// nodes have a job from then on, and the mean hops of the jobs, weighted by their nodes; and the runs' dresses
function courseOf(machine) {
	const jobs = machine.jobs, stage = makeStage(machine), dresses = new Int8Array(jobs.count).fill(-1);
	const distance = jobs.numbers('average_distance'), most = 2 * jobs.count;
	const t = new Float64Array(most), busy = new Uint32Array(most), hops = new Float32Array(most);
	let points = 0, weight = 0, sum = 0;
	const weigh = (number, sign) => {
		if (jobs.size[number] < 2 || Number.isNaN(distance[number]))
			return;
		weight += sign * jobs.size[number];
		sum += sign * jobs.size[number] * distance[number];
	};
	eachEvent(jobs, number => {
		dresses[number] = freeDress(stage.taken(number, dresses), number);
		stage.enter(number);
		weigh(number, 1);
	}, number => {
		stage.leave(number);
		weigh(number, -1);
	}, now => {
		t[points] = now;
		busy[points] = stage.busy;
		hops[points++] = weight ? sum / weight : 0;
	});
	return { t: t.subarray(0, points), busy: busy.subarray(0, points), hops: hops.subarray(0, points), dresses };
}
