/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus report works on: the machine, and what the accounts say of a span of time.
 */
#ifndef STORUS_REPORT_ACCOUNTS_H
#define STORUS_REPORT_ACCOUNTS_H

#include "machine/cluster.h"
#include "sim/history.h"
#include "sim/outages.h"
#include "storus/cli/alone.h"
#include "storus/report/options.h"
#include "storus/report/sweep.h"
#include "storus/report/weeks.h"

/* Whose nodes could not be measured, and why; each job counts at most once. */
typedef struct storus_unmeasured {
	uint64_t elsewhere; /* some of its nodes are not in torus.conf */
	uint64_t spread;    /* on several tori */
	uint64_t nodelist;  /* the NodeList is none */
	uint64_t by_token;  /* measured after all, by what its token says */
	uint64_t moved; /* its token says otherwise than torus.conf: the map changed */
} storus_unmeasured_t;

typedef struct storus_accounts {
	const storus_report_options_t *options; /* borrowed */
	torus_cluster_t *cluster;
	storus_alone_t *alone;
	torus_outages_t outages;
	char *text; /* what sacct has printed */
	torus_history_t history;
	storus_weeks_t weeks; /* the span of the report */
	/* Runs and waiting jobs of the span, clipped to it; job is their number in
	 * history.job[]. */
	storus_run_t *run; /* [runs] owned */
	size_t runs;
	/* After storus_accounts_measure(): */
	storus_measured_t *measured; /* [runs] owned */
	storus_use_t *use;	     /* [weeks.count] owned */
	storus_unmeasured_t unmeasured;
} storus_accounts_t;

/*
 * Read all of it. Returns 0, or -1 with [err] filled; in either case [accounts] is to be
 * cleared.
 */
int storus_accounts_read(storus_accounts_t *accounts,
			 const storus_report_options_t *options, torus_error_t *err);

/* Measure the runs. Returns as above. */
int storus_accounts_measure(storus_accounts_t *accounts, torus_error_t *err);

void storus_accounts_clear(storus_accounts_t *accounts);

#endif
