/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Search for the plan of a box that can be measured: list the ways of cutting it and of
 * going through the sub-boxes, lay out and measure the most promising ones, and turn the
 * parts of the best around or mirror them while that helps.
 */
#include <math.h>
#include <stdlib.h>

#include "curve/hilbert/search.h"

/* Work spent measuring a box, in paths and in cells times sides (torus_hilbert_work). */
#define PATHS_MEASURED 32
#define WORK_MEASURING 2e6
/* Cuttings searched of a box: as many as this work is worth, at least one. */
#define WORK_CUTTING 1e5

/* The parts of [way]. NULL when memory is short. */
static hilbert_part_t *lay_out(hilbert_book_t *book, const hilbert_task_t *task,
			       const hilbert_way_t *way)
{
	hilbert_part_t *parts = calloc((size_t)way->stages, sizeof(*parts));

	if (!parts)
		return NULL;
	for (int s = 0; s < way->stages; s++) {
		const hilbert_stage_t *stage = &way->stage[s];
		hilbert_extent_t box = torus_hilbert_extent(
			book->dims, task, &way->cutting, stage->sub, stage->join);

		for (int i = 0; i < book->dims; i++) {
			bool high = stage->high >> i & 1;

			parts[s].entry[i] = high ? box.high[i] : box.low[i];
			parts[s].sign[i] = high ? -1 : 1;
		}
		/* Found, not entered: the search has solved it. */
		parts[s].plan = (uint32_t)torus_hilbert_book_enter(
			book, box.side, stage->travel, parts[s].axis);
	}
	return parts;
}

/* Measure the plan with the part changed to [changed]; keep that if it is better. */
static bool try_part(hilbert_book_t *book, uint32_t index, int p, hilbert_part_t changed)
{
	hilbert_plan_t *plan = &book->plans[index];
	hilbert_part_t before = plan->parts[p];
	double looseness = plan->looseness;

	plan->parts[p] = changed;
	torus_hilbert_measure(book, index);
	if (plan->looseness < looseness - 1e-12)
		return true;
	plan->parts[p] = before;
	plan->looseness = looseness;
	return false;
}

/* Turn parts around, and mirror them where two axes are alike, while it helps. */
static void improve(hilbert_book_t *book, uint32_t index, int paths)
{
	hilbert_plan_t *plan = &book->plans[index];

	for (int p = 0, unchanged = 0; unchanged < plan->part_count && paths > 0;
	     unchanged++) {
		hilbert_part_t part = plan->parts[p];
		const hilbert_task_t *task = &book->plans[part.plan].task;
		bool better = false;

		for (int i = 1; i < book->dims; i++) {
			if (task->side[i] == 1 || task->side[i] != task->side[i - 1] ||
			    (task->travel >> i & 1) != (task->travel >> (i - 1) & 1))
				continue;
			part.axis[i] = plan->parts[p].axis[i - 1];
			part.axis[i - 1] = plan->parts[p].axis[i];
			better |= try_part(book, index, p, part);
			part = plan->parts[p];
			paths--;
		}
		if (book->plans[part.plan].status == HILBERT_PLANNED) {
			part.reversed = !part.reversed;
			better |= try_part(book, index, p, part);
			paths--;
		}
		if (better)
			unchanged = -1;
		p = (p + 1) % plan->part_count;
	}
}

/* Lay out and measure the ways; leave the plan with the best. */
static void choose_way(hilbert_book_t *book, uint32_t index, const hilbert_way_t *ways,
		       int count)
{
	hilbert_plan_t *plan = &book->plans[index];
	hilbert_part_t *best = NULL;
	int best_count = 0;
	double looseness = INFINITY;

	for (int w = 0; w < count && !book->no_memory; w++) {
		plan->parts = lay_out(book, &plan->task, &ways[w]);
		plan->part_count = ways[w].stages;
		if (!plan->parts) {
			book->no_memory = true;
			break;
		}
		torus_hilbert_measure(book, index);
		if (plan->looseness < looseness) {
			free(best);
			best = plan->parts;
			best_count = plan->part_count;
			looseness = plan->looseness;
		} else {
			free(plan->parts);
		}
	}
	plan->parts = best;
	plan->part_count = best_count;
	plan->looseness = looseness;
}

void torus_hilbert_plan_search(hilbert_book_t *book, uint32_t index)
{
	hilbert_task_t task = book->plans[index].task;
	double work = torus_hilbert_work(task.side);
	double paths = fmin(PATHS_MEASURED, book->effort * WORK_MEASURING / work);
	double cuttings = fmax(1, book->effort * WORK_CUTTING / work);
	int keep = (int)fmax(1, paths / 2), count;
	hilbert_way_t *ways = calloc((size_t)keep, sizeof(*ways));

	if (!ways) {
		book->no_memory = true;
		return;
	}
	count = torus_hilbert_ways(book, &task, (int)cuttings, ways, keep);
	choose_way(book, index, ways, count);
	free(ways);
	if (book->plans[index].parts)
		improve(book, index, keep);
}
