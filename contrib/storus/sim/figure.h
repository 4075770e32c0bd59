/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulation as a figure, drawn by gnuplot: nodes in use and jobs waiting over time,
 * and each job's average distance over its size.
 */
#ifndef STORUS_SIM_FIGURE_H
#define STORUS_SIM_FIGURE_H

#include <stdio.h>

#include "base/error.h"
#include "storus/sim/replay.h"

/*
 * Whether a figure can be drawn into [path]: its name ends with .svg or .png, and gnuplot
 * can be run. Returns 0, or -1 with [err] filled.
 */
int storus_figure_check(const char *path, torus_error_t *err);

/*
 * Draw it into the empty [file], in the format that the option's name ends with. Returns
 * 0, or -1 with [err] filled.
 */
int storus_figure_write(FILE *file, const storus_replay_t *replay, torus_error_t *err);

#endif
