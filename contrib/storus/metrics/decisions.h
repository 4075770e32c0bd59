/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin's decisions, as slurmctld counts them in a file: read, and printed. */
#ifndef STORUS_METRICS_DECISIONS_H
#define STORUS_METRICS_DECISIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "decide/tally.h"

/*
 * Read the counts from [path], or with NULL, after storus_slurm_start(), from the running
 * Slurm's StateSaveLocation. There, a file that is not (nothing was decided yet, or this
 * is not slurmctld's host) means that nothing is known. Returns 1; 0 if nothing is known;
 * -1 with [err] filled.
 */
int storus_decisions_read(const char *path, torus_tally_t *tally, torus_error_t *err);

/* Print the kinds of decision that were made, as a histogram each. */
void storus_decisions_write(FILE *file, const torus_tally_t *tally);

#endif
