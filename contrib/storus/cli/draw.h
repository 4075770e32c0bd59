/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the pictures of machines have in common, on a terminal and as SVG: letters
 * and colours.
 */
#ifndef STORUS_CLI_DRAW_H
#define STORUS_CLI_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"
#include "storus/cli/view.h"

/*
 * The character of an occupant: for marks a-z, A-Z, 0-9 without the x, and again from the
 * start; otherwise '.' free, '=' reserved, 'x' unusable, '+' jobs not listed, '*' several
 * jobs, ' ' nothing.
 */
char storus_draw_letter(uint32_t occupant);

/* Whether the occupant is a listed job: a mark. */
static inline bool storus_draw_is_job(uint32_t occupant)
{
	return occupant < STORUS_NOTHING;
}

/*
 * The colour of a mark: its index in the 256 colours of terminals (only of the colour
 * cube, 16-231), light enough for black letters; the same as 0xRRGGBB.
 */
int storus_draw_colour(uint32_t mark);
uint32_t storus_draw_rgb(uint32_t mark);

/*
 * One line about torus number [torus]: its name, dimensions and wrap, and how many
 * nodes are in use, free, reserved (if any are) and unusable. malloc'ed; NULL: out of
 * memory.
 */
char *storus_draw_summary(const storus_view_t *view, int torus);

#endif
