/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests for boxes of chips on the tori of a cluster: see chip_boxes.h. */
#include "machine/chip_boxes.h"

#include "geometry/chips.h"
#include "place/turns.h"

/* Fill [why]: [nearest] is a box of whole nodes of [geometry], if its dims are not 0. */
static void explain(const torus_shapes_t *shapes, const torus_geometry_t *geometry,
		    const torus_shape_t *nearest, torus_error_t *why)
{
	char given[TORUS_SHAPES_TEXT], node[TORUS_DIMS_TEXT], box[TORUS_DIMS_TEXT];
	int32_t side[TORUS_MAX_DIMS];

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = torus_node_side(geometry, axis);
	torus_lengths_format(geometry->dims, side, node);
	torus_lengths_format(nearest->dims, nearest->side, box);
	torus_fail(why,
		   "no rotation of chips %s is a box of whole nodes, which have %s "
		   "chips%s%s",
		   torus_shapes_format(shapes, given), node,
		   nearest->dims ? ": ask for chips " : "", box);
}

bool torus_cluster_lacks_chip_box(const torus_cluster_t *cluster,
				  const torus_shapes_t *shapes, torus_error_t *why)
{
	const torus_geometry_t *of_nearest = &cluster->map[0]->geometry;
	torus_shape_t nearest = {0}, next;

	if (!torus_shapes_in_chips(shapes))
		return false;
	for (int i = 0; i < shapes->count; i++) {
		for (int t = 0; t < cluster->maps; t++) {
			const torus_geometry_t *geometry = &cluster->map[t]->geometry;

			if (torus_shape_suits(geometry, &shapes->shape[i], &next))
				return false;
			if (nearest.dims || !next.dims)
				continue;
			nearest = next;
			of_nearest = geometry;
		}
	}
	explain(shapes, of_nearest, &nearest, why);
	return true;
}
