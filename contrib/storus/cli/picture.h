/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as an SVG picture. */
#ifndef STORUS_CLI_PICTURE_H
#define STORUS_CLI_PICTURE_H

#include <stdio.h>

#include "storus/cli/view.h"

/*
 * Write a whole SVG document: for each torus a heading, its planes side by side (x to the
 * right, y downwards), and a legend of the jobs on it. Errors of [file] are the caller's
 * to find. Returns 0, or -1 with [err] filled (memory).
 */
int storus_picture_draw(FILE *file, const storus_view_t *view, torus_error_t *err);

#endif
