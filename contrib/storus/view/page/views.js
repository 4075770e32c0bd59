// SPDX-License-Identifier: GPL-2.0-or-later
// Which views there are - wired, physical or both - and their scenes, each made when it is first seen.

const VIEWS = ['wired', 'physical', 'both'];

// makeViews: begin(scene) is called for each scene when it is made; apart() is the axis along which planes are taken
// apart, or null
function makeViews(machine, apart, onFrame, begin) {
	const scenes = [];
	let seen = [], used = null;

	function sceneOf(name) {
		let scene = scenes.find(each => each.name === name);
		if (scene)
			return scene;
		scene = makeScene(machine, name === 'wired' ? wiredModel(machine, apart()) : roomModel(machine), byId(name), onFrame);
		scenes.push(scene);
		for (const event of ['pointerdown', 'wheel', 'focus'])
			scene.canvas.addEventListener(event, () => { used = scene; });
		begin(scene);
		return scene;
	}

	return {
		// known: those that this machine has
		known: machine.racks ? VIEWS : ['wired'],
		// show: one of them; scenes that were not seen are to be painted by the caller
		show: name => {
			const names = name === 'both' ? ['wired', 'physical'] : [name];
			for (const each of ['wired', 'physical'])
				byId(each).hidden = !names.includes(each);
			seen = names.map(sceneOf);
			seen.forEach(scene => scene.resize());
			if (!seen.includes(used))
				used = seen[0];
		},
		seen: () => seen,
		// remodel: when planes are taken apart or put together
		remodel: () => scenes.filter(scene => scene.name === 'wired').forEach(scene => scene.remodel(wiredModel(machine, apart()))),
		// used: the scene that the keys turn and move
		used: () => used,
		of: name => scenes.find(each => each.name === name) || null,
	};
}
