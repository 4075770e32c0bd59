/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The schedulers: which of the waiting jobs are started when. Each stands in a file of
 * its own, with its rule and paper; scheduler.c has the table of all.
 */
#ifndef TORUS_SIM_SCHEDULER_H
#define TORUS_SIM_SCHEDULER_H

#include "base/error.h"

typedef enum torus_scheduler {
	TORUS_FCFS,	    /* in the order of submission, nobody overtakes */
	TORUS_EASY,	    /* aggressive backfill: the first job is not delayed */
	TORUS_CONSERVATIVE, /* backfill: no waiting job is delayed by one behind it */
	TORUS_CPLANT,	    /* fewest processors first, polled */
	TORUS_GREEDY,	    /* whoever has a place, in the order of submission */
	TORUS_RECORDED,	    /* when the log says */
} torus_scheduler_t;

/*
 * The scheduler called [text] ("fcfs", "easy", "conservative", "cplant", "greedy",
 * "recorded"), read in any case. Returns 0, or -1 with [err] naming the known ones.
 */
int torus_scheduler_parse(const char *text, torus_scheduler_t *scheduler,
			  torus_error_t *err);
/* The name as above. A constant string. */
const char *torus_scheduler_name(torus_scheduler_t scheduler);

#endif
