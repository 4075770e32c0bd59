/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations as users of Slurm write them. */
#ifndef TORUS_BASE_DURATION_H
#define TORUS_BASE_DURATION_H

#include <stdint.h>

#include "base/error.h"

/* The longest one, in seconds: less than a million days. */
#define TORUS_DURATION_MAX (INT64_C(1000000) * 24 * 60 * 60 - 1)
/* A buffer for any of them as text. */
#define TORUS_DURATION_TEXT 64

/*
 * Read a duration of at least 0: "MINUTES", "MINUTES:SECONDS", "HOURS:MINUTES:SECONDS",
 * "DAYS-HOURS", "DAYS-HOURS:MINUTES" or "DAYS-HOURS:MINUTES:SECONDS", numbers of at most
 * six digits. Returns 0 with *seconds, or -1 with [err] filled.
 */
int torus_duration_parse(const char *text, int64_t *seconds, torus_error_t *err);

/*
 * The same, or "infinite", in any case, which is TORUS_DURATION_MAX.
 */
int torus_duration_or_infinite(const char *text, int64_t *seconds, torus_error_t *err);

/* Write [seconds] (0 .. TORUS_DURATION_MAX) as "HH:MM:SS" or "D-HH:MM:SS"; returns
 * [text].
 */
char *torus_duration_format(int64_t seconds, char text[TORUS_DURATION_TEXT]);

#endif
