/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mappers behind torus_taskmap(), a function each; taskmap.h has their rules. All
 * fill node_of_task[layout->tasks] and return 0, or -1 with [err] filled (memory).
 */
#ifndef TORUS_TASKMAP_MAPPERS_H
#define TORUS_TASKMAP_MAPPERS_H

#include "taskmap/budget.h"
#include "taskmap/layout.h"

/* taskmap/mappers/grouping.c */
int torus_mapper_baseline(const torus_layout_t *layout, uint32_t *node_of_task,
			  torus_error_t *err);
int torus_mapper_grouping(const torus_layout_t *layout, uint32_t *node_of_task,
			  torus_error_t *err);

/* taskmap/mappers/sorted.c */
int torus_mapper_row_major(const torus_layout_t *layout, uint32_t *node_of_task,
			   torus_error_t *err);
int torus_mapper_col_major(const torus_layout_t *layout, uint32_t *node_of_task,
			   torus_error_t *err);
int torus_mapper_ordered(const torus_layout_t *layout, uint32_t *node_of_task,
			 torus_error_t *err);
int torus_mapper_corner(const torus_layout_t *layout, uint32_t *node_of_task,
			torus_error_t *err);
int torus_mapper_all_corners(const torus_layout_t *layout, uint32_t *node_of_task,
			     torus_error_t *err);

/* taskmap/mappers/overlay.c */
int torus_mapper_overlay(const torus_layout_t *layout, uint32_t *node_of_task,
			 torus_error_t *err);
int torus_mapper_two_way_overlay(const torus_layout_t *layout, uint32_t *node_of_task,
				 torus_error_t *err);

/* taskmap/mappers/rcb.c */
int torus_mapper_rcb(const torus_layout_t *layout, uint32_t *node_of_task,
		     torus_error_t *err);
int torus_mapper_rcb_longest(const torus_layout_t *layout, uint32_t *node_of_task,
			     torus_error_t *err);

/* taskmap/mappers/searches.c */
int torus_mapper_inc_improve(const torus_layout_t *layout,
			     const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			     torus_error_t *err);
int torus_mapper_rcb_turns(const torus_layout_t *layout,
			   const torus_mapper_budget_t *budget, uint32_t *node_of_task,
			   torus_error_t *err);
int torus_mapper_anneal(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
			uint32_t *node_of_task, torus_error_t *err);
int torus_mapper_best(const torus_layout_t *layout, const torus_mapper_budget_t *budget,
		      uint32_t *node_of_task, torus_error_t *err);

#endif
