/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes that are free: see free_boxes.h. */
#include "place/free_boxes.h"

#include <stdlib.h>
#include <string.h>

#include "place/cube_like.h"
#include "place/windows.h"

void torus_free_boxes_clear(torus_free_boxes_t *boxes)
{
	free(boxes->usable);
	free(boxes->sums);
	free(boxes->other);
}

/* The sides that are asked for. False: the machine has fewer dimensions or cells. */
static bool wanted_sides(torus_free_boxes_t *boxes, const torus_ask_t *ask)
{
	const torus_site_t *site = ask->site;

	if (!ask->shape)
		return torus_cube_like(&site->geometry,
				       ask->nodes / site->most +
					       (ask->nodes % site->most > 0),
				       boxes->side);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		boxes->side[axis] = axis < ask->shape->dims ? ask->shape->side[axis] : 1;
		if (axis >= site->geometry.dims && boxes->side[axis] > 1)
			return false;
	}
	return true;
}

int torus_free_boxes_begin(torus_free_boxes_t *boxes, const torus_ask_t *ask,
			   torus_error_t *err)
{
	torus_site_t *site = ask->site;

	*boxes = (torus_free_boxes_t){.site = site, .nodes = ask->shape ? 0 : ask->nodes};
	if (!wanted_sides(boxes, ask))
		return 0;
	boxes->usable = malloc(site->cells * sizeof(*boxes->usable));
	boxes->sums = malloc(site->cells * sizeof(*boxes->sums));
	boxes->other = malloc(site->cells * sizeof(*boxes->other));
	if (!boxes->usable || !boxes->sums || !boxes->other)
		return torus_fail(err, "out of memory for the boxes of %u cells",
				  site->cells);
	for (uint32_t cell = 0; cell < site->cells; cell++) {
		uint32_t nodes = site->first_on[cell + 1] - site->first_on[cell];

		if (ask->shape)
			boxes->usable[cell] = nodes && site->free_on[cell] == nodes;
		else
			boxes->usable[cell] = torus_site_whole(site, cell);
	}
	return 1;
}

void torus_free_boxes_count(torus_free_boxes_t *boxes, const int32_t *side)
{
	const torus_site_t *site = boxes->site;
	const uint32_t *in = boxes->usable;

	for (int axis = 0; axis < site->geometry.dims; axis++) {
		if (side[axis] == 1)
			continue;
		torus_window_sums(&site->geometry, axis, 0, (uint32_t)side[axis], in,
				  boxes->other);
		in = boxes->other;
		boxes->other = boxes->sums;
		boxes->sums = (uint32_t *)in;
	}
	if (in == boxes->usable)
		memcpy(boxes->sums, in, site->cells * sizeof(*in));
}

bool torus_free_boxes_fit(const torus_free_boxes_t *boxes, const int32_t *side)
{
	for (int axis = 0; axis < boxes->site->geometry.dims; axis++) {
		if (side[axis] > boxes->site->geometry.length[axis])
			return false;
	}
	return true;
}

void torus_free_boxes_take(torus_free_boxes_t *boxes, uint32_t corner,
			   const int32_t *side)
{
	const torus_geometry_t *geometry = &boxes->site->geometry;
	uint32_t left = boxes->nodes ? boxes->nodes : UINT32_MAX;
	int32_t step[TORUS_MAX_DIMS] = {0}, first[TORUS_MAX_DIMS];
	int axis = 0;

	torus_cell_to_coord(geometry, corner, first);
	while (axis < geometry->dims && left) {
		int32_t coord[TORUS_MAX_DIMS] = {0};

		for (axis = 0; axis < geometry->dims; axis++)
			coord[axis] = (first[axis] + step[axis]) % geometry->length[axis];
		left -= torus_site_take(boxes->site, torus_coord_to_cell(geometry, coord),
					left);
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++step[axis] < side[axis])
				break;
			step[axis] = 0;
		}
	}
}
