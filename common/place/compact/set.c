/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The current set of nodes: see set.h. */
#include "place/compact/set.h"

#include <stdlib.h>
#include <string.h>

/*
 * The cell [steps] (1 or -1) along [axis]; `cells` where there is none, or where it is
 * also the neighbour in the other direction.
 */
static uint32_t neighbour(const torus_site_t *site, uint32_t cell, int axis, int steps,
			  uint32_t stride)
{
	int32_t length = site->geometry.length[axis];
	int32_t at = torus_site_coord(site, cell)[axis] + steps;

	if (at >= 0 && at < length)
		return steps > 0 ? cell + stride : cell - stride;
	if (!site->geometry.wrap[axis] || length <= 2)
		return site->cells;
	return steps > 0 ? cell - stride * (uint32_t)(length - 1)
			 : cell + stride * (uint32_t)(length - 1);
}

static void find_neighbours(torus_compact_set_t *set)
{
	const torus_site_t *site = set->site;
	uint32_t *beside = set->beside;

	for (uint32_t cell = 0; cell < site->cells; cell++) {
		uint32_t stride = 1;

		for (int axis = 0; axis < site->geometry.dims; axis++) {
			*beside++ = neighbour(site, cell, axis, 1, stride);
			*beside++ = neighbour(site, cell, axis, -1, stride);
			stride *= (uint32_t)site->geometry.length[axis];
		}
	}
}

/* Lay out the arrays of all axes, one after the other, in the blocks. */
static void lay_out(torus_compact_set_t *set)
{
	const torus_geometry_t *geometry = &set->site->geometry;
	uint32_t *count = set->held.count[0];
	size_t far = 0, total = 0, hops = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		size_t length = (size_t)geometry->length[axis];

		set->held.count[axis] = count;
		count += length;
		set->far[axis] = set->far[0] + far;
		set->total[axis] = set->total[0] + total;
		set->hops[axis] = set->hops[0] + hops;
		far += length + TORUS_COMPACT_LANES;
		total += length;
		hops += 2 * length + TORUS_COMPACT_LANES;
	}
}

static void measure_axes(torus_compact_set_t *set)
{
	const torus_geometry_t *geometry = &set->site->geometry;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];

		for (int32_t step = 1 - length; step < length; step++)
			set->hops[axis][length + step] = (uint32_t)torus_hops_axis(
				geometry, axis, 0, step < 0 ? -step : step);
	}
}

int torus_compact_set_begin(torus_compact_set_t *set, const torus_site_t *site,
			    torus_error_t *err)
{
	const torus_geometry_t *geometry = &site->geometry;
	size_t cells = site->cells, room;

	*set = (torus_compact_set_t){.site = site};
	for (int axis = 0; axis < geometry->dims; axis++)
		set->lengths += (uint32_t)geometry->length[axis];
	room = set->lengths + TORUS_MAX_DIMS * TORUS_COMPACT_LANES;
	set->beside = malloc(2 * cells * (size_t)geometry->dims * sizeof(*set->beside));
	set->hops[0] = calloc(2 * room, sizeof(*set->hops[0]));
	set->far[0] = calloc(room, sizeof(*set->far[0]));
	set->total[0] = malloc(room * sizeof(*set->total[0]));
	set->sums = malloc(room * sizeof(*set->sums));
	set->held.count[0] = malloc(room * sizeof(*set->held.count[0]));
	set->open = malloc(cells * sizeof(*set->open));
	set->balance = malloc((cells + 1) * sizeof(*set->balance));
	if (!set->beside || !set->hops[0] || !set->far[0] || !set->total[0] ||
	    !set->sums || !set->held.count[0] || !set->open || !set->balance)
		return torus_fail(err, "out of memory for the neighbours of %zu cells",
				  cells);
	lay_out(set);
	find_neighbours(set);
	measure_axes(set);
	return 0;
}

void torus_compact_set_end(torus_compact_set_t *set)
{
	free(set->beside);
	free(set->hops[0]);
	free(set->far[0]);
	free(set->total[0]);
	free(set->sums);
	free(set->held.count[0]);
	free(set->open);
	free(set->balance);
}

/* Of no nodes. */
static void clear_projection(torus_compact_set_t *set)
{
	set->held.nodes = 0;
	memset(set->held.count[0], 0, set->lengths * sizeof(*set->held.count[0]));
}

/* Count the free nodes at each coordinate, and list their cells. */
static void project(torus_compact_set_t *set)
{
	const torus_site_t *site = set->site;
	int dims = site->geometry.dims;

	clear_projection(set);
	set->cells = 0;
	for (uint32_t cell = 0; cell < site->cells; cell++) {
		const int32_t *coord = torus_site_coord(site, cell);
		uint32_t nodes = site->free_on[cell];

		set->balance[cell] = (int32_t)nodes;
		if (!nodes)
			continue;
		set->open[set->cells++] = cell;
		set->held.nodes += nodes;
		for (int axis = 0; axis < dims; axis++)
			set->held.count[axis][coord[axis]] += nodes;
	}
	set->balance[site->cells] = 0;
}

void torus_compact_set_reset(torus_compact_set_t *set)
{
	const torus_site_t *site = set->site;
	uint64_t twice = 0;

	project(set);
	for (int axis = 0; axis < site->geometry.dims; axis++) {
		torus_projection_sums(&site->geometry, &set->held, axis,
				      set->total[axis]);
		for (int32_t i = 0; i < site->geometry.length[axis]; i++)
			twice += set->total[axis][i] * set->held.count[axis][i];
	}
	set->free = set->held.nodes;
	set->between = (int64_t)(twice / 2);
	clear_projection(set);
	memset(set->far[0], 0,
	       (set->lengths + (size_t)site->geometry.dims * TORUS_COMPACT_LANES) *
		       sizeof(*set->far[0]));
	set->pairs = 0;
	set->reach = 0;
	set->edge = 0;
}

/* Lanes: how many numbers are added at a time. */
typedef uint32_t lanes_t __attribute__((vector_size(4 * TORUS_COMPACT_LANES)));

/*
 * Add or remove a node on [cell]: each coordinate's sum of hops to the set grows or
 * shrinks by the hops to that node.
 */
static void shift(torus_compact_set_t *set, uint32_t cell, bool comes)
{
	const int32_t *coord = torus_site_coord(set->site, cell);

	for (int axis = 0; axis < set->site->geometry.dims; axis++) {
		int32_t length = set->site->geometry.length[axis];
		const uint32_t *hops = set->hops[axis] + length - coord[axis];
		uint32_t *far = set->far[axis];

		for (int32_t i = 0; i < length; i += TORUS_COMPACT_LANES) {
			lanes_t sum, more;

			memcpy(&sum, far + i, sizeof(sum));
			memcpy(&more, hops + i, sizeof(more));
			sum = comes ? sum + more : sum - more;
			memcpy(far + i, &sum, sizeof(sum));
		}
	}
}

/* Count a node on [cell] as one of the set, but for the hops to it. */
static void count_in(torus_compact_set_t *set, uint32_t cell)
{
	const int32_t *coord = torus_site_coord(set->site, cell);

	set->reach += torus_compact_set_total(set, cell);
	set->edge += torus_compact_set_balance(set, cell) - 1;
	set->balance[cell] -= 2;
	set->held.nodes++;
	for (int axis = 0; axis < set->site->geometry.dims; axis++)
		set->held.count[axis][coord[axis]]++;
}

/* Count it as one of the set no longer. */
static void count_out(torus_compact_set_t *set, uint32_t cell)
{
	const int32_t *coord = torus_site_coord(set->site, cell);

	set->reach -= torus_compact_set_total(set, cell);
	set->balance[cell] += 2;
	set->edge -= torus_compact_set_balance(set, cell) - 1;
	set->held.nodes--;
	for (int axis = 0; axis < set->site->geometry.dims; axis++)
		set->held.count[axis][coord[axis]]--;
}

void torus_compact_set_add(torus_compact_set_t *set, uint32_t cell)
{
	set->pairs += torus_compact_set_hops(set, cell);
	count_in(set, cell);
	shift(set, cell, true);
}

void torus_compact_set_remove(torus_compact_set_t *set, uint32_t cell)
{
	shift(set, cell, false);
	set->pairs -= torus_compact_set_hops(set, cell);
	count_out(set, cell);
}

void torus_compact_set_change(torus_compact_set_t *set, const uint32_t *out,
			      uint32_t outs, const uint32_t *in, uint32_t ins)
{
	const torus_geometry_t *geometry = &set->site->geometry;
	uint64_t twice = 0;

	for (uint32_t i = 0; i < outs; i++)
		count_out(set, out[i]);
	for (uint32_t i = 0; i < ins; i++)
		count_in(set, in[i]);
	for (int axis = 0; axis < geometry->dims; axis++) {
		torus_projection_sums(geometry, &set->held, axis, set->sums);
		for (int32_t i = 0; i < geometry->length[axis]; i++) {
			set->far[axis][i] = (uint32_t)set->sums[i];
			twice += set->sums[i] * set->held.count[axis][i];
		}
	}
	set->pairs = (int64_t)(twice / 2);
}

void torus_compact_set_exchange(torus_compact_set_t *set, uint32_t out, uint32_t in)
{
	const torus_geometry_t *geometry = &set->site->geometry;
	const int32_t *from = torus_site_coord(set->site, out);
	const int32_t *to = torus_site_coord(set->site, in);

	set->pairs -= torus_compact_set_hops(set, out);
	set->pairs += torus_compact_set_hops(set, in);
	/* Counted while [out] was in the set. */
	set->pairs -= torus_straight_hops(geometry, from, to);
	count_out(set, out);
	count_in(set, in);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];
		const uint32_t *less = set->hops[axis] + length - from[axis];
		const uint32_t *more = set->hops[axis] + length - to[axis];
		uint32_t *far = set->far[axis];

		for (int32_t i = 0; i < length; i += TORUS_COMPACT_LANES) {
			lanes_t sum, before, after;

			memcpy(&sum, far + i, sizeof(sum));
			memcpy(&before, less + i, sizeof(before));
			memcpy(&after, more + i, sizeof(after));
			sum += after - before;
			memcpy(far + i, &sum, sizeof(sum));
		}
	}
}
