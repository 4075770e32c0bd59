/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mapper for graphs of which no geometry is known: see graph.h. */
#include "taskmap/mappers/graph.h"

#include "taskmap/mappers/search.h"
#include "taskmap/search/graph_bisection.h"

static int map_graph(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		     uint32_t *node_of_task, torus_error_t *err)
{
	torus_search_t search = {0};
	int result = -1;

	if (!torus_search_begin(layout, budget, node_of_task, &search, err) &&
	    !torus_graph_bisection(layout, search.trial, err)) {
		torus_search_keep(&search);
		result = torus_search_anneal(&search, budget->seed, err);
	}
	torus_search_end(&search);
	return result;
}

int torus_taskmap_graph(const torus_task_job_t *job, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err)
{
	torus_task_grid_t line = {.dims = 1};
	torus_task_job_t plain = *job;
	torus_layout_t layout = {0};
	int result;

	torus_task_grid_factor(job->graph->tasks, 1, &line);
	plain.grid = &line;
	if (torus_task_job_check(&plain, err))
		return -1;
	result = torus_layout_init(&plain, &layout, err);
	if (!result)
		result = map_graph(&layout, budget, node_of_task, err);
	torus_layout_destroy(&layout);
	return result;
}
