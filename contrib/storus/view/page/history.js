// SPDX-License-Identifier: GPL-2.0-or-later
// A history: runs of jobs with a start and an end. The page shows those that run at one moment, and
// below them how full the machine was and how far apart the nodes of jobs were.

// secondsText: of a log's time, "2 d 03:15:00"
function secondsText(seconds) {
	const two = value => String(Math.floor(value)).padStart(2, '0');
	const days = Math.floor(seconds / 86400);
	return (days ? days + ' d ' : '') + two(seconds / 3600 % 24) + ':' + two(seconds / 60 % 60) + ':' + two(seconds % 60);
}

// momentText: of a time of the data, whatever it counts from
function momentText(machine, t) {
	return machine.history && !machine.dates ? secondsText(t) : new Date(t * 1000).toLocaleString();
}

// runningAt: the numbers of the runs at a moment
function runningAt(jobs, now) {
	const found = [];
	for (let number = 0; number < jobs.count; number++)
		if (jobs.start[number] <= now && now < jobs.end[number])
			found.push(number);
	return found;
}

// meansOf: of a course, the means of `busy` and `hops` over time in each of so many equal parts of it
function meansOf(course, parts) {
	const { t } = course, points = t.length, busy = new Float64Array(parts), hops = new Float64Array(parts);
	const low = t[0], wide = (t[points - 1] - low) / parts;
	for (let i = 0; i + 1 < points && wide > 0; i++)
		for (let part = Math.floor((t[i] - low) / wide); part < parts; part++) {
			const from = Math.max(t[i], low + part * wide), to = Math.min(t[i + 1], low + (part + 1) * wide);
			if (to > from) {
				busy[part] += course.busy[i] * (to - from) / wide;
				hops[part] += course.hops[i] * (to - from) / wide;
			}
			if (t[i + 1] <= low + (part + 1) * wide)
				break;
		}
	return { busy, hops };
}

// makeHistory: a subject for the player
function makeHistory(machine, course, changed) {
	const { t } = course, points = t.length, low = points ? t[0] : 0, high = points ? t[points - 1] : 0;
	let fullest = 0, before = null, drawn = null;
	for (let i = 1; i < points; i++)
		if (course.busy[i] > course.busy[fullest])
			fullest = i;
	// at: the last point that is not after a moment
	const at = moment => {
		let first = 0, last = points - 1;
		while (first < last) {
			const middle = Math.ceil((first + last) / 2);
			if (t[middle] <= moment)
				first = middle;
			else
				last = middle - 1;
		}
		return first;
	};
	return {
		low, high, fullest: points ? t[fullest] : 0, name: 'time',
		text: moment => {
			const point = at(moment), busy = points ? course.busy[point] : 0, hops = points ? course.hops[point] : 0;
			return momentText(machine, moment) + '  \u00b7  ' + Math.round(100 * busy / machine.count) + '%  \u00b7  ' + hops.toFixed(2) + ' hops';
		},
		show: moment => {
			const now = points ? t[at(moment)] : 0;
			if (now === before)
				return;
			before = now;
			settle(machine, runningAt(machine.jobs, now));
			changed();
		},
		paint: (context, width, height) => {
			const style = getComputedStyle(document.documentElement), parts = Math.max(1, Math.round(width));
			if (!drawn || drawn.busy.length !== parts)
				drawn = meansOf(course, parts);
			const most = Math.max(1e-9, ...drawn.hops);
			const line = of => {
				context.beginPath();
				context.moveTo(0, height);
				for (let part = 0; part < parts; part++) {
					const y = height - of(part) * (height - 3);
					context.lineTo(part, y);
					context.lineTo(part + 1, y);
				}
			};
			context.clearRect(0, 0, width, height);
			if (high <= low)
				return;
			line(part => drawn.busy[part] / machine.count);
			context.lineTo(parts, height);
			context.globalAlpha = 0.4;
			context.fillStyle = style.getPropertyValue('--busy');
			context.fill();
			context.globalAlpha = 1;
			line(part => drawn.hops[part] / most * 0.9);
			context.strokeStyle = style.getPropertyValue('--hops');
			context.lineWidth = 1.5;
			context.stroke();
		},
	};
}
