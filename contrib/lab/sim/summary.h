/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a simulation comes to: the numbers by which curves and strategies are compared. */
#ifndef TORUS_SIM_SUMMARY_H
#define TORUS_SIM_SUMMARY_H

#include <stdint.h>

#include "measures/isolation.h"
#include "measures/values.h"

/* Bounded slowdown takes run times below this as this (microseconds). */
#define TORUS_SHORTEST_RUN (10 * INT64_C(1000000))

/* Of a number that every job has. All 0 without jobs. */
typedef struct torus_statistic {
	double mean;
	double max;
	double squares;	      /* sum of the squares */
	double weighted;      /* mean weighted by run time; 0 when all run times are */
	double size_weighted; /* mean weighted by nodes */
	double node_weighted; /* mean weighted by node-time; the same */
} torus_statistic_t;

/* Of a number that changes with time. */
typedef struct torus_time_statistic {
	double mean; /* over time; 0 when no time passes */
	double min, max;
} torus_time_statistic_t;

/* Points in time of torus_free_history_t, at most. */
#define TORUS_FREE_SAMPLES 256

/*
 * What was free at the times begin, begin + every, begin + 2 * every ... before the end;
 * the time between two is the shortest of 1, 2, 4, 8 ... seconds with which they have
 * room. The state at a time is that after all that happens then.
 */
typedef struct torus_free_history {
	int64_t every;
	uint32_t count;
	struct torus_free_sample {
		uint64_t nodes;	    /* free ones */
		uint64_t intervals; /* that they form, by each torus's span rule */
		uint64_t largest;   /* ranks of the largest */
	} sample[TORUS_FREE_SAMPLES];
} torus_free_history_t;

/*
 * Jobs counted are all but the first config.warmup submitted. The time counted begins
 * when the first of these is submitted and ends when the last job of all ends.
 */
typedef struct torus_summary {
	uint64_t jobs;	    /* counted */
	int64_t begin, end; /* of the time counted, in the log's time */
	uint64_t nodes;	    /* on all tori */
	double utilization; /* node-time in use / (nodes * time), without lost runs */
	double mean_wait;   /* seconds from submission to the start; so below */
	double max_wait;
	double mean_response; /* to the end */
	/*
	 * Mean and max of max(1, response / max(run time, TORUS_SHORTEST_RUN)); Feitelson
	 * et al., "Theory and Practice in Parallel Job Scheduling" (1997).
	 */
	double mean_bounded_slowdown;
	double max_bounded_slowdown;
	/*
	 * Allocation failures by external fragmentation: decisions that found no place
	 * for a job though enough nodes were free for it; jobs that had one or more. A
	 * job is tried again only after nodes have become free.
	 */
	uint64_t fragmentation_failures;
	uint64_t fragmented_jobs;
	uint64_t spread_jobs; /* over several tori: they have no metrics */
	uint64_t box_jobs;    /* of the jobs counted, those that ask for a box */
	double mean_box_wait; /* of these; 0 without */
	/* Of the node-time in use, the share on nodes of boxes beyond what jobs wanted */
	double internal_fragmentation;
	uint64_t wishes;	/* jobs with a wish and two nodes or more */
	uint64_t wishes_met;	/* that got what they wished for */
	uint64_t wishes_waited; /* that started later than they could have without it */
	double mean_wish_wait;	/* of these, from then on; 0 without */
	uint64_t advised;	/* jobs of all that were started by advice */
	uint64_t lost_runs;	/* ended by an outage, or requeued by advice */
	double lost_node_seconds;
	/* Of the free ranks, by each torus's span rule: */
	torus_time_statistic_t free_intervals;	 /* how many there are */
	torus_time_statistic_t largest_interval; /* ranks of the largest */
	torus_time_statistic_t largest_share; /* of all free ranks; 1 when none is free */
	torus_free_history_t free;
	torus_statistic_t metric[TORUS_METRIC_VALUES];
	torus_statistic_t isolation[TORUS_ISOLATION_VALUES]; /* if asked for */
} torus_summary_t;

#endif
