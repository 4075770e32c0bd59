/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of near nodes: see taskmap/search/nearlist.h. Cells are looked at in shells
 * around each node. */
#include "taskmap/search/nearlist.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "taskmap/search/cell_index.h"

/* The most cells searched around a node; mostly the first few are enough, and listing
 * more takes longer than all the rest for a small job. */
#define STEPS_MAX 2000
#define STEPS_FEW 130
#define NONE UINT32_MAX

typedef struct step {
	int32_t by[TORUS_MAX_DIMS];
	uint32_t hops, number; /* number: keeps sorting reproducible */
} step_t;

static int compare_steps(const void *a, const void *b)
{
	const step_t *left = a, *right = b;

	if (left->hops != right->hops)
		return left->hops < right->hops ? -1 : 1;
	return left->number < right->number ? -1 : left->number > right->number;
}

/*
 * List the steps of at most [reach] hops, each of which leads to another cell: along a
 * ring at most half way around. Returns how many there are, or room + 1 if more than
 * [room].
 */
static uint32_t list_steps(const torus_geometry_t *geometry, int32_t reach, step_t *steps,
			   uint32_t room)
{
	step_t step = {.hops = 0};
	int32_t low[TORUS_MAX_DIMS], high[TORUS_MAX_DIMS];
	uint32_t count = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];
		int32_t up = geometry->wrap[axis] ? length / 2 : length - 1;
		int32_t down = geometry->wrap[axis] ? (length - 1) / 2 : length - 1;

		high[axis] = up < reach ? up : reach;
		low[axis] = down < reach ? -down : -reach;
		step.by[axis] = low[axis];
	}
	for (int axis = 0; axis < geometry->dims;) {
		step.hops = 0;
		for (int i = 0; i < geometry->dims; i++)
			step.hops += (uint32_t)abs(step.by[i]);
		if (step.hops <= (uint32_t)reach) {
			if (count == room)
				return room + 1;
			step.number = count;
			steps[count++] = step;
		}
		for (axis = 0; axis < geometry->dims; axis++) {
			if (++step.by[axis] <= high[axis])
				break;
			step.by[axis] = low[axis];
		}
	}
	return count;
}

/* Steps in the order in which cells are looked at. */
typedef struct plan {
	step_t *steps; /* [STEPS_MAX + 1] */
	uint32_t count, most;
} plan_t;

/* Plan as many whole shells as there is room for in [most] steps. */
static void make_plan(const torus_geometry_t *geometry, uint32_t most, plan_t *plan)
{
	plan->most = most;
	plan->count = list_steps(geometry, 0, plan->steps, most);
	for (int32_t reach = 1;; reach++) {
		uint32_t more = list_steps(geometry, reach, plan->steps, most);

		if (more > most) {
			plan->count = list_steps(geometry, reach - 1, plan->steps, most);
			break;
		}
		if (more == plan->count)
			break;
		plan->count = more;
	}
	qsort(plan->steps, plan->count, sizeof(*plan->steps), compare_steps);
}

/* The cell [by] steps from [coord], or NONE if that is off the machine. */
static uint32_t cell_at(const torus_geometry_t *geometry, const int32_t *coord,
			const int32_t *by)
{
	int32_t to[TORUS_MAX_DIMS];

	for (int axis = 0; axis < geometry->dims; axis++) {
		to[axis] = coord[axis] + by[axis];
		if (to[axis] < 0 || to[axis] >= geometry->length[axis]) {
			if (!geometry->wrap[axis])
				return NONE;
			to[axis] += to[axis] < 0 ? geometry->length[axis]
						 : -geometry->length[axis];
		}
	}
	return torus_coord_to_cell(geometry, to);
}

/* List nodes by the plan. Returns how many were found. */
static uint32_t find_near(const torus_cell_index_t *index, const plan_t *plan,
			  uint32_t node, uint32_t *list)
{
	const torus_task_job_t *job = index->job;
	int32_t coord[TORUS_MAX_DIMS];
	uint32_t found = 0;

	torus_cell_to_coord(job->geometry, job->cell[node], coord);
	list[found++] = node;
	for (uint32_t i = 0; i < plan->count && found < TORUS_NEARLIST_NODES; i++) {
		uint32_t cell = cell_at(job->geometry, coord, plan->steps[i].by);

		if (cell == NONE)
			continue;
		for (uint32_t other = torus_cell_index_first(index, cell);
		     other != TORUS_NO_NODE && found < TORUS_NEARLIST_NODES;
		     other = torus_cell_index_next(index, other)) {
			if (other != node)
				list[found++] = other;
		}
	}
	return found;
}

static void list_near(const torus_cell_index_t *index, plan_t *plan, uint32_t node,
		      uint64_t *random, uint32_t *list)
{
	uint32_t found = find_near(index, plan, node, list);

	if (found < TORUS_NEARLIST_NODES && plan->most < STEPS_MAX) {
		/* From now on all have the longer plan, which begins with the shorter. */
		make_plan(index->job->geometry, STEPS_MAX, plan);
		found = find_near(index, plan, node, list);
	}
	while (found < TORUS_NEARLIST_NODES)
		list[found++] = torus_random_below(random, index->job->nodes);
}

uint32_t *torus_nearlist_create(const torus_task_job_t *job, torus_error_t *err)
{
	uint32_t *list =
		malloc((size_t)job->nodes * TORUS_NEARLIST_NODES * sizeof(*list));
	plan_t plan = {.steps = malloc((STEPS_MAX + 1) * sizeof(*plan.steps))};
	torus_cell_index_t index = {0};
	uint64_t random = 1;

	if (!list || !plan.steps) {
		torus_fail(err, "out of memory for near nodes of %u", job->nodes);
		goto fail;
	}
	if (torus_cell_index_init(job, &index, err))
		goto fail;
	make_plan(job->geometry, STEPS_FEW, &plan);
	for (uint32_t node = 0; node < job->nodes; node++)
		list_near(&index, &plan, node, &random,
			  list + (size_t)node * TORUS_NEARLIST_NODES);
	goto done;
fail:
	free(list);
	list = NULL;
done:
	free(plan.steps);
	torus_cell_index_destroy(&index);
	return list;
}
