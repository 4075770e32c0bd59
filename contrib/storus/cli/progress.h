/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Progress on standard error: a line that says what is being done and how far it is, once
 * the work has taken a second, if standard error is a terminal; gone when the work is
 * done. After some seconds it also says how many may be left, at the pace so far. One
 * work at a time. A timer (SIGALRM) writes it, so that work that cannot say how far it is
 * shows the seconds it has taken.
 */
#ifndef STORUS_CLI_PROGRESS_H
#define STORUS_CLI_PROGRESS_H

#include <stdint.h>

/* Begin to work at [what], a few words. */
void storus_progress_begin(const char *what);

/*
 * Tell that [done] of [total] are done of the work that was begun. [unused] makes it a
 * callback.
 */
void storus_progress(uint64_t done, uint64_t total, void *unused);

/* The work is done or given up. Keeps errno. */
void storus_progress_end(void);

#endif
