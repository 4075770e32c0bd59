/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes instead of those that a machine never has: see other_boxes.h. */
#include "torus/other_boxes.h"

#include <inttypes.h>
#include <stdio.h>

#include "place/box_sizes.h"
#include "place/turns.h"
#include "torus/joined.h"

/* Whether there is a box of so many nodes. */
static bool has_box(const torus_geometry_t *geometry, uint32_t per_router, uint64_t nodes,
		    bool closed)
{
	return nodes && nodes % per_router == 0 &&
	       nodes / per_router <= torus_geometry_cells(geometry) &&
	       torus_any_box_possible(geometry, (uint32_t)(nodes / per_router), closed);
}

/* The number of nodes next to [nodes] of which there is a box, in steps of [step]
 * routers; 0: there is none. */
static uint64_t next_box(const torus_geometry_t *geometry, uint64_t nodes,
			 uint32_t per_router, bool closed, int step)
{
	uint64_t most = torus_geometry_cells(geometry);
	uint64_t volume = nodes / per_router;

	if (step < 0 && volume > most)
		volume = most + 1;
	/* From what is no multiple of a router's nodes, the first step down is there. */
	if (step < 0 && nodes % per_router)
		volume++;
	for (volume += (uint64_t)step; volume && volume <= most;
	     volume += (uint64_t)step) {
		if (torus_any_box_possible(geometry, (uint32_t)volume, closed))
			return volume * per_router;
	}
	return 0;
}

static void say_next(const torus_geometry_t *geometry, uint64_t nodes,
		     uint32_t per_router, bool closed, char *text)
{
	uint64_t fewer = next_box(geometry, nodes, per_router, closed, -1);
	uint64_t more = next_box(geometry, nodes, per_router, closed, 1);

	if (fewer && more)
		snprintf(text, TORUS_OTHER_BOXES_TEXT,
			 "the next sizes are %" PRIu64 " and %" PRIu64, fewer, more);
	else
		snprintf(text, TORUS_OTHER_BOXES_TEXT, "the next size is %" PRIu64,
			 fewer ? fewer : more);
}

/* The most compact box of so many nodes, of which there is one. */
static void say_most_compact(const torus_geometry_t *geometry, uint64_t nodes,
			     uint32_t per_router, char *text)
{
	const torus_router_nodes_t on_router = torus_routers_alike(per_router);
	torus_box_sizes_t sizes;
	char sides[TORUS_DIMS_TEXT];
	torus_error_t err;
	int flat = 0;

	if (torus_box_sizes_list(geometry, on_router, (uint32_t)nodes, false, &sizes,
				 &err))
		return;
	while (flat + 1 < geometry->dims && sizes.size[0].shape.side[flat] == 1)
		flat++;
	snprintf(text, TORUS_OTHER_BOXES_TEXT, "%s has as many nodes",
		 torus_lengths_format(geometry->dims - flat,
				      sizes.size[0].shape.side + flat, sides));
	torus_box_sizes_free(&sizes);
}

/* Whether the machine has one of the shapes. */
static bool has_shape(const torus_geometry_t *geometry, const torus_shapes_t *shapes)
{
	for (int i = 0; i < shapes->count; i++) {
		torus_turn_t turn[TORUS_MOST_TURNS];

		if (torus_turns(geometry, &shapes->shape[i], turn))
			return true;
	}
	return false;
}

char *torus_other_boxes(const torus_geometry_t *geometry, uint32_t per_router,
			const torus_shapes_t *shapes, uint64_t nodes, char *text)
{
	*text = '\0';
	if (!per_router || torus_has_cubes(geometry) || torus_shapes_in_chips(shapes))
		return text;
	if (shapes->any) {
		if (!has_box(geometry, per_router, nodes, shapes->closed))
			say_next(geometry, nodes, per_router, shapes->closed, text);
		return text;
	}
	if (shapes->closed || has_shape(geometry, shapes))
		return text;
	nodes = per_router;
	for (int axis = 0; axis < shapes->shape[0].dims; axis++) {
		uint64_t side = (uint64_t)shapes->shape[0].side[axis];

		if (nodes > UINT64_MAX / side)
			return text;
		nodes *= side;
	}
	if (has_box(geometry, per_router, nodes, false))
		say_most_compact(geometry, nodes, per_router, text);
	else
		say_next(geometry, nodes, per_router, false, text);
	return text;
}
