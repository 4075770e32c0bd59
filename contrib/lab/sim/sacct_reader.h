/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `sacct -P` has printed, one job's line after the other: what sim/sacct.h and
 * sim/history.h have in common.
 */
#ifndef TORUS_SIM_SACCT_READER_H
#define TORUS_SIM_SACCT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/sacct_columns.h"
#include "sim/sacct_fields.h"

/* Why a line is skipped, beside the reasons of sim/skipped.h. */
#define TORUS_SACCT_PENDING "pending"
#define TORUS_SACCT_RUNNING "running"
#define TORUS_SACCT_NEVER_STARTED "never_started"
#define TORUS_SACCT_DUPLICATE "duplicate"

typedef struct torus_sacct_reader {
	/* The current line: its text, its number from 1, whether it has as many fields as
	 * there are columns, and if so these. */
	torus_sacct_field_t line;
	uint64_t number;
	bool whole;
	torus_sacct_field_t field[TORUS_SACCT_MEANINGS];
	torus_sacct_columns_t columns;
	/* private */
	torus_sacct_field_t rest;
	const char *path;
} torus_sacct_reader_t;

/* Begin to read text[0 .. length-1], called [path] in messages; both must outlive it. */
void torus_sacct_reader_begin(torus_sacct_reader_t *reader, const char *text,
			      size_t length, const char *path);

/*
 * Go to the next line of a job: not an empty one, a step's, or one more with the names of
 * the columns. Returns 1; 0 at the end of the text; or -1 with [err] filled: the first
 * line does not name the columns that sim/sacct.h needs, or there is none.
 */
int torus_sacct_reader_next(torus_sacct_reader_t *reader, torus_error_t *err);

/* How many lines the text has, at most. */
size_t torus_sacct_count_lines(const char *text, size_t length);

/* When things happened to a job, in seconds since 1970; -1: not yet, or not known. */
typedef struct torus_sacct_times {
	int64_t submit;
	int64_t eligible; /* never before [submit] */
	int64_t start, end;
} torus_sacct_times_t;

/*
 * The times of the current line, which is a whole one. Returns NULL or why the job is
 * skipped: TORUS_SKIP_MALFORMED, for a time that cannot be read, a start before the
 * submission, an end before the start.
 */
const char *torus_sacct_read_times(const torus_sacct_reader_t *reader,
				   torus_sacct_times_t *times);

/* The state of the current line, as far as readers tell states apart. */
typedef enum torus_sacct_state {
	TORUS_SACCT_IS_PENDING,
	TORUS_SACCT_IS_RUNNING,	 /* or suspended, or completing: it holds its nodes */
	TORUS_SACCT_IS_DROPPED,	 /* a state that jobs may have without a run */
	TORUS_SACCT_HAS_STARTED, /* any other */
} torus_sacct_state_t;
torus_sacct_state_t torus_sacct_read_state(const torus_sacct_reader_t *reader);

/*
 * Whether a job never had nodes: it has no start; or none are named, or, where it is not
 * known how many it had, its run took no time and its state may be without one.
 */
bool torus_sacct_never_started(const torus_sacct_reader_t *reader,
			       const torus_sacct_times_t *times, uint32_t nodes);

#endif
