/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is to be mapped: the tasks of a job, who talks to whom, and the nodes they may
 * use.
 */
#ifndef TORUS_TASKMAP_JOB_H
#define TORUS_TASKMAP_JOB_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "taskmap/graph.h"
#include "taskmap/grid.h"

/*
 * A view: it owns nothing, and everything it points to must outlive its use. A *mapping*
 * of it is an array node_of_task[tasks] of node numbers in which node n appears exactly
 * tasks_on_node[n] times.
 */
typedef struct torus_task_job {
	const torus_task_grid_t *grid;	 /* the tasks; also the geometry the geometric
					  * mappers go by */
	const torus_task_graph_t *graph; /* who talks to whom; NULL: the grid's stencil */
	const torus_geometry_t *geometry; /* the machine */
	uint32_t nodes;			  /* of the job, >= 1, in allocation order */
	const uint32_t *cell;		  /* [nodes] where each hangs; several may share a
					   * cell */
	const uint32_t *tasks_on_node;	  /* [nodes] each >= 0 */
} torus_task_job_t;

/*
 * Check that [job] holds together: at least one node, cells on the machine, as many
 * places for tasks as the grid has tasks, a graph (if any) of that many tasks. Returns 0,
 * or -1 with [err] filled.
 */
int torus_task_job_check(const torus_task_job_t *job, torus_error_t *err);

/*
 * Read task counts as SLURM_TASKS_PER_NODE has them, "4(x3),2": items `count` or
 * `count(xnodes)`, for [nodes] nodes in all; one plain number alone goes for every node.
 * Counts are 1 .. 2^28. Fills counts[0 .. nodes-1]. Returns 0, or -1 with [err] filled
 * (not of that form; for more or fewer nodes).
 */
int torus_task_counts_parse(const char *text, uint32_t nodes, uint32_t *counts,
			    torus_error_t *err);

#endif
