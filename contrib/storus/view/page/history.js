// SPDX-License-Identifier: GPL-2.0-or-later
// A history: jobs with a start and an end. The page shows those that run at one moment, and
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

// courseOf: [{t, busy, hops}] at each moment at which a job starts or ends
function courseOf(machine) {
	const events = [];
	for (const job of machine.jobs) {
		const hops = job.size > 1 ? meanOf(job, 'average_distance') : null, size = job.nodes.length;
		events.push({ t: job.start || 0, size, hops, sign: 1 }, { t: job.end || 0, size, hops, sign: -1 });
	}
	events.sort((a, b) => a.t - b.t);
	const course = [];
	let busy = 0, weight = 0, sum = 0;
	for (const event of events) {
		busy += event.sign * event.size;
		if (event.hops !== null) {
			weight += event.sign * event.size;
			sum += event.sign * event.size * event.hops;
		}
		const point = { t: event.t, busy, hops: weight > 0 ? sum / weight : 0 };
		if (course.length && course[course.length - 1].t === event.t)
			course[course.length - 1] = point;
		else
			course.push(point);
	}
	return course;
}

// makeHistory: a subject for the player
function makeHistory(machine, changed) {
	const course = courseOf(machine), low = course.length ? course[0].t : 0;
	const high = course.length ? course[course.length - 1].t : 0;
	const mostHops = Math.max(1e-9, ...course.map(point => point.hops));
	const fullest = course.reduce((best, point) => point.busy > best.busy ? point : best, course[0] || { t: 0, busy: 0 });
	const at = t => {
		let first = 0, last = course.length - 1;
		while (first < last) {
			const middle = Math.ceil((first + last) / 2);
			if (course[middle].t <= t)
				first = middle;
			else
				last = middle - 1;
		}
		return course[first] || { t: 0, busy: 0, hops: 0 };
	};
	let before = null;
	return {
		low, high, fullest: fullest.t,
		text: t => momentText(machine, t) + '  \u00b7  ' + Math.round(100 * at(t).busy / machine.count) + '%  \u00b7  ' + at(t).hops.toFixed(2) + ' hops',
		show: t => {
			const now = at(t).t;
			if (now === before)
				return;
			before = now;
			settle(machine, machine.jobs.filter(job => (job.start || 0) <= now && now < (job.end || 0)));
			changed();
		},
		paint: (context, width, height) => {
			const style = getComputedStyle(document.documentElement);
			const x = t => high > low ? (t - low) / (high - low) * width : 0;
			const line = of => {
				context.beginPath();
				let y = height;
				for (const point of course) {
					context.lineTo(x(point.t), y);
					y = height - of(point) * (height - 3);
					context.lineTo(x(point.t), y);
				}
			};
			context.clearRect(0, 0, width, height);
			line(point => point.busy / machine.count);
			context.globalAlpha = 0.4;
			context.fillStyle = style.getPropertyValue('--busy');
			context.fill();
			context.globalAlpha = 1;
			line(point => point.hops / mostHops * 0.9);
			context.strokeStyle = cssOf(rgbOf(PALETTES[document.documentElement.dataset.theme || 'dark'][1]));
			context.lineWidth = 1.5;
			context.stroke();
		},
	};
}
