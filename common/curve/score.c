/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scores of a curve: see curve/score.h.
 *
 * Hops are separable by dimension, so the pair sum of a window is, dimension by
 * dimension, a function of how many of its cells have each coordinate. When the window
 * slides by one rank, a coordinate enters and one leaves, and the pair sum changes by the
 * sum of their distances to all the others. A *probe* keeps that sum up to date for the
 * entering and one for the leaving coordinate: when the probe moves by one position, the
 * sum grows by the number of cells it moves away from less the number it comes nearer to.
 * Along a curve whose steps are short, sliding therefore costs a handful of additions a
 * dimension.
 */
#include "curve/score.h"

#include <stdlib.h>
#include <string.h>

typedef struct probe {
	uint32_t at; /* position on the ring */
	uint32_t
		behind; /* cells 0 .. half-1 positions behind: it moves away from these */
	uint64_t sum;	/* of the distances from here to all cells of the window */
} probe_t;

/* Ranks between two calls of the progress function. */
#define PROGRESS_RANKS (UINT32_C(1) << 16)

/* How far the whole scoring is, in ranks that windows have moved by. */
typedef struct meter {
	torus_curve_progress_t progress; /* or NULL */
	void *argument;
	uint64_t done, total;
} meter_t;

/* One dimension. A mesh of length k is a ring of 2k of which half is never used. */
typedef struct ring {
	uint32_t length;
	uint32_t half;	 /* length / 2, rounded down */
	uint32_t *count; /* cells of the window at each position */
	uint32_t cells;	 /* in the window */
	probe_t enter, leave;
} ring_t;

static uint32_t ring_behind(const ring_t *ring, uint32_t from, uint32_t position)
{
	return from >= position ? from - position : from + ring->length - position;
}

static void probe_forward(const ring_t *ring, probe_t *probe)
{
	uint32_t opposite = ring_behind(ring, probe->at, ring->half);
	uint32_t nearer = ring->cells - probe->behind;

	/* On a ring of odd length the cells just opposite stay as far as they were. */
	if (ring->length % 2)
		nearer -= ring->count[opposite];
	probe->sum += probe->behind;
	probe->sum -= nearer;
	if (++probe->at == ring->length)
		probe->at = 0;
	probe->behind += ring->count[probe->at];
	probe->behind -= ring->count[ring_behind(ring, probe->at, ring->half)];
}

static void probe_backward(const ring_t *ring, probe_t *probe)
{
	uint32_t opposite;

	probe->behind -= ring->count[probe->at];
	probe->behind += ring->count[ring_behind(ring, probe->at, ring->half)];
	probe->at = (probe->at ? probe->at : ring->length) - 1;
	opposite = ring_behind(ring, probe->at, ring->half);
	probe->sum -= probe->behind;
	probe->sum += ring->cells - probe->behind;
	if (ring->length % 2)
		probe->sum -= ring->count[opposite];
}

static void probe_move(const ring_t *ring, probe_t *probe, uint32_t to)
{
	if (ring_behind(ring, to, probe->at) <= ring->half) {
		while (probe->at != to)
			probe_forward(ring, probe);
	} else {
		while (probe->at != to)
			probe_backward(ring, probe);
	}
}

/* A cell at [position] enters (sign 1) or leaves (sign -1) the window. */
static void probe_count(const ring_t *ring, probe_t *probe, uint32_t position, int sign)
{
	uint32_t back = ring_behind(ring, probe->at, position);
	uint32_t distance = back <= ring->half ? back : ring->length - back;

	probe->sum += (uint64_t)(int64_t)sign * distance;
	if (back < ring->half)
		probe->behind += (uint32_t)sign;
}

static void ring_count(ring_t *ring, uint32_t position, int sign)
{
	ring->count[position] += (uint32_t)sign;
	ring->cells += (uint32_t)sign;
	probe_count(ring, &ring->enter, position, sign);
	probe_count(ring, &ring->leave, position, sign);
}

static void ring_empty(ring_t *ring)
{
	memset(ring->count, 0, ring->length * sizeof(*ring->count));
	ring->cells = 0;
	ring->enter = ring->leave = (probe_t){0};
}

static void meter_advance(meter_t *meter, uint32_t ranks)
{
	meter->done += ranks;
	if (meter->progress)
		meter->progress(meter->done, meter->total, meter->argument);
}

/*
 * Sum over all windows of [length] ranks of the sum over the window's pairs. In long
 * double: exact up to 2^64 a window, and far from overflow above.
 */
static long double sum_of_windows(const torus_geometry_t *geometry, ring_t *rings,
				  const uint32_t *cells, uint32_t count, uint32_t length,
				  meter_t *meter)
{
	long double window = 0, total = 0;

	for (int axis = 0; axis < geometry->dims; axis++)
		ring_empty(&rings[axis]);
	for (uint32_t rank = 0; rank < count; rank++) {
		uint32_t entering = cells[rank];
		uint32_t leaving = rank >= length ? cells[rank - length] : 0;

		for (int axis = 0; axis < geometry->dims; axis++) {
			uint32_t side = (uint32_t)geometry->length[axis];
			ring_t *ring = &rings[axis];

			if (rank >= length) {
				probe_move(ring, &ring->leave, leaving % side);
				window -= ring->leave.sum;
				ring_count(ring, leaving % side, -1);
				leaving /= side;
			}
			probe_move(ring, &ring->enter, entering % side);
			window += ring->enter.sum;
			ring_count(ring, entering % side, 1);
			entering /= side;
		}
		if (rank + 1 >= length)
			total += window;
		if ((rank + 1) % PROGRESS_RANKS == 0)
			meter_advance(meter, PROGRESS_RANKS);
	}
	if (count % PROGRESS_RANKS)
		meter_advance(meter, count % PROGRESS_RANKS);
	return total;
}

static void score_steps(const torus_geometry_t *geometry, const uint32_t *cells,
			uint32_t count, torus_curve_score_t *score)
{
	for (uint32_t rank = 1; rank < count; rank++) {
		uint32_t hops = torus_hops_cells(geometry, cells[rank - 1], cells[rank]);

		if (hops > 1)
			score->long_steps++;
		if (hops > score->longest_step)
			score->longest_step = hops;
	}
}

int torus_curve_windows(const torus_geometry_t *geometry, const uint32_t *cells,
			uint32_t count, torus_curve_progress_t progress, void *argument,
			torus_curve_window_t *window, int windows, torus_error_t *err)
{
	meter_t meter = {.progress = progress,
			 .argument = argument,
			 .total = (uint64_t)windows * count};
	ring_t rings[TORUS_MAX_DIMS] = {0};
	uint32_t *counts;
	size_t positions = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		uint32_t side = (uint32_t)geometry->length[axis];

		rings[axis].length = geometry->wrap[axis] ? side : 2 * side;
		rings[axis].half = rings[axis].length / 2;
		positions += rings[axis].length;
	}
	counts = malloc(positions * sizeof(*counts));
	if (!counts)
		return torus_fail(err, "no memory to score a curve of %u cells", count);
	for (int axis = 0, at = 0; axis < geometry->dims; axis++) {
		rings[axis].count = counts + at;
		at += (int)rings[axis].length;
	}
	for (int i = 0; i < windows; i++) {
		uint64_t length = window[i].length;
		long double sum = sum_of_windows(geometry, rings, cells, count,
						 window[i].length, &meter) /
				  (long double)(count - length + 1);

		window[i].average_distance = (double)(sum / (length * (length - 1) / 2));
		window[i].apd = (double)(sum / (length * (length + 1) / 2));
	}
	free(counts);
	return 0;
}

int torus_curve_score(const torus_geometry_t *geometry, const uint32_t *cells,
		      uint32_t count, torus_curve_progress_t progress, void *argument,
		      torus_curve_score_t *score, torus_error_t *err)
{
	*score = (torus_curve_score_t){0};
	score_steps(geometry, cells, count, score);
	for (uint64_t length = 2; length <= count; length *= 2)
		score->window[score->windows++].length = (uint32_t)length;
	return torus_curve_windows(geometry, cells, count, progress, argument,
				   score->window, score->windows, err);
}
