/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who talks to whom in a job that does not say: see taskmap/any/pattern.h. */
#include "taskmap/any/pattern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/radix.h"

/* What a position's pairs in a pattern weigh in the mean at equal shares, all hops being
 * whole numbers: fine enough for uneven counts, and all weights stay below INT16_MAX. */
#define MEAN_WEIGHT 3600

/* So that both ends of all are fewer than 2^32. */
#define PAIRS_MOST (UINT32_C(1) << 30)

typedef struct pair {
	uint32_t from, to; /* positions */
	uint32_t pattern;
	uint32_t count; /* of pairs of tasks */
} pair_t;

/* Patterns while they are made. */
typedef struct making {
	uint32_t tasks, positions, pattern;
	uint32_t *first; /* [positions + 1] in blocks: the first task of each position */
	/* Cyclic by counts: the position of each task, and each position's tasks,
	 * ascending, from first[] on. NULL: position t mod positions, or blocks. */
	uint32_t *position_of, *task;
	uint32_t *found; /* [positions] then: pairs so far of one position */
	bool cyclic;
	pair_t *pairs;
	uint32_t count, room;
	uint64_t all[TORUS_ANY_PATTERNS];
} making_t;

/* Tasks that talk to the one [stride] tasks further on, along one axis of a grid. */
typedef struct axis {
	uint64_t stride, length;
} axis_t;

static bool has_neighbor(const axis_t *axis, uint64_t task)
{
	return task / axis->stride % axis->length < axis->length - 1;
}

/* How many of the tasks below [end] have a neighbour further along the axis. */
static uint64_t talkers_below(const axis_t *axis, uint64_t end)
{
	uint64_t layers = axis->stride * (axis->length - 1);
	uint64_t block = axis->stride * axis->length, rest = end % block;

	return end / block * layers + (rest < layers ? rest : layers);
}

/* The sum of (start + i * step) / by, rounded down, over i = 0 .. count - 1. The terms
 * are turned around until the slope is below 1, as in Euclid's algorithm. O(log). */
static uint64_t sum_of_quotients(uint64_t count, uint64_t by, uint64_t step,
				 uint64_t start)
{
	uint64_t sum = 0;

	while (count) {
		uint64_t last;

		sum += count * (count - 1) / 2 * (step / by) + count * (start / by);
		step %= by;
		start %= by;
		last = step * count + start;
		count = last / by;
		start = last % by;
		last = by;
		by = step;
		step = last;
	}
	return sum;
}

static int add(making_t *making, uint32_t from, uint32_t to, uint64_t count)
{
	if (!count || from == to)
		return 0;
	if (making->count == making->room) {
		uint32_t room = making->room ? 2 * making->room : 64;
		pair_t *more = room <= PAIRS_MOST
				       ? realloc(making->pairs, room * sizeof(*more))
				       : NULL;

		if (!more)
			return -1;
		making->pairs = more;
		making->room = room;
	}
	making->pairs[making->count++] =
		(pair_t){from, to, making->pattern, (uint32_t)count};
	return 0;
}

/* A position's tasks, moved by the stride, are those of a few positions ahead. */
static int add_axis_of_blocks(making_t *making, const axis_t *axis)
{
	uint64_t senders = making->tasks - axis->stride;
	uint32_t to = 0;

	for (uint32_t from = 0; from < making->positions; from++) {
		uint64_t task = making->first[from], end = making->first[from + 1];

		end = end < senders ? end : senders;
		while (task < end) {
			uint64_t until;

			while (making->first[to + 1] <= task + axis->stride)
				to++;
			until = making->first[to + 1] - axis->stride;
			until = until < end ? until : end;
			if (add(making, from, to,
				talkers_below(axis, until) - talkers_below(axis, task)))
				return -1;
			task = until;
		}
	}
	return 0;
}

/* Tasks p, p + positions, p + 2 positions and so on are those of position p. */
static int add_axis_in_turn(making_t *making, const axis_t *axis)
{
	uint64_t block = axis->stride * axis->length, step = making->positions;
	uint64_t layers = axis->stride * (axis->length - 1);

	for (uint32_t p = 0; p < making->positions; p++) {
		uint64_t count = (making->tasks - 1 - p) / step + 1;
		/* A quotient is larger by one where a layer has a next one. */
		uint64_t talkers =
			sum_of_quotients(count, block, step, p) + count -
			sum_of_quotients(count, block, step, p + block - layers);

		if (add(making, p, (uint32_t)((p + axis->stride) % step), talkers))
			return -1;
	}
	return 0;
}

static int add_axis_by_tasks(making_t *making, const axis_t *axis)
{
	for (uint32_t p = 0; p < making->positions; p++) {
		const uint32_t *begin = making->task + making->first[p];
		const uint32_t *end = making->task + making->first[p + 1];

		for (const uint32_t *task = begin; task < end; task++) {
			if (has_neighbor(axis, *task))
				making->found[making->position_of[*task +
								  axis->stride]]++;
		}
		for (const uint32_t *task = begin; task < end; task++) {
			uint32_t to;

			if (!has_neighbor(axis, *task))
				continue;
			to = making->position_of[*task + axis->stride];
			if (add(making, p, to, making->found[to]))
				return -1;
			making->found[to] = 0;
		}
	}
	return 0;
}

static int add_axis(making_t *making, const axis_t *axis)
{
	if (making->position_of)
		return add_axis_by_tasks(making, axis);
	return making->cyclic ? add_axis_in_turn(making, axis)
			      : add_axis_of_blocks(making, axis);
}

static int add_grid(making_t *making, int dims)
{
	torus_task_grid_t grid = {0};
	axis_t axis = {.stride = 1};

	torus_task_grid_mpi(making->tasks, dims, &grid);
	making->all[making->pattern] = torus_task_grid_edges(&grid);
	for (int i = 0; i < grid.dims; i++, axis.stride *= axis.length) {
		axis.length = (uint64_t)grid.length[i];
		if (axis.length > 1 && add_axis(making, &axis))
			return -1;
	}
	return 0;
}

/* The first and the last task are neighbours, too. */
static int close_ring(making_t *making)
{
	uint32_t first = 0, last = making->positions - 1;

	if (making->tasks < 3)
		return 0;
	making->all[0]++;
	if (making->position_of) {
		first = making->position_of[0];
		last = making->position_of[making->tasks - 1];
	} else if (making->cyclic) {
		last = (making->tasks - 1) % making->positions;
	} else {
		while (making->first[first + 1] == 0)
			first++;
		while (making->first[last] == making->tasks)
			last--;
	}
	return add(making, last, first, 1);
}

static int add_patterns(making_t *making)
{
	for (int dims = 1; dims <= TORUS_ANY_PATTERNS; dims++) {
		making->pattern = (uint32_t)dims - 1;
		if (add_grid(making, dims) || (dims == 1 && close_ring(making)))
			return -1;
		if (!making->all[dims - 1])
			making->all[dims - 1] = 1;
	}
	return 0;
}

/* --- who has which task -------------------------------------------------- */

static bool are_alike(const uint32_t *tasks_on, uint32_t positions)
{
	for (uint32_t p = 1; p < positions; p++) {
		if (tasks_on[p] != tasks_on[0])
			return false;
	}
	return true;
}

/* List the tasks of each position, dealt out one at a time in turn. */
static int deal_in_turn(making_t *making, const uint32_t *tasks_on)
{
	uint32_t *taken = making->found, task = 0;

	making->position_of = malloc(making->tasks * sizeof(*making->position_of));
	making->task = malloc(making->tasks * sizeof(*making->task));
	if (!making->position_of || !making->task)
		return -1;
	while (task < making->tasks) {
		for (uint32_t p = 0; p < making->positions; p++) {
			if (taken[p] == tasks_on[p])
				continue;
			making->task[making->first[p] + taken[p]++] = task;
			making->position_of[task++] = p;
		}
	}
	memset(taken, 0, making->positions * sizeof(*taken));
	return 0;
}

static int deal_tasks(making_t *making, const uint32_t *tasks_on)
{
	uint32_t positions = making->positions, task = 0;

	making->first = malloc(((size_t)positions + 1) * sizeof(*making->first));
	making->found = calloc(positions, sizeof(*making->found));
	if (!making->first || !making->found)
		return -1;
	for (uint32_t p = 0; p < positions; p++) {
		making->first[p] = task;
		task += tasks_on ? tasks_on[p]
				 : making->tasks / positions +
					   (p < making->tasks % positions);
	}
	making->first[positions] = task;
	return making->cyclic && tasks_on ? deal_in_turn(making, tasks_on) : 0;
}

/* --- the graph ----------------------------------------------------------- */

/* List both ends of all pairs, sorted; NULL: out of memory. */
static torus_keyed_t *sort_ends(const making_t *making)
{
	uint32_t ends = 2 * making->count;
	torus_keyed_t *sorted = malloc(((size_t)ends + 1) * 2 * sizeof(*sorted));

	if (!sorted)
		return NULL;
	for (uint32_t i = 0; i < making->count; i++) {
		uint64_t from = making->pairs[i].from, to = making->pairs[i].to;

		sorted[2 * (size_t)i] = (torus_keyed_t){from << 32 | to, i};
		sorted[2 * (size_t)i + 1] = (torus_keyed_t){to << 32 | from, i};
	}
	torus_radix_sort(sorted, sorted + ends, ends);
	return sorted;
}

/* Each pair at both of its ends, those between the same positions as one. */
static int make_graph(const making_t *making, torus_any_pattern_t *pattern,
		      torus_error_t *err)
{
	torus_keyed_t *sorted = sort_ends(making);
	uint64_t entries = 0, entry = 0;
	int rc = -1;

	if (!sorted)
		return -1;
	for (uint32_t i = 0; i < 2 * making->count; i++)
		entries += !i || sorted[i].key != sorted[i - 1].key;
	pattern->graph = torus_task_graph_alloc(making->positions, entries, err);
	pattern->pairs = calloc(entries + 1, sizeof(*pattern->pairs));
	if (!pattern->graph || !pattern->pairs)
		goto done;
	for (uint32_t i = 0; i < 2 * making->count; i++) {
		const pair_t *pair = &making->pairs[sorted[i].value];

		entry += i && sorted[i].key != sorted[i - 1].key;
		pattern->graph->neighbor[entry] = (uint32_t)sorted[i].key;
		pattern->graph->first[(sorted[i].key >> 32) + 1] = entry + 1;
		pattern->pairs[entry][pair->pattern] += pair->count;
	}
	for (uint32_t p = 0; p < making->positions; p++) {
		if (!pattern->graph->first[p + 1]) /* it talks to nobody */
			pattern->graph->first[p + 1] = pattern->graph->first[p];
	}
	rc = 0;
done:
	free(sorted);
	return rc;
}

int torus_any_pattern_init(uint32_t tasks, uint32_t positions, const uint32_t *tasks_on,
			   torus_deal_t deal, torus_any_pattern_t *pattern,
			   torus_error_t *err)
{
	static const uint32_t equal[TORUS_ANY_PATTERNS] = {1, 1, 1};
	making_t making = {.tasks = tasks, .positions = positions};
	int rc = -1;

	*pattern = (torus_any_pattern_t){0};
	if (tasks_on && are_alike(tasks_on, positions))
		tasks_on = NULL;
	/* A task on each is the same either way. */
	making.cyclic = deal == TORUS_DEAL_CYCLIC && (tasks_on || tasks > positions);
	if (deal_tasks(&making, tasks_on) || add_patterns(&making) ||
	    make_graph(&making, pattern, err)) {
		torus_fail(err, "out of memory for the pattern of %u nodes", positions);
		goto done;
	}
	memcpy(pattern->all, making.all, sizeof(pattern->all));
	torus_any_pattern_weigh(pattern, equal);
	rc = 0;
done:
	free(making.first);
	free(making.position_of);
	free(making.task);
	free(making.found);
	free(making.pairs);
	return rc;
}

void torus_any_pattern_destroy(torus_any_pattern_t *pattern)
{
	torus_task_graph_destroy(pattern->graph);
	free(pattern->pairs);
}

void torus_any_pattern_weigh(torus_any_pattern_t *pattern,
			     const uint32_t share[TORUS_ANY_PATTERNS])
{
	torus_task_graph_t *graph = pattern->graph;
	uint64_t entries = graph->first[graph->tasks], scale[TORUS_ANY_PATTERNS], sum = 0;
	double heaviest = 0;

	for (int k = 0; k < TORUS_ANY_PATTERNS; k++)
		sum += share[k];
	for (int k = 0; k < TORUS_ANY_PATTERNS; k++)
		scale[k] = (uint64_t)graph->tasks * MEAN_WEIGHT * TORUS_ANY_PATTERNS *
			   share[k] / sum;
	for (uint64_t i = 0; i < entries; i++) {
		uint64_t weight = 0;

		for (int k = 0; k < TORUS_ANY_PATTERNS; k++)
			weight += pattern->pairs[i][k] * scale[k] / pattern->all[k];
		graph->weight[i] = (double)(weight ? weight : 1);
		heaviest = graph->weight[i] > heaviest ? graph->weight[i] : heaviest;
	}
	for (uint64_t i = 0; heaviest > INT16_MAX && i < entries; i++) {
		uint64_t weight =
			(uint64_t)graph->weight[i] * INT16_MAX / (uint64_t)heaviest;

		graph->weight[i] = (double)(weight ? weight : 1);
	}
}
