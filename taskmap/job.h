/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be mapped: the tasks of a job, which of them communicate, and its nodes. */
#ifndef TORUS_TASKMAP_JOB_H
#define TORUS_TASKMAP_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "taskmap/graph.h"
#include "taskgrid/grid.h"

/*
 * A view: it owns nothing, and everything it points to must outlive its use. A *mapping*
 * of it is an array node_of_task[tasks] of node numbers in which node n appears exactly
 * tasks_on_node[n] times.
 */
typedef struct torus_task_job {
	const torus_task_grid_t
		*grid; /* the tasks; also what geometric mappers use as their geometry */
	const torus_task_graph_t *graph;  /* which tasks communicate; NULL: neighbours in
					   * the grid's stencil */
	const torus_geometry_t *geometry; /* the machine */
	uint32_t nodes;			  /* of the job, >= 1, in allocation order */
	const uint32_t *cell; /* [nodes] each node's cell; several may share one */
	const uint32_t *tasks_on_node; /* [nodes] each >= 0 */
	/* Axis i of the grid lies along dimension i of the machine: layout.h does not
	 * merge, fold or rotate it, and it has no more axes than the machine has. */
	bool axes_kept;
} torus_task_job_t;

/*
 * Check that [job] is consistent: at least one node, all cells on the machine, as many
 * places for tasks as the grid has tasks, a graph (if any) of that many tasks, and not
 * too many axes that are to be kept. Returns 0, or -1 with [err] filled.
 */
int torus_task_job_check(const torus_task_job_t *job, torus_error_t *err);

/*
 * Read task counts in the form of SLURM_TASKS_PER_NODE, "4(x3),2": items `count` or
 * `count(xnodes)` for [nodes] nodes in all. A single plain number is the count of every
 * node. Counts are 1 .. 2^28. Fills counts[0 .. nodes-1]. Returns 0, or -1 with [err]
 * filled (another form, or more or fewer nodes).
 */
int torus_task_counts_parse(const char *text, uint32_t nodes, uint32_t *counts,
			    torus_error_t *err);

#endif
