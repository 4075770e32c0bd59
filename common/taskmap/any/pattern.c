/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who talks to whom in a job that does not say: see taskmap/any/pattern.h. */
#include "taskmap/any/pattern.h"

#include <stdlib.h>

/* What a position's pairs in one of the patterns weigh in the mean, all hops being whole
 * numbers: fine enough for uneven shares, and sums of weights times hops stay exact. */
#define MEAN_WEIGHT 3600

/*
 * The ring counts twice, as there are two grids. Counted once, jobs that compact placed
 * and that communicate in rings would take as long as those of best_fit in the curve's
 * order (docs/placement.md).
 *
 * On few nodes it counts once. In the order of their names these are often a piece of a
 * 2x2x2 box, in which the default order is as good for a grid as any; with the ring
 * counted twice, grids of 8 tasks would be longer than that (docs/peers.md). Rings of
 * such jobs do not take longer for it (docs/placement.md).
 */
#define RING_WEIGHT 2
#define FEW_NODES 8

/* The most positions that one position talks to further along the tasks: along a ring and
 * the axes of two grids up to three each, and from the end of the ring to its start. */
#define PAIRS_AHEAD 19

typedef struct pair {
	uint32_t position, weight;
} pair_t;

/* A pattern while it is made. */
typedef struct making {
	uint32_t tasks, positions;
	uint32_t share, more; /* the first [more] positions have share + 1 tasks */
	torus_deal_t deal;
	pair_t *pairs;	 /* [positions * PAIRS_AHEAD] those ahead of each position */
	uint32_t *count; /* [positions] how many these are */
	uint64_t mean;	 /* weight of a position's pairs in the pattern that is added */
} making_t;

/* Tasks that talk to the one [stride] tasks further on, along one axis of a grid. */
typedef struct axis {
	uint64_t stride, length;
} axis_t;

static uint64_t first_task(const making_t *making, uint64_t position)
{
	return position * making->share +
	       (position < making->more ? position : making->more);
}

static uint32_t position_of(const making_t *making, uint64_t task)
{
	uint64_t large = (uint64_t)making->more * (making->share + 1);

	return (uint32_t)(task < large ? task / (making->share + 1)
				       : making->more + (task - large) / making->share);
}

/* How many of the tasks below [end] have a neighbour further along the axis. */
static uint64_t talkers_below(const axis_t *axis, uint64_t end)
{
	uint64_t layers = axis->stride * (axis->length - 1);
	uint64_t block = axis->stride * axis->length, rest = end % block;

	return end / block * layers + (rest < layers ? rest : layers);
}

/* [pairs] of the [all] pairs of tasks of a pattern are between positions from and to. */
static void add_pairs(making_t *making, uint32_t from, uint32_t to, uint64_t pairs,
		      uint64_t all)
{
	pair_t *pair = making->pairs + (size_t)from * PAIRS_AHEAD;
	uint64_t weight = pairs * making->positions * making->mean / all;
	uint32_t i = 0;

	if (!pairs || from == to)
		return;
	while (i < making->count[from] && pair[i].position != to)
		i++;
	if (i == making->count[from]) {
		pair[i] = (pair_t){.position = to};
		making->count[from]++;
	}
	pair[i].weight += (uint32_t)(weight ? weight : 1);
}

/* Tasks of a position, moved by the stride, are those of a few positions ahead. */
static void add_axis_of_blocks(making_t *making, const axis_t *axis, uint64_t all)
{
	uint64_t senders = making->tasks - axis->stride;

	for (uint32_t from = 0; from < making->positions; from++) {
		uint64_t task = first_task(making, from);
		uint64_t end = first_task(making, (uint64_t)from + 1);

		end = end < senders ? end : senders;
		while (task < end) {
			uint32_t to = position_of(making, task + axis->stride);
			uint64_t next = first_task(making, (uint64_t)to + 1);
			uint64_t until = next - axis->stride;

			until = until < end ? until : end;
			add_pairs(making, from, to,
				  talkers_below(axis, until) - talkers_below(axis, task),
				  all);
			task = until;
		}
	}
}

static void add_axis_in_turn(making_t *making, const axis_t *axis, uint64_t all)
{
	uint64_t pairs = talkers_below(axis, making->tasks);
	uint64_t mean = (pairs + making->positions - 1) / making->positions;

	for (uint32_t from = 0; from < making->positions; from++)
		add_pairs(making, from,
			  (uint32_t)((from + axis->stride) % making->positions), mean,
			  all);
}

/* A halo exchange on a grid. */
static void add_grid(making_t *making, const torus_task_grid_t *grid)
{
	uint64_t all = torus_task_grid_edges(grid);
	axis_t axis = {.stride = 1};

	for (int i = 0; i < grid->dims; i++, axis.stride *= axis.length) {
		axis.length = (uint64_t)grid->length[i];
		if (axis.length < 2)
			continue;
		if (making->deal == TORUS_DEAL_BLOCK)
			add_axis_of_blocks(making, &axis, all);
		else
			add_axis_in_turn(making, &axis, all);
	}
}

static void add_patterns(making_t *making)
{
	torus_task_grid_t grid = {.dims = 1,
				  .length = {(int32_t)making->tasks, 1, 1, 1, 1, 1}};

	making->mean = MEAN_WEIGHT;
	if (making->positions > FEW_NODES)
		making->mean *= RING_WEIGHT;
	add_grid(making, &grid);
	if (making->tasks > 2 && making->deal == TORUS_DEAL_BLOCK)
		add_pairs(making, making->positions - 1, 0, 1, making->tasks);
	making->mean = MEAN_WEIGHT;
	for (int dims = 2; dims <= 3; dims++) {
		torus_task_grid_factor(making->tasks, dims, &grid);
		add_grid(making, &grid);
	}
}

/* Enter [neighbor] into the row of [graph] that ends at *end, in ascending order. */
static void enter(torus_task_graph_t *graph, uint64_t first, uint64_t *end,
		  uint32_t neighbor, uint32_t weight)
{
	uint64_t at = *end;

	while (at > first && graph->neighbor[at - 1] > neighbor)
		at--;
	if (at > first && graph->neighbor[at - 1] == neighbor) {
		graph->weight[at - 1] += weight;
		return;
	}
	for (uint64_t i = *end; i > at; i--) {
		graph->neighbor[i] = graph->neighbor[i - 1];
		graph->weight[i] = graph->weight[i - 1];
	}
	graph->neighbor[at] = neighbor;
	graph->weight[at] = weight;
	++*end;
}

/* Close the gaps that pairs entered twice left: row p is first[p] to end[p] - 1. */
static void close_gaps(torus_task_graph_t *graph, const uint64_t *end)
{
	uint64_t used = 0;

	for (uint32_t p = 0; p < graph->tasks; p++) {
		uint64_t from = graph->first[p];

		graph->first[p] = used;
		for (; from < end[p]; from++, used++) {
			graph->neighbor[used] = graph->neighbor[from];
			graph->weight[used] = graph->weight[from];
		}
	}
	graph->first[graph->tasks] = used;
}

/* Each pair at both of its ends. [end] has room for [positions]. */
static void write_out(const making_t *making, torus_task_graph_t *graph, uint64_t *end)
{
	for (uint32_t p = 0; p < making->positions; p++) {
		const pair_t *pair = making->pairs + (size_t)p * PAIRS_AHEAD;

		graph->first[p + 1] += making->count[p];
		for (uint32_t i = 0; i < making->count[p]; i++)
			graph->first[pair[i].position + 1]++;
	}
	for (uint32_t p = 0; p < making->positions; p++) {
		graph->first[p + 1] += graph->first[p];
		end[p] = graph->first[p];
	}
	for (uint32_t p = 0; p < making->positions; p++) {
		const pair_t *pair = making->pairs + (size_t)p * PAIRS_AHEAD;

		for (uint32_t i = 0; i < making->count[p]; i++) {
			uint32_t other = pair[i].position;

			enter(graph, graph->first[p], &end[p], other, pair[i].weight);
			enter(graph, graph->first[other], &end[other], p, pair[i].weight);
		}
	}
	close_gaps(graph, end);
}

torus_task_graph_t *torus_any_pattern(uint32_t tasks, uint32_t positions,
				      torus_deal_t deal, torus_error_t *err)
{
	making_t making = {
		.tasks = tasks,
		.positions = positions,
		.share = tasks / positions,
		.more = tasks % positions,
		/* A task a node is the same either way, and blocks are exact. */
		.deal = tasks == positions ? TORUS_DEAL_BLOCK : deal,
		.pairs = malloc((size_t)positions * PAIRS_AHEAD * sizeof(pair_t)),
		.count = calloc(positions, sizeof(uint32_t)),
	};
	uint64_t *end = malloc(positions * sizeof(*end));
	torus_task_graph_t *graph = NULL;
	uint64_t entries = 0;

	if (making.pairs && making.count && end) {
		add_patterns(&making);
		for (uint32_t p = 0; p < positions; p++)
			entries += 2 * (uint64_t)making.count[p];
		graph = torus_task_graph_alloc(positions, entries, err);
	} else {
		torus_fail(err, "out of memory for the pattern of %u nodes", positions);
	}
	if (graph)
		write_out(&making, graph, end);
	free(making.pairs);
	free(making.count);
	free(end);
	return graph;
}
