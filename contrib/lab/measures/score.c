/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scores of a curve: see curve/score.h; how windows are summed: curve/window.c. */
#include "measures/score.h"

#include "curve/window.h"

/* Ranks between two calls of the progress function. */
#define PROGRESS_RANKS (UINT32_C(1) << 16)

/* Progress of the scoring, in ranks that windows have moved by. */
typedef struct meter {
	torus_curve_progress_t progress; /* or NULL */
	void *argument;
	uint64_t done, total;
} meter_t;

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
static long double sum_of_windows(torus_window_t *window, const uint32_t *cells,
				  uint32_t count, uint32_t length, meter_t *meter)
{
	long double sum = 0, total = 0;

	torus_window_empty(window);
	for (uint32_t rank = 0; rank < count; rank++) {
		if (rank >= length)
			sum -= torus_window_leave(window, cells[rank - length]);
		sum += torus_window_enter(window, cells[rank]);
		if (rank + 1 >= length)
			total += sum;
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
	score->closing_step = torus_hops_cells(geometry, cells[count - 1], cells[0]);
}

int torus_curve_windows(const torus_geometry_t *geometry, const uint32_t *cells,
			uint32_t count, torus_curve_progress_t progress, void *argument,
			torus_curve_window_t *window, int windows, torus_error_t *err)
{
	meter_t meter = {.progress = progress,
			 .argument = argument,
			 .total = (uint64_t)windows * count};
	torus_window_t slide;

	if (torus_window_init(&slide, geometry))
		return torus_fail(err, "no memory to score a curve of %u cells", count);
	for (int i = 0; i < windows; i++) {
		uint64_t length = window[i].length;
		long double sum =
			sum_of_windows(&slide, cells, count, window[i].length, &meter) /
			(long double)(count - length + 1);

		window[i].average_distance = (double)(sum / (length * (length - 1) / 2));
		window[i].apd = (double)(sum / (length * (length + 1) / 2));
	}
	torus_window_free(&slide);
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
