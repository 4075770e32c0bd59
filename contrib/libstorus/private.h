/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of libstorus share. */
#ifndef LIBSTORUS_PRIVATE_H
#define LIBSTORUS_PRIVATE_H

#include "base/error.h"
#include "libstorus/storus.h"
#include "machine/cluster.h"
#include "taskmap/graph.h"
#include "taskmap/grid.h"

struct storus_machine {
	torus_cluster_t *cluster; /* owned */
};

/* A job keeps what it needs of its machine. */
struct storus_job {
	torus_geometry_t geometry;
	uint32_t nodes;
	uint32_t tasks;
	uint32_t *node;		 /* [nodes] as numbered by the machine */
	uint32_t *cell;		 /* [nodes] */
	uint32_t *tasks_on_node; /* [nodes] */
	uint32_t *sorted;	 /* [nodes] places in node[], by what stands there */
};

typedef enum storus_pattern_kind {
	STORUS_PATTERN_GRID,
	STORUS_PATTERN_GRAPH,
	STORUS_PATTERN_ANY,
} storus_pattern_kind_t;

struct storus_pattern {
	storus_pattern_kind_t kind;
	uint32_t tasks;
	torus_task_grid_t grid;	   /* of STORUS_PATTERN_GRID */
	torus_task_graph_t *graph; /* of STORUS_PATTERN_GRAPH, owned */
};

/* Copy the text of [err] to the caller's buffer. Returns -1 always. */
int storus_report(const torus_error_t *err, char *error, size_t error_size);

/* The place in job->node[] at which [node] stands; UINT32_MAX: it is not in the job. */
uint32_t storus_job_find(const storus_job_t *job, uint32_t node);

/* Read [dims] lengths of a torus or grid into out[TORUS_MAX_DIMS]; [what] is for the
 * message. Returns 0, or -1 with [err] filled: dims, a length, or their product. */
int storus_lengths_check(int dims, const int32_t *lengths, const char *what,
			 int32_t out[TORUS_MAX_DIMS], torus_error_t *err);

#endif
