/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders of nodes to begin with.
 *
 * Lines: the nodes of the unrolled box one axis after the other, and the same turning
 * back at each end (snakes), in every order of the three longest axes, the others behind
 * them.
 *
 * Bisection (taskmap/search/bisection.h, by its product rule) of the grids nearest to a
 * square and a cube, laid into the box in every turn of their axes onto its three longest
 * ones; grids of more axes than the box is thick in are left out.
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
	const torus_task_job_t *job;
	const torus_hop_table_t *table;
	torus_effort_t *effort;
	torus_layout_t layout;	  /* its tasks: see lay_out_grid() */
	int axis[TORUS_MAX_DIMS]; /* of the box, longest first */
	int thick;		  /* axes in which the box is longer than 1 */
	torus_keyed_t *keyed, *scratch;
	uint32_t *tried;
	torus_any_order_t *kept; /* [TORUS_ANY_KEPT] best first */
} candidates_t;

/* Keep the order in tried[], if it is one of the best and not as good as another. */
static void judge(candidates_t *c)
{
	torus_any_order_t order;
	torus_hop_stats_t stats;
	int at = TORUS_ANY_KEPT - 1;

	torus_hop_table_stats(c->job, c->table, c->tried, &stats);
	if (stats.hop_bytes >= c->kept[at].hop_bytes)
		return;
	for (int i = 0; i < at; i++) {
		if (stats.hop_bytes == c->kept[i].hop_bytes)
			return;
	}
	order = c->kept[at];
	for (; at > 0 && c->kept[at - 1].hop_bytes > stats.hop_bytes; at--)
		c->kept[at] = c->kept[at - 1];
	c->kept[at] = order;
	c->kept[at].hop_bytes = stats.hop_bytes;
	memcpy(c->kept[at].node_of_task, c->tried, c->job->nodes * sizeof(*c->tried));
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

/* The tasks as points of [grid], its longest axis along the box's first one in the
 * [turn], and so on. */
static void lay_out_grid(candidates_t *c, const torus_task_grid_t *grid, const int *turn)
{
	int32_t *point = c->layout.task_point, coord[TORUS_MAX_DIMS] = {0};

	for (int axis = 0; axis < c->layout.dims; axis++)
		c->layout.grid[axis] = 1;
	for (int i = 0; i < grid->dims; i++)
		c->layout.grid[c->axis[turn[i]]] = grid->length[i];
	memset(point, 0, (size_t)c->job->nodes * (size_t)c->layout.dims * sizeof(*point));
	for (uint32_t task = 0; task < c->job->nodes; task++, point += c->layout.dims) {
		for (int i = 0; i < grid->dims; i++)
			point[c->axis[turn[i]]] = coord[i];
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
		if (turn[i] >= c->thick)
			return false;
		for (int j = 0; j < i; j++) {
			if (grid->length[i] == grid->length[j] && turn[i] < turn[j])
				return false;
		}
	}
	return true;
}

static bool try_bisection(candidates_t *c, torus_bisection_t *bisection, int dims,
			  const int *turn)
{
	static const int straight[TORUS_MAX_DIMS] = {0, 1, 2, 3, 4, 5};
	torus_task_grid_t grid = {.dims = dims};

	torus_task_grid_factor(c->job->nodes, dims, &grid);
	if (!is_new_turn(c, &grid, turn))
		return true;
	if (!torus_effort_spend(c->effort, bisecting(c->job->nodes) + judging(c)))
		return false;
	lay_out_grid(c, &grid, turn);
	torus_bisection_run(bisection, true, straight, c->tried);
	judge(c);
	return true;
}

/* --- all ---------------------------------------------------------------- */

static bool try_turn(candidates_t *c, torus_bisection_t *bisection, const int *turn)
{
	return try_bisection(c, bisection, 3, turn) && try_snake(c, turn) &&
	       try_bisection(c, bisection, 2, turn);
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
	if (!layout->node_point || !layout->task_point || !c->keyed || !c->scratch ||
	    !c->tried)
		return torus_fail(err, "out of memory for ordering %u nodes", nodes);
	if (torus_unroll(c->job, layout->box, layout->node_point, err))
		return -1;
	for (int i = 0; i < layout->dims; i++) {
		int at = i;

		for (; at > 0 && layout->box[c->axis[at - 1]] < layout->box[i]; at--)
			c->axis[at] = c->axis[at - 1];
		c->axis[at] = i;
		c->thick += layout->box[i] > 1;
	}
	return 0;
}

int torus_any_candidates(const torus_task_job_t *job, const torus_hop_table_t *table,
			 torus_effort_t *effort, torus_any_order_t *kept,
			 torus_error_t *err)
{
	candidates_t c = {.job = job, .table = table, .effort = effort, .kept = kept};
	torus_bisection_t *bisection = NULL;
	int rc = -1;

	if (init(&c, err))
		goto done;
	bisection = torus_bisection_create(&c.layout, err);
	if (!bisection)
		goto done;
	for (uint32_t node = 0; node < job->nodes; node++)
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
	return rc;
}
