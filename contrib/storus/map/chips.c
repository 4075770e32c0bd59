/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with a task on each chip of their nodes: see storus/map/chips.h. */
#include "torus_config.h"

#include <stdlib.h>

#include "geometry/chips.h"
#include "geometry/chords.h"
#include "storus/map/chips.h"
#include "taskmap/chips.h"

bool storus_map_on_chips(const storus_map_job_t *job)
{
	return torus_tasks_on_chips(&job->geometry, job->nodes, job->tasks_on_node);
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
	torus_chords_hold(chips->geometry.chords);
	if (!chips->cell || !chips->tasks_on_node || (job->name && !chips->name))
		return torus_fail(err, "out of memory for %u chips", job->tasks);
	torus_chip_cells(&job->geometry, job->nodes, job->cell, chips->cell);
	for (uint32_t i = 0; i < job->tasks; i++) {
		chips->tasks_on_node[i] = 1;
		if (chips->name)
			chips->name[i] = job->name[i / of_node];
	}
	return 0;
}

int storus_map_chips(torus_mapper_t mapper, const torus_task_job_t *tasks,
		     const storus_map_job_t *job, const torus_mapper_budget_t *budget,
		     uint32_t *chip_of_task, torus_error_t *err)
{
	torus_task_job_t on_nodes = *tasks;

	on_nodes.geometry = &job->geometry;
	on_nodes.nodes = job->nodes;
	on_nodes.cell = job->cell;
	on_nodes.tasks_on_node = job->tasks_on_node;
	return torus_taskmap_chips(mapper, tasks, &on_nodes, budget, chip_of_task, err);
}
