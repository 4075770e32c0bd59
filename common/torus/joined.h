/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The torus that a job has for itself. On a machine of cubes the switches join the job's
 * cubes; which coordinates and distances its nodes then have follows from the nodes and
 * the shape that it asked for:
 *
 * - Nodes on all routers of one or more whole cubes are joined to a torus: of the shape,
 * if it is one of as many cubes, otherwise the most compact (torus_cubes_compact()). The
 *   cubes, by ascending number, take their places in it x fastest. All dimensions wrap,
 *   also where a side is that of one cube.
 * - Nodes inside one cube are a mesh, with coordinates within the cube.
 * - All others are not joined: they keep the coordinates and distances of the machine's
 *   grid, as do the nodes on machines without cubes.
 *
 * A torus whose sides are k and 2k may be twisted: who goes once around a side of k comes
 * back shifted by k along every side of 2k. After "Twisted Torus Topologies for Enhanced
 * Interconnection Networks" (Camara et al., 2010): kxkx2k is their prismatic doubly
 * twisted torus, kx2kx2k the body-centred cubic lattice.
 */
#ifndef TORUS_TORUS_JOINED_H
#define TORUS_TORUS_JOINED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "metrics/metrics.h"
#include "place/shape.h"

/* Whether [geometry] is a machine of cubes. */
static inline bool torus_has_cubes(const torus_geometry_t *geometry)
{
	return geometry->cube[0] > 0;
}

typedef enum torus_joined_kind {
	TORUS_NOT_JOINED,
	TORUS_IN_ONE_CUBE,
	TORUS_WHOLE_CUBES,
} torus_joined_kind_t;

typedef struct torus_joined {
	torus_joined_kind_t kind;
	torus_geometry_t geometry; /* the job's own */
	uint32_t nodes;
	uint32_t *cell; /* [nodes] of this geometry, in the order of the nodes; owned */
	uint32_t cubes; /* of one cube or whole cubes; else 0 */
	uint32_t *cube; /* [cubes] in their order on the torus, ascending; owned */
} torus_joined_t;

/*
 * Join the nodes on the routers cells[0 .. n-1], n >= 1, of the machine [geometry];
 * several may be on one router. [shape] is what the job asked for, or NULL. Returns 0, to
 * be cleared; or -1 with [err] filled (memory) and nothing to clear. O(n + cubes).
 */
int torus_join(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t n,
	       const torus_shape_t *shape, torus_joined_t *joined, torus_error_t *err);

/*
 * The same for a job that asked for one of several boxes, or any (NULL: none): joined as
 * the first of them that is one of as many cubes.
 */
int torus_join_shapes(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t n,
		      const torus_shapes_t *shapes, torus_joined_t *joined,
		      torus_error_t *err);

/*
 * torus_join_shapes() in place: [geometry] and cells[0 .. n-1] of the machine become
 * those of the job's own torus. 0, or -1 with [err] filled (memory) and nothing changed.
 */
int torus_join_cells(torus_geometry_t *geometry, uint32_t *cells, uint32_t n,
		     const torus_shapes_t *shapes, torus_error_t *err);

/* torus_join_shapes() and torus_metrics() of the job's own torus in one. */
int torus_join_metrics(const torus_geometry_t *geometry, const uint32_t *cells,
		       const uint32_t *ranks, uint32_t n, const torus_shapes_t *shapes,
		       uint32_t total_ranks, bool ring, torus_metrics_t *metrics,
		       torus_error_t *err);

/* Free what it has; {0} is accepted. */
void torus_joined_clear(torus_joined_t *joined);

#endif
