/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a comparison as an SVG picture. */
#ifndef STORUS_SIM_COMPARE_FIGURE_H
#define STORUS_SIM_COMPARE_FIGURE_H

#include <stdio.h>

#include "storus/sim/compare_lines.h"

/*
 * Draw a panel for each measure: a point for the mean of each row, on the line of its
 * interval; rows of the baseline are hollow, and of others the difference to it is
 * printed, bold where its interval does not contain 0. A strategy has the same colour and
 * mark in every figure. Errors of [file] are the caller's
 * to find. Returns 0, or -1 with [err] filled (memory).
 */
int storus_compare_draw(storus_lines_t *lines, FILE *file, torus_error_t *err);

#endif
