/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus map --grid any: see storus/map/any.h. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>
#include <strings.h>

#include "storus/map/any.h"
#include "taskmap/hops.h"
#include "taskmap/job_order.h"

int storus_map_deal_parse(const char *text, torus_deal_t *deal, torus_error_t *err)
{
	if (strcasecmp(text, "block") == 0)
		*deal = TORUS_DEAL_BLOCK;
	else if (strcasecmp(text, "cyclic") == 0)
		*deal = TORUS_DEAL_CYCLIC;
	else
		return torus_fail(err, "--distribution: '%s' is neither block nor cyclic",
				  text);
	return 0;
}

int storus_map_any(const storus_map_job_t *job, torus_deal_t deal, uint32_t *node_of_task,
		   uint32_t *baseline, torus_error_t *err)
{
	const torus_ordered_job_t ordered = {
		.geometry = &job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks_on_node = job->tasks_on_node,
		.deal = deal,
	};
	uint32_t *order = malloc(job->nodes * sizeof(*order));

	if (!order)
		return torus_fail(err, "out of memory");
	for (uint32_t node = 0; node < job->nodes; node++)
		order[node] = node;
	torus_any_deal(order, job->nodes, job->tasks_on_node, deal, baseline);
	free(order);
	return torus_job_assign(&ordered, node_of_task, NULL, NULL, err);
}

int storus_map_any_report(const storus_map_job_t *job, const uint32_t *node_of_task,
			  const uint32_t *baseline, torus_error_t *err)
{
	static const char *const names[] = {"ring", "2D grid", "3D grid"};

	for (int dims = 1; dims <= 3; dims++) {
		torus_task_grid_t grid = {.periodic = {dims == 1}};
		torus_task_job_t tasks = {
			.grid = &grid,
			.geometry = &job->geometry,
			.nodes = job->nodes,
			.cell = job->cell,
			.tasks_on_node = job->tasks_on_node,
		};
		torus_hop_stats_t before, after;

		torus_task_grid_factor(job->tasks, dims, &grid);
		if (torus_hop_stats(&tasks, baseline, &before, err) ||
		    torus_hop_stats(&tasks, node_of_task, &after, err))
			return -1;
		warnx("%s: average %.6f hops; in the nodes' order %.6f", names[dims - 1],
		      after.average, before.average);
	}
	return 0;
}
