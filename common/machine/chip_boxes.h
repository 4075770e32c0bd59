/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests for boxes of chips on the tori of a cluster. */
#ifndef TORUS_MACHINE_CHIP_BOXES_H
#define TORUS_MACHINE_CHIP_BOXES_H

#include <stdbool.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "place/shape.h"

/*
 * Whether [shapes] are in chips and none is, on any torus, a box of whole nodes or part
 * of one (place/turns.h), however large the machine. If so [why] says that, and names the
 * next larger box, of the first shape on the first torus that has one.
 */
bool torus_cluster_lacks_chip_box(const torus_cluster_t *cluster,
				  const torus_shapes_t *shapes, torus_error_t *why);

#endif
