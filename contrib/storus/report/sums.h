/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is added up over the runs of a group, and what comes of the sums. */
#ifndef STORUS_REPORT_SUMS_H
#define STORUS_REPORT_SUMS_H

#include <stdint.h>

#include "storus/report/sweep.h"

/* Of no run: {0}. Weights are node-seconds. */
typedef struct storus_sums {
	uint64_t jobs, began, waited; /* runs; of these, begun within; their waits (s) */
	uint64_t weight;	      /* of all */
	uint64_t spread_weight;	      /* of runs on two nodes or more */
	/* Of runs whose hops are known; of those whose hops alone are known, too. */
	uint64_t hops_weight, alone_weight;
	double hops, hops_beside, alone;
	/* Of runs whose place is known. */
	uint64_t place_weight, one_piece_weight;
	double pieces, fill, foreign;
} storus_sums_t;

/* Add [weight] node-seconds of a run on [nodes] nodes ... */
void storus_sums_add(storus_sums_t *sums, const storus_measured_t *measured,
		     uint32_t nodes, uint64_t weight);
/* ... and, once, the run itself. */
void storus_sums_count(storus_sums_t *sums, const storus_run_t *run);

/* A number that comes of sums; not [known] when there is nothing to divide by. */
typedef struct storus_mean {
	bool known;
	double value;
} storus_mean_t;

/* Weighted means, and shares of node-seconds. */
typedef struct storus_means {
	double node_hours;
	storus_mean_t hops;   /* mean hops between the nodes of a job */
	storus_mean_t alone;  /* those that the same jobs would have had alone */
	storus_mean_t ratio;  /* of the two sums */
	storus_mean_t excess; /* node-hours times hops more than alone */
	storus_mean_t pieces, one_piece, fill, foreign;
	storus_mean_t wait;	/* seconds, a run */
	storus_mean_t measured; /* share whose hops are known, of jobs on two nodes or
				 * more */
} storus_means_t;

storus_means_t storus_means(const storus_sums_t *sums);

#endif
