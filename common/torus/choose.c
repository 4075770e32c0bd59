/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a job's nodes or its box are: see torus/choose.h. */
#include "torus/choose.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "place/any_box.h"
#include "place/box_bits.h"
#include "torus/fit.h"
#include "torus/inside.h"
#include "torus/joined.h"
#include "torus/survey.h"

/* One decision. */
typedef struct decision {
	torus_cube_survey_t survey;
	const uint32_t *cell_of_rank;
	uint32_t ranks;
	uint32_t *chosen, count;
	torus_error_t *err;
} decision_t;

/* Choose the ranks on [cubes] of the whole cubes. 1, 0 or -1. */
static int take_whole(decision_t *d, uint32_t cubes)
{
	uint32_t *list = malloc(d->survey.cubes * sizeof(*list));
	bool *taken = calloc(d->survey.cubes, sizeof(*taken));
	int found = -1;

	if (!list || !taken) {
		torus_fail(d->err, "out of memory for %u cubes", d->survey.cubes);
		goto done;
	}
	found = torus_cubes_list_whole(&d->survey, list) >= cubes;
	for (uint32_t i = 0; found && i < cubes; i++)
		taken[list[i]] = true;
	for (uint32_t rank = 0; found && rank < d->ranks; rank++) {
		if (taken[torus_cube_of(d->survey.geometry, d->cell_of_rank[rank], NULL)])
			d->chosen[d->count++] = rank;
	}
done:
	free(list);
	free(taken);
	return found;
}

/* Choose the ranks in the box. */
static int take_inside(decision_t *d, const torus_inside_t *box)
{
	for (uint32_t rank = 0; box->found && rank < d->ranks; rank++) {
		if (torus_inside_has(&d->survey, box, d->cell_of_rank[rank]))
			d->chosen[d->count++] = rank;
	}
	return box->found;
}

int torus_choose_box(torus_placer_t *placer, const uint64_t *free,
		     const uint64_t *weights, uint32_t ranks,
		     const torus_place_request_t *request, const torus_shape_t *shape,
		     uint32_t *chosen, uint32_t *count, torus_error_t *err)
{
	const torus_geometry_t *geometry = request->geometry;
	decision_t d = {.cell_of_rank = request->cell_of_rank,
			.ranks = ranks,
			.chosen = chosen,
			.err = err};
	int32_t side[TORUS_MAX_DIMS];
	torus_inside_t box = {0};
	torus_fit_t fit;
	int found = -1;

	fit = torus_shape_fit(geometry, shape, side);
	if (fit == TORUS_FIT_NEVER)
		return 0;
	if (!torus_has_cubes(geometry))
		return torus_place_shape(placer, free, weights, request, shape, chosen,
					 count, err);
	if (torus_cubes_survey(&d.survey, geometry, d.cell_of_rank, ranks, free, weights,
			       err))
		goto done;
	if (fit == TORUS_FIT_JOINED) {
		found = take_whole(&d, torus_cubes_needed(geometry, side));
	} else {
		torus_inside_improve(&d.survey, shape, 0, 0, &box);
		found = take_inside(&d, &box);
	}
	if (found > 0)
		*count = d.count;
done:
	torus_cubes_survey_free(&d.survey);
	return found;
}

bool torus_box_may_be_free(const torus_geometry_t *geometry, const torus_shape_t *shape,
			   uint64_t *maps)
{
	int32_t side[TORUS_MAX_DIMS];

	if (torus_turns_change_sides(geometry, shape) || torus_has_cubes(geometry))
		return true;
	return !shape->twist && torus_shape_sides(shape, geometry->dims, side) &&
	       torus_box_bits_fit(geometry, side, maps);
}

/* The most compact box inside a cube, of these sizes. */
static int take_any_inside(decision_t *d, const torus_box_sizes_t *sizes,
			   uint32_t per_router, uint64_t *distance)
{
	torus_inside_t box = {0};

	for (size_t i = 0; i < sizes->count; i++)
		torus_inside_improve(&d->survey, &sizes->size[i].shape, per_router,
				     sizes->size[i].distance, &box);
	*distance = box.hops;
	return take_inside(d, &box);
}

/* The summed distance of the chosen nodes on the torus of their own. */
static int measure(const decision_t *d, uint64_t *distance)
{
	uint32_t *cells = malloc(d->count * sizeof(*cells));
	torus_joined_t joined;
	int result = -1;

	if (!cells)
		return torus_fail(d->err, "out of memory for %u nodes", d->count);
	for (uint32_t i = 0; i < d->count; i++)
		cells[i] = d->cell_of_rank[d->chosen[i]];
	if (!torus_join(d->survey.geometry, cells, d->count, NULL, &joined, d->err)) {
		result = torus_summed_distance(&joined.geometry, joined.cell,
					       joined.nodes, distance, d->err);
		torus_joined_clear(&joined);
	}
	free(cells);
	return result;
}

/* Whole cubes whose routers all have [per_router] nodes. */
static int take_any_whole(decision_t *d, uint32_t cubes, uint32_t per_router,
			  uint64_t *distance)
{
	int found;

	for (uint32_t cube = 0; cube < d->survey.cubes; cube++) {
		if (d->survey.cube[cube].nodes < d->survey.each * per_router)
			d->survey.cube[cube].whole = false;
	}
	found = take_whole(d, cubes);
	return found > 0 && measure(d, distance) ? -1 : found;
}

int torus_choose_any_box(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			 uint32_t ranks, const uint64_t *free, const uint64_t *weights,
			 uint32_t nodes, bool closed, uint32_t *chosen,
			 uint64_t *distance, torus_error_t *err)
{
	decision_t d = {.cell_of_rank = cell_of_rank,
			.ranks = ranks,
			.chosen = chosen,
			.err = err};
	int32_t side[TORUS_MAX_DIMS];
	torus_box_sizes_t sizes = {0};
	uint32_t per_router = 0;
	int found = -1;

	if (!torus_has_cubes(geometry))
		return torus_any_box_place(geometry, cell_of_rank, ranks, free, weights,
					   nodes, closed, chosen, distance, err);
	if (torus_cubes_survey(&d.survey, geometry, cell_of_rank, ranks, free, weights,
			       err))
		goto done;
	for (uint32_t cell = 0; cell < d.survey.cubes * d.survey.each; cell++)
		per_router = d.survey.nodes_on[cell] > per_router
				     ? d.survey.nodes_on[cell]
				     : per_router;
	found = torus_any_fit(geometry, torus_routers_alike(per_router), nodes, closed,
			      side, &sizes, err);
	if (found > 0)
		found = take_any_whole(&d, torus_cubes_needed(geometry, side), per_router,
				       distance);
	else if (found == 0)
		found = take_any_inside(&d, &sizes, per_router, distance);
	torus_box_sizes_free(&sizes);
done:
	torus_cubes_survey_free(&d.survey);
	return found;
}

/* The cube for what is left of a job: where it fits best, or the one with most nodes. */
static uint32_t next_cube(const torus_cube_survey_t *survey, uint32_t left)
{
	uint32_t best = 0;

	for (uint32_t cube = 1; cube < survey->cubes; cube++) {
		uint32_t here = survey->cube[cube].free, there = survey->cube[best].free;

		if (here >= left ? there < left || here < there : here > there)
			best = cube;
	}
	return best;
}

/* The bitmap of the free ranks in one cube. */
static void restrict_to(const decision_t *d, const uint64_t *free, uint32_t cube,
			uint64_t *within)
{
	memset(within, 0, TORUS_WORDS(d->ranks) * sizeof(*within));
	for (uint32_t rank = 0; rank < d->ranks; rank++) {
		if (torus_bit_test(free, rank) &&
		    torus_cube_of(d->survey.geometry, d->cell_of_rank[rank], NULL) ==
			    cube)
			torus_bit_set(within, rank);
	}
}

static int compare_ranks(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* Choose cube by cube. 1, 0 or -1. */
static int take_nodes(decision_t *d, torus_placer_t *placer, const uint64_t *free_ranks,
		      const torus_place_request_t *request, uint64_t *within,
		      torus_placement_t *placement)
{
	uint32_t left = request->nodes;

	while (left) {
		uint32_t cube = next_cube(&d->survey, left);
		torus_cube_state_t *state = &d->survey.cube[cube];
		torus_place_request_t part = *request;
		int placed;

		part.nodes = state->free < left ? state->free : left;
		if (!part.nodes)
			return 0;
		restrict_to(d, free_ranks, cube, within);
		placed = torus_place_weighted(placer, within, NULL, &part,
					      d->chosen + d->count, placement, d->err);
		if (placed <= 0)
			return placed;
		d->count += part.nodes;
		left -= part.nodes;
		state->free = 0;
	}
	return 1;
}

/*
 * Whether cubes decide where the nodes go: not where one interval or certain nodes are
 * required, nor where the weights of the free nodes differ.
 */
static bool goes_by_cubes(const uint64_t *free_ranks, const uint64_t *weights,
			  uint32_t ranks, const torus_place_request_t *request)
{
	return torus_has_cubes(request->geometry) && !request->contiguous &&
	       !torus_any_required(request->required, ranks) &&
	       torus_weights_equal(free_ranks, weights, ranks);
}

int torus_choose_nodes(torus_placer_t *placer, const uint64_t *free_ranks,
		       const uint64_t *weights, uint32_t ranks,
		       const torus_place_request_t *request, uint32_t *chosen,
		       torus_placement_t *placement, torus_error_t *err)
{
	decision_t d = {.cell_of_rank = request->cell_of_rank,
			.ranks = ranks,
			.chosen = chosen,
			.err = err};
	uint64_t *within;
	int found = -1;

	if (!goes_by_cubes(free_ranks, weights, ranks, request))
		return torus_place_weighted(placer, free_ranks, weights, request, chosen,
					    placement, err);
	within = torus_bitmap_create(ranks);
	if (!within)
		torus_fail(err, "out of memory for %u nodes", ranks);
	else if (!torus_cubes_survey(&d.survey, request->geometry, d.cell_of_rank, ranks,
				     free_ranks, NULL, err))
		found = take_nodes(&d, placer, free_ranks, request, within, placement);
	if (found > 0) {
		qsort(chosen, d.count, sizeof(*chosen), compare_ranks);
		placement->first = chosen[0];
		placement->span =
			torus_ascending_span(chosen, d.count, ranks, request->span);
		placement->contiguous = placement->span == d.count;
		placement->score = placement->span;
	}
	torus_cubes_survey_free(&d.survey);
	free(within);
	return found;
}
