/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs of a log are not replayed, and why: counted, so that none is lost silently.
 */
#ifndef TORUS_SIM_SKIPPED_H
#define TORUS_SIM_SKIPPED_H

#include <stdint.h>

/* Different reasons that are told apart. */
#define TORUS_SKIP_REASONS 16

/* Reasons that more than one reader or the simulator itself has. */
#define TORUS_SKIP_MALFORMED "malformed"
#define TORUS_SKIP_NO_RUN_TIME "no_run_time"
#define TORUS_SKIP_NO_PROCESSORS "no_processors"
#define TORUS_SKIP_LARGER "larger_than_machine"

typedef struct torus_skip_count {
	const char *reason; /* a constant string: a word, '_' between its parts */
	uint64_t count;
	uint64_t first_line; /* of the log; 0: not known */
} torus_skip_count_t;

/* Of no job: {0}. Borrows nothing but the constant strings: may be copied. */
typedef struct torus_skipped {
	torus_skip_count_t by[TORUS_SKIP_REASONS]; /* in the order of appearance */
	int reasons;
} torus_skipped_t;

/*
 * Count a job that is skipped for the [reason] on [line] of the log. When there are
 * TORUS_SKIP_REASONS reasons already, it counts under the last of them.
 */
void torus_skip(torus_skipped_t *skipped, const char *reason, uint64_t line);

/* All jobs skipped. */
uint64_t torus_skipped_total(const torus_skipped_t *skipped);

#endif
