/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as slices of letters, for terminals and files. */
#ifndef STORUS_SHOW_TEXT_H
#define STORUS_SHOW_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "storus/cli/view.h"

/*
 * Draw every torus: a line on it, then its planes, x to the right and y downwards, as
 * many side by side as fit into [width] columns; a character a node, jobs in colour if
 * [colour]. Returns 0, or -1 with [err] filled (memory).
 */
int storus_text_draw(FILE *file, const storus_view_t *view, int width, bool colour,
		     torus_error_t *err);

/* Print the character of [occupant], coloured if [colour] and a job's. */
void storus_text_letter(FILE *file, uint32_t occupant, bool colour);

#endif
