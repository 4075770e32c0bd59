/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A free box inside one cube: see torus/inside.h. */
#include "torus/inside.h"

#include <string.h>

#include "torus/fit.h"

/* A box that is looked at. */
typedef struct looking {
	const torus_cube_survey_t *survey;
	torus_geometry_t one; /* a cube */
	uint32_t per_router;
	uint32_t cube, first;		 /* and its first cell */
	uint32_t stride[TORUS_MAX_DIMS]; /* from a cell to the next one along an axis */
	int32_t corner[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];
} looking_t;

/* The cell at these coordinates within the cube. */
static uint32_t cell_at(const looking_t *look, const int32_t *coord)
{
	uint32_t cell = look->first;

	for (int axis = 0; axis < look->one.dims; axis++)
		cell += (uint32_t)coord[axis] * look->stride[axis];
	return cell;
}

static bool is_usable(const looking_t *look, uint32_t cell)
{
	return look->survey->usable[cell] &&
	       (!look->per_router || look->survey->nodes_on[cell] == look->per_router);
}

/* Go to the next coordinate of the box that begins at [from]; false after the last. */
static bool next_in(int dims, const int32_t *from, const int32_t *side, int32_t *coord)
{
	for (int axis = 0; axis < dims; axis++) {
		if (++coord[axis] < from[axis] + side[axis])
			return true;
		coord[axis] = from[axis];
	}
	return false;
}

/* How many faces of the router at [coord] are those of the box, with a usable one behind.
 */
static int64_t open_faces(const looking_t *look, const int32_t *coord)
{
	uint32_t cell = cell_at(look, coord);
	int64_t open = 0;

	for (int axis = 0; axis < look->one.dims; axis++) {
		for (int step = -1; step <= 1; step += 2) {
			int32_t at = coord[axis] + step;

			if (at < 0 || at >= look->one.length[axis] ||
			    (at >= look->corner[axis] &&
			     at < look->corner[axis] + look->side[axis]))
				continue;
			open += is_usable(look, step > 0 ? cell + look->stride[axis]
							 : cell - look->stride[axis]);
		}
	}
	return open;
}

/* Whether the box is usable; then its weight. */
static bool weigh(const looking_t *look, torus_inside_t *box)
{
	int32_t coord[TORUS_MAX_DIMS];

	box->weight = 0;
	memcpy(coord, look->corner, sizeof(coord));
	do {
		uint32_t cell = cell_at(look, coord);

		if (!is_usable(look, cell))
			return false;
		box->weight += look->survey->weight_on[cell];
	} while (next_in(look->one.dims, look->corner, look->side, coord));
	return true;
}

static void count_open(const looking_t *look, torus_inside_t *box)
{
	int32_t coord[TORUS_MAX_DIMS];

	box->open = 0;
	memcpy(coord, look->corner, sizeof(coord));
	do
		box->open += open_faces(look, coord);
	while (next_in(look->one.dims, look->corner, look->side, coord));
}

/* Whether [a] is better than [b], which was found before. */
static bool better(const torus_inside_t *a, const torus_inside_t *b)
{
	if (!b->found)
		return true;
	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (a->hops != b->hops)
		return a->hops < b->hops;
	if (a->left != b->left)
		return a->left < b->left;
	return a->open < b->open;
}

/* Look at all boxes with these sides in one cube. */
static void try_cube(looking_t *look, torus_inside_t *box, torus_inside_t *best)
{
	static const int32_t zero[TORUS_MAX_DIMS];
	int32_t room[TORUS_MAX_DIMS];

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		look->corner[axis] = 0;
		room[axis] = axis < look->one.dims
				     ? look->one.length[axis] - look->side[axis] + 1
				     : 1;
		if (room[axis] < 1)
			return;
	}
	do {
		if (!weigh(look, box))
			continue;
		/* Only a box that may win is worth a look at its faces. */
		box->open = INT64_MIN;
		if (!better(box, best))
			continue;
		count_open(look, box);
		if (!better(box, best))
			continue;
		box->corner = torus_coord_to_cell(&look->one, look->corner);
		memcpy(box->side, look->side, sizeof(box->side));
		*best = *box;
	} while (next_in(look->one.dims, zero, room, look->corner));
}

void torus_inside_improve(const torus_cube_survey_t *survey, const torus_shape_t *shape,
			  uint32_t per_router, uint64_t hops, torus_inside_t *best)
{
	looking_t look = {
		.survey = survey,
		.one = torus_cubes_one(survey->geometry),
		.per_router = per_router,
	};
	torus_inside_t box = {.found = true, .hops = hops};
	torus_turn_t turn[TORUS_MOST_TURNS];
	int turns = torus_wired_turns(survey->geometry, shape, turn);
	uint32_t volume = 1, cells = 1;

	if (!turns)
		return;
	for (int axis = 0; axis < look.one.dims; axis++) {
		volume *= (uint32_t)turn[0].side[axis];
		look.stride[axis] = cells;
		cells *= (uint32_t)survey->geometry->length[axis];
	}
	for (look.cube = 0; look.cube < survey->cubes; look.cube++) {
		const torus_cube_state_t *cube = &survey->cube[look.cube];

		if (cube->free < volume)
			continue;
		look.first = torus_cube_cell(survey->geometry, look.cube, 0);
		box.cube = look.cube;
		box.left = cube->free;
		/* Unless nodes have weights, only a fuller cube can be better. */
		if (best->found && !best->weight && best->hops <= hops &&
		    best->left < box.left)
			continue;
		for (int i = 0; i < turns; i++) {
			memcpy(look.side, turn[i].side, sizeof(look.side));
			try_cube(&look, &box, best);
		}
	}
}

bool torus_inside_has(const torus_cube_survey_t *survey, const torus_inside_t *box,
		      uint32_t cell)
{
	const torus_geometry_t one = torus_cubes_one(survey->geometry);
	int32_t corner[TORUS_MAX_DIMS];
	uint32_t inner;

	if (torus_cube_of(survey->geometry, cell, &inner) != box->cube)
		return false;
	torus_cell_to_coord(&one, box->corner, corner);
	return torus_box_has(&one, corner, box->side, inner);
}
