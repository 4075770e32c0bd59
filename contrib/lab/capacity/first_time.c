/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first time at which a box is free: see holders.h. */
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "capacity/holders.h"
#include "capacity/largest_in_cube.h"
#include "capacity/turns.h"
#include "capacity/whole_cubes.h"
#include "place/box_bits.h"
#include "torus/fit.h"
#include "torus/joined.h"

void torus_usable_at(const torus_geometry_t *geometry, const torus_holders_t *holders,
		     int64_t when, uint64_t *usable)
{
	uint32_t cells = torus_geometry_cells(geometry);

	memset(usable, 0, TORUS_WORDS(cells) * sizeof(*usable));
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
	if (when < holders->now)
		when = holders->now;
	for (uint32_t c = 0; c < holders->closures; c++) {
		const torus_closure_t *closure = &holders->closure[c];

		if (!torus_closure_in_force(closure, when, when + holders->seconds))
			continue;
		for (size_t i = 0; i < TORUS_WORDS(cells); i++)
			usable[i] &= ~closure->cells[i];
	}
}

static int compare_times(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return left < right ? -1 : left > right;
}

/* Times, ascending. */
typedef struct times {
	int64_t *time;
	uint64_t count;
} times_t;

/* The ends of holders. Returns 0, or -1: out of memory. */
static int list_ends(const torus_holders_t *holders, times_t *ends)
{
	ends->time = malloc(((size_t)holders->holders + 1) * sizeof(*ends->time));
	if (!ends->time)
		return -1;
	for (uint32_t i = 0; holders->end && i < holders->holders; i++) {
		if (holders->end[i] != TORUS_NEVER)
			ends->time[ends->count++] = holders->end[i];
	}
	qsort(ends->time, ends->count, sizeof(*ends->time), compare_times);
	return 0;
}

/* After this time everything repeats what was there before. */
static int64_t last_change(const torus_holders_t *holders, const times_t *ends)
{
	int64_t last = holders->now, period = 0;

	if (ends->count && ends->time[ends->count - 1] > last)
		last = ends->time[ends->count - 1];
	for (uint32_t c = 0; c < holders->closures; c++) {
		const torus_closure_t *closure = &holders->closure[c];
		bool is_over = !closure->period && closure->end != TORUS_NEVER;
		int64_t change = is_over ? closure->end : closure->start;

		if (change > last)
			last = change;
		if (closure->period > period)
			period = closure->period;
	}
	return last + period;
}

/* The times after now at which closures change what is free, and one after all others.
 * Returns 0, or -1: out of memory. */
static int list_changes(const torus_holders_t *holders, int64_t last, times_t *changes)
{
	uint64_t count = 0;

	for (uint32_t c = 0; c < holders->closures; c++)
		count += torus_closure_changes(&holders->closure[c], holders->seconds,
					       holders->now, last, NULL, 0);
	changes->time = malloc((count + 1) * sizeof(*changes->time));
	if (!changes->time)
		return -1;
	for (uint32_t c = 0; c < holders->closures; c++)
		changes->count += torus_closure_changes(
			&holders->closure[c], holders->seconds, holders->now, last,
			changes->time + changes->count, count - changes->count);
	changes->time[changes->count++] = TORUS_NEVER;
	qsort(changes->time, changes->count, sizeof(*changes->time), compare_times);
	return 0;
}

/* Boxes of a shape; [maps] is what torus_box_bits_fit() needs, three or more, of which
 * the first has what is usable. */
typedef struct boxes {
	const torus_geometry_t *geometry;
	uint32_t cubes;		  /* so many whole cubes; 0: a box in one of the turns */
	const torus_turn_t *turn; /* [turns] */
	int turns;
	bool all_turns; /* the sides of the first in any order are those of all */
	uint64_t *maps;
} boxes_t;

/* Whether a box is free in one of the turns, each by itself. */
static bool some_turn_fits(const boxes_t *boxes)
{
	uint32_t cells = torus_geometry_cells(boxes->geometry);
	uint64_t *corners = boxes->maps + TORUS_WORDS(cells);

	for (int i = 0; i < boxes->turns; i++) {
		torus_turn_corners(boxes->geometry, &boxes->turn[i], boxes->maps, corners,
				   corners + TORUS_WORDS(cells));
		if (torus_box_bits_any(corners, cells))
			return true;
	}
	return false;
}

static bool has_box(void *data)
{
	const boxes_t *boxes = data;

	if (boxes->cubes)
		return torus_whole_cubes(boxes->geometry, boxes->maps) >= boxes->cubes;
	if (boxes->all_turns)
		return torus_box_bits_fit(boxes->geometry, boxes->turn[0].side,
					  boxes->maps);
	return some_turn_fits(boxes);
}

/* A search for a time. */
typedef struct search {
	const torus_geometry_t *geometry;
	const torus_holders_t *holders;
	const torus_want_t *want;
	times_t ends, changes;
} search_t;

static bool suits_at(const search_t *search, int64_t when)
{
	torus_usable_at(search->geometry, search->holders, when, search->want->usable);
	return search->want->suits(search->want->data);
}

/*
 * The first time of a stretch that begins at [begin] and has the ends low .. high - 1, in
 * which no closure begins or ends, so that what is free only grows. False: none.
 */
static bool find_in_stretch(const search_t *search, int64_t begin, uint64_t low,
			    uint64_t high, int64_t *when)
{
	const int64_t *end = search->ends.time;

	if (!suits_at(search, low < high ? end[high - 1] : begin))
		return false;
	if (low == high || suits_at(search, begin)) {
		*when = begin;
		return true;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (suits_at(search, end[middle - 1]))
			high = middle;
		else
			low = middle;
	}
	*when = end[low];
	return true;
}

/* The same where what suits need not do so when more is free. */
static bool find_one_by_one(const search_t *search, int64_t begin, uint64_t low,
			    uint64_t high, int64_t *when)
{
	const int64_t *end = search->ends.time;

	*when = begin;
	if (suits_at(search, begin))
		return true;
	for (; low < high; low++) {
		*when = end[low];
		if ((low + 1 == high || end[low + 1] != end[low]) &&
		    suits_at(search, *when))
			return true;
	}
	return false;
}

static bool find_first(const search_t *search, int64_t *when)
{
	int64_t begin = INT64_MIN;
	uint64_t low = 0, high = 0;

	for (uint64_t c = 0; c < search->changes.count; c++) {
		int64_t change = search->changes.time[c];

		if (c && change == search->changes.time[c - 1])
			continue;
		while (high < search->ends.count && search->ends.time[high] < change)
			high++;
		if (search->want->grows ? find_in_stretch(search, begin, low, high, when)
					: find_one_by_one(search, begin, low, high, when))
			return true;
		begin = change;
		low = high;
	}
	return false;
}

int torus_first_time_of(const torus_geometry_t *geometry, const torus_holders_t *holders,
			const torus_want_t *want, int64_t *when, torus_error_t *err)
{
	search_t search = {.geometry = geometry, .holders = holders, .want = want};
	int result = -1;

	if (list_ends(holders, &search.ends) != 0 ||
	    list_changes(holders, last_change(holders, &search.ends), &search.changes) !=
		    0)
		torus_fail(err, "out of memory for the times of boxes");
	else
		result = find_first(&search, when);
	free(search.ends.time);
	free(search.changes.time);
	return result;
}

int torus_first_time(const torus_geometry_t *geometry, const torus_holders_t *holders,
		     const torus_shape_t *shape, int64_t *when, torus_error_t *err)
{
	size_t words = TORUS_WORDS(torus_geometry_cells(geometry));
	torus_turn_t *turn = malloc(TORUS_MOST_TURNS * sizeof(*turn));
	boxes_t boxes = {
		.geometry = geometry,
		.cubes = torus_whole_needed(geometry, shape),
		.turn = turn,
		.all_turns = !shape->in_chips && !torus_has_cubes(geometry),
		.maps = malloc(((size_t)geometry->dims + 2) * words * sizeof(uint64_t)),
	};
	const torus_want_t want = {
		.suits = has_box, .data = &boxes, .usable = boxes.maps, .grows = true};
	int result = -1;

	if (!boxes.maps || !turn) {
		torus_fail(err, "out of memory for the times of boxes");
	} else {
		boxes.turns = torus_wired_turns(geometry, shape, turn);
		result =
			boxes.cubes || boxes.turns
				? torus_first_time_of(geometry, holders, &want, when, err)
				: 0;
	}
	free(boxes.maps);
	free(turn);
	return result;
}
