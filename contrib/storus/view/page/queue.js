// SPDX-License-Identifier: GPL-2.0-or-later
// The jobs that wait, in the order of their priority, and the places that Slurm has planned for them.

// readQueue: the data's jobs that wait with the nodes of the machine that they are to have; [] where nothing is known
function readQueue(machine) {
	return ((machine.queue || {}).jobs || []).map(each => {
		const nodes = [];
		for (const part of each.parts)
			if (part.torus !== null)
				for (const rank of numbersOf(part.ranks))
					nodes.push(machine.tori[part.torus].first + machine.nodeOfRank[part.torus][rank]);
		return Object.assign({}, each, { planned: nodes });
	});
}

// waitText: "planned 27/11/2026, 10:00:00", or why it waits
function waitText(machine, job) {
	return job.start ? 'planned ' + momentText(machine, job.start) : job.reason || 'waiting';
}

// inTheWay: the running jobs on the nodes that a job is to have
function inTheWay(machine, job) {
	const found = new Set();
	for (const node of job.planned)
		jobsOf(machine, node).forEach(number => found.add(number));
	return [...found];
}

function showQueue(machine, waiting, shown) {
	const section = byId('legend'), top = section.scrollTop;
	section.textContent = '';
	for (const job of waiting.slice(0, MOST_ROWS)) {
		const swatch = make('span', { className: 'swatch waiting' + (job.planned.length ? ' planned' : '') });
		const row = legendRow(swatch, job.id, [job.user, job.name].filter(Boolean).join('  '), format(job.nodes), shown.queued === job.id,
			() => shown.pickQueued(job.id));
		row.append(make('small', { className: 'wait', textContent: waitText(machine, job) }));
		section.append(row);
	}
	const more = machine.queue.count - Math.min(waiting.length, MOST_ROWS);
	if (more > 0)
		section.append(make('p', { className: 'note', textContent: 'and ' + format(more) + ' more of lower priority' }));
	if (!waiting.length)
		section.append(make('p', { className: 'note', textContent: 'No job is waiting.' }));
	section.scrollTop = top;
}

const QUEUE_ROWS = [['name', 'name'], ['user', 'user'], ['account', 'account'], ['partition', 'partition'], ['qos', 'QOS'],
	['network', 'network'], ['reason', 'waits for']];

function showQueued(machine, job, actions) {
	const list = make('dl'), way = inTheWay(machine, job);
	for (const [key, text] of QUEUE_ROWS)
		if (job[key])
			addRow(list, text, short(job[key], 4000));
	addRow(list, 'nodes', format(job.nodes));
	if (job.start)
		addRow(list, 'planned start', momentText(machine, job.start));
	for (const part of job.parts)
		addRow(list, 'planned nodes', short(part.nodelist, 4000));
	if (job.planned.length)
		addRow(list, 'there now', way.length ? buttonsOf(way, number => short(machine.jobs.job(number).id, 80), actions.pickJob) : 'no job');
	showDetails('Job ' + short(job.id, 80) + ' waits', null, list, actions);
}
