/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is free in each cube: see torus/survey.h. */
#define _GNU_SOURCE /* qsort_r() */
#include "torus/survey.h"

#include <stdlib.h>

#include "base/bitmap.h"

void torus_cubes_survey_free(torus_cube_survey_t *survey)
{
	free(survey->cube);
	free(survey->nodes_on);
	free(survey->usable);
	free(survey->weight_on);
	*survey = (torus_cube_survey_t){0};
}

static int allocate(torus_cube_survey_t *survey, torus_error_t *err)
{
	uint32_t cells = survey->cubes * survey->each;

	survey->cube = calloc(survey->cubes, sizeof(*survey->cube));
	survey->nodes_on = calloc(cells, sizeof(*survey->nodes_on));
	survey->usable = calloc(cells, sizeof(*survey->usable));
	survey->weight_on = calloc(cells, sizeof(*survey->weight_on));
	if (!survey->cube || !survey->nodes_on || !survey->usable || !survey->weight_on)
		return torus_fail(err, "out of memory for %u cubes", survey->cubes);
	return 0;
}

int torus_cubes_survey(torus_cube_survey_t *survey, const torus_geometry_t *geometry,
		       const uint32_t *cell_of_rank, uint32_t ranks, const uint64_t *free,
		       const uint64_t *weights, torus_error_t *err)
{
	const torus_geometry_t one = torus_cubes_one(geometry);
	const torus_geometry_t grid = torus_cubes_grid(geometry);

	*survey = (torus_cube_survey_t){
		.geometry = geometry,
		.cubes = torus_geometry_cells(&grid),
		.each = torus_geometry_cells(&one),
	};
	if (allocate(survey, err))
		return -1;
	for (uint32_t cube = 0; cube < survey->cubes; cube++)
		survey->cube[cube].whole = true;
	for (uint32_t rank = 0; rank < ranks; rank++) {
		uint32_t cell = cell_of_rank[rank];
		torus_cube_state_t *cube =
			&survey->cube[torus_cube_of(geometry, cell, NULL)];
		bool is_free = torus_bit_test(free, rank);
		uint64_t weight = is_free && weights ? weights[rank] : 0;

		cube->nodes++;
		cube->free += is_free;
		cube->weight += weight;
		survey->usable[cell] =
			is_free && (survey->usable[cell] || !survey->nodes_on[cell]);
		survey->nodes_on[cell]++;
		survey->weight_on[cell] += weight;
	}
	for (uint32_t cell = 0; cell < survey->cubes * survey->each; cell++) {
		if (!survey->usable[cell])
			survey->cube[torus_cube_of(geometry, cell, NULL)].whole = false;
	}
	return 0;
}

static int compare(const void *a, const void *b, void *context)
{
	const torus_cube_survey_t *survey = context;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	uint64_t lighter = survey->cube[left].weight, other = survey->cube[right].weight;

	if (lighter != other)
		return lighter < other ? -1 : 1;
	return left < right ? -1 : left > right;
}

uint32_t torus_cubes_list_whole(const torus_cube_survey_t *survey, uint32_t *list)
{
	uint32_t count = 0;

	for (uint32_t cube = 0; cube < survey->cubes; cube++) {
		if (survey->cube[cube].whole)
			list[count++] = cube;
	}
	qsort_r(list, count, sizeof(*list), compare, (void *)survey);
	return count;
}
