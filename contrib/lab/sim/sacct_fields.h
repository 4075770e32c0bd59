/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms in which sacct prints times, durations and counts. */
#ifndef TORUS_SIM_SACCT_FIELDS_H
#define TORUS_SIM_SACCT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a line, without a NUL behind it. */
typedef struct torus_sacct_field {
	const char *at;
	size_t length;
} torus_sacct_field_t;

/* Longest time and duration, in seconds: some 3,000 years. */
#define TORUS_SACCT_LONGEST INT64_C(100000000000)

/* What the readers of times and durations return. */
typedef enum torus_sacct_value {
	TORUS_SACCT_MALFORMED,
	TORUS_SACCT_NONE, /* sacct says that there is no such time */
	TORUS_SACCT_READ,
} torus_sacct_value_t;

/* Whether the two have the same bytes. */
bool torus_sacct_same(torus_sacct_field_t a, torus_sacct_field_t b);

/* Whether the field is [text], in any case. */
bool torus_sacct_is(torus_sacct_field_t field, const char *text);

/* Whether the field begins with the word [text], in any case: "CANCELLED by 1000". */
bool torus_sacct_begins(torus_sacct_field_t field, const char *text);

/*
 * A point in time: seconds since 1970, or 2026-10-01T12:00:00 in the time zone of TZ.
 * Where that happened twice it is the first that is not before [not_before], or else the
 * first. "", "Unknown" and "None": TORUS_SACCT_NONE.
 */
torus_sacct_value_t torus_sacct_time(torus_sacct_field_t field, int64_t not_before,
				     int64_t *seconds);

/*
 * A duration: a number of units of [unit] seconds, or [DD-[HH:]]MM:SS. "" and
 * "Partition_Limit": TORUS_SACCT_NONE. "UNLIMITED" is 365 days.
 */
torus_sacct_value_t torus_sacct_duration(torus_sacct_field_t field, int64_t unit,
					 int64_t *seconds);

/* A count of at most UINT32_MAX: "1536", "2K" for 2048. Returns whether it is one. */
bool torus_sacct_count(torus_sacct_field_t field, uint32_t *count);

/* The number with which the field begins, as in "12", "12_3" or "12+1"; else false. */
bool torus_sacct_job_number(torus_sacct_field_t field, uint64_t *number);

#endif
