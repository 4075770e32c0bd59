/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary of a simulation, printed and as a file. */
#ifndef STORUS_SIM_SUMMARY_H
#define STORUS_SIM_SUMMARY_H

#include <stdio.h>

#include "base/error.h"
#include "storus/sim/replay.h"

/* Print the numbers that matter most, in the format asked for. */
void storus_summary_print(const storus_replay_t *replay);

/*
 * Write all of them as summary.json. Errors of [file] are the caller's to find. Returns
 * 0, or -1 with [err] filled (memory).
 */
int storus_summary_write(FILE *file, const storus_replay_t *replay, torus_error_t *err);

#endif
