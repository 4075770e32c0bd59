/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mm: the n free nodes for which the sum of hops to a median is smallest. Every cell is
 * tried as the median, taken or not; the n free nodes nearest to it are its candidate.
 * Gen-Alg of "Compact Location Problems" (Krumke, Marathe, Noltemeier, Radhakrishnan,
 * Ravi, Rosenkrantz, 1997), with the medians of MM in "Communication-Aware Processor
 * Allocation for Supercomputers" (Bender et al., 2005).
 */
#include "strategies/shells.h"
#include "place/windows.h"
#include "strategies/strategies.h"

#include <stdlib.h>
#include <string.h>

/*
 * The number of free nodes in balls around each cell, axis by axis: with one more axis, a
 * ball of radius r consists of the balls of radius r - j around the cells j hops away
 * along that axis. Those ahead (j >= 0) and those behind (j > 0) are summed separately,
 * since each sum follows from that of the radius before:
 *
 *   ahead(r, c)  = in(r, c) + ahead(r - 1, c + 1)
 *   behind(r, c) = in(r - 1, c - 1) + behind(r - 1, c - 1)
 *
 * On a ring of k cells, ahead reaches k / 2 cells and behind (k - 1) / 2, so what lies
 * beyond is subtracted. For that, the balls of one axis less are kept for so many radii.
 */
typedef struct arms {
	int axis;
	uint32_t reach_ahead, reach_behind; /* UINT32_MAX: no limit */
	uint32_t *ahead, *behind, *next;    /* [cells] */
	uint32_t kept;			    /* how many balls are kept */
	uint32_t **in; /* [kept] of radius r at index r % kept; NULL: not yet */
} arms_t;

typedef struct balls {
	const torus_site_t *site;
	arms_t arms[TORUS_MAX_DIMS];
} balls_t;

static int out_of_memory(const balls_t *balls, torus_error_t *err)
{
	return torus_fail(err, "out of memory for balls around %u cells",
			  balls->site->cells);
}

/* The balls of one axis less. Before the first axis they are the same for all radii. */
static const uint32_t *kept_ball(const balls_t *balls, const arms_t *arms,
				 uint32_t radius)
{
	return arms->axis ? arms->in[radius % arms->kept] : balls->site->free_on;
}

static int keep_ball(const balls_t *balls, arms_t *arms, uint32_t radius,
		     const uint32_t *ball, torus_error_t *err)
{
	uint32_t **in;

	if (!arms->axis)
		return 0;
	in = &arms->in[radius % arms->kept];
	if (!*in)
		*in = malloc(balls->site->cells * sizeof(**in));
	if (!*in)
		return out_of_memory(balls, err);
	memcpy(*in, ball, balls->site->cells * sizeof(**in));
	return 0;
}

/* Replace the arm of the radius before by that of [radius]. */
static void grow(const balls_t *balls, arms_t *arms, uint32_t radius, bool backwards)
{
	const torus_geometry_t *geometry = &balls->site->geometry;
	uint32_t **arm = backwards ? &arms->behind : &arms->ahead, *grown = arms->next;
	uint32_t reach = backwards ? arms->reach_behind : arms->reach_ahead;
	size_t size = balls->site->cells * sizeof(*grown);

	if (backwards)
		memset(grown, 0, size);
	else
		memcpy(grown, kept_ball(balls, arms, radius), size);
	if (radius) {
		if (backwards)
			torus_add_shifted(geometry, arms->axis, 1, true, false,
					  kept_ball(balls, arms, radius - 1), grown);
		torus_add_shifted(geometry, arms->axis, 1, backwards, false, *arm, grown);
	}
	if (radius > reach)
		torus_add_shifted(geometry, arms->axis, reach + 1, backwards, true,
				  kept_ball(balls, arms, radius - 1 - reach), grown);
	arms->next = *arm;
	*arm = grown;
}

static int count_balls(void *counts, uint32_t radius, uint32_t *ball, torus_error_t *err)
{
	balls_t *balls = counts;

	for (int axis = 0; axis < balls->site->geometry.dims; axis++) {
		arms_t *arms = &balls->arms[axis];

		if (keep_ball(balls, arms, radius, ball, err))
			return -1;
		grow(balls, arms, radius, false);
		grow(balls, arms, radius, true);
		for (uint32_t cell = 0; cell < balls->site->cells; cell++)
			ball[cell] = arms->ahead[cell] + arms->behind[cell];
	}
	return 0;
}

static int begin(balls_t *balls, torus_error_t *err)
{
	const torus_geometry_t *geometry = &balls->site->geometry;
	size_t cells = balls->site->cells;

	for (int axis = 0; axis < geometry->dims; axis++) {
		arms_t *arms = &balls->arms[axis];
		uint32_t length = (uint32_t)geometry->length[axis];

		arms->axis = axis;
		arms->reach_ahead = geometry->wrap[axis] ? length / 2 : UINT32_MAX;
		arms->reach_behind = geometry->wrap[axis] ? (length - 1) / 2 : UINT32_MAX;
		arms->kept = geometry->wrap[axis] ? length / 2 + 2 : 2;
		arms->ahead = malloc(cells * sizeof(*arms->ahead));
		arms->behind = malloc(cells * sizeof(*arms->behind));
		arms->next = malloc(cells * sizeof(*arms->next));
		arms->in = calloc(arms->kept, sizeof(*arms->in));
		if (!arms->ahead || !arms->behind || !arms->next || !arms->in)
			return out_of_memory(balls, err);
	}
	return 0;
}

static void end(balls_t *balls)
{
	for (int axis = 0; axis < balls->site->geometry.dims; axis++) {
		arms_t *arms = &balls->arms[axis];

		for (uint32_t i = 0; arms->in && i < arms->kept; i++)
			free(arms->in[i]);
		free(arms->in);
		free(arms->ahead);
		free(arms->behind);
		free(arms->next);
	}
}

int torus_mm(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	balls_t balls = {.site = ask->site};
	torus_shells_t shells = {.count = count_balls, .counts = &balls};
	int placed = -1;

	if (!begin(&balls, err))
		placed = torus_shells_place(ask, &shells, score, err);
	end(&balls);
	return placed;
}
