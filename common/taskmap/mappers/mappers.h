/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mappers behind torus_taskmap(), a function each; taskmap.h has their rules. All
 * fill node_of_task[layout->tasks] and return 0, or -1 with [err] filled (memory).
 */
#ifndef TORUS_TASKMAP_MAPPERS_H
#define TORUS_TASKMAP_MAPPERS_H

#include "taskmap/taskmap.h"
#include "taskmap/layout.h"
#include "taskmap/search/swap.h"

/* taskmap/mappers/grouping.c */
int torus_map_baseline(const torus_layout_t *layout, uint32_t *node_of_task,
		       torus_error_t *err);
int torus_map_grouping(const torus_layout_t *layout, uint32_t *node_of_task,
		       torus_error_t *err);

/* taskmap/mappers/sorted.c */
int torus_map_row_major(const torus_layout_t *layout, uint32_t *node_of_task,
			torus_error_t *err);
int torus_map_col_major(const torus_layout_t *layout, uint32_t *node_of_task,
			torus_error_t *err);
int torus_map_ordered(const torus_layout_t *layout, uint32_t *node_of_task,
		      torus_error_t *err);
int torus_map_corner(const torus_layout_t *layout, uint32_t *node_of_task,
		     torus_error_t *err);
int torus_map_all_corners(const torus_layout_t *layout, uint32_t *node_of_task,
			  torus_error_t *err);

/* taskmap/mappers/overlay.c */
int torus_map_overlay(const torus_layout_t *layout, uint32_t *node_of_task,
		      torus_error_t *err);
int torus_map_two_way_overlay(const torus_layout_t *layout, uint32_t *node_of_task,
			      torus_error_t *err);

/* taskmap/mappers/rcb.c */
int torus_map_rcb(const torus_layout_t *layout, uint32_t *node_of_task,
		  torus_error_t *err);

/* taskmap/search/search.c */
int torus_map_inc_improve(const torus_layout_t *layout,
			  const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			  torus_error_t *err);
int torus_map_rcb_turns(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err);
int torus_map_anneal(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		     uint32_t *node_of_task, torus_error_t *err);
/* taskmap/mappers/best.c */
int torus_map_best(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		   uint32_t *node_of_task, torus_error_t *err);

/*
 * Improve the mapping node_of_task[] of [graph]'s tasks on the nodes of [table] by
 * swapping pairs while [effort] lasts. The hop-bytes never rise.
 */
/* taskmap/mappers/improve.c: inc_improve's rule. */
int torus_improve_pairs(const torus_task_graph_t *graph, const torus_hop_table_t *table,
			uint64_t seed, torus_effort_t *effort, uint32_t *node_of_task,
			torus_error_t *err);

#endif
