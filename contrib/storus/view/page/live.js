// SPDX-License-Identifier: GPL-2.0-or-later
// Live: the page comes from `storus view --serve`, which tells of each look and of changes. What has changed is
// fetched then; while the page is hidden nothing is asked for, so that the server need not look.

const LIVE_RETRY_MS = 5000;

// What has been heard is late after so many looks of the server, and as many seconds.
const LATE_LOOKS = 3, LATE_SECONDS = 10;

// changed: the data with what a newer version has otherwise: see docs/view.md
function changed(data, changes) {
	const assign = (to, from) => Object.keys(from).forEach(key => {
		if (from[key] === null)
			delete to[key];
		else
			to[key] = from[key];
	});
	changes.tori.forEach((torus, i) => assign(data.tori[i], torus));
	if (changes.queue !== undefined)
		assign(data, { queue: changes.queue });
	const gone = new Set(changes.gone), come = new Map(changes.come.map(job => [job.id, job]));
	data.jobs = data.jobs.filter(job => !gone.has(job.id)).map(job => {
		const now = come.get(job.id) || job;
		come.delete(job.id);
		return now;
	}).concat([...come.values()]);
	return Object.assign(data, { live: changes.live, time: changes.time });
}

// agoText: "3 s", "5 min"
function agoText(seconds) {
	return seconds < 120 ? Math.floor(seconds) + ' s' : seconds < 7200 ? Math.floor(seconds / 60) + ' min' : Math.floor(seconds / 3600) + ' h';
}

// startLive: update(data, same) takes new data in, the same machine's for sure or not, and returns false where it is of
// another machine
function startLive(data, update) {
	const banner = make('p', { id: 'live', hidden: true }), heard = make('p', { id: 'heard' });
	let stream = null, retry = 0, version = data.live, fetching = false, wanted = version, seenAt = null, every = 5;
	banner.setAttribute('role', 'status');
	byId('stage').append(banner);
	document.querySelector('header').append(heard);
	setInterval(tell, 1000);

	// tell: when the server last heard of what it shows
	function tell() {
		if (seenAt === null)
			return;
		const seconds = Math.max(0, (performance.now() - seenAt) / 1000), late = seconds > LATE_LOOKS * every + LATE_SECONDS;
		heard.textContent = (data.queue ? 'slurmctld answered ' : 'jobs read ') + agoText(seconds) + ' ago';
		heard.classList.toggle('late', late);
	}

	function say(text) {
		banner.textContent = text;
		banner.hidden = !text;
		document.body.dataset.live = text ? 'away' : 'yes';
	}

	async function renew() {
		if (fetching)
			return;
		fetching = true;
		try {
			while (wanted !== version) {
				const answer = await fetch('machine.json?since=' + encodeURIComponent(version), { cache: 'no-store' });
				if (!answer.ok)
					throw new Error((await answer.text()).trim() || answer.statusText);
				const news = await answer.json(), same = news.base === version;
				data = same ? changed(data, news) : news;
				// Another machine, or another program behind the same address
				if (data.format !== 1 || !update(data, same)) {
					location.reload();
					return;
				}
				// What has come may be newer than what was announced.
				version = wanted = data.live;
			}
		} catch (error) {
			say('Not up to date: ' + error.message);
			wanted = version;
			close();
			later();
		} finally {
			fetching = false;
		}
	}

	function close() {
		clearTimeout(retry);
		if (stream)
			stream.close();
		stream = null;
	}

	function later() {
		clearTimeout(retry);
		retry = setTimeout(open, LIVE_RETRY_MS);
	}

	function open() {
		close();
		if (document.hidden)
			return;
		stream = new EventSource('events');
		stream.addEventListener('message', event => {
			const message = JSON.parse(event.data);
			seenAt = performance.now() - 1000 * message.ago;
			every = message.every;
			tell();
			say(message.failure ? 'Since ' + new Date(message.seen * 1000).toLocaleTimeString() + ' nothing new: ' + message.failure : '');
			if (message.version) {
				wanted = message.version;
				renew();
			}
		});
		// The browser's own retries end at an error of a proxy; these do not.
		stream.addEventListener('error', () => {
			say('No connection to storus view; trying again');
			close();
			later();
		});
	}

	document.addEventListener('visibilitychange', () => document.hidden ? close() : open());
	window.addEventListener('pagehide', close);
	window.addEventListener('pageshow', event => {
		if (event.persisted)
			open();
	});
	open();
}

// renewMachine: the jobs and states of new data, which are the same machine's for sure or not; false where it is another
function renewMachine(machine, data, known) {
	const fresh = readMachine(data), same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
	const fixed = torus => ['name', 'dims', 'wrap', 'span', 'curve', 'allocator', 'names', 'cells', 'ranks', 'places'].map(key =>
		ArrayBuffer.isView(torus[key]) ? Array.from(torus[key]) : torus[key]);
	if (!known && (!same(fresh.racks, machine.racks) || !same(fresh.tori.map(fixed), machine.tori.map(fixed))))
		return false;
	fresh.tori.forEach((torus, i) => Object.assign(machine.tori[i], torus));
	machine.time = fresh.time;
	machine.live = fresh.live;
	machine.jobs = fresh.jobs;
	machine.queue = fresh.queue;
	settle(machine, machine.jobs.all());
	return true;
}
