/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moments and durations as users of Slurm write them. */
#ifndef STORUS_CLI_TIMES_H
#define STORUS_CLI_TIMES_H

#include <stdint.h>
#include <time.h>

#include "base/error.h"

/* A buffer for storus_time_format(). */
#define STORUS_TIME_TEXT 32

/*
 * Read a moment: "now", "now+2hours" or "now-2hours" (seconds, minutes, hours, days or
 * weeks, also without the s; without a word seconds), "yesterday", "today" or "tomorrow"
 * (when that day begins), "YYYY-MM-DD", "YYYY-MM-DDTHH:MM" or
 * with ":SS", local time; [now] is now. Returns 0, or -1 with [err] filled.
 */
int storus_time_parse(const char *text, time_t now, time_t *moment, torus_error_t *err);

/*
 * Read a duration in minutes, at least one: "MINUTES", "HOURS:MINUTES:SECONDS",
 * "MINUTES:SECONDS", "DAYS-HOURS", "DAYS-HOURS:MINUTES" or
 * "DAYS-HOURS:MINUTES:SECONDS"; seconds are rounded up. Returns 0, or -1 with [err]
 * filled.
 */
int storus_duration_parse(const char *text, uint32_t *minutes, torus_error_t *err);

/* Write "YYYY-MM-DDTHH:MM:SS", local time, into [text]; returns [text]. */
char *storus_time_format(time_t moment, char text[STORUS_TIME_TEXT]);

#endif
