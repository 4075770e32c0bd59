/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of hops by coordinate: see place/coord_hops.h. */
#include "place/coord_hops.h"

#include <stdlib.h>
#include <string.h>

#include "place/box_rows.h"

int torus_coord_hops_begin(torus_coord_hops_t *hops, const torus_geometry_t *geometry,
			   torus_error_t *err)
{
	uint64_t *block;
	size_t room = 0;

	for (int axis = 0; axis < geometry->dims; axis++)
		room += 5 * (size_t)geometry->length[axis] - 2;
	block = calloc(room, sizeof(*block));
	*hops = (torus_coord_hops_t){.geometry = geometry, .sum = {block}};
	if (!block)
		return torus_fail(err, "out of memory for the hops of coordinates");
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];

		hops->sum[axis] = block;
		hops->came[axis] = block + 2 * length - 1;
		hops->gone[axis] = block + 4 * length - 2;
		block += 5 * length - 2;
		for (int32_t at = 0; at < length; at++) {
			uint64_t each = (uint64_t)torus_hops_axis(geometry, axis, at, 0);

			hops->came[axis][at] = hops->came[axis][-at] = each;
			hops->gone[axis][at] = hops->gone[axis][-at] = -each;
		}
	}
	return 0;
}

void torus_coord_hops_end(torus_coord_hops_t *hops)
{
	free(hops->sum[0]);
}

void torus_coord_hops_reset(torus_coord_hops_t *hops)
{
	for (int axis = 0; axis < hops->geometry->dims; axis++)
		memset(hops->sum[axis], 0,
		       (size_t)hops->geometry->length[axis] * sizeof(*hops->sum[axis]));
}

uint64_t torus_coord_hops_change(torus_coord_hops_t *hops, const int32_t *coord,
				 bool comes)
{
	const torus_geometry_t *geometry = hops->geometry;
	uint64_t *const *change = comes ? hops->came : hops->gone;
	uint64_t sum = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		sum += hops->sum[axis][coord[axis]];
		torus_add_to(hops->sum[axis], change[axis] - coord[axis],
			     (size_t)geometry->length[axis]);
	}
	return sum;
}
