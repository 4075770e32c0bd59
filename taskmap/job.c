/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks and the nodes they may use: see taskmap/job.h. */
#include "taskmap/job.h"

#include <ctype.h>

int torus_task_job_check(const torus_task_job_t *job, torus_error_t *err)
{
	uint32_t tasks = torus_task_grid_tasks(job->grid);
	uint32_t cells = torus_geometry_cells(job->geometry);
	char text[TORUS_DIMS_TEXT];
	uint64_t places = 0;

	if (!job->nodes)
		return torus_fail(err, "the job has no nodes");
	for (uint32_t node = 0; node < job->nodes; node++) {
		if (job->cell[node] >= cells)
			return torus_fail(err,
					  "cell %u is not on the machine, which has %u",
					  job->cell[node], cells);
		places += job->tasks_on_node[node];
	}
	if (places != tasks)
		return torus_fail(
			err, "grid %s has %u tasks, but the job's %u nodes take %llu",
			torus_lengths_format(job->grid->dims, job->grid->length, text),
			tasks, job->nodes, (unsigned long long)places);
	if (job->graph && job->graph->tasks != tasks)
		return torus_fail(err, "the graph is for %u tasks, the grid has %u",
				  job->graph->tasks, tasks);
	if (job->axes_kept && job->grid->dims > job->geometry->dims)
		return torus_fail(
			err,
			"grid %s has more dimensions than the machine, %d: it cannot be "
			"laid onto it without rotation",
			torus_lengths_format(job->grid->dims, job->grid->length, text),
			job->geometry->dims);
	return 0;
}

/* Read digits at *at, a number of 1 .. TORUS_MAX_CELLS; 0 if it is not one. */
static uint32_t parse_count(const char **at)
{
	uint64_t value = 0;

	while (isdigit((unsigned char)**at) && value <= TORUS_MAX_CELLS)
		value = value * 10 + (uint64_t)(*(*at)++ - '0');
	return value <= TORUS_MAX_CELLS ? (uint32_t)value : 0;
}

int torus_task_counts_parse(const char *text, uint32_t nodes, uint32_t *counts,
			    torus_error_t *err)
{
	const char *at = text;
	uint64_t filled = 0;

	for (;;) {
		uint32_t count = parse_count(&at), repeat = 1;

		if (count && at[0] == '(' && at[1] == 'x') {
			at += 2;
			repeat = parse_count(&at);
			if (*at++ != ')')
				repeat = 0;
		} else if (count && !*at && !filled) {
			repeat = nodes;
		}
		if (!count || !repeat)
			break;
		for (uint32_t i = 0; i < repeat && filled + i < nodes; i++)
			counts[filled + i] = count;
		filled += repeat;
		if (!*at) {
			if (filled != nodes)
				return torus_fail(
					err,
					"task counts '%s' are for %llu nodes, not %u",
					text, (unsigned long long)filled, nodes);
			return 0;
		}
		if (*at++ != ',')
			break;
	}
	return torus_fail(err, "task counts '%s' are not of the form 4(x3),2", text);
}
