// SPDX-License-Identifier: GPL-2.0-or-later
// Files of what is seen.

function saveFile(blob, name) {
	const link = make('a', { href: URL.createObjectURL(blob), download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// pictureOf: the scenes as they stand beside each other, with the title, on a canvas
function pictureOf(scenes) {
	const stage = byId('stage').getBoundingClientRect(), ratio = scenes[0].canvas.width / scenes[0].canvas.clientWidth;
	const copy = make('canvas', { width: Math.round(stage.width * ratio), height: Math.round(stage.height * ratio) });
	const context = copy.getContext('2d'), style = getComputedStyle(document.documentElement);
	const text = (words, x, y, font, colour) => {
		context.font = font.replace(/[0-9.]+px/, size => parseFloat(size) * ratio + 'px');
		context.fillStyle = colour;
		context.fillText(words, x * ratio, y * ratio);
	};
	context.textAlign = 'center';
	for (const scene of scenes) {
		const frame = scene.canvas.getBoundingClientRect(), left = frame.left - stage.left, top = frame.top - stage.top;
		// What a canvas has drawn is there only until the browser goes on.
		scene.drawNow();
		context.drawImage(scene.canvas, left * ratio, top * ratio);
		for (const label of scene.labels())
			if (!label.span.hidden) {
				const at = label.span.getBoundingClientRect();
				text(label.text, (at.left + at.right) / 2 - stage.left, (at.top + at.bottom) / 2 - stage.top + 4, '600 12px sans-serif',
					label.colour || style.getPropertyValue('--quiet'));
			}
	}
	context.textAlign = 'left';
	text(byId('title').textContent, 22, 34, '600 18px sans-serif', style.getPropertyValue('--text'));
	text(byId('subtitle').textContent, 22, 56, '13px sans-serif', style.getPropertyValue('--text'));
	return copy;
}

function savePng(scenes) {
	pictureOf(scenes).toBlob(blob => saveFile(blob, 'machine.png'));
}

function saveSvg(scenes, theme) {
	saveFile(new Blob([svgOf(scenes, theme, byId('title').textContent, byId('subtitle').textContent)], { type: 'image/svg+xml' }), 'machine.svg');
}
