/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rotations of a shape: see turns.h. */
#include "place/turns.h"

#include <string.h>

#include "geometry/chips.h"

bool torus_side_in_nodes(const torus_geometry_t *geometry, const torus_shape_t *shape,
			 int32_t side[TORUS_MAX_DIMS])
{
	bool whole = true, part = true;

	if (!shape->in_chips)
		return true;
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t of_node = torus_node_side(geometry, axis);

		whole &= side[axis] % of_node == 0;
		part &= side[axis] <= of_node;
	}
	for (int axis = 0; (whole || part) && axis < geometry->dims; axis++)
		side[axis] = whole ? side[axis] / torus_node_side(geometry, axis) : 1;
	return whole || part;
}

bool torus_turn_is_closed(const torus_geometry_t *geometry, const torus_shape_t *shape,
			  const int32_t *side)
{
	torus_geometry_t chips;
	int32_t in_chips[TORUS_MAX_DIMS];

	if (!shape->in_chips)
		return torus_box_is_closed(geometry, side);
	chips = torus_chip_machine(geometry);
	for (int axis = 0; axis < geometry->dims; axis++)
		in_chips[axis] = side[axis] * torus_node_side(geometry, axis);
	return torus_box_is_closed(&chips, in_chips);
}

static int compare_turns(const int32_t *a, const int32_t *b)
{
	int axis = 0;

	while (axis < TORUS_MAX_DIMS - 1 && a[axis] == b[axis])
		axis++;
	return a[axis] < b[axis] ? -1 : a[axis] > b[axis];
}

/* Insert [side] in order, unless it is there. Returns the number of turns then. */
static int insert(torus_turn_t *turn, int turns, const int32_t *side)
{
	int at = turns;

	while (at > 0 && compare_turns(side, turn[at - 1].side) < 0)
		at--;
	if (at > 0 && compare_turns(side, turn[at - 1].side) == 0)
		return turns;
	memmove(&turn[at + 1], &turn[at], (size_t)(turns - at) * sizeof(*turn));
	memcpy(turn[at].side, side, sizeof(turn[at].side));
	return turns + 1;
}

int torus_turns(const torus_geometry_t *geometry, const torus_shape_t *shape,
		torus_turn_t *turn)
{
	int32_t side[TORUS_MAX_DIMS];
	int turns = 0;

	if (!torus_shape_sides(shape, geometry->dims, side))
		return 0;
	do {
		int32_t turned[TORUS_MAX_DIMS];

		memcpy(turned, side, sizeof(turned));
		if (torus_side_in_nodes(geometry, shape, turned) &&
		    torus_sides_fit(geometry, turned))
			turns = insert(turn, turns, turned);
	} while (torus_next_rotation(geometry->dims, side));
	return turns;
}

/* Round side[] up to whole nodes; the number of its chips, 0 if there are too many. */
static uint64_t round_up(const torus_geometry_t *geometry, int32_t *side)
{
	uint64_t chips = 1;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int64_t of_node = torus_node_side(geometry, axis);
		int64_t rounded = (side[axis] + of_node - 1) / of_node * of_node;

		chips *= (uint64_t)rounded;
		if (chips > TORUS_MAX_CELLS)
			return 0;
		side[axis] = (int32_t)rounded;
	}
	return chips;
}

bool torus_shape_suits(const torus_geometry_t *geometry, const torus_shape_t *shape,
		       torus_shape_t *nearest)
{
	uint64_t fewest = UINT64_MAX;
	int32_t side[TORUS_MAX_DIMS];

	*nearest = (torus_shape_t){0};
	if (!torus_shape_sides(shape, geometry->dims, side))
		return false;
	do {
		int32_t turned[TORUS_MAX_DIMS];
		uint64_t chips;

		memcpy(turned, side, sizeof(turned));
		if (torus_side_in_nodes(geometry, shape, turned)) {
			*nearest = (torus_shape_t){0};
			return true;
		}
		chips = round_up(geometry, turned);
		if (!chips || chips > fewest ||
		    (chips == fewest && compare_turns(turned, nearest->side) > 0))
			continue;
		fewest = chips;
		nearest->dims = geometry->dims;
		nearest->in_chips = true;
		memcpy(nearest->side, turned, sizeof(turned));
	} while (torus_next_rotation(geometry->dims, side));
	return false;
}

/* Of one shape. */
static uint64_t fewest_nodes(const torus_geometry_t *geometry, const torus_shape_t *shape,
			     uint32_t on_router)
{
	uint64_t chips = torus_turns_change_sides(geometry, shape)
				 ? torus_node_chips(geometry)
				 : 1;
	uint64_t volume = 1;

	for (int axis = 0; axis < shape->dims && volume <= TORUS_MAX_CELLS * chips;
	     axis++)
		volume *= (uint64_t)shape->side[axis];
	/* Fewer chips than a node has are part of one. */
	return (volume + chips - 1) / chips * on_router;
}

uint64_t torus_shapes_fewest_nodes(const torus_geometry_t *geometry,
				   const torus_shapes_t *shapes, uint32_t on_router)
{
	uint64_t fewest = on_router;

	for (int i = 0; i < shapes->count; i++) {
		uint64_t nodes = fewest_nodes(geometry, &shapes->shape[i], on_router);

		if (!i || nodes < fewest)
			fewest = nodes;
	}
	return fewest;
}
