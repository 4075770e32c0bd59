// SPDX-License-Identifier: GPL-2.0-or-later
// A cut {axis, low, high, one}: planes across x, y or z are taken away from the side that is seen first, or all but one
// plane.

// cutLength: how many planes there are across an axis, of the tori the most
function cutLength(machine, axis) {
	return Math.max(...machine.tori.map(torus => torus.dims[axis] || 1));
}

// cutOf: after so many planes have been taken away, from the left (low x), the front (high y) or above (high z); with
// one, only the plane that comes then
function cutOf(machine, axis, away, one) {
	const last = cutLength(machine, axis) - 1;
	if (axis === 0)
		return { axis, low: away, high: one ? away : last, one };
	return { axis, low: one ? last - away : 0, high: last - away, one };
}

function awayOf(machine, cut) {
	return cut.axis === 0 ? cut.low : cutLength(machine, cut.axis) - 1 - cut.high;
}

// turnedCut: along another axis, or none when it is along that one already
function turnedCut(machine, cut, axis) {
	const length = cutLength(machine, axis);
	return (cut && cut.axis === axis) || length < 2 ? null : cutOf(machine, axis, Math.floor(length / 2), Boolean(cut && cut.one));
}

// movedCut: so many planes further
function movedCut(machine, cut, by) {
	const away = Math.min(cutLength(machine, cut.axis) - 1, Math.max(0, awayOf(machine, cut) + by));
	return cutOf(machine, cut.axis, away, cut.one);
}

// cutText: as the page's address has it, "x5-15", or "x5" for one plane; cutFrom: that text as a cut, or null
function cutText(cut) {
	return cut ? 'xyz'[cut.axis] + cut.low + (cut.one ? '' : '-' + cut.high) : '';
}

function cutFrom(machine, text) {
	const found = /^([xyz])(\d{1,9})(-\d{1,9})?$/.exec(text || '');
	if (!found)
		return null;
	const axis = 'xyz'.indexOf(found[1]), low = Number(found[2]), one = found[3] === undefined, high = one ? low : -Number(found[3]);
	return low <= high && high < cutLength(machine, axis) ? { axis, low, high, one } : null;
}

// makeCutBar: change(cut) is called when its slider or its box has been moved
function makeCutBar(machine, change) {
	const slider = make('input', { type: 'range', id: 'cut-at', min: '0', step: '1' }), text = make('output');
	const one = make('input', { type: 'checkbox', id: 'cut-one' }), name = make('label', { htmlFor: 'cut-at' });
	const bar = make('div', { id: 'cut-bar', className: 'bar' }, name, slider, text, make('label', { className: 'check' }, one, ' one plane'));
	let axis = 0;
	const told = () => change(cutOf(machine, axis, Number(slider.value), one.checked));
	slider.addEventListener('input', told);
	one.addEventListener('change', told);
	return {
		bar,
		show: cut => {
			axis = cut.axis;
			name.textContent = 'Cut along ' + 'xyz'[axis];
			slider.max = String(cutLength(machine, axis) - 1);
			slider.value = String(awayOf(machine, cut));
			one.checked = cut.one;
			text.textContent = 'xyz'[axis] + ' ' + (cut.low === cut.high ? cut.low : cut.low + '\u2013' + cut.high);
			slider.setAttribute('aria-valuetext', text.textContent);
		},
	};
}
