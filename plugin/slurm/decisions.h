/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting the decisions of this slurmctld, for storus metrics: the file
 * TORUS_TALLY_FILE in StateSaveLocation, made anew when the first one is counted. What
 * cannot be written is said once in the log, is tried again every few seconds, and
 * decides nothing.
 */
#ifndef TORUS_DECISIONS_H
#define TORUS_DECISIONS_H

#include "decide/tally.h"

/* Count one that is made, and has begun at torus_monotonic_ns() [begin]. */
void decisions_count(torus_tally_mode_t mode, torus_tally_by_t by, int64_t begin);

/* Close the file, which stays. */
void decisions_end(void);

#endif
