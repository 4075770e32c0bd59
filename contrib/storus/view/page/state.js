// SPDX-License-Identifier: GPL-2.0-or-later
// What is shown, as it stands behind the # of the page's address, so that a link leads to it.

const STATE_KEYS = ['colour', 'keys', 'job', 'node', 'only', 'boxes', 'view', 'cut', 'apart', 'list', 'wrap', 'theme', 'eye', 'room', 'rank', 't'];

// The address as the page last read or wrote it. Another one was typed, and hashchange is on its way.
let knownAddress = null;

function readState() {
	const state = {};
	knownAddress = location.hash;
	for (const pair of location.hash.slice(1).split('&')) {
		const [name, value] = pair.split('=');
		if (!STATE_KEYS.includes(name) || value === undefined)
			continue;
		try {
			state[name] = decodeURIComponent(value.replace(/\+/g, ' '));
		} catch (error) {
			// A % that is none: the rest of the address still counts.
		}
	}
	return state;
}

// Browsers take some 200 changes of the address in 30 seconds; a history that plays makes more.
const WRITES = 40, WRITES_MS = 10000;
const written = [];
let later = 0;

// writeState: at once, or when there have been many, a little later
function writeState(state) {
	clearTimeout(later);
	const now = performance.now();
	while (written.length && now - written[0] > WRITES_MS)
		written.shift();
	if (written.length < WRITES) {
		written.push(now);
		writeNow(state);
	} else {
		later = setTimeout(writeState, 500, state);
	}
}

function writeNow(state) {
	if (knownAddress !== null && location.hash !== knownAddress)
		return;
	const text = STATE_KEYS.filter(name => state[name] !== undefined && state[name] !== null && state[name] !== '')
		.map(name => name + '=' + encodeURIComponent(state[name]).replace(/%2C/g, ',')).join('&');
	// A file's history may not be written to in some browsers; the page works without.
	try {
		history.replaceState(null, '', text ? '#' + text : '#');
		knownAddress = location.hash;
	} catch (error) {
		// Nothing is lost but the address.
	}
}
