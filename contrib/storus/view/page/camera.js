// SPDX-License-Identifier: GPL-2.0-or-later
// The camera: it looks at a point from a distance, and is turned, moved and brought closer by
// pointers, wheel and keys.

function makeCamera(canvas, changed) {
	const camera = new THREE.PerspectiveCamera(32, 1, 0.1, 10000);
	const view = { centre: new THREE.Vector3(), distance: 10, azimuth: 0, polar: 1 };
	const pointers = new Map();
	let whole = null, pinch = 0, travelled = 0;

	function apply() {
		view.polar = Math.min(Math.PI - 0.02, Math.max(0.001, view.polar));
		const sine = Math.sin(view.polar);
		camera.position.set(
			view.centre.x + view.distance * sine * Math.sin(view.azimuth),
			view.centre.y + view.distance * Math.cos(view.polar),
			view.centre.z + view.distance * sine * Math.cos(view.azimuth));
		camera.near = view.distance / 200;
		camera.far = view.distance * 8 + whole.radius * 4;
		camera.lookAt(view.centre);
		camera.updateProjectionMatrix();
		camera.updateMatrixWorld();
	}

	// fit: the whole machine, as close as all its corners stay in the picture, between so many pixels above and below
	function fit(above, below) {
		const height = Math.max(1, canvas.clientHeight), part = Math.max(0.3, 1 - (above + below + 36) / height);
		view.centre.copy(whole.centre);
		view.azimuth = whole.aslant ? whole.aslant.azimuth : 0;
		view.polar = whole.aslant ? whole.aslant.polar : 0.001;
		const tangent = Math.tan(camera.fov * Math.PI / 360);
		let near = 1, far = whole.radius * 12;
		for (let i = 0; i < 24; i++) {
			view.distance = (near + far) / 2;
			apply();
			const inside = whole.corners.every(corner => {
				const seen = corner.clone().applyMatrix4(camera.matrixWorldInverse.getInverse(camera.matrixWorld));
				return -seen.z > 0 && Math.abs(seen.y) < -seen.z * tangent * part &&
					Math.abs(seen.x) < -seen.z * tangent * camera.aspect * 0.92;
			});
			if (inside)
				far = view.distance;
			else
				near = view.distance;
		}
		view.distance = far;
		apply();
		move(0, (above - below) / 2 / height);
	}

	function turn(dx, dy) {
		view.azimuth -= dx;
		view.polar -= dy;
		apply();
		changed();
	}

	function move(dx, dy) {
		const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
		const up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
		const scale = 2 * view.distance * Math.tan(camera.fov * Math.PI / 360);
		view.centre.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
		apply();
		changed();
	}

	function zoom(factor) {
		view.distance = Math.min(whole.radius * 12, Math.max(1.5, view.distance * factor));
		apply();
		changed();
	}

	function spread() {
		const [a, b] = [...pointers.values()];
		return Math.hypot(a.x - b.x, a.y - b.y);
	}

	canvas.addEventListener('pointerdown', event => {
		if (!pointers.size)
			travelled = 0;
		pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, button: event.button });
		canvas.setPointerCapture(event.pointerId);
		pinch = pointers.size === 2 ? spread() : 0;
	});
	canvas.addEventListener('pointermove', event => {
		const before = pointers.get(event.pointerId);
		if (!before)
			return;
		const dx = (event.clientX - before.x) / canvas.clientHeight, dy = (event.clientY - before.y) / canvas.clientHeight;
		travelled += Math.abs(event.clientX - before.x) + Math.abs(event.clientY - before.y);
		before.x = event.clientX;
		before.y = event.clientY;
		canvas.classList.add('moving');
		if (pointers.size === 2) {
			const now = spread();
			if (pinch && now)
				zoom(pinch / now);
			pinch = now;
			move(dx / 2, dy / 2);
		} else if (before.button || event.shiftKey) {
			move(dx, dy);
		} else {
			turn(dx * 3.2, dy * 3.2);
		}
	});
	for (const name of ['pointerup', 'pointercancel'])
		canvas.addEventListener(name, event => {
			pointers.delete(event.pointerId);
			canvas.classList.remove('moving');
		});
	canvas.addEventListener('contextmenu', event => event.preventDefault());
	canvas.addEventListener('wheel', event => {
		event.preventDefault();
		zoom(Math.exp(Math.sign(event.deltaY) * Math.min(60, Math.abs(event.deltaY)) * 0.003));
	}, { passive: false });

	return {
		camera, view, turn, move, zoom, fit, apply,
		moving: () => pointers.size > 0,
		wasDragged: () => travelled > 5,
		setWhole: box => { whole = box; },
		setAspect: aspect => { camera.aspect = aspect; apply(); },
		// toggleTurn: from above, and back to the view aslant
		toggleTurn: () => {
			const above = view.polar < 0.1;
			const aslant = whole.aslant || { azimuth: -0.62, polar: 1.13 };
			view.azimuth = above ? aslant.azimuth : 0;
			view.polar = above ? aslant.polar : 0.001;
			apply();
			changed();
		},
		text: () => [view.azimuth, view.polar, view.distance, view.centre.x, view.centre.y, view.centre.z]
			.map(value => value.toFixed(3)).join(','),
		// setText: what text() said; false: it is not that
		setText: text => {
			const values = text.split(',').map(Number);
			if (values.length !== 6 || !values.every(Number.isFinite))
				return false;
			[view.azimuth, view.polar, view.distance] = values;
			view.distance = Math.min(whole.radius * 12, Math.max(1.5, view.distance));
			view.centre.set(values[3], values[4], values[5]);
			apply();
			return true;
		},
	};
}
