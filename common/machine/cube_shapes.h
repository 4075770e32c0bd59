/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests for shapes on the machines of cubes of a cluster. */
#ifndef TORUS_MACHINE_CUBE_SHAPES_H
#define TORUS_MACHINE_CUBE_SHAPES_H

#include <stdbool.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "place/shape.h"

/*
 * Whether none of [shapes], on any torus, can be had for a reason of cubes: all tori are
 * made of cubes that can never be joined to it, or it is to be twisted. If so [why] says
 * that, and what can be had: of the first shape, on the first torus of cubes.
 */
bool torus_cluster_lacks_cubes(const torus_cluster_t *cluster,
			       const torus_shapes_t *shapes, torus_error_t *why);

#endif
