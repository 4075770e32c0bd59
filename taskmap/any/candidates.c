/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders of nodes to begin with.
 *
 * Lines: the nodes of the unrolled box one axis after the other, and the same turning
 * back at each end (snakes), in every order of the three longest axes, the others behind
 * them.
 *
 * Bisection (taskmap/search/bisection.h, by its product rule) of the 2D and the 3D grid,
 * laid into the box in every turn of their axes onto its three longest ones; grids of
 * more axes than the box is thick in are left out.
 *
 * Where the first node is to stay in front, the box is mirrored such that it is near its
 * lowest corner, where all of these begin; then it changes places with who is in front. A
 * node of other tasks than its position is to have changes places likewise: positions of
 * as many tasks get the nodes for them as they come in the order.
 *
 * Those that are best most often come first, as the effort may not last for all.
 */
#include "taskmap/any/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/radix.h"
#include "taskmap/layout.h"
#include "taskmap/search/bisection.h"

/* What one number of a table of work is worth, in distances looked up (measured). */
#define WORK_BISECTION 5 /* a node and level */
#define WORK_SNAKE 12	 /* a node */

#define TURNS 6
/* Orders of three axes: the longest is 0. */
static const int turns[TURNS][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
				    {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};

typedef struct candidates {
	torus_any_search_t *search;
	const torus_task_job_t *job;
	const torus_task_grid_t *grid; /* [2] */
	torus_effort_t *effort;
	torus_layout_t layout;	  /* its tasks: see lay_out_grid() */
	int axis[TORUS_MAX_DIMS]; /* of the box, longest first */
	int thick;		  /* axes in which the box is longer than 1 */
	torus_keyed_t *keyed, *scratch;
	uint32_t *tried;
	uint32_t *by_count;	 /* [nodes] if counts differ: positions, by their tasks */
	torus_any_order_t *kept; /* [TORUS_ANY_KEPT] best first */
} candidates_t;

/* Numbers 0 to nodes - 1 in values of keyed[], sorted by the tasks that [node] of them
 * (NULL: they themselves) have; those that have as many stay as they are. */
static void sort_by_count(const candidates_t *c, const uint32_t *node)
{
	for (uint32_t i = 0; i < c->job->nodes; i++)
		c->keyed[i] = (torus_keyed_t){c->search->tasks_on[node ? node[i] : i], i};
	torus_radix_sort(c->keyed, c->scratch, c->job->nodes);
}

/* Make tried[] an order that the search may come to: see above. */
static void put_in_place(candidates_t *c)
{
	uint32_t at = 0;

	if (c->search->tasks_on) {
		sort_by_count(c, c->tried);
		for (uint32_t i = 0; i < c->job->nodes; i++)
			c->scratch[c->by_count[i]].value = c->tried[c->keyed[i].value];
		for (uint32_t i = 0; i < c->job->nodes; i++)
			c->tried[i] = c->scratch[i].value;
	}
	if (c->search->free_head)
		return;
	while (c->tried[at] != 0)
		at++;
	c->tried[at] = c->tried[0];
	c->tried[0] = 0;
}

/* Keep the order in tried[], if it is one of the best and not as good as another. */
static void judge(candidates_t *c)
{
	torus_any_order_t order;
	uint64_t hops[TORUS_ANY_PATTERNS], value;
	int at = TORUS_ANY_KEPT - 1;

	put_in_place(c);
	torus_any_hops(c->search, c->tried, hops);
	torus_any_offer(c->search, c->tried, hops);
	value = torus_any_value(c->search, hops);
	if (value >= c->kept[at].value)
		return;
	for (int i = 0; i < at; i++) {
		if (value == c->kept[i].value)
			return;
	}
	order = c->kept[at];
	for (; at > 0 && c->kept[at - 1].value > value; at--)
		c->kept[at] = c->kept[at - 1];
	c->kept[at] = order;
	c->kept[at].value = value;
	memcpy(c->kept[at].order, c->tried, c->job->nodes * sizeof(*c->tried));
}

/* Work of judging one. */
static uint64_t judging(const candidates_t *c)
{
	return c->job->graph->first[c->job->nodes] / 2;
}

/* --- snakes ------------------------------------------------------------- */

/* The place of [point] on the snake that runs along the axes of the box in the [order]
 * given, the first one fastest. */
static uint64_t place_on_snake(const candidates_t *c, const int32_t *point,
			       const int *order)
{
	uint64_t place = 0;

	for (int i = c->layout.dims - 1; i >= 0; i--) {
		int axis = order[i];
		uint64_t side = (uint64_t)c->layout.box[axis];
		uint64_t at = (uint64_t)point[axis];

		/* Every other row of what is slower is gone through from the far end. */
		if (place & 1)
			at = side - 1 - at;
		place = place * side + at;
	}
	return place;
}

static void order_by_turn(const candidates_t *c, const int *turn, int *order)
{
	for (int i = 0; i < c->layout.dims; i++)
		order[i] = c->axis[i < 3 && turn[i] < c->layout.dims ? turn[i] : i];
}

static bool try_snake(candidates_t *c, const int *turn)
{
	const int32_t *point = c->layout.node_point;
	int order[TORUS_MAX_DIMS];

	if (!torus_effort_spend(c->effort,
				(uint64_t)WORK_SNAKE * c->job->nodes + judging(c)))
		return false;
	order_by_turn(c, turn, order);
	for (uint32_t node = 0; node < c->job->nodes; node++, point += c->layout.dims)
		c->keyed[node] = (torus_keyed_t){
			.key = place_on_snake(c, point, order),
			.value = node,
		};
	torus_radix_sort(c->keyed, c->scratch, c->job->nodes);
	for (uint32_t i = 0; i < c->job->nodes; i++)
		c->tried[i] = c->keyed[i].value;
	judge(c);
	return true;
}

/* --- bisection ---------------------------------------------------------- */

/* The axis of the box that axis [i] of the grid lies along: the last and longest one
 * along the first in the [turn], and so on. */
static int axis_of(const candidates_t *c, const torus_task_grid_t *grid, const int *turn,
		   int i)
{
	return c->axis[turn[grid->dims - 1 - i]];
}

/* The positions as points of [grid]. */
static void lay_out_grid(candidates_t *c, const torus_task_grid_t *grid, const int *turn)
{
	int32_t *point = c->layout.task_point, coord[TORUS_MAX_DIMS] = {0};

	for (int axis = 0; axis < c->layout.dims; axis++)
		c->layout.grid[axis] = 1;
	for (int i = 0; i < grid->dims; i++) {
		if (grid->length[i] > 1)
			c->layout.grid[axis_of(c, grid, turn, i)] = grid->length[i];
	}
	memset(point, 0, (size_t)c->job->nodes * (size_t)c->layout.dims * sizeof(*point));
	for (uint32_t task = 0; task < c->job->nodes; task++, point += c->layout.dims) {
		for (int i = 0; i < grid->dims; i++) {
			if (grid->length[i] > 1)
				point[axis_of(c, grid, turn, i)] = coord[i];
		}
		torus_task_grid_next(grid, coord);
	}
}

static uint64_t bisecting(uint32_t nodes)
{
	uint64_t levels = 1;

	while (nodes >> levels)
		levels++;
	return WORK_BISECTION * levels * nodes;
}

/* Whether the box has room for such a turn of the grid, and no turn before is the same
 * but for grid axes of equal length. */
static bool is_new_turn(const candidates_t *c, const torus_task_grid_t *grid,
			const int *turn)
{
	for (int i = 0; i < grid->dims; i++) {
		int32_t length = grid->length[grid->dims - 1 - i];

		if (length > 1 && turn[i] >= c->thick)
			return false;
		for (int j = 0; j < i; j++) {
			if (length == grid->length[grid->dims - 1 - j] &&
			    turn[i] < turn[j])
				return false;
		}
	}
	return true;
}

static bool try_bisection(candidates_t *c, torus_bisection_t *bisection,
			  const torus_task_grid_t *grid, const int *turn)
{
	static const int straight[TORUS_MAX_DIMS] = {0, 1, 2, 3, 4, 5};

	if (!is_new_turn(c, grid, turn))
		return true;
	if (!torus_effort_spend(c->effort, bisecting(c->job->nodes) + judging(c)))
		return false;
	lay_out_grid(c, grid, turn);
	torus_bisection_run(bisection, TORUS_BISECTION_PRODUCT, straight, c->tried);
	judge(c);
	return true;
}

/* --- all ---------------------------------------------------------------- */

static bool try_turn(candidates_t *c, torus_bisection_t *bisection, const int *turn)
{
	return try_bisection(c, bisection, &c->grid[1], turn) && try_snake(c, turn) &&
	       try_bisection(c, bisection, &c->grid[0], turn);
}

/* Mirror the box where its first node is in the upper half of an axis. */
static void mirror(torus_layout_t *layout)
{
	for (int axis = 0; axis < layout->dims; axis++) {
		int32_t *point = layout->node_point + axis, last = layout->box[axis] - 1;

		if (2 * *point <= last)
			continue;
		for (uint32_t node = 0; node < layout->tasks;
		     node++, point += layout->dims)
			*point = last - *point;
	}
}

/* The box around the nodes, and memory for orders. */
static int init(candidates_t *c, torus_error_t *err)
{
	uint32_t nodes = c->job->nodes;
	size_t numbers = (size_t)nodes * (size_t)c->job->geometry->dims;
	torus_layout_t *layout = &c->layout;

	layout->job = c->job;
	layout->dims = c->job->geometry->dims;
	layout->tasks = nodes;
	layout->node_point = malloc(numbers * sizeof(*layout->node_point));
	layout->task_point = malloc(numbers * sizeof(*layout->task_point));
	c->keyed = malloc(nodes * sizeof(*c->keyed));
	c->scratch = malloc(nodes * sizeof(*c->scratch));
	c->tried = malloc(nodes * sizeof(*c->tried));
	c->by_count = malloc(nodes * sizeof(*c->by_count));
	if (!layout->node_point || !layout->task_point || !c->keyed || !c->scratch ||
	    !c->tried || !c->by_count)
		return torus_fail(err, "out of memory for ordering %u nodes", nodes);
	if (torus_unroll(c->job, layout->box, layout->node_point, err))
		return -1;
	if (!c->search->free_head)
		mirror(layout);
	if (c->search->tasks_on) {
		sort_by_count(c, NULL);
		for (uint32_t i = 0; i < nodes; i++)
			c->by_count[i] = c->keyed[i].value;
	}
	for (int i = 0; i < layout->dims; i++) {
		int at = i;

		for (; at > 0 && layout->box[c->axis[at - 1]] < layout->box[i]; at--)
			c->axis[at] = c->axis[at - 1];
		c->axis[at] = i;
		c->thick += layout->box[i] > 1;
	}
	return 0;
}

int torus_any_candidates(torus_any_search_t *search, const torus_task_grid_t grid[2],
			 torus_effort_t *effort, torus_any_order_t *kept,
			 torus_error_t *err)
{
	candidates_t c = {
		.search = search,
		.job = search->job,
		.grid = grid,
		.effort = effort,
		.kept = kept,
	};
	torus_bisection_t *bisection = NULL;
	int rc = -1;

	if (init(&c, err))
		goto done;
	bisection = torus_bisection_create(&c.layout, err);
	if (!bisection)
		goto done;
	for (uint32_t node = 0; node < c.job->nodes; node++)
		c.tried[node] = node;
	judge(&c);
	for (int turn = 0; turn < TURNS; turn++) {
		if (!try_turn(&c, bisection, turns[turn]))
			break;
	}
	rc = 0;
done:
	torus_bisection_destroy(bisection);
	torus_layout_destroy(&c.layout);
	free(c.keyed);
	free(c.scratch);
	free(c.tried);
	free(c.by_count);
	return rc;
}
