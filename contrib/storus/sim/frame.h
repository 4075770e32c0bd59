/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulated machine at a point in time, as storus show draws a real one. */
#ifndef STORUS_SIM_FRAME_H
#define STORUS_SIM_FRAME_H

#include <stdio.h>

#include "base/error.h"
#include "storus/sim/replay.h"

/*
 * Write an SVG document of the jobs that run at [time], in microseconds of the log's
 * time, and of the nodes that are down. Errors of [file] are the caller's to find.
 * Returns 0, or -1 with [err] filled (memory).
 */
int storus_frame_write(FILE *file, const storus_replay_t *replay, int64_t time,
		       torus_error_t *err);

#endif
