/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with a task on each chip of their nodes: see storus/map/chips.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/chips.h"
#include "taskmap/hops.h"
#include "storus/map/chips.h"

bool storus_map_on_chips(const storus_map_job_t *job)
{
	uint32_t chips = torus_node_chips(&job->geometry);

	for (uint32_t node = 0; node < job->nodes; node++) {
		if (job->tasks_on_node[node] != chips)
			return false;
	}
	return chips > 1;
}

int storus_map_chips_of(const storus_map_job_t *job, storus_map_job_t *chips,
			torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(&job->geometry);

	*chips = (storus_map_job_t){
		.geometry = torus_chip_machine(&job->geometry),
		.nodes = job->tasks,
		.tasks = job->tasks,
		.cell = malloc(job->tasks * sizeof(*chips->cell)),
		.tasks_on_node = malloc(job->tasks * sizeof(*chips->tasks_on_node)),
		.name = job->name ? malloc(job->tasks * sizeof(*chips->name)) : NULL,
	};
	if (!chips->cell || !chips->tasks_on_node || (job->name && !chips->name))
		return torus_fail(err, "out of memory for %u chips", job->tasks);
	for (uint32_t i = 0; i < job->tasks; i++) {
		chips->cell[i] = torus_chip_cell(&job->geometry, job->cell[i / of_node],
						 i % of_node);
		chips->tasks_on_node[i] = 1;
		if (chips->name)
			chips->name[i] = job->name[i / of_node];
	}
	return 0;
}

int storus_map_chips_in_order(uint32_t *chip_of_task, uint32_t tasks, uint32_t of_node,
			      torus_error_t *err)
{
	uint32_t *taken = calloc(tasks / of_node, sizeof(*taken));

	if (!taken)
		return torus_fail(err, "out of memory for %u tasks", tasks);
	for (uint32_t task = 0; task < tasks; task++) {
		uint32_t node = chip_of_task[task] / of_node;

		chip_of_task[task] = node * of_node + taken[node]++;
	}
	free(taken);
	return 0;
}

/* Map the nodes as a whole, and give their tasks their chips. */
static int map_nodes(torus_mapper_t mapper, const torus_task_job_t *tasks,
		     const storus_map_job_t *job, const torus_mapper_budget_t *budget,
		     uint32_t *chip_of_task, torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(&job->geometry);
	torus_task_job_t on_nodes = *tasks;

	on_nodes.geometry = &job->geometry;
	on_nodes.nodes = job->nodes;
	on_nodes.cell = job->cell;
	on_nodes.tasks_on_node = job->tasks_on_node;
	if (torus_taskmap(mapper, &on_nodes, budget, chip_of_task, err))
		return -1;
	for (uint32_t task = 0; task < job->tasks; task++)
		chip_of_task[task] *= of_node;
	return storus_map_chips_in_order(chip_of_task, job->tasks, of_node, err);
}

static int map_chips(torus_mapper_t mapper, const torus_task_job_t *tasks,
		     const storus_map_job_t *job, const torus_mapper_budget_t *budget,
		     uint32_t *chip_of_task, torus_error_t *err)
{
	if (torus_taskmap(mapper, tasks, budget, chip_of_task, err))
		return -1;
	return storus_map_chips_in_order(chip_of_task, job->tasks,
					 torus_node_chips(&job->geometry), err);
}

int storus_map_chips(torus_mapper_t mapper, const torus_task_job_t *tasks,
		     const storus_map_job_t *job, const torus_mapper_budget_t *budget,
		     uint32_t *chip_of_task, torus_error_t *err)
{
	torus_mapper_budget_t half = *budget;
	torus_hop_stats_t one, other;
	uint32_t *by_nodes;
	int rc = -1;

	if (mapper == TORUS_MAPPER_GROUPING)
		return map_nodes(mapper, tasks, job, budget, chip_of_task, err);
	if (mapper != TORUS_MAPPER_BEST)
		return map_chips(mapper, tasks, job, budget, chip_of_task, err);
	half.work /= 2;
	half.seconds /= 2;
	by_nodes = malloc(job->tasks * sizeof(*by_nodes));
	if (!by_nodes)
		return torus_fail(err, "out of memory for %u tasks", job->tasks);
	if (map_chips(mapper, tasks, job, &half, chip_of_task, err) ||
	    map_nodes(mapper, tasks, job, &half, by_nodes, err) ||
	    torus_hop_stats(tasks, chip_of_task, &one, err) ||
	    torus_hop_stats(tasks, by_nodes, &other, err))
		goto done;
	if (other.average < one.average)
		memcpy(chip_of_task, by_nodes, job->tasks * sizeof(*by_nodes));
	rc = 0;
done:
	free(by_nodes);
	return rc;
}
