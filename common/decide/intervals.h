/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals of a curve that have enough in all: runs of consecutive ranks, over the end
 * of the line where spans are rings.
 */
#ifndef TORUS_DECIDE_INTERVALS_H
#define TORUS_DECIDE_INTERVALS_H

#include "base/error.h"
#include "decide/places.h"

/*
 * Add to [places] the intervals of one torus that consist of candidates only, have a
 * number of nodes that is wanted, all required nodes, and enough in all; each set of
 * nodes once. What was done is taken off [work]; where that comes to an end, the list is
 * no longer complete. Returns 0, or -1 with [err] filled (memory: 24 bytes a rank, and 16
 * for each kind). O(ranks * kinds) and O(log) of the list for each place considered, of
 * which those are spared that cannot find room in the list.
 */
int torus_intervals_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
			 torus_places_t *places, uint64_t *work, torus_error_t *err);

#endif
