/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose tasks storus map maps: the nodes of a job, where they are, how many tasks each
 * takes. */
#ifndef STORUS_MAP_JOB_H
#define STORUS_MAP_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

/*
 * The options that say so, borrowed from argv; NULL where not given. Three ways: --dims
 * (--wrap, --cube) and --cells; --nodelist; --job. With none of them, the job we run in,
 * and of a heterogeneous one the component --het-group. The last three take coordinates
 * from the torus.conf of cli/conf.h.
 */
typedef struct storus_map_source {
	const char *dims;
	const char *wrap;
	const char *cube;
	const char *cells;
	const char *conf;
	const char *nodelist;
	const char *job;
	const char *het_group;
	const char *network;	    /* that the job asked for, instead of what it says */
	const char *tasks_per_node; /* instead of what the job says; 1 where none says */
} storus_map_source_t;

typedef struct storus_map_job {
	torus_geometry_t geometry; /* on a machine of cubes the job's own torus; the job
				    * holds its chords */
	uint32_t nodes;		   /* in allocation order */
	char **name;		   /* [nodes] one block; NULL with --cells */
	uint32_t *cell;		   /* [nodes] */
	uint32_t *called; /* [nodes] without names: the machine's cells, which nodes are
			   * called by; NULL: cell[] */
	uint32_t *tasks_on_node; /* [nodes] */
	uint32_t tasks;
	char *id;     /* how Slurm knows it; NULL: nodes without a job */
	bool guessed; /* the job does not say how many tasks each node takes */
} storus_map_job_t;

/*
 * Find the job. On success *job is to be cleared with storus_map_job_clear(). Returns 0,
 * or -1 with [err] filled (options that do not go together, an unknown node, nodes of
 * different tori, no such job, bad counts ...); then *job is empty.
 */
int storus_map_job_find(const storus_map_source_t *source, storus_map_job_t *job,
			torus_error_t *err);

/* The cell that node number [node] is called by, where it has no name. */
static inline uint32_t storus_map_job_called(const storus_map_job_t *job, uint32_t node)
{
	return job->called ? job->called[node] : job->cell[node];
}

void storus_map_job_clear(storus_map_job_t *job);

#endif
