/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weeks of a span of time, from Monday to Monday at midnight, local time (TZ). */
#ifndef STORUS_REPORT_WEEKS_H
#define STORUS_REPORT_WEEKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* "2026-10-05", the Monday */
#define STORUS_WEEK_TEXT 16

typedef struct storus_weeks {
	/* [count + 1] seconds since 1970: week i goes from begin[i] to begin[i + 1]. The
	 * first and the last are cut to the span. Owned. */
	int64_t *begin;
	size_t count;
	char (*name)[STORUS_WEEK_TEXT]; /* [count] owned */
} storus_weeks_t;

/*
 * The weeks from [from] to [to], which is later. Returns 0, and then they are to be
 * cleared; or -1 with [err] filled: more than 100 years, memory; [weeks] empty.
 */
int storus_weeks_make(int64_t from, int64_t to, storus_weeks_t *weeks,
		      torus_error_t *err);
void storus_weeks_clear(storus_weeks_t *weeks);

/* The week of [moment], which is in the span, or at its end: then the last. */
size_t storus_weeks_find(const storus_weeks_t *weeks, int64_t moment);

#endif
