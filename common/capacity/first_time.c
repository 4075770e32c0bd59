/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first time at which a box is free: see holders.h. */
#include <stdlib.h>

#include "base/bitmap.h"
#include "capacity/holders.h"
#include "capacity/turns.h"
#include "place/box_bits.h"

void torus_usable_at(const torus_geometry_t *geometry, const torus_holders_t *holders,
		     int64_t when, uint64_t *usable)
{
	uint32_t cells = torus_geometry_cells(geometry);

	for (size_t i = 0; i < TORUS_WORDS(cells); i++)
		usable[i] = 0;
	for (uint32_t cell = 0; cell < cells; cell++) {
		bool is_free = !torus_bit_test(holders->never, cell);

		for (uint32_t i = holders->first[cell];
		     is_free && i < holders->first[cell + 1]; i++) {
			int64_t end = holders->end ? holders->end[holders->holder[i]]
						   : TORUS_NEVER;

			is_free = end != TORUS_NEVER && end <= when;
		}
		if (is_free)
			torus_bit_set(usable, cell);
	}
}

static int compare_times(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return left < right ? -1 : left > right;
}

/* The times to look at, ascending: INT64_MIN for now, and all ends. */
static uint32_t list_times(const torus_holders_t *holders, int64_t *time)
{
	uint32_t times = 0;

	time[times++] = INT64_MIN;
	for (uint32_t i = 0; holders->end && i < holders->holders; i++) {
		if (holders->end[i] != TORUS_NEVER)
			time[times++] = holders->end[i];
	}
	qsort(time, times, sizeof(*time), compare_times);
	return times;
}

int torus_first_time(const torus_geometry_t *geometry, const torus_holders_t *holders,
		     const torus_shape_t *shape, int64_t *when, torus_error_t *err)
{
	size_t words = TORUS_WORDS(torus_geometry_cells(geometry));
	uint64_t *maps = malloc(((size_t)geometry->dims + 2) * words * sizeof(*maps));
	int64_t *time = malloc(((size_t)holders->holders + 1) * sizeof(*time));
	torus_turn_t *turn = malloc(TORUS_MOST_TURNS * sizeof(*turn));
	uint32_t low = 0, high, times;
	int result = -1;

	if (!maps || !time || !turn) {
		torus_fail(err, "out of memory for the times of boxes");
		goto done;
	}
	result = 0;
	if (!torus_turns(geometry, shape, turn))
		goto done;
	times = high = list_times(holders, time);
	/* A box that is free at one time is free at all later ones. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		torus_usable_at(geometry, holders, time[middle], maps);
		if (torus_box_bits_fit(geometry, turn[0].side, maps))
			high = middle;
		else
			low = middle + 1;
	}
	result = low < times;
	if (result)
		*when = time[low];
done:
	free(maps);
	free(time);
	free(turn);
	return result;
}
