/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine through time: runs begin and end in order, each is measured when it begins,
 * and what becomes of the nodes is added up. Works on a history as well as on what a
 * simulation makes of it.
 */
#ifndef STORUS_REPORT_SWEEP_H
#define STORUS_REPORT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/cluster.h"
#include "sim/outages.h"
#include "storus/cli/alone.h"
#include "storus/report/nodes.h"
#include "storus/report/weeks.h"

/* A job that had nodes, or only waited. Times are seconds since 1970. */
typedef struct storus_run {
	size_t job;	/* number of its own, for the one who asks */
	int64_t waited; /* since when it waited; -1: not known */
	bool ran;
	int64_t start, end; /* of the run, or both when waiting ended without one; within
			     * the span of the sweep, start <= end */
	bool began;	    /* whether the run really began at [start], not before the
			     * span */
	uint32_t nodes;	    /* that it had or asked for, at least 1 */
} storus_run_t;

/* What is known of the nodes of a run. */
typedef struct storus_measured {
	bool has_hops, has_alone; /* never for one node */
	double hops;		  /* mean hops between its nodes */
	double alone;		  /* those that it would have had alone: alone.h */
	bool has_place;		  /* all that follows; never for one node */
	int dims;
	int32_t box[TORUS_MAX_DIMS];
	uint32_t pieces;	/* connected components */
	double fill;		/* routers that it uses of those in its bounding box */
	uint32_t foreign_nodes; /* isolation.h: held by others in its bounding box, when
				 * all runs of that second have begun */
} storus_measured_t;

/*
 * Why a node was idle: no job held it, and no outage is known.
 *
 * The waiting job that asks for fewest nodes decides. A job that asks for no more nodes
 * than the largest torus has is looked for a place on each torus, a larger one on all
 * together.
 */
typedef enum storus_idle {
	STORUS_IDLE_UNWANTED,  /* no job waited */
	STORUS_IDLE_TOO_FEW,   /* fewer nodes were idle than any waiting job asked for */
	STORUS_IDLE_SCATTERED, /* enough, but no free interval of a curve was that long */
	STORUS_IDLE_HELD, /* there was such an interval: limits, priorities, reservations,
			   * dependencies kept the nodes idle, not the want of a place */
	STORUS_IDLES
} storus_idle_t;

/* What became of all nodes of all tori, in node-seconds. */
typedef struct storus_use {
	uint64_t used; /* a job held the node */
	uint64_t down; /* no job did, and it was out of order */
	uint64_t idle[STORUS_IDLES];
} storus_use_t;

typedef struct storus_sweep {
	const torus_cluster_t *cluster;
	const torus_outages_t *outages;
	const storus_weeks_t *weeks; /* the span is theirs */
	storus_alone_t *alone;
	const storus_run_t *run; /* [runs] in any order */
	size_t runs;
	/*
	 * Find the nodes of a run that ran. Returns 0, and then they are cleared by the
	 * sweep; or -1 with [err].
	 */
	int (*nodes)(void *context, const storus_run_t *run, storus_nodes_t *nodes,
		     torus_error_t *err);
	void *context;
	/* Filled: */
	storus_measured_t *measured; /* [runs], of the caller, 0 */
	storus_use_t *use;	     /* [weeks], of the caller, 0 */
} storus_sweep_t;

/*
 * Sweep once over all that happened. Memory for the nodes of those runs only that are on
 * the machine at one time, and some bytes for each run. Reports progress. Returns 0, or
 * -1 with [err] filled (memory, or as nodes() says).
 */
int storus_sweep(storus_sweep_t *sweep, torus_error_t *err);

#endif
