/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus report tells, as rows in sections, whatever form they are printed in. */
#ifndef STORUS_REPORT_ROWS_H
#define STORUS_REPORT_ROWS_H

#include "storus/report/accounts.h"
#include "storus/report/replay.h"
#include "storus/report/sums.h"

typedef enum storus_by {
	STORUS_BY_TOTAL,
	STORUS_BY_ACCOUNT, /* most node-hours first, as the next two */
	STORUS_BY_USER,
	STORUS_BY_PARTITION,
	STORUS_BY_SIZE,	  /* 1, 2, 3-4, 5-8, ... nodes */
	STORUS_BY_WEEK,	  /* in which it began; node-hours: in which they were spent */
	STORUS_BY_REPLAY, /* all jobs, by the allocator they were replayed with */
	STORUS_BY_JOB,	  /* the worst: most node-hours times hops more than alone */
	STORUS_BYS
} storus_by_t;

/* "account" and so on: a constant string */
const char *storus_by_name(storus_by_t by);

typedef struct storus_row {
	char *name; /* printable, owned; of a job its number */
	storus_sums_t sums;
	const storus_use_t *use; /* what became of the nodes; NULL: not of this row */
	/* Of a job: the line of the accounts, and what is known of its nodes. */
	const torus_history_job_t *job;
	const storus_measured_t *measured;
} storus_row_t;

typedef struct storus_section {
	storus_row_t *row; /* [count] owned */
	size_t count;
} storus_section_t;

typedef struct storus_rows {
	const storus_accounts_t *accounts; /* borrowed */
	storus_section_t section[STORUS_BYS];
	storus_use_t use; /* of the whole span */
} storus_rows_t;

/*
 * Make the report of measured [accounts] and of what was [replayed], if anything; both
 * must outlive it. Returns 0, or -1 with [err] filled (memory); in either case
 * [report] is to be cleared.
 */
int storus_rows_make(storus_rows_t *report, const storus_accounts_t *accounts,
		     const storus_replayed_t *replayed, torus_error_t *err);
void storus_rows_clear(storus_rows_t *report);

/* The chips of each node; 0: nodes are no boxes of chips, or not of as many on all tori.
 */
uint32_t storus_report_chips(const storus_rows_t *report);

/* Write one of its fields, made printable, into [text] of [size] bytes; returns [text].
 * An empty field is "-". */
char *storus_report_text(torus_sacct_field_t field, char *text, size_t size);

#endif
