/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which job has which nodes when, as an SVG picture: nodes along the curve, torus below
 * torus, over time.
 *
 * Up to a few thousand pieces are drawn as they are, and say their job. Of more a grid of
 * sections is drawn, so that the picture of any log is readable and of at most a few
 * megabytes: a section has the colour of the job that has most of it, and none where more
 * than half of it is free.
 */
#ifndef STORUS_SIM_GANTT_H
#define STORUS_SIM_GANTT_H

#include <stdio.h>

#include "base/error.h"
#include "storus/sim/replay.h"

/* Errors of [file] are the caller's to find. Returns 0, or -1 with [err] filled (memory).
 */
int storus_gantt_write(FILE *file, const storus_replay_t *replay, torus_error_t *err);

#endif
