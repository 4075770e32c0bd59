/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See looseness.h. Curves are scored by hops (curve/score.h). The square of the straight
 * distance orders paths nearly alike and is far quicker to sum, as it separates: over all
 * pairs of a window of L cells and along one axis it sums to L times the sum of the
 * coordinates' squares less the square of their sum. On a ring it does not, and hops are
 * summed as for scores.
 */
#include "curve/hilbert/looseness.h"

#include <stdlib.h>

#include "curve/window.h"

/*
 * Running sums along a path of one coordinate, first[i] of those before cell i, and of
 * the sums of its squares in the same way, second[i] of those up to cells 0 .. i-1.
 */
typedef struct sums {
	uint64_t *first, *second;
} sums_t;

int32_t torus_hilbert_log2(uint64_t value)
{
	int whole = 63 - __builtin_clzll(value);
	uint64_t rest = value << (63 - whole) >> 32; /* from 2^31 to 2^32 - 1 */
	int32_t log = whole;

	/* Squaring doubles the logarithm: each time its next digit shows. */
	for (int32_t one = 1; one < HILBERT_ONE; one *= 2) {
		rest = rest * rest >> 31;
		log = 2 * log + (int32_t)(rest >> 32);
		rest >>= rest >> 32;
	}
	return log;
}

/* The logarithm of length^(2/dims), where the length is 2 << w. */
static int32_t compact(int dims, int w)
{
	return 2 * (w + 1) * HILBERT_ONE / dims;
}

/* The pairs of cells of all windows of 2 << w cells. */
static uint64_t pairs_of(uint32_t cells, int w)
{
	uint64_t length = UINT64_C(2) << w;

	return (cells - length + 1) * (length * (length - 1) / 2);
}

/*
 * Add to square[w] the squared distances of all pairs of each window of 2 << w cells. Of
 * the squares' sums only those over all windows count, which are sums of sums.
 */
static void add_windows(const sums_t *sums, uint32_t cells, uint64_t *square)
{
	const uint64_t *second = sums->second;

	for (int w = 0; w < torus_window_lengths(cells); w++) {
		uint32_t length = UINT32_C(2) << w, windows = cells - length + 1;
		const uint64_t *first = sums->first, *ahead = first + length;
		uint64_t sum = 0;

		for (uint32_t start = 0; start < windows; start++) {
			uint64_t within = ahead[start] - first[start];

			sum += within * within;
		}
		square[w] +=
			length * (second[cells + 1] - second[length] - second[windows]) -
			sum;
	}
}

static uint32_t cells_of(int dims, const hilbert_task_t *task)
{
	uint32_t cells = 1;

	for (int i = 0; i < dims; i++)
		cells *= (uint32_t)task->side[i];
	return cells;
}

/* As torus_hilbert_looseness(), without a ring. */
static int mesh_looseness(int dims, const hilbert_task_t *task, const uint32_t *path,
			  int32_t *looseness)
{
	uint32_t cells = cells_of(dims, task), stride = 1;
	int windows = torus_window_lengths(cells);
	uint64_t square[32] = {0};
	int64_t total = 0;
	sums_t sums = {.first = malloc((2 * (size_t)cells + 3) * sizeof(*sums.first))};

	if (!sums.first)
		return -1;
	sums.second = sums.first + cells + 1;
	sums.first[0] = sums.second[0] = 0;
	for (int i = 0; i < dims; i++) {
		uint32_t side = (uint32_t)task->side[i];
		uint64_t squares = 0;

		if (side == 1)
			continue;
		for (uint32_t at = 0; at < cells; at++) {
			uint32_t x = path[at] / stride % side;

			sums.first[at + 1] = sums.first[at] + x;
			sums.second[at + 1] = sums.second[at] + squares;
			squares += (uint64_t)x * x;
		}
		sums.second[cells + 1] = sums.second[cells] + squares;
		add_windows(&sums, cells, square);
		stride *= side;
	}
	free(sums.first);
	for (int w = 0; w < windows; w++)
		total += torus_hilbert_log2(square[w]) -
			 torus_hilbert_log2(pairs_of(cells, w)) - compact(dims, w);
	*looseness = windows ? (int32_t)(total / windows) : 0;
	return 0;
}

/*
 * What the square of a mean of hops whose sum over [pairs] pairs is [hops] adds to the
 * looseness. In a large cube of side s, hops are s / 3 an axis and squares s^2 / 6.
 */
static int32_t hops_looseness(int dims, int w, uint64_t hops, uint64_t pairs)
{
	return 2 * (torus_hilbert_log2(hops) - torus_hilbert_log2(pairs)) -
	       compact(dims, w) - torus_hilbert_log2(2 * (uint64_t)dims) +
	       torus_hilbert_log2(3);
}

/* As torus_hilbert_looseness(), with a ring. */
static int ring_looseness(int dims, const hilbert_task_t *task, const uint32_t *path,
			  int32_t *looseness)
{
	uint32_t cells = cells_of(dims, task);
	int windows = torus_window_lengths(cells);
	torus_geometry_t geometry = {.dims = dims};
	uint64_t hops[32];
	int64_t total = 0;

	for (int i = 0; i < dims; i++) {
		geometry.length[i] = task->side[i];
		geometry.wrap[i] = task->wrap >> i & 1;
	}
	if (torus_window_hops(&geometry, path, hops, NULL))
		return -1;
	for (int w = 0; w < windows; w++)
		total += hops_looseness(dims, w, hops[w], pairs_of(cells, w));
	*looseness = (int32_t)(total / windows);
	return 0;
}

int torus_hilbert_looseness(int dims, const hilbert_task_t *task, const uint32_t *path,
			    int32_t *looseness)
{
	return task->wrap ? ring_looseness(dims, task, path, looseness)
			  : mesh_looseness(dims, task, path, looseness);
}

int32_t torus_hilbert_line_looseness(int dims, int32_t length, bool ring)
{
	int windows = torus_window_lengths((uint32_t)length);
	int64_t total = 0;

	for (int w = 0; w < windows; w++) {
		uint64_t window = UINT64_C(2) << w;
		uint64_t hops = 0;

		if (!ring) {
			total += torus_hilbert_log2(window * (window + 1)) -
				 torus_hilbert_log2(6) - compact(dims, w);
			continue;
		}
		for (uint64_t apart = 1; apart < window; apart++) {
			uint64_t back = (uint64_t)length - apart;

			hops += (window - apart) * (apart < back ? apart : back);
		}
		total += hops_looseness(dims, w, hops, window * (window - 1) / 2);
	}
	return windows ? (int32_t)(total / windows) : 0;
}

uint64_t torus_hilbert_looseness_work(int dims, const hilbert_task_t *task)
{
	uint32_t cells = cells_of(dims, task);

	if (task->wrap)
		return (uint64_t)cells *
		       (uint64_t)(HILBERT_WORK_HOPS * dims * torus_window_lengths(cells));
	return (uint64_t)cells * (uint64_t)(dims * (torus_window_lengths(cells) + 2));
}

int torus_hilbert_measure(hilbert_book_t *book, hilbert_plan_t *plan)
{
	uint32_t *path = torus_hilbert_lay_out(book, (uint32_t)(plan - book->plans));
	int rv = -1;

	if (path)
		rv = torus_hilbert_looseness(book->dims, &plan->task, path,
					     &plan->looseness);
	book->work += torus_hilbert_looseness_work(book->dims, &plan->task);
	book->no_memory |= rv < 0;
	free(path);
	return rv;
}
