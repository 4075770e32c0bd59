/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of bench_map: jobs to be mapped (bench_map_job.c), Scotch as a peer
 * (bench_map_scotch.c), how rcb scales (bench_map_rcb.c), and what they all use. A
 * benchmark has nobody to report an error to: it says what is wrong and ends.
 */
#ifndef TORUS_BENCH_MAP_H
#define TORUS_BENCH_MAP_H

#include <stdint.h>

#include "geometry/geometry.h"
#include "taskmap/job.h"

/* Print the printf-style [format] on standard error and end with status 1. */
void bench_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* [memory], unless it is NULL: then end. */
void *bench_memory(void *memory);

/* Processor seconds of this thread: others may be using the machine too. */
double bench_seconds(void);

/* xorshift64*, and a fraction in 0 .. 1 (1 excluded). *state must not be 0. */
uint64_t bench_random(uint64_t *state);
double bench_fraction(uint64_t *state);

/* A job on a machine in use. The view [job] points into the rest. */
typedef struct bench_job {
	torus_geometry_t geometry;
	torus_task_grid_t grid;
	uint32_t *cell;		 /* [job.nodes] */
	uint32_t *tasks_on_node; /* [job.nodes] */
	uint32_t tasks;
	double occupancy; /* of the machine's nodes, with this job, 0 .. 1 */
	torus_task_job_t job;
} bench_job_t;

/*
 * Make a job of [tasks] tasks, [tasks_per_node] on each node (a divisor, an even number
 * of nodes), 7-point stencil on a near-cubic grid, on a 16x12x24 torus with two nodes a
 * router: see bench_map_job.c. The same [seed] gives the same job.
 */
void bench_job_create(uint32_t tasks, uint32_t tasks_per_node, uint64_t seed,
		      bench_job_t *job);
void bench_job_destroy(bench_job_t *job);

/* What Scotch did. */
typedef struct bench_scotch {
	double seconds;	  /* for mapping, on one thread */
	double raw;	  /* average hops of what Scotch returned */
	uint32_t misfits; /* tasks beyond what their router takes */
} bench_scotch_t;

/*
 * Map [job] by Scotch's gmap, run with [option] ("" for none), through files in
 * [directory]. Fills node_of_task[], where tasks that do not fit have been moved to the
 * free place that costs least.
 */
void bench_scotch_map(const bench_job_t *job, const char *option, const char *directory,
		      uint32_t *node_of_task, bench_scotch_t *result);

/* Print time and memory of rcb for up to a million tasks. */
void bench_rcb_scaling(uint64_t seed);

#endif
