// SPDX-License-Identifier: GPL-2.0-or-later
// How the curve is built: it goes through the nodes in the order of their ranks, as far as the
// player has come. Steps along an axis are bars, others (and those to the far end) lines.

// eachStep: call with the end's rank, the places of two nodes of following ranks, and the colour
function eachStep(machine, model, theme, call) {
	const place = node => [0, 1, 2].map(k => model.position[3 * node + k]);
	for (const torus of machine.tori) {
		const node = rank => torus.first + machine.nodeOfRank[torus.number][rank];
		for (let rank = 1; rank < torus.count; rank++)
			call(rank, place(node(rank - 1)), place(node(rank)), scaleColour(rank / torus.count, theme));
	}
}

// makeCurve: a subject for the player
function makeCurve(machine, show) {
	const most = Math.max(...machine.tori.map(torus => torus.count));
	return {
		low: 0, high: most, name: 'rank along the curve',
		text: rank => Math.round(rank).toLocaleString('en') + ' of ' + most.toLocaleString('en') + ' nodes',
		show: rank => show(Math.round(rank)),
		paint: (context, width, height) => {
			context.clearRect(0, 0, width, height);
			for (let i = 0; i < width; i += 2) {
				context.fillStyle = cssOf(scaleColour(i / width, document.documentElement.dataset.theme || 'dark'));
				context.fillRect(i, height / 2 - 4, 2, 8);
			}
		},
	};
}
