/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is free in each cube, for one decision. Private to torus/ and decide/. */
#ifndef TORUS_TORUS_SURVEY_H
#define TORUS_TORUS_SURVEY_H

#include "torus/cubes.h"

/* One cube. */
typedef struct torus_cube_state {
	uint32_t nodes;	 /* that it has */
	uint32_t free;	 /* of them */
	uint64_t weight; /* sum of the free ones' */
	bool whole;	 /* every router has nodes, and all are free */
} torus_cube_state_t;

typedef struct torus_cube_survey {
	const torus_geometry_t *geometry;
	uint32_t cubes;		  /* of the machine */
	uint32_t each;		  /* cells of a cube */
	torus_cube_state_t *cube; /* [cubes] */
	uint32_t *nodes_on;	  /* [cells] */
	bool *usable;		  /* [cells] there are nodes, all of them free */
	uint64_t *weight_on;	  /* [cells] of free nodes */
} torus_cube_survey_t;

/*
 * Look at the machine whose ranks are cell_of_rank[0 .. ranks-1]; weights[rank] is read
 * for free ranks, NULL: all 0. Returns 0, or -1 with [err] filled (memory). Either way to
 * be freed. O(ranks + cells).
 */
int torus_cubes_survey(torus_cube_survey_t *survey, const torus_geometry_t *geometry,
		       const uint32_t *cell_of_rank, uint32_t ranks, const uint64_t *free,
		       const uint64_t *weights, torus_error_t *err);
void torus_cubes_survey_free(torus_cube_survey_t *survey);

/*
 * List the whole cubes by weight, then number: list[0 .. result-1], room for all. Returns
 * how many there are.
 */
uint32_t torus_cubes_list_whole(const torus_cube_survey_t *survey, uint32_t *list);

#endif
