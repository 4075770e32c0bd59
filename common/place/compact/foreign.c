/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Foreign nodes in boxes: see foreign.h. */
#include "place/compact/foreign.h"

#include <stdlib.h>
#include <string.h>

static size_t sum_of_lengths(const torus_geometry_t *geometry)
{
	size_t lengths = 0;

	for (int axis = 0; axis < geometry->dims; axis++)
		lengths += (size_t)geometry->length[axis];
	return lengths;
}

static int begin(torus_compact_foreign_t *foreign, const torus_site_t *site,
		 torus_error_t *err)
{
	const torus_geometry_t *geometry = &site->geometry;
	uint32_t *count = malloc(sum_of_lengths(geometry) * sizeof(*count));
	uint32_t stride = 1;

	foreign->sum = malloc(site->cells * sizeof(*foreign->sum));
	foreign->job.count[0] = count;
	if (!foreign->sum || !count) {
		torus_compact_foreign_end(foreign);
		return torus_fail(err, "out of memory for the taken nodes on %u cells",
				  site->cells);
	}
	for (int axis = 0; axis < geometry->dims; axis++) {
		foreign->job.count[axis] = count;
		foreign->stride[axis] = stride;
		count += geometry->length[axis];
		stride *= (uint32_t)geometry->length[axis];
	}
	foreign->site = site;
	return 0;
}

void torus_compact_foreign_end(torus_compact_foreign_t *foreign)
{
	free(foreign->sum);
	free(foreign->job.count[0]);
	*foreign = (torus_compact_foreign_t){0};
}

int torus_compact_foreign_reset(torus_compact_foreign_t *foreign,
				const torus_site_t *site, torus_error_t *err)
{
	const torus_geometry_t *geometry = &site->geometry;
	uint32_t *sum;

	if (!foreign->site && begin(foreign, site, err))
		return -1;
	sum = foreign->sum;
	for (uint32_t cell = 0; cell < site->cells; cell++)
		sum[cell] = site->first_on[cell + 1] - site->first_on[cell] -
			    site->free_on[cell];
	for (int axis = 0; axis < geometry->dims; axis++) {
		for (uint32_t cell = 0; cell < site->cells; cell++) {
			if (torus_site_coord(site, cell)[axis])
				sum[cell] += sum[cell - foreign->stride[axis]];
		}
	}
	foreign->job.nodes = 0;
	memset(foreign->job.count[0], 0,
	       sum_of_lengths(geometry) * sizeof(*foreign->job.count[0]));
	return 0;
}

/* Add (1) or remove (-1) a node of the job on [cell]. */
static void count_node(torus_compact_foreign_t *foreign, uint32_t cell, int nodes)
{
	const int32_t *coord = torus_site_coord(foreign->site, cell);

	foreign->job.nodes += (uint32_t)nodes;
	for (int axis = 0; axis < foreign->site->geometry.dims; axis++)
		foreign->job.count[axis][coord[axis]] += (uint32_t)nodes;
}

void torus_compact_foreign_require(torus_compact_foreign_t *foreign, uint32_t cell)
{
	count_node(foreign, cell, 1);
}

/*
 * The taken nodes in the part of the box whose coordinates before [axis] are those of
 * cell [corner]; modulo 2^32, since terms are subtracted before others are added. An arc
 * around the end counts as two parts: from its origin to the last coordinate, and from 0.
 */
static uint32_t taken_from(const torus_compact_foreign_t *foreign,
			   const torus_extent_t *extent, int axis, uint32_t corner)
{
	const torus_geometry_t *geometry = &foreign->site->geometry;
	uint32_t stride, taken;
	int32_t origin, last, around;

	if (axis == geometry->dims)
		return foreign->sum[corner];
	stride = foreign->stride[axis];
	origin = extent[axis].origin;
	last = origin + extent[axis].side - 1;
	around = last - geometry->length[axis];
	if (around >= 0)
		last = geometry->length[axis] - 1;
	taken = taken_from(foreign, extent, axis + 1, corner + (uint32_t)last * stride);
	if (origin > 0)
		taken -= taken_from(foreign, extent, axis + 1,
				    corner + (uint32_t)(origin - 1) * stride);
	if (around >= 0)
		taken += taken_from(foreign, extent, axis + 1,
				    corner + (uint32_t)around * stride);
	return taken;
}

uint32_t torus_compact_foreign_count(torus_compact_foreign_t *foreign,
				     const uint32_t *cell, uint32_t count)
{
	const torus_geometry_t *geometry = &foreign->site->geometry;
	torus_extent_t extent[TORUS_MAX_DIMS];

	for (uint32_t i = 0; i < count; i++)
		count_node(foreign, cell[i], 1);
	for (int axis = 0; axis < geometry->dims; axis++)
		extent[axis] = torus_projection_extent(geometry, &foreign->job, axis);
	for (uint32_t i = 0; i < count; i++)
		count_node(foreign, cell[i], -1);
	return taken_from(foreign, extent, 0, 0);
}
