/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mappers that search: from a good start, as far as the budget goes. */
#include "taskmap_mappers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything a search needs beside the layout. */
typedef struct search {
	torus_task_graph_t *own; /* the stencil's graph, if the job has none */
	const torus_task_graph_t *graph;
	torus_hop_table_t table;
	uint32_t *trial; /* [tasks] another mapping */
} search_t;

static int search_init(const torus_layout_t *layout, search_t *search, torus_error_t *err)
{
	const torus_task_job_t *job = layout->job;

	search->graph = job->graph;
	if (!job->graph) {
		search->own = torus_task_graph_stencil(job->grid, err);
		search->graph = search->own;
		if (!search->own)
			return -1;
	}
	search->trial = malloc(layout->tasks * sizeof(*search->trial));
	if (!search->trial)
		return torus_fail(err, "out of memory for mapping %u tasks",
				  layout->tasks);
	return torus_hop_table_init(job, &search->table, err);
}

static void search_destroy(search_t *search)
{
	torus_task_graph_destroy(search->own);
	torus_hop_table_destroy(&search->table);
	free(search->trial);
}

int torus_map_inc_improve(const torus_layout_t *layout,
			  const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			  torus_error_t *err)
{
	torus_effort_t effort;
	search_t search = {0};
	int result = -1;

	torus_effort_begin(budget, &effort);
	if (!search_init(layout, &search, err) &&
	    !torus_map_rcb(layout, node_of_task, err))
		result = torus_improve_pairs(search.graph, &search.table, budget->seed,
					     &effort, node_of_task, err);
	search_destroy(&search);
	return result;
}

/* Keep the mapping in search->trial if it is better than the one in [node_of_task]. */
static int keep_better(const torus_layout_t *layout, const search_t *search,
		       double *fewest, uint32_t *node_of_task, torus_error_t *err)
{
	torus_hop_stats_t stats;

	if (torus_hop_stats(layout->job, search->trial, &stats, err))
		return -1;
	if (stats.hop_bytes < *fewest) {
		*fewest = stats.hop_bytes;
		memcpy(node_of_task, search->trial,
		       layout->tasks * sizeof(*node_of_task));
	}
	return 0;
}

/* Mappers that need no budget, best first, and what they cost a task in distances. */
static const struct {
	int (*map)(const torus_layout_t *layout, uint32_t *node_of_task,
		   torus_error_t *err);
	uint64_t work;
} simple[] = {
	{torus_map_baseline, 5},	  {torus_map_grouping, 10},
	{torus_map_row_major, 20},	  {torus_map_col_major, 20},
	{torus_map_two_way_overlay, 100}, {torus_map_overlay, 100},
	{torus_map_ordered, 200},	  {torus_map_corner, 20},
	{torus_map_all_corners, 200},
};

int torus_map_best(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		   uint32_t *node_of_task, torus_error_t *err)
{
	double fewest = INFINITY;
	torus_effort_t effort;
	search_t search = {0};
	int result = -1;

	torus_effort_begin(budget, &effort);
	if (search_init(layout, &search, err) ||
	    torus_map_rcb(layout, search.trial, err) ||
	    keep_better(layout, &search, &fewest, node_of_task, err))
		goto done;
	for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++) {
		if (!torus_effort_spend(&effort, layout->tasks * simple[i].work))
			break;
		if (simple[i].map(layout, search.trial, err) ||
		    keep_better(layout, &search, &fewest, node_of_task, err))
			goto done;
	}
	if (torus_map_rcb(layout, search.trial, err) ||
	    torus_improve_pairs(search.graph, &search.table, budget->seed, &effort,
				search.trial, err) ||
	    keep_better(layout, &search, &fewest, node_of_task, err))
		goto done;
	result = 0;
done:
	search_destroy(&search);
	return result;
}
