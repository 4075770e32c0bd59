/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of libstorus share. */
#ifndef LIBSTORUS_PRIVATE_H
#define LIBSTORUS_PRIVATE_H

#include "base/error.h"
#include "geometry/geometry.h"
#include "libstorus/storus.h"
#include "machine/cluster.h"
#include "taskmap/graph.h"
#include "taskgrid/grid.h"
#include "taskmap/job.h"

#define STORUS_SECONDS_MOST 1e6

struct storus_machine {
	torus_cluster_t *cluster; /* owned */
};

/* A job keeps what it needs of its machine. */
struct storus_job {
	torus_geometry_t geometry; /* the job holds its chords */
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
	torus_task_graph_t *graph; /* of STORUS_PATTERN_GRAPH, and of a grid with weights;
				    * owned */
	int axes;		   /* of at[] */
	double *at; /* [tasks * axes] where tasks are, owned; NULL: nobody says */
	/* The pattern without its idle tasks, owned; NULL: none is idle. */
	struct storus_pattern *busy;
};

/* Copy the text of [err] to the caller's buffer. Returns -1 always. */
int storus_report(const torus_error_t *err, char *error, size_t error_size);

/* The place in job->node[] at which [node] stands; UINT32_MAX: it is not in the job. */
uint32_t storus_job_find(const storus_job_t *job, uint32_t node);

/* Check what all functions with a result take. Returns 0, or -1 with [err] filled. */
int storus_check(const storus_job_t *job, const storus_pattern_t *pattern,
		 const void *result, torus_error_t *err);

/* That so many seconds can be searched. Returns 0, or -1 with [err] filled. */
int storus_check_seconds(double seconds, torus_error_t *err);

/* The engine's view of [job], whose tasks are on [grid] or have a [graph]. */
torus_task_job_t storus_engine_job(const storus_job_t *job, const torus_task_grid_t *grid,
				   const torus_task_graph_t *graph);

/* storus_map(), of which all arguments have been checked, in places in the job. */
int storus_map_places(const storus_job_t *job, const storus_pattern_t *pattern,
		      double seconds, uint32_t *place, torus_error_t *err);

/*
 * Replace the mapping place[tasks], places in the job, by one with fewer hops by weight
 * if that is found in [seconds]: from the coordinates of the tasks, or, if some are idle,
 * on the nodes that are nearest to the first. Returns 0, or -1 with [err] filled.
 */
int storus_map_otherwise(const storus_job_t *job, const storus_pattern_t *pattern,
			 double seconds, uint32_t *place, torus_error_t *err);

/* Read [dims] lengths of a torus or grid into out[TORUS_MAX_DIMS]; [what] is for the
 * message. Returns 0, or -1 with [err] filled: dims, a length, or their product. */
int storus_lengths_check(int dims, const int32_t *lengths, const char *what,
			 int32_t out[TORUS_MAX_DIMS], torus_error_t *err);

#endif
