/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of how many nodes there is a box, whatever its sides. Private to decide/. */
#ifndef TORUS_DECIDE_ANY_NUMBERS_H
#define TORUS_DECIDE_ANY_NUMBERS_H

#include "decide/private.h"

/*
 * Find the number of nodes, [least] to [most], of which some torus has a free box that
 * has all required nodes and enough in all: the largest, or with [upwards] the smallest.
 * On machines of cubes it may be one of which there is none.
 *
 * Of each volume it is known at once whether there is a free box (place/box_volumes.h),
 * and of each size (place/box_bits.h); boxes of such sizes are looked at, the largest or
 * smallest first, until no better number can come. What that takes is taken off d->work;
 * when this comes to an end *complete is cleared, and there may be a better number.
 *
 * Returns 1 with *number, 0: there is none, or -1 with d->err filled (memory).
 */
int torus_any_number(torus_deciding_t *d, uint32_t least, uint32_t most, bool upwards,
		     uint32_t *number, bool *complete);

#endif
