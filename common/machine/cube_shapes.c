/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests for shapes on machines of cubes: see cube_shapes.h. */
#include "machine/cube_shapes.h"

#include "torus/cubes.h"

/* Whether there may be such a place on the torus. */
static bool may_have(const torus_geometry_t *geometry, const torus_shape_t *shape)
{
	if (!torus_has_cubes(geometry))
		return !shape->twist;
	return torus_cubes_fit(geometry, shape, NULL) != TORUS_CUBES_NEVER;
}

bool torus_cluster_lacks_cubes(const torus_cluster_t *cluster,
			       const torus_shapes_t *shapes, torus_error_t *why)
{
	const torus_geometry_t *cubes = NULL;

	for (int t = 0; t < cluster->maps; t++) {
		const torus_geometry_t *geometry = &cluster->map[t]->geometry;

		for (int i = 0; i < shapes->count; i++) {
			if (may_have(geometry, &shapes->shape[i]))
				return false;
		}
		if (!cubes && torus_has_cubes(geometry))
			cubes = geometry;
	}
	if (!shapes->count)
		return false;
	if (cubes)
		torus_cubes_explain(cubes, &shapes->shape[0], why);
	else
		torus_fail(why, "only cubes can be joined to a twisted torus: Cube= in "
				"torus.conf, or storus place --cube");
	return true;
}
