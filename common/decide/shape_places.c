/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of a shape on one torus: see decide/shape_places.h. */
#include "decide/shape_places.h"

#include "decide/boxes.h"
#include "decide/cube_sets.h"
#include "torus/fit.h"

/* Boxes of all sides with exactly the nodes wanted, or sets of cubes. */
static int find_any(const torus_supply_t *supply, const torus_wanted_t *wanted,
		    bool closed, torus_places_t *places, uint64_t *work,
		    torus_error_t *err)
{
	torus_boxes_t *boxes = torus_boxes_open(supply, wanted->need, err);
	torus_box_sizes_t sizes = {0};
	int32_t side[TORUS_MAX_DIMS];
	int result = -1;

	if (boxes)
		result = torus_any_fit(&supply->map->geometry,
				       torus_boxes_on_router(boxes), wanted->nodes,
				       closed, side, &sizes, err);
	for (size_t i = 0; i < sizes.count && !result; i++)
		result = torus_boxes_find(boxes, wanted, &sizes.size[i].shape, true,
					  places, work, err);
	torus_box_sizes_free(&sizes);
	torus_boxes_close(boxes);
	if (result <= 0)
		return result;
	return torus_cube_sets_find(supply, wanted, side, places, work, err);
}

int torus_shape_places_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
			    const torus_shape_t *shape, torus_places_t *places,
			    uint64_t *work, torus_error_t *err)
{
	int32_t side[TORUS_MAX_DIMS];

	if (!shape->dims)
		return find_any(supply, wanted, shape->closed, places, work, err);
	switch (torus_shape_fit(&supply->map->geometry, shape, side)) {
	case TORUS_FIT_JOINED:
		return torus_cube_sets_find(supply, wanted, side, places, work, err);
	case TORUS_FIT_BOX:
		return torus_boxes_find_once(supply, wanted, shape, places, work, err);
	case TORUS_FIT_NEVER:
		break;
	}
	return 0;
}
