/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Centres and the shells around them: see shells.h. */
#include "strategies/shells.h"

#include <stdlib.h>

#include "base/bitmap.h"

/* The initial sum of a cell that is no centre: above all others. */
#define NO_CENTRE (UINT64_C(1) << 62)

typedef struct search {
	const torus_ask_t *ask;
	const torus_shells_t *shells;
	uint32_t *ball; /* [cells] free nodes up to the radius */
	uint64_t *sum;	/* [cells] */
} search_t;

typedef struct centre {
	uint64_t sum;
	uint32_t cell;
} centre_t;

/*
 * The sum of the n smallest distances is the sum, over all radii, of how many of the n
 * nodes are farther away. So each radius adds the number of nodes that its ball lacks. A
 * ball that lacks none is complete. An incomplete one whose sum is above the best
 * complete one cannot win any more; when all are such, the search ends.
 */
static int find_centre(search_t *search, centre_t *best, torus_error_t *err)
{
	const torus_site_t *site = search->ask->site;
	const uint32_t *ball = search->ball;
	uint32_t n = search->ask->nodes;
	uint64_t *sum = search->sum, open = 0;

	*best = (centre_t){.sum = UINT64_MAX};
	for (uint32_t radius = 0; open <= best->sum; radius++) {
		if (search->shells->count(search->shells->counts, radius, search->ball,
					  err))
			return -1;
		open = UINT64_MAX; /* the lowest sum of a ball that lacks nodes */
		for (uint32_t cell = 0; cell < site->cells; cell++) {
			if (ball[cell] < n) {
				sum[cell] += n - ball[cell];
				if (sum[cell] < open)
					open = sum[cell];
			} else if (sum[cell] < best->sum ||
				   (sum[cell] == best->sum && cell < best->cell)) {
				*best = (centre_t){sum[cell], cell};
			}
		}
		if (open == UINT64_MAX)
			break;
	}
	return 0;
}

/* Hops from a centre, dimension by dimension. */
typedef struct hops {
	const search_t *search;
	uint32_t *along[TORUS_MAX_DIMS]; /* [length] from each coordinate */
} hops_t;

static uint32_t distance(const hops_t *hops, uint32_t rank)
{
	const torus_ask_t *ask = hops->search->ask;
	const int32_t *coord = torus_site_coord(ask->site, ask->site->cell_of_rank[rank]);
	uint32_t distance = 0;

	for (int axis = 0; axis < ask->site->geometry.dims; axis++) {
		uint32_t steps = hops->along[axis][coord[axis]];

		if (!hops->search->shells->largest)
			distance += steps;
		else if (steps > distance)
			distance = steps;
	}
	return distance;
}

/* Take the n nodes that are nearest to the cell [centre]. */
static int take_nearest(const search_t *search, uint32_t centre, torus_error_t *err)
{
	torus_site_t *site = search->ask->site;
	const torus_geometry_t *geometry = &site->geometry;
	const int32_t *coord = torus_site_coord(site, centre);
	hops_t hops = {.search = search};
	uint32_t ranks = site->ranks, left = search->ask->nodes, last = 0;
	size_t room = 0;
	uint32_t *block, *shell; /* nodes at each distance; distances are below [room] */

	for (int axis = 0; axis < geometry->dims; axis++)
		room += (size_t)geometry->length[axis];
	block = calloc(2 * room, sizeof(*block));
	if (!block)
		return torus_fail(err, "out of memory for %zu distances", room);
	shell = block;
	hops.along[0] = block + room;
	for (int axis = 0; axis < geometry->dims; axis++) {
		for (int32_t i = 0; i < geometry->length[axis]; i++)
			hops.along[axis][i] =
				(uint32_t)torus_hops_axis(geometry, axis, coord[axis], i);
		if (axis + 1 < geometry->dims)
			hops.along[axis + 1] = hops.along[axis] + geometry->length[axis];
	}
	for (uint32_t rank = torus_bitmap_next_set(site->free, ranks, 0); rank < ranks;
	     rank = torus_bitmap_next_set(site->free, ranks, rank + 1))
		shell[distance(&hops, rank)]++;
	for (; shell[last] < left; last++)
		left -= shell[last];
	for (uint32_t rank = torus_bitmap_next_set(site->free, ranks, 0); rank < ranks;
	     rank = torus_bitmap_next_set(site->free, ranks, rank + 1)) {
		uint32_t steps = distance(&hops, rank);

		if (steps > last || (steps == last && !left))
			continue;
		left -= steps == last;
		torus_bit_set(site->taken, rank);
	}
	free(block);
	return 0;
}

int torus_shells_place(const torus_ask_t *ask, const torus_shells_t *shells,
		       int64_t *score, torus_error_t *err)
{
	const torus_site_t *site = ask->site;
	search_t search = {.ask = ask, .shells = shells};
	centre_t best;
	int placed = -1;

	search.ball = malloc(site->cells * sizeof(*search.ball));
	search.sum = calloc(site->cells, sizeof(*search.sum));
	if (!search.ball || !search.sum) {
		torus_fail(err, "out of memory for the shells around %u cells",
			   site->cells);
		goto out;
	}
	for (uint32_t cell = 0; shells->free_centre && cell < site->cells; cell++) {
		if (!site->free_on[cell])
			search.sum[cell] = NO_CENTRE;
	}
	if (find_centre(&search, &best, err) || take_nearest(&search, best.cell, err))
		goto out;
	*score = (int64_t)best.sum;
	placed = 1;
out:
	free(search.ball);
	free(search.sum);
	return placed;
}
