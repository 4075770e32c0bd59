// SPDX-License-Identifier: GPL-2.0-or-later
// Many boxes in one drawing call: each has a place, a colour and a size, and is lit by its
// sides' directions, with darker edges so that neighbours of one colour are told apart.

const BOX_VERTEX = `
attribute vec3 place;
attribute vec3 tint;
attribute vec3 scale;
varying vec3 colour;
varying vec3 side;
varying vec3 inside;
void main() {
	colour = tint;
	side = normal;
	inside = position * 2.0;
	gl_Position = projectionMatrix * modelViewMatrix * vec4(place + position * scale, 1.0);
}`;
const BOX_FRAGMENT = `
precision mediump float;
uniform float edges;
uniform vec4 faded;
varying vec3 colour;
varying vec3 side;
varying vec3 inside;
void main() {
	float light = 0.86 + 0.14 * side.y - 0.10 * abs(side.x) + 0.03 * side.z;
	vec3 from = 1.0 - abs(inside) + abs(side);
	float nearest = min(from.x, min(from.y, from.z));
	float edge = smoothstep(0.03, 0.09, nearest);
	gl_FragColor = vec4(mix(colour * light * mix(1.0 - edges, 1.0, edge), faded.rgb, faded.a), 1.0);
}`;

// setAttribute: of a geometry; three.js before r110 calls it otherwise
function setAttribute(geometry, name, attribute) {
	if (geometry.setAttribute)
		geometry.setAttribute(name, attribute);
	else
		geometry.addAttribute(name, attribute);
}

// makeBoxes: at most `most` of them; set(i, ...) then update(count)
function makeBoxes(most, edges) {
	const cube = new THREE.BoxBufferGeometry(1, 1, 1), geometry = new THREE.InstancedBufferGeometry();
	geometry.index = cube.index;
	geometry.attributes.position = cube.attributes.position;
	geometry.attributes.normal = cube.attributes.normal;
	const attribute = name => {
		const made = new THREE.InstancedBufferAttribute(new Float32Array(3 * most), 3);
		made.setUsage(THREE.DynamicDrawUsage);
		setAttribute(geometry, name, made);
		return made;
	};
	const place = attribute('place'), tint = attribute('tint'), scale = attribute('scale');
	// meshOf: once more the same boxes, mixed with the colour of the ground
	const meshOf = faded => {
		const made = new THREE.Mesh(geometry, new THREE.ShaderMaterial({
			vertexShader: BOX_VERTEX, fragmentShader: BOX_FRAGMENT,
			uniforms: { edges: { value: edges }, faded: { value: new THREE.Vector4(...faded) } },
		}));
		made.frustumCulled = false;
		return made;
	};
	const mesh = meshOf([0, 0, 0, 0]);
	let shown = 0;
	return {
		mesh, meshOf, count: () => shown, place: place.array, tint: tint.array, scale: scale.array,
		set: (i, at, colour, sides) => {
			for (let k = 0; k < 3; k++) {
				place.array[3 * i + k] = at[k];
				tint.array[3 * i + k] = colour[k];
				scale.array[3 * i + k] = sides[k];
			}
		},
		update: count => {
			shown = geometry.maxInstancedCount = count;
			mesh.visible = count > 0;
			place.needsUpdate = tint.needsUpdate = scale.needsUpdate = true;
		},
	};
}
