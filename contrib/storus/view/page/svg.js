// SPDX-License-Identifier: GPL-2.0-or-later
// What is seen as SVG: boxes and lines as the camera has them, those far away first.

// projection: of a scene's camera: place of the scene -> [x, y, depth] in its canvas; null behind it
function projection(scene) {
	const camera = scene.eye.camera, width = scene.canvas.clientWidth, height = scene.canvas.clientHeight;
	const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
	return (x, y, z) => {
		const w = m[3] * x + m[7] * y + m[11] * z + m[15];
		if (w <= 0)
			return null;
		return [((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) / 2 * width,
			(1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) / 2 * height, w];
	};
}

function hexOf(rgb) {
	return '#' + rgb.map(value => Math.round(Math.min(1, Math.max(0, value)) * 255).toString(16).padStart(2, '0')).join('');
}

// pathOf: through projected points; null if one is behind the camera
function pathOf(points) {
	return points.includes(null) ? null : 'M' + points.map(point => point[0].toFixed(1) + ' ' + point[1].toFixed(1)).join('L');
}

// The sides of a box: axis, direction, and the light that falls on them as in cubes.js
const SIDES = [[0, -1, 0.76], [0, 1, 0.76], [1, -1, 0.72], [1, 1, 1], [2, -1, 0.83], [2, 1, 0.89]];

// What a pattern covers of a side, from -1 to 1, as in cubes.js: a spot, a stripe
const PATTERN_SHAPES = [null, [[-0.52, -0.52], [0.52, -0.52], [0.52, 0.52], [-0.52, 0.52]],
	[[-1, -1], [-0.58, -1], [1, 0.58], [1, 1], [0.58, 1], [-1, -0.58]]];

// addBoxShapes: the sides of boxes that face the camera, as [depth, markup]; with a border of a colour, or null
function addBoxShapes(solid, project, eye, ground, border, shapes) {
	const { boxes, move, faded } = solid;
	for (let i = 0; i < boxes.shown; i++) {
		const size = boxes.scale[3 * i];
		if (!size)
			continue;
		const at = [0, 1, 2].map(k => boxes.place[3 * i + k] + move[k]), half = [0, 1, 2].map(k => boxes.scale[3 * i + k] / 2);
		const middle = project(...at);
		let markup = '';
		for (const [axis, sign, light] of SIDES) {
			if ((eye[axis] - at[axis]) * sign <= half[axis])
				continue;
			const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
			const outlineOf = points => pathOf(points.map(([p, q]) => {
				const corner = at.slice();
				corner[axis] += sign * half[axis];
				corner[a] += p * half[a];
				corner[b] += q * half[b];
				return project(...corner);
			}));
			const path = outlineOf([[-1, -1], [1, -1], [1, 1], [-1, 1]]), colour = [0, 1, 2].map(k => boxes.tint[4 * i + k]);
			if (!path)
				continue;
			const fillOf = rgb => hexOf(rgb.map((value, k) => value * light * (1 - faded[3]) + faded[k] * faded[3]));
			markup += '<path d="' + path + 'z" fill="' + fillOf(colour) + '"' + (border ? ' stroke="' + border + '" stroke-width="0.6"' : '') + '/>';
			const pattern = PATTERN_SHAPES[boxes.tint[4 * i + 3]];
			if (pattern)
				markup += '<path d="' + outlineOf(pattern) + 'z" fill="' + fillOf(colour.map((value, k) => value * 0.15 + ground[k] * 0.85)) + '"/>';
		}
		if (middle && markup)
			shapes.push([middle[2], markup]);
	}
}

function addLineShapes(lines, project, shapes) {
	const position = lines.mesh.geometry.attributes.position, tint = lines.mesh.geometry.attributes.tint;
	if (!lines.mesh.visible || !position)
		return;
	for (let i = 0; i < position.count; i += 2) {
		const ends = [i, i + 1].map(k => project(position.getX(k), position.getY(k), position.getZ(k)));
		const path = pathOf(ends), alpha = (tint.getW(i) + tint.getW(i + 1)) / 2 * lines.strength();
		if (path)
			shapes.push([(ends[0][2] + ends[1][2]) / 2, '<path d="' + path + '" stroke="' +
				hexOf([tint.getX(i), tint.getY(i), tint.getZ(i)]) + '" stroke-opacity="' + alpha.toFixed(2) + '"/>']);
	}
}

// textMarkup: a text as XML has it
function textMarkup(text, x, y, style) {
	return '<text x="' + x.toFixed(1) + '" y="' + y.toFixed(1) + '" ' + style + '>' +
		new XMLSerializer().serializeToString(document.createTextNode(text)) + '</text>';
}

function sceneMarkup(scene, left, top, quiet, plain) {
	const project = projection(scene), eye = scene.eye.camera.position.toArray(), ground = rgbOf(plain.ground), shapes = [];
	scene.layers().forEach(({ solids, lines }, layer) => {
		const found = [];
		solids.forEach(solid => addBoxShapes(solid, project, eye, ground, layer ? plain.box : null, found));
		lines.forEach(each => addLineShapes(each, project, found));
		shapes.push(...found.sort((a, b) => b[0] - a[0]));
	});
	const labels = scene.labels().map(label => {
		const at = project(...label.at.toArray());
		return at && textMarkup(label.text, at[0], at[1] + 4, 'fill="' + (label.colour || quiet) + '" font-size="12" font-weight="600" text-anchor="middle"');
	});
	return '<svg x="' + left + '" y="' + top + '" width="' + scene.canvas.clientWidth + '" height="' + scene.canvas.clientHeight + '">' +
		shapes.map(shape => shape[1]).join('\n') + labels.filter(Boolean).join('\n') + '</svg>\n';
}

// svgOf: the scenes in their places on the stage
function svgOf(scenes, theme, title, subtitle) {
	const stage = byId('stage').getBoundingClientRect(), style = getComputedStyle(document.documentElement);
	const text = style.getPropertyValue('--text').trim(), quiet = style.getPropertyValue('--quiet').trim();
	return '<svg xmlns="http:' + '//www.w3.org/2000/svg" width="' + stage.width + '" height="' + stage.height +
		'" font-family="sans-serif" stroke-width="1" fill="none">\n<rect width="100%" height="100%" fill="' + PLAIN[theme].ground + '"/>\n' +
		scenes.map(scene => {
			const frame = scene.canvas.getBoundingClientRect();
			return sceneMarkup(scene, frame.left - stage.left, frame.top - stage.top, quiet, PLAIN[theme]);
		}).join('') + textMarkup(title, 22, 34, 'fill="' + text + '" font-size="18" font-weight="600"') +
		textMarkup(subtitle, 22, 56, 'fill="' + quiet + '" font-size="13"') + '</svg>\n';
}
