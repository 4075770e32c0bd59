/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a job never gets the box that it asks for. */
#ifndef TORUS_NO_BOX_H
#define TORUS_NO_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "machine/cluster.h"
#include "place/shape.h"

/* Room for the reason. */
#define NO_BOX_TEXT (TORUS_SHAPES_TEXT + 512)

/*
 * Write into reason[size] why none of [shapes] will do for a job that asks for
 * [min_nodes] to [max_nodes] nodes on the tori of [cluster]: the nodes that it may use
 * have none, or ([of_other_size] not 0) only one of that many nodes; or no torus has
 * boxes of so many chips, or cubes that can be joined to them; or they are to be closed,
 * and none ever is. Where the machine never has such a box, it is said which it has
 * (machine/other_boxes.h).
 */
void explain_no_box(const torus_cluster_t *cluster, const torus_shapes_t *shapes,
		    uint32_t min_nodes, uint32_t max_nodes, uint32_t of_other_size,
		    char *reason, size_t size);

#endif
