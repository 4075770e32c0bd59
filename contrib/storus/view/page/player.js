// SPDX-License-Identifier: GPL-2.0-or-later
// A bar to move along by hand or to let play: a history, or the curve. What it stands for is
// drawn behind its mark.

const SPEEDS = [['slow', 60], ['normal', 25], ['fast', 8]];	// seconds from one end to the other

// makePlayer: `subject` has a name, low, high, show(value) for every move, text(value) and
// paint(context, width, height)
function makePlayer(subject) {
	const play = make('button', { type: 'button', textContent: '\u25b6', title: 'play (space)' });
	const canvas = make('canvas', { tabIndex: 0 }), text = make('output');
	const speed = make('select', { title: 'speed' });
	const still = window.matchMedia('(prefers-reduced-motion: reduce)');
	const bar = make('div', { id: 'time', className: 'bar' }, play, canvas, text, speed);
	let timer = 0, last = 0, value = subject.low;
	SPEEDS.forEach(([name, seconds]) => speed.append(make('option', { value: String(seconds), textContent: name })));
	speed.value = '25';
	play.setAttribute('aria-label', 'play');
	canvas.setAttribute('role', 'slider');
	canvas.setAttribute('aria-label', subject.name);
	canvas.setAttribute('aria-valuemin', String(Math.floor(subject.low)));
	canvas.setAttribute('aria-valuemax', String(Math.ceil(subject.high)));
	speed.setAttribute('aria-label', 'speed');

	function move(to) {
		value = Math.min(subject.high, Math.max(subject.low, to));
		text.textContent = subject.text(value);
		canvas.setAttribute('aria-valuenow', String(Math.round(value)));
		canvas.setAttribute('aria-valuetext', text.textContent);
		subject.show(value);
		paint();
	}

	function paint() {
		const ratio = Math.min(2, window.devicePixelRatio || 1), context = canvas.getContext('2d');
		canvas.width = canvas.clientWidth * ratio;
		canvas.height = canvas.clientHeight * ratio;
		context.scale(ratio, ratio);
		subject.paint(context, canvas.clientWidth, canvas.clientHeight);
		const share = subject.high > subject.low ? (value - subject.low) / (subject.high - subject.low) : 0;
		context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--text');
		context.fillRect(Math.round(share * (canvas.clientWidth - 2)), 0, 2, canvas.clientHeight);
	}

	// tick: by the clock, not by frames; where motion is to be reduced, a step a second
	function tick(now) {
		const passed = last ? (now - last) / 1000 : 0;
		if (!still.matches || passed >= 1 || !last) {
			last = now;
			move(value + passed * (subject.high - subject.low) / Number(speed.value));
		}
		timer = value < subject.high ? requestAnimationFrame(tick) : 0;
		if (!timer)
			stop();
	}

	function stop() {
		cancelAnimationFrame(timer);
		timer = 0;
		play.textContent = '\u25b6';
	}

	function toggle() {
		if (timer) {
			stop();
			return;
		}
		if (value >= subject.high)
			value = subject.low;
		last = 0;
		play.textContent = '\u275a\u275a';
		timer = requestAnimationFrame(tick);
	}

	function moveTo(event) {
		const frame = canvas.getBoundingClientRect();
		move(subject.low + (event.clientX - frame.left) / frame.width * (subject.high - subject.low));
	}

	play.addEventListener('click', toggle);
	canvas.addEventListener('pointerdown', event => {
		stop();
		canvas.setPointerCapture(event.pointerId);
		moveTo(event);
	});
	canvas.addEventListener('pointermove', event => {
		if (event.buttons)
			moveTo(event);
	});
	canvas.addEventListener('keydown', event => {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (step) {
			move(value + step * (subject.high - subject.low) / 100);
			event.preventDefault();
			event.stopPropagation();
		}
	});
	window.addEventListener('resize', paint);
	return { bar, move, paint, toggle, stop, value: () => value };
}
