/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of decisions and their file: see tally.h. */
#include "decide/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A line has these numbers: how many, nanoseconds, buckets; and then what it is about. */
#define NUMBERS (2 + TORUS_TALLY_BUCKETS)
#define DIGITS 20
#define HEADING (sizeof(TORUS_TALLY_HEADING) - 1)

const char *torus_tally_mode_name(torus_tally_mode_t mode)
{
	static const char *const names[TORUS_TALLY_MODES] = {"start", "plan", "check",
							     "any"};

	return names[mode];
}

const char *torus_tally_by_name(torus_tally_by_t by)
{
	static const char *const names[TORUS_TALLY_BYS] = {
		"engine", "engine after slurm", "engine, preempting", "slurm", "nobody"};

	return names[by];
}

uint64_t torus_tally_bound(int bucket)
{
	uint64_t bound = 100000;

	if (bucket == TORUS_TALLY_BUCKETS - 1)
		return UINT64_MAX;
	while (bucket--)
		bound *= 10;
	return bound;
}

void torus_tally_add(torus_tally_t *tally, torus_tally_mode_t mode, torus_tally_by_t by,
		     uint64_t nanoseconds)
{
	torus_tally_count_t *count = &tally->count[mode][by];
	int bucket = 0;

	while (nanoseconds > torus_tally_bound(bucket))
		bucket++;
	count->bucket[bucket]++;
	count->nanoseconds += nanoseconds;
}

uint64_t torus_tally_total(const torus_tally_count_t *count)
{
	uint64_t total = 0;

	for (int bucket = 0; bucket < TORUS_TALLY_BUCKETS; bucket++)
		total += count->bucket[bucket];
	return total;
}

void torus_tally_format(const torus_tally_t *tally, torus_tally_mode_t mode,
			torus_tally_by_t by, char line[TORUS_TALLY_LINE + 1])
{
	const torus_tally_count_t *count = &tally->count[mode][by];
	char *at = line;

	at += sprintf(at, "%0*" PRIu64 " ", DIGITS, torus_tally_total(count));
	at += sprintf(at, "%0*" PRIu64 " ", DIGITS, count->nanoseconds);
	for (int bucket = 0; bucket < TORUS_TALLY_BUCKETS; bucket++)
		at += sprintf(at, "%0*" PRIu64 " ", DIGITS, count->bucket[bucket]);
	at += sprintf(at, "%s by %s", torus_tally_mode_name(mode),
		      torus_tally_by_name(by));
	memset(at, ' ', (size_t)(line + TORUS_TALLY_LINE - at));
	line[TORUS_TALLY_LINE - 1] = '\n';
	line[TORUS_TALLY_LINE] = '\0';
}

long torus_tally_offset(torus_tally_mode_t mode, torus_tally_by_t by)
{
	return (long)HEADING +
	       ((long)mode * TORUS_TALLY_BYS + (long)by) * TORUS_TALLY_LINE;
}

/* Read a number of DIGITS digits and the blank behind it. */
static bool read_number(const char **at, uint64_t *number)
{
	*number = 0;
	for (int i = 0; i < DIGITS; i++, (*at)++) {
		unsigned digit = (unsigned)(**at - '0');

		if (digit > 9 || __builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, digit, number))
			return false;
	}
	return *(*at)++ == ' ';
}

/* Returns 1; 0: the line is being written; -1: it is none. */
static int parse(const char *line, torus_tally_t *tally, torus_tally_mode_t mode,
		 torus_tally_by_t by)
{
	torus_tally_count_t *count = &tally->count[mode][by];
	char again[TORUS_TALLY_LINE + 1];
	uint64_t total;
	const char *at = line;

	if (!read_number(&at, &total) || !read_number(&at, &count->nanoseconds))
		return -1;
	for (int bucket = 0; bucket < TORUS_TALLY_BUCKETS; bucket++) {
		if (!read_number(&at, &count->bucket[bucket]))
			return -1;
	}
	if (torus_tally_total(count) != total)
		return 0;
	torus_tally_format(tally, mode, by, again);
	return memcmp(line, again, TORUS_TALLY_LINE) == 0 ? 1 : -1;
}

/* Read one line, again while it is being written. */
static int read_line(FILE *file, const char *path, torus_tally_t *tally,
		     torus_tally_mode_t mode, torus_tally_by_t by, torus_error_t *err)
{
	enum { TRIES = 100 };
	int number = 2 + (int)mode * TORUS_TALLY_BYS + (int)by;
	char line[TORUS_TALLY_LINE];

	for (int i = 0; i < TRIES; i++) {
		int rc = -1;

		if (fseek(file, torus_tally_offset(mode, by), SEEK_SET) == 0 &&
		    fread(line, sizeof(line), 1, file) == 1)
			rc = parse(line, tally, mode, by);
		if (rc > 0)
			return 0;
		if (rc < 0)
			break;
	}
	errno = 0;
	return torus_fail(err, "%s:%d: not a line that this version writes", path,
			  number);
}

int torus_tally_read(const char *path, torus_tally_t *tally, torus_error_t *err)
{
	FILE *file = fopen(path, "r");
	char heading[HEADING];
	int rc = 0;

	*tally = (torus_tally_t){0};
	if (!file)
		return torus_fail(err, "%s: %s", path, strerror(errno));
	/* No buffer, so that each look is one at the file. */
	setvbuf(file, NULL, _IONBF, 0);
	if (fread(heading, HEADING, 1, file) != 1 ||
	    memcmp(heading, TORUS_TALLY_HEADING, HEADING) != 0) {
		errno = 0;
		rc = torus_fail(err,
				"%s:1: not a file of decisions that this version "
				"writes",
				path);
	}
	for (int mode = 0; rc == 0 && mode < TORUS_TALLY_MODES; mode++) {
		for (int by = 0; rc == 0 && by < TORUS_TALLY_BYS; by++)
			rc = read_line(file, path, tally, (torus_tally_mode_t)mode,
				       (torus_tally_by_t)by, err);
	}
	fclose(file);
	return rc;
}
