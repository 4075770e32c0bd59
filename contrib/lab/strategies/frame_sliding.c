/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame_sliding: a frame of the size of the job slides over the machine, from the first
 * free node (row by row) on, in steps as long as its own sides, and the job gets the
 * first one that is free. The frame is not turned. "An Efficient Submesh Allocation
 * Strategy for Mesh Computer Systems" (Chuang, Tzeng, 1991).
 *
 * A free box that lies between the steps is missed. Here in any number of dimensions. On
 * a ring there are as many frames as fit without overlap, and one may go around the end.
 */
#include "strategies/strategies.h"
#include "strategies/wanted_box.h"

/*
 * Whether a frame stands on [coord]: a whole number of steps from [first] along each
 * axis. On a ring these are counted upwards from [first], around the end.
 */
static bool on_step(const torus_free_boxes_t *boxes, const int32_t *first,
		    const int32_t *coord)
{
	const torus_geometry_t *geometry = &boxes->site->geometry;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t side = boxes->side[axis], steps = coord[axis] - first[axis];

		if (geometry->wrap[axis]) {
			steps += steps < 0 ? geometry->length[axis] : 0;
			if (steps + side > geometry->length[axis])
				return false;
		}
		if (steps % side != 0)
			return false;
	}
	return true;
}

int torus_frame_sliding(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	torus_site_t *site = ask->site;
	uint32_t volume, first = 0;
	torus_free_boxes_t boxes;
	int placed = torus_wanted_box_begin(&boxes, ask, err);

	(void)score;
	if (placed > 0 && !torus_free_boxes_fit(&boxes, boxes.side))
		placed = 0;
	if (placed <= 0)
		goto out;
	placed = 0;
	torus_free_boxes_count(&boxes, boxes.side);
	volume = torus_free_boxes_volume(&boxes, boxes.side);
	while (first < site->cells && !boxes.usable[first])
		first++;
	for (uint32_t cell = first; cell < site->cells && !placed; cell++) {
		if (boxes.sums[cell] != volume ||
		    !on_step(&boxes, torus_site_coord(site, first),
			     torus_site_coord(site, cell)))
			continue;
		torus_free_boxes_take(&boxes, cell, boxes.side);
		placed = 1;
	}
out:
	torus_free_boxes_clear(&boxes);
	return placed;
}
