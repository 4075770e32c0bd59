/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many decisions were made, by whom, and how long they took; and the file in which
 * the plugins keep that, for storus metrics.
 *
 * The file is text: a first line, then one for each kind of decision, all of the same
 * length, so that slurmctld writes nothing but the line that has changed, in its place.
 */
#ifndef TORUS_DECIDE_TALLY_H
#define TORUS_DECIDE_TALLY_H

#include <stdint.h>

#include "base/error.h"

/* Its name in Slurm's StateSaveLocation. */
#define TORUS_TALLY_FILE "torus_decisions"
#define TORUS_TALLY_HEADING "torus_decisions 1\n"

/* What was asked. */
typedef enum torus_tally_mode {
	TORUS_TALLY_START, /* RUN_NOW */
	TORUS_TALLY_PLAN,  /* WILL_RUN */
	TORUS_TALLY_CHECK, /* TEST_ONLY */
	TORUS_TALLY_ANY,   /* one of them: topology/torus is not told which */
	TORUS_TALLY_MODES,
} torus_tally_mode_t;

/* Whose choice of nodes it was. */
typedef enum torus_tally_by {
	TORUS_BY_ENGINE,
	TORUS_BY_ENGINE_AFTER_SLURM, /* as many nodes as Slurm's plugin had chosen */
	TORUS_BY_ENGINE_PREEMPTING,
	TORUS_BY_SLURM,
	TORUS_BY_NOBODY, /* there was no place, or the job was refused */
	TORUS_TALLY_BYS,
} torus_tally_by_t;

/* Their names, also in slurmctld's log; constants. */
const char *torus_tally_mode_name(torus_tally_mode_t mode);
const char *torus_tally_by_name(torus_tally_by_t by);

/* Decisions are counted by the time that they took, up to and including: */
#define TORUS_TALLY_BUCKETS 7
/* Nanoseconds, a power of ten from 0.1 ms to 10 s; the last one UINT64_MAX. */
uint64_t torus_tally_bound(int bucket);

typedef struct torus_tally_count {
	uint64_t nanoseconds; /* in all */
	uint64_t bucket[TORUS_TALLY_BUCKETS];
} torus_tally_count_t;

typedef struct torus_tally {
	torus_tally_count_t count[TORUS_TALLY_MODES][TORUS_TALLY_BYS];
} torus_tally_t;

/*
 * Count one decision, which took so many [nanoseconds]. A tally that is all zeros has
 * none.
 */
void torus_tally_add(torus_tally_t *tally, torus_tally_mode_t mode, torus_tally_by_t by,
		     uint64_t nanoseconds);

/* The number of decisions, over all buckets. */
uint64_t torus_tally_total(const torus_tally_count_t *count);

/* A line of the file, with the newline and without the 0 behind it. */
#define TORUS_TALLY_LINE 224

/* Write the line of a kind of decision, and a 0 behind it. */
void torus_tally_format(const torus_tally_t *tally, torus_tally_mode_t mode,
			torus_tally_by_t by, char line[TORUS_TALLY_LINE + 1]);

/* Where that line is in the file, in bytes. */
long torus_tally_offset(torus_tally_mode_t mode, torus_tally_by_t by);

/*
 * Read the file [path], which may be written meanwhile: each line has the number of its
 * decisions twice, and is read again while the two do not agree. Returns 0, or -1 with
 * [err] filled as "PATH: reason" or "PATH:LINE: reason", and then errno is 0 unless the
 * file could not be read.
 */
int torus_tally_read(const char *path, torus_tally_t *tally, torus_error_t *err);

#endif
