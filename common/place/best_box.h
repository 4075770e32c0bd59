/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of two free boxes a job gets: the rules of torus_box_place() and any_box.h. */
#ifndef TORUS_PLACE_BEST_BOX_H
#define TORUS_PLACE_BEST_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"

/* Zeroed: no box yet. */
typedef struct torus_best_box {
	bool found;
	int32_t side[TORUS_MAX_DIMS];
	uint32_t corner; /* the cell it begins with; a box goes upwards, around the end */
	uint64_t weight; /* summed over its nodes */
	uint64_t distance; /* summed distance of its nodes; 0 where it does not count */
	int32_t width;	   /* difference of its highest and lowest rank */
	int32_t lowest;	   /* rank */
} torus_best_box_t;

/*
 * Whether [a] comes before [b]: the lower weight, then distance, width, lowest rank, then
 * the sides that come first lexicographically, then the lower corner. No box comes last.
 */
bool torus_box_is_better(const torus_best_box_t *a, const torus_best_box_t *b);

#endif
