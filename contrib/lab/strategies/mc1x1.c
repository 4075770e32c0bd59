/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mc1x1: each free node is tried as the centre. Shell r around it has the nodes at
 * distance r, where distance is the largest of the hops per dimension: a square that
 * grows by one on each side, around the end where the machine wraps. The job gets the n
 * free nodes of the lowest shells; the centre with the smallest sum of shell numbers
 * wins. MC of "Minimizing Message-Passing Contention in Fragmentation-Free Processor
 * Allocation" (Mache, Lo, Windisch, 1997) with 1x1 as the shape in the middle, as
 * "Communication-Aware Processor Allocation for Supercomputers" (Bender et al., 2005)
 * compares it.
 */
#include "strategies/shells.h"
#include "place/windows.h"
#include "strategies/strategies.h"

#include <stdlib.h>

/* Free nodes in the square around each cell. */
typedef struct squares {
	const torus_site_t *site;
	uint32_t *half; /* [cells] scratch memory */
} squares_t;

/*
 * One dimension after the other; the order of the two arrays is such that the last result
 * is in [ball].
 */
static int count_squares(void *counts, uint32_t radius, uint32_t *ball,
			 torus_error_t *err)
{
	const squares_t *squares = counts;
	const torus_geometry_t *geometry = &squares->site->geometry;
	const uint32_t *in = squares->site->free_on;

	(void)err;
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t *out = (geometry->dims - axis) % 2 ? ball : squares->half;
		uint32_t before = radius < length ? radius : length - 1;
		uint32_t window = 2 * before + 1;

		if (window > length && geometry->wrap[axis]) {
			before = 0; /* the whole ring, so the start does not matter */
			window = length;
		}
		torus_window_sums(geometry, axis, before, window, in, out);
		in = out;
	}
	return 0;
}

int torus_mc1x1(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	squares_t squares = {.site = ask->site};
	torus_shells_t shells = {.largest = true,
				 .free_centre = true,
				 .count = count_squares,
				 .counts = &squares};
	int placed = -1;

	squares.half = malloc(ask->site->cells * sizeof(*squares.half));
	if (!squares.half)
		torus_fail(err, "out of memory for squares around %u cells",
			   ask->site->cells);
	else
		placed = torus_shells_place(ask, &shells, score, err);
	free(squares.half);
	return placed;
}
