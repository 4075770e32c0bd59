/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of a search: see taskmap/mappers/search.h. */
#include "taskmap/mappers/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "taskmap/mappers/improve.h"
#include "taskmap/mappers/mappers.h"
#include "taskmap/mappers/rcb.h"
#include "taskmap/mappers/rcb_nodes.h"

int torus_search_begin(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		       uint32_t *node_of_task, torus_search_t *search, torus_error_t *err)
{
	const torus_task_job_t *job = layout->job;

	search->layout = layout;
	search->graph = job->graph;
	search->node_of_task = node_of_task;
	search->fewest = INFINITY;
	search->threads = budget->threads;
	torus_effort_begin(budget, &search->effort);
	search->trial = malloc(layout->tasks * sizeof(*search->trial));
	if (!search->trial)
		return torus_fail(err, "out of memory for mapping %u tasks",
				  layout->tasks);
	return torus_hop_table_init(job, &search->table, err);
}

void torus_search_end(torus_search_t *search)
{
	torus_task_graph_destroy(search->own);
	torus_hop_table_destroy(&search->table);
	torus_packed_destroy(&search->packed);
	free(search->near);
	torus_starts_keep(&search->starts, 0);
	free(search->trial);
}

int torus_search_graph(torus_search_t *search, torus_error_t *err)
{
	if (search->graph)
		return 0;
	search->graph = search->own =
		torus_task_graph_stencil(search->layout->job->grid, err);
	return search->own ? 0 : -1;
}

uint64_t torus_search_neighbors(const torus_search_t *search)
{
	if (search->graph)
		return search->graph->first[search->layout->tasks];
	return 2 * torus_task_grid_edges(search->layout->job->grid);
}

/* Keep the mapping node_of_task[], of [hop_bytes], if it is the best so far. */
static void keep(torus_search_t *search, double hop_bytes, const uint32_t *node_of_task)
{
	if (hop_bytes >= search->fewest)
		return;
	search->fewest = hop_bytes;
	memcpy(search->node_of_task, node_of_task,
	       search->layout->tasks * sizeof(*node_of_task));
}

static double hop_bytes_of_trial(const torus_search_t *search)
{
	torus_hop_stats_t stats;

	torus_hop_table_stats(search->layout->job, &search->table, search->trial, &stats);
	return stats.hop_bytes;
}

void torus_search_keep(torus_search_t *search)
{
	keep(search, hop_bytes_of_trial(search), search->trial);
}

int torus_search_start(torus_search_t *search, torus_error_t *err)
{
	double hop_bytes = hop_bytes_of_trial(search);

	keep(search, hop_bytes, search->trial);
	return torus_starts_add(&search->starts, hop_bytes, search->trial,
				search->layout->tasks, err);
}

int torus_search_turns(torus_search_t *search, torus_error_t *err)
{
	torus_effort_t part = torus_effort_part(&search->effort, search->effort.work / 2);
	int result = 0;

	if (search->layout->tasks > search->layout->job->nodes) {
		result = torus_search_graph(search, err);
		if (!result)
			result = torus_rcb_nodes(search->layout, &search->table,
						 search->graph, &part, &search->starts,
						 err);
	}
	if (!result)
		result = torus_rcb_turns(search->layout, &search->table, &part,
					 &search->starts, err);
	else if (result > 0 &&
		 !(result = torus_mapper_rcb(search->layout, search->trial, err)))
		result = torus_search_start(search, err);
	if (search->starts.count)
		keep(search, search->starts.start[0].hop_bytes,
		     search->starts.start[0].node_of_task);
	torus_effort_return(&search->effort, &part);
	return result;
}

int torus_search_pairs(torus_search_t *search, uint64_t seed, torus_effort_t *effort,
		       torus_error_t *err)
{
	if (torus_search_graph(search, err) ||
	    torus_mapper_rcb(search->layout, search->trial, err) ||
	    torus_improve_pairs(search->graph, &search->table, seed, effort,
				search->trial, err))
		return -1;
	torus_search_keep(search);
	return 0;
}
