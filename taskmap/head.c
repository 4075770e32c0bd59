/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task 0 on the first node: see taskmap/head.h. */
#include "taskmap/head.h"

#include <stdlib.h>
#include <string.h>

#include "taskmap/chips.h"
#include "taskmap/hops.h"
#include "taskmap/mappers/from.h"
#include "taskmap/taskmap.h"

/* The part of a budget for mending. */
#define MENDING 4

/* Take the order in which the nodes come if it is better. */
static int compare_with_baseline(const torus_task_job_t *job, uint32_t *node_of_task,
				 torus_error_t *err)
{
	uint32_t tasks = torus_task_grid_tasks(job->grid);
	uint32_t *baseline = malloc(tasks * sizeof(*baseline));
	torus_hop_stats_t kept, given;
	int rc = -1;

	if (!baseline)
		return torus_fail(err, "out of memory for %u tasks", tasks);
	if (!torus_taskmap(TORUS_MAPPER_BASELINE, job, NULL, baseline, err) &&
	    !torus_hop_stats(job, node_of_task, &kept, err) &&
	    !torus_hop_stats(job, baseline, &given, err)) {
		if (given.hop_bytes < kept.hop_bytes)
			memcpy(node_of_task, baseline, tasks * sizeof(*baseline));
		rc = 0;
	}
	free(baseline);
	return rc;
}

/* Of a graph, look for a mapping that is another altogether but for task 0. */
static int begin_anew(const torus_task_job_t *job, const torus_mapper_budget_t *budget,
		      uint32_t *node_of_task, torus_error_t *err)
{
	bool *stays = calloc(torus_task_grid_tasks(job->grid), sizeof(*stays));
	int rc;

	if (!stays)
		return torus_fail(err, "out of memory for mapping tasks");
	stays[0] = true;
	rc = torus_taskmap_from(job, stays, false, budget, node_of_task, err);
	free(stays);
	return rc;
}

int torus_keep_head(const torus_task_job_t *job, const torus_mapper_budget_t *budget,
		    uint32_t *node_of_task, torus_error_t *err)
{
	torus_mapper_budget_t mending = *budget;
	uint32_t head = 0;

	while (head + 1 < job->nodes && !job->tasks_on_node[head])
		head++;
	if (node_of_task[0] == head)
		return 0;
	mending.work /= MENDING;
	mending.seconds /= MENDING;
	if (torus_taskmap_first(job, head, &mending, node_of_task, err) ||
	    (job->graph && begin_anew(job, &mending, node_of_task, err)))
		return -1;
	return compare_with_baseline(job, node_of_task, err);
}

int torus_keep_head_on_chips(const torus_task_job_t *on_chips, uint32_t of_node,
			     const torus_mapper_budget_t *budget, uint32_t *chip_of_task,
			     torus_error_t *err)
{
	if (torus_keep_head(on_chips, budget, chip_of_task, err))
		return -1;
	return torus_chips_in_order(chip_of_task, on_chips->nodes, of_node, err);
}
