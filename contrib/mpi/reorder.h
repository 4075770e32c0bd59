/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which process of a communicator gets which rank in one with a topology. No MPI here:
 * one process computes it for all.
 */
#ifndef STORUS_MPI_REORDER_H
#define STORUS_MPI_REORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "taskmap/budget.h"
#include "taskmap/graph.h"
#include "taskgrid/grid.h"

/* A view that owns nothing. */
typedef struct storus_mpi_request {
	const torus_geometry_t *geometry;
	uint32_t processes;	       /* of the old communicator */
	const uint32_t *node;	       /* [processes] a number of the node of each */
	const uint32_t *cell;	       /* [processes] and where it is */
	const torus_task_grid_t *grid; /* the new communicator's; one of these is NULL */
	const torus_task_graph_t *graph;
	const torus_mapper_budget_t *budget;
} storus_mpi_request_t;

/* Average hops of the topology's edges, by their weights. */
typedef struct storus_mpi_gain {
	double before; /* without a change: rank i of the old one has rank i of the new */
	double after;
} storus_mpi_gain_t;

/*
 * Find the new rank of each process, or -1 if it is not in the new communicator:
 * rank[processes]. The topology has at most as many ranks as there are processes. Process
 * 0 always has rank 0. Ranks stay as they are unless that gives fewer hops: then false is
 * in *changed. Processes keep the order of their ranks on each node where nothing speaks
 * against it. The same request gives the same ranks. Returns 0, or -1 with [err] filled
 * (memory, a topology larger than the communicator). Time of taskmap/taskmap.h's
 * rcb, plus the budget and a quarter.
 */
int storus_mpi_reorder(const storus_mpi_request_t *request, int32_t *rank, bool *changed,
		       storus_mpi_gain_t *gain, torus_error_t *err);

/* What a call may cost unless the user says otherwise, for so many processes. */
torus_mapper_budget_t storus_mpi_budget(uint32_t processes);

#endif
