/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strategies for comparison: those of publications, which torus.conf does not take.
 * docs/strategies.md lists them; each file names its paper.
 */
#ifndef TORUS_STRATEGIES_STRATEGIES_H
#define TORUS_STRATEGIES_STRATEGIES_H

#include "place/allocator.h"

/* The table of all allocators, first those of place/place.h; ended by NULL. */
extern const torus_allocator_t *const torus_strategies[];

/* The rules, for the table in strategies.c. */
torus_site_rule_t torus_random, torus_interval, torus_paging, torus_mbs, torus_buddy,
	torus_contiguous, torus_frame_sliding, torus_listed_boxes, torus_mc1x1, torus_mm,
	torus_partner, torus_multipartner, torus_gray_code, torus_squares;

/* Variants of paging: the order of the pages, and the logarithm of their side. */
#define TORUS_PAGES_SNAKE 0x100u
#define TORUS_PAGES_SHUFFLED 0x200u
#define TORUS_PAGES_SIDE_LOG 0xffu

/* Variants of sum_of_squares: where no interval is long enough, piece by piece, or one
 * window of the free ranks. */
#define TORUS_SQUARES_GLOBAL 1u

/* Variants of interval. */
#define TORUS_INTERVAL_BEST 1u /* the interval that leaves fewest over, not the first */

/* Variants of contiguous. */
#define TORUS_BOX_BEST 1u  /* the free box that fits in best, not the first one */
#define TORUS_BOX_TURNS 2u /* in any rotation */

#endif
