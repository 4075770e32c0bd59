/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bisection in all turns of the grid: which axis of the grid lies along which dimension
 * of the machine matters more than anything that follows, and is cheap to try out. Every
 * turn is bisected by the product of sides; the best of them also with one side counting
 * twice.
 */
#include "taskmap_turns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hops.h"
#include "taskmap_rcb.h"

/* Distances in whose time a task is bisected and its edges are measured. */
#define WORK_PER_TASK 120

typedef struct turns {
	const torus_layout_t *layout;
	torus_effort_t *effort;
	uint32_t *trial;
	uint32_t *node_of_task;
	double fewest; /* hop-bytes of node_of_task[] */
	int best[TORUS_MAX_DIMS];
	int now[TORUS_MAX_DIMS];
} turns_t;

/* Try the turn now[] by [rule]. 0, or -1 with [err] filled. */
static int try_rule(turns_t *turns, int task_power, int place_power, torus_error_t *err)
{
	torus_rcb_rule_t rule = {task_power, place_power};
	torus_hop_stats_t stats;

	if (!torus_effort_spend(turns->effort, turns->layout->tasks * WORK_PER_TASK))
		return 0;
	if (torus_rcb(turns->layout, &rule, turns->now, turns->trial, err) ||
	    torus_hop_stats(turns->layout->job, turns->trial, &stats, err))
		return -1;
	if (stats.hop_bytes < turns->fewest) {
		turns->fewest = stats.hop_bytes;
		memcpy(turns->best, turns->now, sizeof(turns->best));
		memcpy(turns->node_of_task, turns->trial,
		       turns->layout->tasks * sizeof(*turns->trial));
	}
	return 0;
}

/* Whether grid axes a and b of the layout look the same: exchanging them changes nothing.
 */
static bool alike(const torus_layout_t *layout, int a, int b)
{
	const torus_task_grid_t *grid = layout->job->grid;

	for (int axis = 1; axis < grid->dims; axis++) {
		if (grid->periodic[axis] != grid->periodic[0])
			return false;
	}
	return !layout->job->graph && layout->grid[a] == layout->grid[b];
}

/* Turn the axes from [axis] on in all ways; [used]: dimensions already taken. */
static int try_turns(turns_t *turns, int axis, unsigned used, torus_error_t *err)
{
	int dims = turns->layout->dims;

	if (axis == dims)
		return try_rule(turns, 1, 1, err);
	for (int i = 0; i < dims && !turns->effort->over; i++) {
		/* The layout's own turn first: it is the likeliest to be good. */
		int dimension = (axis + i) % dims;
		bool repeated = used >> dimension & 1;

		for (int before = 0; before < axis; before++)
			repeated |= alike(turns->layout, before, axis) &&
				    turns->now[before] > dimension;
		if (repeated)
			continue;
		turns->now[axis] = dimension;
		if (try_turns(turns, axis + 1, used | 1u << dimension, err))
			return -1;
	}
	return 0;
}

int torus_rcb_turns(const torus_layout_t *layout, torus_effort_t *effort,
		    uint32_t *node_of_task, double *hop_bytes, torus_error_t *err)
{
	turns_t turns = {
		.layout = layout,
		.effort = effort,
		.trial = malloc(layout->tasks * sizeof(*turns.trial)),
		.node_of_task = node_of_task,
		.fewest = *hop_bytes,
	};
	int result = -1;

	if (!turns.trial)
		return torus_fail(err, "out of memory for mapping %u tasks",
				  layout->tasks);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		turns.best[axis] = axis;
	if (try_turns(&turns, 0, 0, err))
		goto done;
	memcpy(turns.now, turns.best, sizeof(turns.now));
	if (try_rule(&turns, 2, 1, err) || try_rule(&turns, 1, 2, err))
		goto done;
	*hop_bytes = turns.fewest;
	result = 0;
done:
	free(turns.trial);
	return result;
}
