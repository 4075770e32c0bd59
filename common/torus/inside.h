/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A free box inside one cube. Private to torus/. */
#ifndef TORUS_TORUS_INSIDE_H
#define TORUS_TORUS_INSIDE_H

#include "place/shape.h"
#include "torus/survey.h"

/* A box, and what is better, in this order, the smaller the better. */
typedef struct torus_inside {
	bool found;
	uint64_t weight; /* sum of its nodes' */
	uint64_t hops;	 /* the caller's; 0 */
	uint32_t left;	 /* free nodes of the cube */
	int64_t open;	 /* faces of the box towards usable routers of its cube */
	uint32_t cube;
	uint32_t corner; /* cell within the cube */
	int32_t side[TORUS_MAX_DIMS];
} torus_inside_t;

/*
 * Improve [best] with the boxes of [shape] (in any rotation) inside the cubes, all of
 * whose routers are usable and, unless 0, have [per_router] nodes. [hops] is what the
 * boxes count as best->hops. O(cubes * rotations * corners * volume).
 */
void torus_inside_improve(const torus_cube_survey_t *survey, const torus_shape_t *shape,
			  uint32_t per_router, uint64_t hops, torus_inside_t *best);

/* Whether the box has the router [cell] of the machine. */
bool torus_inside_has(const torus_cube_survey_t *survey, const torus_inside_t *box,
		      uint32_t cell);

#endif
