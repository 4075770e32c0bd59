// SPDX-License-Identifier: GPL-2.0-or-later
// Live: the page comes from `storus view --serve`, which tells of changes. New data is fetched
// then; while the page is hidden nothing is asked for, so that the server need not look.

const LIVE_RETRY_MS = 5000;

// startLive: update(data) takes new data in, and returns false where it is of another machine
function startLive(machine, update) {
	const banner = make('p', { id: 'live', hidden: true });
	let stream = null, retry = 0, version = machine.live, fetching = false, wanted = version;
	banner.setAttribute('role', 'status');
	byId('stage').append(banner);

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
				const answer = await fetch('machine.json', { cache: 'no-store' });
				if (!answer.ok)
					throw new Error((await answer.text()).trim() || answer.statusText);
				const data = await answer.json();
				// Another machine, or another program behind the same address
				if (data.format !== 1 || !update(data)) {
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

// renewMachine: the jobs and states of new data; false where it is of another machine
function renewMachine(machine, data) {
	const fresh = readMachine(data), same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
	const fixed = torus => ['name', 'dims', 'wrap', 'span', 'curve', 'allocator', 'names', 'cells', 'ranks', 'places'].map(key =>
		ArrayBuffer.isView(torus[key]) ? Array.from(torus[key]) : torus[key]);
	if (!same(fresh.racks, machine.racks) || !same(fresh.tori.map(fixed), machine.tori.map(fixed)))
		return false;
	fresh.tori.forEach((torus, i) => Object.assign(machine.tori[i], torus));
	machine.time = fresh.time;
	machine.live = fresh.live;
	machine.jobs = fresh.jobs;
	settle(machine, machine.jobs);
	return true;
}
