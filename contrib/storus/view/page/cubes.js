// SPDX-License-Identifier: GPL-2.0-or-later
// Many boxes in one drawing call: each has a place, a colour, a pattern and a size, and is lit by its
// sides' directions, with darker edges so that neighbours of one colour are told apart.

const BOX_VERTEX = `
attribute vec3 place;
attribute vec4 tint;
attribute vec3 scale;
uniform float grown;
varying vec3 colour;
varying float pattern;
varying vec3 side;
varying vec3 inside;
void main() {
	colour = tint.rgb;
	pattern = tint.a;
	side = normal;
	inside = position * 2.0;
	gl_Position = projectionMatrix * modelViewMatrix * vec4(place + position * (scale + grown), 1.0);
}`;
// Pattern 1 is a spot in the middle of each side, 2 a stripe across it.
const BOX_FRAGMENT = `
precision mediump float;
uniform float edges;
uniform vec4 faded;
uniform vec3 ground;
varying vec3 colour;
varying float pattern;
varying vec3 side;
varying vec3 inside;
void main() {
	float light = 0.86 + 0.14 * side.y - 0.10 * abs(side.x) + 0.03 * side.z;
	vec3 across = abs(inside) - 2.0 * abs(side);
	vec3 from = 1.0 - abs(inside) + abs(side);
	float nearest = min(from.x, min(from.y, from.z));
	float edge = smoothstep(0.03, 0.09, nearest);
	float spot = 1.0 - step(0.52, max(across.x, max(across.y, across.z)));
	vec2 at = abs(side.x) > 0.5 ? inside.yz : abs(side.y) > 0.5 ? inside.xz : inside.xy;
	float stripe = 1.0 - step(0.42, abs(at.x - at.y));
	float marked = pattern < 0.5 ? 0.0 : pattern < 1.5 ? spot : stripe;
	vec3 lit = mix(colour, ground, 0.85 * marked) * light * mix(1.0 - edges, 1.0, edge);
	gl_FragColor = vec4(mix(lit, faded.rgb, faded.a), 1.0);
}`;

// setAttribute: of a geometry; three.js before r110 calls it otherwise
function setAttribute(geometry, name, attribute) {
	if (geometry.setAttribute)
		geometry.setAttribute(name, attribute);
	else
		geometry.addAttribute(name, attribute);
}

// makeBoxes: any number of them: ensure(most), then set(i, ...) and update(count)
function makeBoxes(edges) {
	const cube = new THREE.BoxBufferGeometry(1, 1, 1), geometry = new THREE.InstancedBufferGeometry();
	const ground = { value: new THREE.Vector3() };
	geometry.index = cube.index;
	geometry.attributes.position = cube.attributes.position;
	geometry.attributes.normal = cube.attributes.normal;
	// meshOf: the same boxes, mixed with a colour, grown on all sides; grown ones show only their far sides, which
	// makes a border around what is drawn before them
	const meshOf = (faded, grown = 0) => {
		const made = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
			vertexShader: BOX_VERTEX, fragmentShader: BOX_FRAGMENT, side: grown ? THREE.BackSide : THREE.FrontSide,
			uniforms: { edges: { value: edges }, faded: { value: new THREE.Vector4(...faded) }, grown: { value: grown }, ground },
		}));
		made.frustumCulled = false;
		return made;
	};
	const boxes = {
		mesh: meshOf([0, 0, 0, 0]), meshOf, room: 0, shown: 0, place: null, tint: null, scale: null,
		// ensure: room for so many; those that are set stay
		ensure: most => {
			if (boxes.place && most <= boxes.room)
				return;
			boxes.room = Math.max(16, most, 2 * boxes.room);
			geometry.dispose();
			for (const [name, size] of [['place', 3], ['tint', 4], ['scale', 3]]) {
				const made = new THREE.InstancedBufferAttribute(new Float32Array(size * boxes.room), size);
				made.setUsage(THREE.DynamicDrawUsage);
				setAttribute(geometry, name, made);
				made.array.set(boxes[name] || []);
				boxes[name] = made.array;
			}
		},
		// set: a colour's fourth number is its pattern
		set: (i, at, colour, sides) => {
			for (let k = 0; k < 3; k++) {
				boxes.place[3 * i + k] = at[k];
				boxes.tint[4 * i + k] = colour[k];
				boxes.scale[3 * i + k] = sides[k];
			}
			boxes.tint[4 * i + 3] = colour[3] || 0;
		},
		update: count => {
			boxes.shown = geometry.maxInstancedCount = count;
			boxes.mesh.visible = count > 0;
			for (const name of ['place', 'tint', 'scale'])
				geometry.attributes[name].needsUpdate = true;
		},
		setGround: colour => { ground.value.set(...colour); },
	};
	boxes.ensure(0);
	return boxes;
}
