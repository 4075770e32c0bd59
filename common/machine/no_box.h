/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a job never gets the box that it asks for. */
#ifndef TORUS_MACHINE_NO_BOX_H
#define TORUS_MACHINE_NO_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/cluster.h"
#include "place/shape.h"

/* Room for the reason. */
#define TORUS_NO_BOX_TEXT (TORUS_SHAPES_TEXT + 512)

/*
 * Whether none of [shapes], on any torus, can be had for a reason of cubes: all tori are
 * made of cubes that can never be joined to it, or it is to be twisted. If so [why] says
 * that, and what can be had: of the first shape, on the first torus of cubes.
 */
bool torus_cluster_lacks_cubes(const torus_cluster_t *cluster,
			       const torus_shapes_t *shapes, torus_error_t *why);

/*
 * Write into reason[size] why none of [shapes] will do for a job that asks for
 * [min_nodes] to [max_nodes] nodes on the tori of [cluster]: the nodes that it may use
 * have none, or ([of_other_size] not 0) only one of that many nodes; or
 * torus_explain_never() knows why.
 */
void torus_explain_no_box(const torus_cluster_t *cluster, const torus_shapes_t *shapes,
			  uint32_t min_nodes, uint32_t max_nodes, uint32_t of_other_size,
			  char *reason, size_t size);

/*
 * The same where the tori themselves never have such a box, whichever nodes the job may
 * use: no torus has boxes of so many chips, or cubes that can be joined to them; or the
 * boxes are to be closed, and none ever is; or they do not fit, and then it is said what
 * does (torus/other_boxes.h). Returns false, with nothing written, if none of these is
 * the case. [min_nodes] and [max_nodes] are read for any box only.
 */
bool torus_explain_never(const torus_cluster_t *cluster, const torus_shapes_t *shapes,
			 uint32_t min_nodes, uint32_t max_nodes, char *reason,
			 size_t size);

#endif
