// SPDX-License-Identifier: GPL-2.0-or-later
// The jobs of the data, by their numbers from 0 on: those that run now, each of which is an object there, and the
// runs of a history, packed in columns, whose objects are made when somebody looks at them. Both are
//   count, all()            how many there are, and their numbers
//   job(number)             an object: the data's texts, start and end, parts, and number, nodes (of the machine), size
//   find(id)                its number, of several the last; -1: none
//   start, end, size        by number: Float64Array, Float64Array, Uint32Array
//   eachNode(number, call)  its nodes
//   names(text)             {values, at}: values[at[number]] is its text of that name; at is -1 where it has none
//   numbers(metric)         by number, NaN where it has none: a metric, by nodes the mean over its parts

// meanOf: of a metric over a job's parts, by their nodes; null where no part has one
function meanOf(job, metric) {
	let sum = 0, nodes = 0;
	for (const part of job.parts) {
		if (part.torus === null || part[metric] === null)
			continue;
		sum += part[metric] * part.nodes;
		nodes += part.nodes;
	}
	return nodes ? sum / nodes : null;
}

function numbersTo(count) {
	return Array.from({ length: count }, (_, i) => i);
}

function listedJobs(data, machine) {
	const jobs = data.map((each, number) => {
		const job = Object.assign({}, each, { number, nodes: [], size: 0 });
		for (const part of each.parts) {
			job.size += part.nodes;
			if (part.torus !== null)
				for (const rank of numbersOf(part.ranks))
					job.nodes.push(machine.tori[part.torus].first + machine.nodeOfRank[part.torus][rank]);
		}
		return job;
	});
	return {
		count: jobs.length, all: () => numbersTo(jobs.length),
		job: number => jobs[number],
		find: id => jobs.findIndex(job => job.id === id),
		start: Float64Array.from(jobs, job => job.start || 0), end: Float64Array.from(jobs, job => job.end || 0),
		size: Uint32Array.from(jobs, job => job.size),
		eachNode: (number, call) => jobs[number].nodes.forEach(call),
		names: text => {
			const values = [], known = new Map();
			const at = Int32Array.from(jobs, job => {
				if (job[text] === undefined)
					return -1;
				if (!known.has(job[text]))
					known.set(job[text], values.push(job[text]) - 1);
				return known.get(job[text]);
			});
			return { values, at };
		},
		numbers: metric => Float64Array.from(jobs, job => {
			const value = metric === 'isolation' ? isolationOf(job) : meanOf(job, metric);
			return value === null ? NaN : value;
		}),
	};
}

// columnOf("3,5*4", array): the numbers of a column of the data put into an array: 3, 5, 5, 5, 5; with steps each is
// the difference to the one before
function columnOf(text, array, steps) {
	let i = 0, at = 0, last = 0;
	const number = () => {
		const minus = text.charCodeAt(i) === 45;
		let value = 0;
		if (minus)
			i++;
		for (let digit = text.charCodeAt(i) - 48; digit >= 0 && digit <= 9; digit = text.charCodeAt(++i) - 48)
			value = 10 * value + digit;
		return minus ? -value : value;
	};
	while (i < text.length && at < array.length) {
		const value = number();
		let times = 1;
		if (text.charCodeAt(i) === 42) {
			i++;
			times = number();
		}
		for (; times > 0 && at < array.length; times--) {
			last = steps ? last + value : value;
			array[at++] = last;
		}
		i++;
	}
	return array;
}

// How many objects of runs are kept
const MOST_OBJECTS = 5000;

function packedJobs(data, machine) {
	const { count, parts } = data;
	const start = columnOf(data.start, new Float64Array(count), true), end = columnOf(data.seconds, new Float64Array(count));
	for (let i = 0; i < count; i++)
		end[i] += start[i];
	const column = name => columnOf(data['part_' + name], new Float64Array(parts));
	const run = columnOf(data.part_run, new Uint32Array(parts), true), torus = columnOf(data.part_torus, new Int8Array(parts));
	const nodes = columnOf(data.part_nodes, new Uint32Array(parts)), byNode = columnOf(data.part_by_node, new Uint8Array(parts));
	const distance = column('summed_distance'), components = column('components');
	// firstPart, firstInterval: where those of a run, of a part begin
	const firstPart = new Uint32Array(count + 1), firstInterval = columnOf(data.part_intervals, new Uint32Array(parts + 1));
	const size = new Uint32Array(count);
	let intervals = 0;
	for (let part = 0; part <= parts; part++) {
		const has = part < parts ? firstInterval[part] : 0;
		firstInterval[part] = intervals;
		intervals += has;
	}
	for (let part = 0; part < parts; part++) {
		firstPart[run[part] + 1] = part + 1;
		size[run[part]] += nodes[part];
	}
	for (let i = 1; i <= count; i++)
		firstPart[i] = Math.max(firstPart[i], firstPart[i - 1]);
	const gap = columnOf(data.interval_gap, new Uint32Array(intervals)), length = columnOf(data.interval_length, new Uint32Array(intervals));
	const texts = new Map(), objects = new Map(), details = new Map(), means = new Map();

	function eachOfPart(part, call) {
		if (torus[part] < 0)
			return;
		const first = machine.tori[torus[part]].first, nodeOf = machine.nodeOfRank[torus[part]], plain = byNode[part];
		let at = 0;
		for (let i = firstInterval[part]; i < firstInterval[part + 1]; i++) {
			at += gap[i];
			for (const last = at + length[i]; at < last; at++)
				call(first + (plain ? at : nodeOf[at]));
		}
	}

	function names(text) {
		if (!texts.has(text)) {
			const packed = data.texts[text];
			texts.set(text, packed ? { values: packed.values, at: columnOf(packed.at, new Int32Array(count), true) } :
				{ values: [], at: new Int32Array(count).fill(-1) });
		}
		return texts.get(text);
	}

	// detail: columns that only details show
	function detail(name, part) {
		if (!details.has(name))
			details.set(name, column(name));
		return details.get(name)[part];
	}

	function partOf(part) {
		if (torus[part] < 0)
			return { torus: null, nodes: nodes[part], nodelist: data.outside[part] };
		const of = machine.tori[torus[part]], pairs = nodes[part] * (nodes[part] - 1);
		return {
			torus: torus[part], nodes: nodes[part], origin: coordinatesOf(detail('origin', part), of.dims),
			box: data.boxes[detail('box', part)], average_distance: pairs ? distance[part] / pairs : 0,
			diameter: detail('diameter', part), components: components[part], stretch_span: detail('span', part) / nodes[part],
			foreign_nodes: null, links_used: null, links_shared: null,
		};
	}

	function job(number) {
		if (objects.has(number))
			return objects.get(number);
		if (objects.size >= MOST_OBJECTS)
			objects.clear();
		const made = { number, start: start[number], end: end[number], nodes: [], size: size[number], parts: [] };
		for (const text of Object.keys(data.texts)) {
			const { values, at } = names(text);
			if (at[number] >= 0)
				made[text] = values[at[number]];
		}
		for (let part = firstPart[number]; part < firstPart[number + 1]; part++) {
			eachOfPart(part, node => made.nodes.push(node));
			made.parts.push(partOf(part));
		}
		objects.set(number, made);
		return made;
	}

	return {
		count, start, end, size, names, job, all: () => numbersTo(count),
		find: id => {
			const { values, at } = names('id');
			return at.lastIndexOf(values.indexOf(id));
		},
		eachNode: (number, call) => {
			for (let part = firstPart[number]; part < firstPart[number + 1]; part++)
				eachOfPart(part, call);
		},
		numbers: metric => {
			if (!means.has(metric))
				means.set(metric, meansOver(metric));
			return means.get(metric);
		},
	};

	function meansOver(metric) {
		const sum = new Float64Array(count), weight = new Uint32Array(count);
		const of = { average_distance: part => nodes[part] > 1 ? distance[part] / (nodes[part] * (nodes[part] - 1)) : 0,
			components: part => components[part] }[metric];
		if (!of)
			return sum.fill(NaN);
		for (let part = 0; part < parts; part++)
			if (torus[part] >= 0) {
				sum[run[part]] += of(part) * nodes[part];
				weight[run[part]] += nodes[part];
			}
		return sum.map((value, number) => value / weight[number]);
	}
}
