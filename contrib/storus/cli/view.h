/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs laid over the tori: who occupies each node, and each listed job's metrics on each
 * torus. Printed by table.h, drawn by text.h and svg.h.
 */
#ifndef STORUS_CLI_VIEW_H
#define STORUS_CLI_VIEW_H

#include <stdint.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "metrics/metrics.h"
#include "storus/cli/holdings.h"
#include "storus/cli/jobs.h"
#include "storus/cli/joined_fields.h"

/*
 * Who occupies a node: a listed job, by its mark, or one of these values. A job's mark
 * is its place in the list, counted from 0.
 */
enum {
	STORUS_FREE = 0x7fffffff,
	STORUS_UNUSABLE = 0x7ffffffe, /* down, drained, or unknown to Slurm */
	STORUS_OTHER = 0x7ffffffd,  /* jobs that are not listed, or not shown by Slurm */
	STORUS_SHARED = 0x7ffffffc, /* several listed jobs */
	STORUS_RESERVED = 0x7ffffffb, /* by a reservation in force, and no job's */
	STORUS_NOTHING = 0x7ffffffa,  /* no node here */
};

/* The part of a listed job on one torus, or on nodes that torus.conf does not name. */
typedef struct storus_part {
	uint32_t job;	/* number in jobs->job[] */
	uint32_t mark;	/* number among the jobs listed */
	int torus;	/* number in cluster->map[], or -1: the nodes not named there */
	uint32_t nodes; /* >= 1 */
	char *nodelist; /* in rank order; as given when torus is -1 */
	char *ranks;	/* as ranklist.h writes them, ascending; NULL when torus is -1 */
	char *cells;	/* in rank order; NULL when torus is -1 */
	torus_metrics_t metrics;	/* all 0 when torus is -1 */
	int32_t origin[TORUS_MAX_DIMS]; /* where metrics.box begins */
	storus_joined_texts_t joined;	/* on a machine of cubes: how they are joined */
	torus_isolation_t isolation;	/* from all other jobs; the same */
} storus_part_t;

/* What is on each cell of a torus. */
typedef struct storus_grid {
	uint32_t depth;	    /* the most nodes that a cell has */
	uint32_t *occupant; /* [cells * depth]: a mark or one of the values above, the
			     * nodes of a cell in node order, then STORUS_NOTHING */
} storus_grid_t;

typedef struct storus_view {
	const torus_cluster_t *cluster; /* borrowed */
	const storus_jobs_t *jobs;	/* borrowed */
	uint32_t parts;
	storus_part_t *part; /* [parts] in the order of the jobs, then of the tori */
	storus_grid_t *grid; /* [cluster->maps] */
	storus_holdings_t holdings; /* of all jobs, listed or not */
} storus_view_t;

/*
 * Sort what occupies the nodes of [map], occupant[0 .. nodes-1] by node number, into the
 * cells of the empty [grid], whose occupants are then malloc'ed. Returns 0, or -1 with
 * [err] filled (memory).
 */
int storus_grid_fill(const torus_map_t *map, const uint32_t *occupant,
		     storus_grid_t *grid, torus_error_t *err);

/*
 * Measure a job that has the nodes of these [n] >= 1 [cells] and [ranks] of [map], or on
 * a torus of its own, of the shape that it asked for by [network] (--network; NULL:
 * none). Fills *metrics and, unless NULL, the empty *texts, to be cleared. Returns 0, or
 * -1 with [err] filled (memory).
 */
int storus_view_measure(const torus_map_t *map, const char *network,
			const uint32_t *cells, const uint32_t *ranks, uint32_t n,
			torus_metrics_t *metrics, storus_joined_texts_t *texts,
			torus_error_t *err);

/*
 * Lay [jobs] over [cluster]; both must outlive the view. NULL with [err] filled: a job's
 * nodelist that cannot be read, memory.
 */
storus_view_t *storus_view_create(const torus_cluster_t *cluster,
				  const storus_jobs_t *jobs, torus_error_t *err);
/* NULL is accepted. */
void storus_view_destroy(storus_view_t *view);

#endif
