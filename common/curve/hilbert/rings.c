/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See rings.h. What is tried, each laid out on the whole machine and measured, as far as
 * the budget goes: plans made with the wraps, the least loose first, and snakes.
 */
#include "curve/hilbert/rings.h"

#include <stdlib.h>
#include <string.h>

#include "curve/hilbert/looseness.h"
#include "curve/snake.h"
#include "curve/window.h"

/* Plans are tried for paths that travel along one axis more than in a mesh. */
#define TRAVELLED_MAX (HILBERT_TRAVEL_MAX + 1)
/* All orders of four axes; of more axes, those that leave the shortest ones fastest. */
#define SNAKES_MAX 24

typedef struct rings {
	hilbert_book_t *book;
	const torus_geometry_t *box;
	uint32_t cells;
	uint32_t *order;     /* the best so far */
	uint32_t *candidate; /* the one tried */
	int64_t score;	     /* what its score must not exceed */
	int64_t log;	     /* what its mean of logarithms must be below */
	uint64_t spent;	     /* on measuring */
} rings_t;

/* The mean hops of [pairs], in units of 2^-16. */
static uint64_t mean_of(uint64_t hops, uint64_t pairs)
{
	/* In two steps: of at most 2^17 cells, windows have fewer than 2^48 pairs. */
	return (hops / pairs << 16) + (hops % pairs << 16) / pairs;
}

int torus_hilbert_means(const torus_geometry_t *box, const uint32_t *order,
			hilbert_means_t *means)
{
	uint32_t cells = torus_geometry_cells(box);
	int windows = torus_window_lengths(cells);
	uint64_t line[32], ring[32];

	*means = (hilbert_means_t){0};
	if (torus_window_hops(box, order, line, ring))
		return -1;
	for (int w = 0; w < windows; w++) {
		uint64_t length = UINT64_C(2) << w;
		uint64_t pairs = length * (length - 1) / 2;
		uint64_t line_pairs = (cells - length + 1) * pairs;
		uint64_t ring_pairs = cells * pairs;

		means->score += (int64_t)mean_of(line[w], line_pairs);
		means->log +=
			torus_hilbert_log2(line[w]) - torus_hilbert_log2(line_pairs) +
			torus_hilbert_log2(ring[w]) - torus_hilbert_log2(ring_pairs);
	}
	if (windows) {
		means->score /= windows;
		means->log /= 2 * windows;
	}
	return 0;
}

static uint64_t work_to_measure(const rings_t *rings)
{
	int windows = 31 - __builtin_clz(rings->cells);

	return (uint64_t)rings->cells *
	       (uint64_t)(2 * HILBERT_WORK_HOPS * rings->box->dims * windows);
}

/* Whether another candidate may be measured; if so, it is counted. */
static bool may_measure(rings_t *rings)
{
	uint64_t work = work_to_measure(rings);

	if (rings->spent + work > HILBERT_WORK_MEASURE)
		return false;
	rings->spent += work;
	rings->book->work += work;
	return true;
}

/* Measure the candidate, and keep it if it is better. */
static void try_candidate(rings_t *rings)
{
	hilbert_means_t means;

	if (torus_hilbert_means(rings->box, rings->candidate, &means)) {
		rings->book->no_memory = true;
	} else if (means.score <= rings->score && means.log < rings->log) {
		rings->log = means.log;
		memcpy(rings->order, rings->candidate,
		       rings->cells * sizeof(*rings->order));
	}
}

typedef struct choice {
	int32_t looseness;
	uint32_t plan, travel;
	uint8_t axis[TORUS_MAX_DIMS];
} choice_t;

static int by_looseness(const void *a, const void *b)
{
	const choice_t *left = a, *right = b;

	if (left->looseness != right->looseness)
		return left->looseness < right->looseness ? -1 : 1;
	return left->travel < right->travel ? -1 : 1;
}

static void try_plans(rings_t *rings)
{
	choice_t choices[1 << TORUS_MAX_DIMS];
	hilbert_task_t task = torus_hilbert_task(rings->box);
	int count = 0;

	for (task.travel = 0; task.travel < 1u << rings->box->dims; task.travel++) {
		choice_t *choice = &choices[count];
		int64_t plan;

		if (__builtin_popcount(task.travel) > TRAVELLED_MAX)
			continue;
		plan = torus_hilbert_book_find(rings->book, &task, choice->axis);
		if (plan < 0)
			continue;
		choice->plan = (uint32_t)plan;
		choice->travel = task.travel;
		choice->looseness = rings->book->plans[plan].looseness;
		count++;
	}
	qsort(choices, (size_t)count, sizeof(choices[0]), by_looseness);
	for (int i = 0; i < count && may_measure(rings); i++) {
		torus_hilbert_write_whole(rings->book, choices[i].plan, choices[i].axis,
					  rings->box, rings->candidate);
		try_candidate(rings);
	}
}

/* The next of the orders of axes[0 .. dims-1], lexicographically; false after the last.
 */
static bool next_axes(int dims, int *axes)
{
	int at = dims - 2, with = dims - 1, axis;

	while (at >= 0 && axes[at] > axes[at + 1])
		at--;
	if (at < 0)
		return false;
	while (axes[with] < axes[at])
		with--;
	axis = axes[at];
	axes[at] = axes[with];
	axes[with] = axis;
	for (int low = at + 1, high = dims - 1; low < high; low++, high--) {
		axis = axes[low];
		axes[low] = axes[high];
		axes[high] = axis;
	}
	return true;
}

static void try_snakes(rings_t *rings)
{
	int sorted[TORUS_MAX_DIMS], turn[TORUS_MAX_DIMS], axes[TORUS_MAX_DIMS];
	int snakes = 0;

	torus_snake_axes(rings->box, sorted);
	for (int i = 0; i < rings->box->dims; i++)
		turn[i] = i;
	do {
		if (!may_measure(rings))
			return;
		for (int i = 0; i < rings->box->dims; i++)
			axes[i] = sorted[turn[i]];
		torus_snake_along(rings->box, axes, rings->candidate);
		try_candidate(rings);
	} while (++snakes < SNAKES_MAX && next_axes(rings->box->dims, turn));
}

int torus_hilbert_rings(hilbert_book_t *book, const torus_geometry_t *box,
			uint32_t *order)
{
	rings_t rings = {.book = book, .box = box, .order = order};
	hilbert_means_t mesh;

	rings.cells = torus_geometry_cells(box);
	if (box->dims < 2 || rings.cells > HILBERT_RINGS_CELLS || !may_measure(&rings))
		return 0;
	rings.candidate = malloc(rings.cells * sizeof(*rings.candidate));
	if (!rings.candidate || torus_hilbert_means(box, order, &mesh)) {
		free(rings.candidate);
		return -1;
	}
	rings.score = mesh.score;
	rings.log = mesh.log - HILBERT_GAIN;
	try_plans(&rings);
	try_snakes(&rings);
	free(rings.candidate);
	return book->no_memory ? -1 : 0;
}
