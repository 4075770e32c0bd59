/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How compact an allocation is: see metrics.h. */
#include "metrics/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "metrics/components.h"
#include "metrics/diameter.h"
#include "metrics/pair_sums.h"
#include "metrics/span.h"
#include "geometry/projection.h"

int torus_bounding_box(const torus_geometry_t *geometry, const uint32_t *cells,
		       uint32_t n, int32_t box[TORUS_MAX_DIMS],
		       int32_t origin[TORUS_MAX_DIMS], torus_error_t *err)
{
	torus_projection_t projection;

	if (torus_projection_create(geometry, cells, n, &projection, err))
		return -1;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		torus_extent_t extent = {.side = 1};

		if (axis < geometry->dims)
			extent = torus_projection_extent(geometry, &projection, axis);
		box[axis] = extent.side;
		if (origin)
			origin[axis] = extent.origin;
	}
	torus_projection_destroy(&projection);
	return 0;
}

static void find_extents(const torus_geometry_t *geometry,
			 const torus_projection_t *projection,
			 torus_extent_t extents[TORUS_MAX_DIMS])
{
	for (int axis = 0; axis < geometry->dims; axis++)
		extents[axis] = torus_projection_extent(geometry, projection, axis);
}

static void measure_box(const torus_geometry_t *geometry, const torus_extent_t *extents,
			torus_metrics_t *metrics)
{
	int32_t links[TORUS_MAX_DIMS]; /* L of each dimension */
	uint64_t used[TORUS_MAX_DIMS]; /* distinct coordinates */

	metrics->volume = 1;
	metrics->nodes_affected = 1;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		metrics->box[axis] = 1;
	for (int axis = 0; axis < geometry->dims; axis++) {
		torus_extent_t extent = extents[axis];
		int32_t length = geometry->length[axis];
		int32_t gap = length - extent.side;
		/* Messages may take either way round unless the gap is that large. */
		bool around = geometry->wrap[axis] && 2 * gap <= length - 2;

		metrics->box[axis] = extent.side;
		metrics->volume *= (uint64_t)extent.side;
		metrics->side_sum += (uint32_t)extent.side;
		if ((uint32_t)extent.side > metrics->cube_side)
			metrics->cube_side = (uint32_t)extent.side;
		metrics->nodes_affected *= (uint64_t)(around ? length : extent.side);
		links[axis] = around ? length : extent.side - 1;
		used[axis] = (uint64_t)extent.used;
	}
	for (int axis = 0; axis < geometry->dims; axis++) {
		uint64_t product = (uint64_t)links[axis];

		for (int other = 0; other < geometry->dims; other++)
			product *= other == axis ? 1 : used[other];
		metrics->links_affected += product;
	}
}

/*
 * The sums of hops along [axis] from those coordinates to all nodes that have any; the
 * others are left as they are. Returns the sum over all ordered pairs of nodes. used[] is
 * room for the side of the extent.
 */
static uint64_t sums_along(const torus_geometry_t *geometry,
			   const torus_projection_t *projection,
			   const torus_extent_t *extent, int axis, uint64_t *sums,
			   int32_t *used)
{
	const uint32_t *count = projection->count[axis];
	int32_t length = geometry->length[axis], coords = 0;
	uint64_t total = 0;

	for (int32_t i = 0; i < extent->side; i++) {
		int32_t at = extent->origin + i;

		at -= at < length ? 0 : length;
		used[coords] = at;
		coords += count[at] != 0;
	}
	/* A step along the dimension costs about as much as four pairs. */
	if ((int64_t)coords * coords > 4 * (int64_t)length) {
		torus_projection_sums(geometry, projection, axis, sums);
		for (int32_t i = 0; i < coords; i++)
			total += count[used[i]] * sums[used[i]];
		return total;
	}
	for (int32_t i = 0; i < coords; i++) {
		uint64_t sum = 0;

		for (int32_t j = 0; j < coords; j++)
			sum += (uint64_t)count[used[j]] *
			       (uint64_t)torus_hops_axis(geometry, axis, used[i],
							 used[j]);
		sums[used[i]] = sum;
		total += count[used[i]] * sum;
	}
	return total;
}

/*
 * Sums of hops, along each dimension, from each coordinate that a node has to all nodes,
 * in one block; and *total over all ordered pairs.
 */
static int distance_sums(const torus_geometry_t *geometry,
			 const torus_projection_t *projection,
			 const torus_extent_t *extents, uint64_t *sums[TORUS_MAX_DIMS],
			 uint64_t *total, torus_error_t *err)
{
	size_t lengths = 0;
	int32_t longest = 0;
	uint64_t *block;

	for (int axis = 0; axis < geometry->dims; axis++) {
		lengths += (size_t)geometry->length[axis];
		if (geometry->length[axis] > longest)
			longest = geometry->length[axis];
	}
	block = malloc(lengths * sizeof(*block) + (size_t)longest * sizeof(int32_t));
	if (!block)
		return torus_fail(err, "out of memory for %zu sums", lengths);
	*total = 0;
	for (int axis = 0; axis < geometry->dims; axis++) {
		sums[axis] = block;
		block += geometry->length[axis];
	}
	for (int axis = 0; axis < geometry->dims; axis++)
		*total += sums_along(geometry, projection, &extents[axis], axis,
				     sums[axis], (int32_t *)block);
	return 0;
}

static uint64_t least_sum(const torus_geometry_t *geometry, const int32_t *coord,
			  uint32_t count, uint64_t *const sums[TORUS_MAX_DIMS])
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t sum = 0;

		for (int axis = 0; axis < geometry->dims; axis++)
			sum += sums[axis][*coord++];
		if (sum < least)
			least = sum;
	}
	return least;
}

int torus_summed_distance(const torus_geometry_t *geometry, const uint32_t *cells,
			  uint32_t n, uint64_t *sum, torus_error_t *err)
{
	uint64_t *sums[TORUS_MAX_DIMS];
	torus_extent_t extents[TORUS_MAX_DIMS];
	torus_projection_t projection;
	torus_pair_sums_t pairs;
	int result = -1;

	if (!torus_hops_add_up(geometry)) {
		if (torus_pair_sums(geometry, cells, n, &pairs, err))
			return -1;
		*sum = pairs.summed;
		return 0;
	}
	if (torus_projection_create(geometry, cells, n, &projection, err))
		return -1;
	find_extents(geometry, &projection, extents);
	if (!distance_sums(geometry, &projection, extents, sums, sum, err)) {
		free(sums[0]);
		result = 0;
	}
	torus_projection_destroy(&projection);
	return result;
}

int torus_summed_own_distance(const torus_geometry_t *geometry, const uint32_t *cells,
			      uint32_t n, uint64_t *sum, torus_error_t *err)
{
	torus_geometry_t own = *geometry;

	own.chords = NULL;
	return torus_summed_distance(&own, cells, n, sum, err);
}

/* The sums, the centre and the diameter, where hops add up over the dimensions. */
static int measure_straight(const torus_geometry_t *geometry,
			    const torus_projection_t *projection,
			    const torus_extent_t *extents, const int32_t *coord,
			    uint32_t count, torus_metrics_t *metrics, torus_error_t *err)
{
	uint64_t *sums[TORUS_MAX_DIMS];

	if (distance_sums(geometry, projection, extents, sums, &metrics->summed_distance,
			  err))
		return -1;
	metrics->distance_from_center = least_sum(geometry, coord, count, sums);
	free(sums[0]);
	return torus_diameter(geometry, extents, coord, count, &metrics->diameter, err);
}

/* The same where they do not, of all [cells]. */
static int measure_pairs(const torus_geometry_t *geometry, const uint32_t *cells,
			 torus_metrics_t *metrics, torus_error_t *err)
{
	torus_pair_sums_t sums;

	if (torus_pair_sums(geometry, cells, metrics->nodes, &sums, err))
		return -1;
	metrics->summed_distance = sums.summed;
	metrics->distance_from_center = sums.center;
	metrics->diameter = sums.diameter;
	return 0;
}

static void average_distances(torus_metrics_t *metrics)
{
	double n = metrics->nodes;

	if (metrics->nodes > 1)
		metrics->average_distance =
			(double)metrics->summed_distance / (n * (n - 1));
	metrics->apd = (double)metrics->summed_distance / (n * (n + 1));
}

static int measure_span(const uint32_t *ranks, uint32_t total_ranks, bool ring,
			torus_metrics_t *metrics, torus_error_t *err)
{
	uint32_t n = metrics->nodes, span;

	metrics->span_ring = torus_span_of(ranks, n, total_ranks, TORUS_SPAN_RING);
	metrics->span_linear = torus_span_of(ranks, n, total_ranks, TORUS_SPAN_LINEAR);
	if (!metrics->span_ring || !metrics->span_linear)
		return torus_fail(err, "out of memory for the span of %u ranks", n);
	span = ring ? metrics->span_ring : metrics->span_linear;
	metrics->stretch_span = (double)span / n;
	metrics->contiguous = span == n;
	return 0;
}

/* Sort; the cells of small jobs without qsort(), which calls a function for each pair. */
static void sort_cells(uint32_t *cells, uint32_t n)
{
	if (n > 32) {
		qsort(cells, n, sizeof(*cells), torus_compare_cells);
		return;
	}
	for (uint32_t i = 1; i < n; i++) {
		uint32_t cell = cells[i], at = i;

		for (; at && cells[at - 1] > cell; at--)
			cells[at] = cells[at - 1];
		cells[at] = cell;
	}
}

/*
 * The cells in ascending order, each once, [count] of them; and behind room for [n] the
 * coordinates of each of these. malloc'ed.
 */
static uint32_t *distinct_cells(const torus_geometry_t *geometry, const uint32_t *cells,
				uint32_t n, uint32_t *count, int32_t **coords,
				torus_error_t *err)
{
	size_t dims = (size_t)geometry->dims;
	uint32_t *sorted = malloc(n * (sizeof(*sorted) + dims * sizeof(**coords)));
	uint32_t kept = 1;

	if (!sorted) {
		torus_fail(err, "out of memory for %u cells", n);
		return NULL;
	}
	memcpy(sorted, cells, n * sizeof(*sorted));
	sort_cells(sorted, n);
	for (uint32_t i = 1; i < n; i++) {
		if (sorted[i] != sorted[kept - 1])
			sorted[kept++] = sorted[i];
	}
	*count = kept;
	*coords = (int32_t *)(sorted + n);
	for (uint32_t i = 0; i < kept; i++) {
		uint32_t cell = sorted[i];

		for (size_t axis = 0; axis < dims; axis++) {
			uint32_t length = (uint32_t)geometry->length[axis];

			(*coords)[i * dims + axis] = (int32_t)(cell % length);
			cell /= length;
		}
	}
	return sorted;
}

int torus_metrics(const torus_geometry_t *geometry, const uint32_t *cells,
		  const uint32_t *ranks, uint32_t n, uint32_t total_ranks, bool ring,
		  torus_metrics_t *metrics, torus_error_t *err)
{
	torus_projection_t projection = {0};
	torus_extent_t extents[TORUS_MAX_DIMS];
	uint32_t *distinct, count;
	int32_t *coords;
	int result = -1;

	*metrics = (torus_metrics_t){.nodes = n};
	distinct = distinct_cells(geometry, cells, n, &count, &coords, err);
	if (!distinct)
		return -1;
	if (torus_projection_create(geometry, cells, n, &projection, err))
		goto out;
	find_extents(geometry, &projection, extents);
	measure_box(geometry, extents, metrics);
	if (torus_hops_add_up(geometry)
		    ? measure_straight(geometry, &projection, extents, coords, count,
				       metrics, err)
		    : measure_pairs(geometry, cells, metrics, err))
		goto out;
	average_distances(metrics);
	metrics->components =
		torus_components(geometry, extents, distinct, coords, count, err);
	if (!metrics->components)
		goto out;
	if (ranks && measure_span(ranks, total_ranks, ring, metrics, err))
		goto out;
	result = 0;
out:
	torus_projection_destroy(&projection);
	free(distinct);
	return result;
}
