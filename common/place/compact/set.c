/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The set of nodes that is tried: see set.h. */
#include "place/compact/set.h"

#include "geometry/projection.h"

#include <stdlib.h>
#include <string.h>

/* The cell [steps] (1 or -1) along [axis], or `cells` where there is none, or where it is
 * the one in the other direction. */
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

static void measure_axes(torus_compact_set_t *set)
{
	const torus_geometry_t *geometry = &set->site->geometry;
	uint32_t *hops = set->hops;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];

		*hops++ = 0; /* never asked for */
		for (int32_t step = 1 - length; step < length; step++)
			*hops++ = (uint32_t)torus_hops_axis(geometry, axis, 0,
							    step < 0 ? -step : step);
	}
}

int torus_compact_set_begin(torus_compact_set_t *set, const torus_site_t *site,
			    torus_error_t *err)
{
	const torus_geometry_t *geometry = &site->geometry;
	size_t cells = site->cells;

	*set = (torus_compact_set_t){.site = site};
	for (int axis = 0; axis < geometry->dims; axis++)
		set->lengths += (uint32_t)geometry->length[axis];
	set->beside = malloc(2 * cells * (size_t)geometry->dims * sizeof(*set->beside));
	set->hops = malloc(2 * (size_t)set->lengths * sizeof(*set->hops));
	set->far = malloc(set->lengths * sizeof(*set->far));
	set->total = malloc(set->lengths * sizeof(*set->total));
	set->balance = malloc((cells + 1) * sizeof(*set->balance));
	if (!set->beside || !set->hops || !set->far || !set->total || !set->balance)
		return torus_fail(err, "out of memory for the neighbours of %zu cells",
				  cells);
	find_neighbours(set);
	measure_axes(set);
	return 0;
}

void torus_compact_set_end(torus_compact_set_t *set)
{
	free(set->beside);
	free(set->hops);
	free(set->far);
	free(set->total);
	free(set->balance);
}

/* Count the free nodes at each coordinate, into `far`. */
static torus_projection_t project(torus_compact_set_t *set)
{
	const torus_site_t *site = set->site;
	torus_projection_t projection = {0};
	uint32_t *count = set->far;

	memset(count, 0, set->lengths * sizeof(*count));
	for (int axis = 0; axis < site->geometry.dims; axis++) {
		projection.count[axis] = count;
		count += site->geometry.length[axis];
	}
	for (uint32_t cell = 0; cell < site->cells; cell++) {
		const int32_t *coord = torus_site_coord(site, cell);
		uint32_t nodes = site->free_on[cell];

		if (!nodes)
			continue;
		projection.nodes += nodes;
		for (int axis = 0; axis < site->geometry.dims; axis++)
			projection.count[axis][coord[axis]] += nodes;
	}
	return projection;
}

void torus_compact_set_reset(torus_compact_set_t *set)
{
	const torus_site_t *site = set->site;
	const torus_projection_t projection = project(set);
	uint64_t *total = set->total, twice = 0;

	for (int axis = 0; axis < site->geometry.dims; axis++) {
		torus_projection_sums(&site->geometry, &projection, axis, total);
		for (int32_t i = 0; i < site->geometry.length[axis]; i++)
			twice += total[i] * projection.count[axis][i];
		total += site->geometry.length[axis];
	}
	set->free = projection.nodes;
	set->between = (int64_t)(twice / 2);
	memset(set->far, 0, set->lengths * sizeof(*set->far));
	memcpy(set->balance, site->free_on, site->cells * sizeof(*set->balance));
	set->balance[site->cells] = 0;
	set->nodes = 0;
	set->pairs = 0;
	set->reach = 0;
	set->edge = 0;
}

void torus_compact_set_add(torus_compact_set_t *set, uint32_t cell)
{
	const int32_t *coord = torus_site_coord(set->site, cell);
	const uint32_t *hops = set->hops;
	uint32_t *far = set->far;

	set->pairs += torus_compact_set_hops(set, cell);
	set->reach += torus_compact_set_total(set, cell);
	set->edge += torus_compact_set_balance(set, cell) - 1;
	set->balance[cell] -= 2;
	set->nodes++;
	for (int axis = 0; axis < set->site->geometry.dims; axis++) {
		uint32_t length = (uint32_t)set->site->geometry.length[axis];
		const uint32_t *from = hops + length - coord[axis];

		for (uint32_t i = 0; i < length; i++)
			far[i] += from[i];
		hops += 2 * (size_t)length;
		far += length;
	}
}

void torus_compact_set_remove(torus_compact_set_t *set, uint32_t cell)
{
	const int32_t *coord = torus_site_coord(set->site, cell);
	const uint32_t *hops = set->hops;
	uint32_t *far = set->far;

	for (int axis = 0; axis < set->site->geometry.dims; axis++) {
		uint32_t length = (uint32_t)set->site->geometry.length[axis];
		const uint32_t *from = hops + length - coord[axis];

		for (uint32_t i = 0; i < length; i++)
			far[i] -= from[i];
		hops += 2 * (size_t)length;
		far += length;
	}
	set->pairs -= torus_compact_set_hops(set, cell);
	set->reach -= torus_compact_set_total(set, cell);
	set->balance[cell] += 2;
	set->edge -= torus_compact_set_balance(set, cell) - 1;
	set->nodes--;
}
