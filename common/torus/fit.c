/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which boxes and tori a machine has: see torus/fit.h. */
#include "torus/fit.h"

#include <string.h>

#include "base/bitmap.h"
#include "torus/cubes.h"
#include "torus/joined.h"

/* The machine, or one of its cubes. */
static torus_geometry_t wired_part(const torus_geometry_t *geometry)
{
	return torus_has_cubes(geometry) ? torus_cubes_one(geometry) : *geometry;
}

bool torus_box_is_wired(const torus_geometry_t *geometry, const int32_t *side,
			uint32_t cell)
{
	for (int axis = 0; torus_has_cubes(geometry) && axis < geometry->dims; axis++) {
		uint32_t length = (uint32_t)geometry->length[axis];
		uint32_t cube = (uint32_t)geometry->cube[axis];

		if (cell % length % cube + (uint32_t)side[axis] > cube)
			return false;
		cell /= length;
	}
	return true;
}

/* Whether a torus with these sides is made of whole cubes. */
static bool is_whole(const torus_geometry_t *geometry, const int32_t *side)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] % geometry->cube[axis])
			return false;
	}
	return true;
}

/* The sides along the machine's dimensions as they are given, if it has as many. */
static bool sides_as_given(const torus_geometry_t *geometry, const torus_shape_t *shape,
			   int32_t *side)
{
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		side[axis] = axis < shape->dims ? shape->side[axis] : 1;
		if (axis >= geometry->dims && side[axis] != 1)
			return false;
	}
	return true;
}

/* Make one rotation of the shape, in nodes, that of a torus of whole cubes: whether it is
 * one. */
static bool turns_whole(const torus_geometry_t *geometry, const torus_shape_t *shape,
			const int32_t *given, int32_t *side)
{
	memcpy(side, given, TORUS_MAX_DIMS * sizeof(*side));
	return torus_side_in_nodes(geometry, shape, side) && is_whole(geometry, side);
}

/* Find the first rotation that is made of whole cubes. */
static bool find_whole(const torus_geometry_t *geometry, const torus_shape_t *shape,
		       int32_t *side)
{
	int32_t given[TORUS_MAX_DIMS];

	if (sides_as_given(geometry, shape, given) &&
	    turns_whole(geometry, shape, given, side))
		return true;
	if (!torus_shape_sides(shape, geometry->dims, given))
		return false;
	do {
		if (turns_whole(geometry, shape, given, side))
			return true;
	} while (torus_next_rotation(geometry->dims, given));
	return false;
}

int torus_wired_turns(const torus_geometry_t *geometry, const torus_shape_t *shape,
		      torus_turn_t *turn)
{
	const torus_geometry_t part = wired_part(geometry);
	int turns = torus_turns(&part, shape, turn), count = 0;

	if (!torus_has_cubes(geometry))
		return turns;
	for (int i = 0; i < turns; i++) {
		if (!shape->closed || torus_turn_is_closed(&part, shape, turn[i].side))
			turn[count++] = turn[i];
	}
	return count;
}

static bool find_inside(const torus_geometry_t *geometry, const torus_shape_t *shape)
{
	torus_turn_t turn[TORUS_MOST_TURNS];

	return torus_wired_turns(geometry, shape, turn) > 0;
}

torus_fit_t torus_shape_fit(const torus_geometry_t *geometry, const torus_shape_t *shape,
			    int32_t *side)
{
	torus_geometry_t grid;
	int32_t whole[TORUS_MAX_DIMS];

	if (!torus_has_cubes(geometry))
		return shape->twist ? TORUS_FIT_NEVER : TORUS_FIT_BOX;
	grid = torus_cubes_grid(geometry);
	if (find_whole(geometry, shape, whole)) {
		if (torus_cubes_needed(geometry, whole) > torus_geometry_cells(&grid) ||
		    (shape->twist && !torus_sides_twist(geometry, whole)))
			return TORUS_FIT_NEVER;
		if (side)
			memcpy(side, whole, sizeof(whole));
		return TORUS_FIT_JOINED;
	}
	return !shape->twist && find_inside(geometry, shape) ? TORUS_FIT_BOX
							     : TORUS_FIT_NEVER;
}

bool torus_closed_fit(const torus_geometry_t *geometry, const torus_shape_t *shape)
{
	return torus_has_cubes(geometry)
		       ? torus_shape_fit(geometry, shape, NULL) != TORUS_FIT_NEVER
		       : torus_shape_may_close(geometry, shape);
}

/* What a node counts along [axis] in the shape's own unit. */
static int32_t chips_of(const torus_geometry_t *geometry, const torus_shape_t *shape,
			int axis)
{
	return shape->in_chips ? torus_node_side(geometry, axis) : 1;
}

/* The next shape of whole cubes: each side made a multiple of the cube's. */
static void round_up(const torus_geometry_t *geometry, const torus_shape_t *shape,
		     int32_t *side)
{
	if (!sides_as_given(geometry, shape, side))
		torus_shape_sides(shape, geometry->dims, side);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t cube = geometry->cube[axis] * chips_of(geometry, shape, axis);

		side[axis] = (side[axis] + cube - 1) / cube * cube;
	}
}

int torus_shape_explain(const torus_geometry_t *geometry, const torus_shape_t *shape,
			torus_error_t *err)
{
	torus_geometry_t grid;
	char text[TORUS_DIMS_TEXT], cube[TORUS_DIMS_TEXT], next[TORUS_DIMS_TEXT];
	int32_t side[TORUS_MAX_DIMS];

	if (!torus_has_cubes(geometry))
		return torus_fail(err,
				  "only cubes can be joined to a twisted torus: Cube= in "
				  "torus.conf, or storus place --cube");
	grid = torus_cubes_grid(geometry);
	torus_lengths_format(shape->dims, shape->side, text);
	for (int axis = 0; axis < geometry->dims; axis++)
		side[axis] = geometry->cube[axis] * chips_of(geometry, shape, axis);
	torus_lengths_format(geometry->dims, side, cube);
	if (find_whole(geometry, shape, side)) {
		if (torus_cubes_needed(geometry, side) > torus_geometry_cells(&grid))
			return torus_fail(
				err, "%s takes %u cubes of %s, and the machine has %u",
				text, torus_cubes_needed(geometry, side), cube,
				torus_geometry_cells(&grid));
		return torus_fail(err,
				  "%s cannot be twisted: a twisted torus has sides k and "
				  "2k, as 4x4x8 and 4x8x8",
				  text);
	}
	if (!torus_shape_sides(shape, geometry->dims, side))
		return torus_fail(err, "%s has more sides than the machine's %d", text,
				  geometry->dims);
	round_up(geometry, shape, side);
	torus_lengths_format(geometry->dims, side, next);
	if (shape->closed && !shape->twist)
		return torus_fail(
			err,
			"%s is no torus within a cube of %s, and not made of whole "
			"ones; made of whole ones is %s",
			text, cube, next);
	if (find_inside(geometry, shape))
		return torus_fail(err,
				  "%s is less than a cube of %s, a mesh that cannot be "
				  "twisted: whole cubes can",
				  text, cube);
	return torus_fail(
		err,
		"%s is neither within a cube of %s nor made of whole ones; made of "
		"whole ones is %s",
		text, cube, next);
}

int torus_any_fit(const torus_geometry_t *geometry, torus_router_nodes_t on_router,
		  uint32_t nodes, bool closed, int32_t *side, torus_box_sizes_t *sizes,
		  torus_error_t *err)
{
	const torus_geometry_t part = wired_part(geometry);

	if (torus_has_cubes(geometry)) {
		uint32_t each = torus_geometry_cells(&part);
		uint32_t of_cube = each * on_router.most;

		if (nodes % of_cube == 0 &&
		    nodes / of_cube <= torus_geometry_cells(geometry) / each) {
			torus_cubes_compact(geometry, nodes / of_cube, side);
			return 1;
		}
		on_router = torus_routers_alike(on_router.most);
	}
	return torus_box_sizes_list(&part, on_router, nodes, closed, sizes, err);
}

bool torus_joined_volumes(const torus_geometry_t *geometry, uint64_t *volumes)
{
	const torus_geometry_t part = wired_part(geometry);
	uint32_t each = torus_geometry_cells(&part),
		 cells = torus_geometry_cells(geometry);

	if (!torus_has_cubes(geometry))
		return false;
	for (uint32_t volume = each; volume <= cells; volume += each)
		torus_bit_set(volumes, volume);
	for (uint32_t cell = 0; cell < each; cell++) {
		int32_t highest[TORUS_MAX_DIMS];
		uint32_t volume = 1;

		torus_cell_to_coord(&part, cell, highest);
		for (int axis = 0; axis < part.dims; axis++)
			volume *= (uint32_t)highest[axis] + 1;
		torus_bit_set(volumes, volume);
	}
	return true;
}
