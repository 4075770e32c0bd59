/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Search for the plan of a small box: list the ways through the likeliest cuttings, lay
 * out and measure the most promising, and turn the parts of the best around or mirror
 * them while that helps. How many are measured depends on what is left of the budget.
 */
#include <stdlib.h>
#include <string.h>

#include "curve/hilbert/cuttings.h"
#include "curve/hilbert/layers.h"
#include "curve/hilbert/looseness.h"
#include "curve/hilbert/rules.h"

/* A plan may spend one part in so many of the budget that is left. */
#define BUDGET_SHARES 512
/* The same for boxes with rings: there are fewer of them, and each takes longer. */
#define RING_SHARES 32
/* Ways kept of each box, to be measured; and as often the best of them is changed. */
#define WAYS_MAX 12
/* Cuttings searched of a box: this over its cells and the square of its dimensions. */
#define CELLS_CUTTING 45000

/* A way through the box of a task: a cutting, and corners for each of its parts. */
typedef struct way {
	int64_t cost; /* the cells of its parts times their looseness */
	hilbert_cutting_t cutting;
	hilbert_part_t part[HILBERT_PARTS_MAX];
} way_t;

typedef struct search {
	hilbert_book_t *book;
	hilbert_task_t task;
	way_t way;	      /* the one being tried */
	way_t best[WAYS_MAX]; /* the cheapest, cheapest first */
	int count, keep;      /* how many are kept, and at most */
	int found;	      /* ways found so far, kept or not */
} search_t;

static uint64_t allowance(const search_t *search)
{
	const hilbert_book_t *book = search->book;
	uint64_t shares = search->task.wrap ? RING_SHARES : BUDGET_SHARES;

	return book->work < HILBERT_WORK_BUDGET
		       ? (HILBERT_WORK_BUDGET - book->work) / shares
		       : 0;
}

static void keep_way(search_t *search)
{
	int at = search->count;

	search->found++;
	if (at == search->keep && search->best[--at].cost <= search->way.cost)
		return;
	for (; at > 0 && search->best[at - 1].cost > search->way.cost; at--)
		search->best[at] = search->best[at - 1];
	search->best[at] = search->way;
	search->count += search->count < search->keep;
}

/* Where on axis [i] the whole path ends. */
static int32_t end_of(const search_t *search, int i)
{
	return search->task.travel >> i & 1 ? search->task.side[i] - 1 : 0;
}

static bool is_end(const search_t *search, const int32_t cell[TORUS_MAX_DIMS])
{
	for (int i = 0; i < search->book->dims; i++) {
		if (cell[i] != end_of(search, i))
			return false;
	}
	return true;
}

/*
 * Move [cell], where the [p]-th part ends, to where the next one starts, over the cut
 * between them or the [seam], where the axis closes to a ring; false if it is not beside
 * that.
 */
static bool step_over(const search_t *search, int p, bool seam,
		      int32_t cell[TORUS_MAX_DIMS])
{
	const hilbert_cutting_t *cutting = &search->way.cutting;
	int k = p == 1, axis = cutting->axis[k];
	int32_t below = seam ? 0 : cutting->at[k] - 1;
	int32_t above = seam ? search->task.side[axis] - 1 : cutting->at[k];
	bool up = p < 2;

	if ((seam && !(search->task.wrap >> axis & 1)) ||
	    cell[axis] != (up ? below : above))
		return false;
	cell[axis] = up ? above : below;
	return true;
}

static void try_part(search_t *search, int p, const int32_t start[TORUS_MAX_DIMS]);

/*
 * With the [p]-th part ending at [cell], continue with the next, or keep the complete
 * way.
 */
static void go_on(search_t *search, int p, const int32_t cell[TORUS_MAX_DIMS])
{
	if (p == search->way.cutting.parts - 1) {
		keep_way(search);
		return;
	}
	for (int seam = 0; seam < 2; seam++) {
		int32_t next[TORUS_MAX_DIMS];

		memcpy(next, cell, sizeof(next));
		if (step_over(search, p, seam, next))
			try_part(search, p + 1, next);
	}
}

/* Whether a path that ends at [cell] after the [p]-th part can go on. */
static bool can_go_on(const search_t *search, int p, const int32_t cell[TORUS_MAX_DIMS])
{
	int32_t next[TORUS_MAX_DIMS];

	if (p == search->way.cutting.parts - 1)
		return is_end(search, cell);
	memcpy(next, cell, sizeof(next));
	return step_over(search, p, false, next) || step_over(search, p, true, next);
}

/*
 * Try each path through the [p]-th part from [start], one of its corners, and go on to
 * the next part from where it ends.
 */
static void try_part(search_t *search, int p, const int32_t start[TORUS_MAX_DIMS])
{
	hilbert_book_t *book = search->book;
	way_t *way = &search->way;
	hilbert_part_t *part = &way->part[p];
	hilbert_extent_t box =
		torus_hilbert_extent(book->dims, &search->task, &way->cutting, p);
	hilbert_task_t task = {.wrap = box.wrap};
	int64_t cost = way->cost;

	memcpy(task.side, box.side, sizeof(task.side));
	for (int i = 0; i < book->dims; i++) {
		part->entry[i] = start[i];
		part->sign[i] = start[i] == box.low[i] ? 1 : -1;
	}
	for (uint32_t travel = 0; travel < 1u << book->dims; travel++) {
		int32_t cell[TORUS_MAX_DIMS];
		int64_t plan;

		if (__builtin_popcount(travel) > HILBERT_TRAVEL_MAX)
			continue;
		/* Without budget the first way is taken. */
		if (search->found && allowance(search) == 0)
			break;
		for (int i = 0; i < book->dims; i++)
			cell[i] =
				start[i] +
				(travel >> i & 1 ? part->sign[i] * (box.side[i] - 1) : 0);
		book->work += HILBERT_WORK_STEP;
		if (!can_go_on(search, p, cell))
			continue;
		task.travel = travel;
		plan = torus_hilbert_book_find(book, &task, part->axis);
		if (plan < 0)
			continue;
		part->plan = (uint32_t)plan;
		way->cost = cost + (int64_t)book->plans[plan].cells *
					   book->plans[plan].looseness;
		go_on(search, p, cell);
	}
	way->cost = cost;
}

/* List the ways of the likeliest cuttings, of which [most] are to have any. */
static void list_ways(search_t *search, int most)
{
	static const int32_t start[TORUS_MAX_DIMS];
	int count;
	hilbert_cutting_t *cuttings =
		torus_hilbert_cuttings(search->book, &search->task, &count);

	for (int c = 0; c < count && most > 0; c++) {
		int before = search->found;

		search->way.cutting = cuttings[c];
		try_part(search, 0, start);
		most -= search->found > before;
	}
	free(cuttings);
}

/* Measure the plan with the part changed to [changed]; keep that if it is better. */
static bool try_change(hilbert_book_t *book, hilbert_plan_t *plan, int p,
		       hilbert_part_t changed)
{
	hilbert_part_t before = plan->parts[p];
	int32_t looseness = plan->looseness;

	plan->parts[p] = changed;
	if (torus_hilbert_measure(book, plan) == 0 && plan->looseness < looseness)
		return true;
	plan->parts[p] = before;
	plan->looseness = looseness;
	return false;
}

/* Turn parts around, and mirror them where two axes are alike, while it helps. */
static void improve(hilbert_book_t *book, hilbert_plan_t *plan, int tries)
{
	for (int p = 0, unchanged = 0; unchanged < plan->part_count && tries > 0;
	     unchanged++) {
		const hilbert_plan_t *below = &book->plans[plan->parts[p].plan];
		hilbert_part_t part;

		for (int i = 1; i < book->dims; i++) {
			if (below->task.side[i] == 1 ||
			    below->task.side[i] != below->task.side[i - 1] ||
			    (below->task.travel >> i & 1) !=
				    (below->task.travel >> (i - 1) & 1) ||
			    (below->task.wrap >> i & 1) !=
				    (below->task.wrap >> (i - 1) & 1))
				continue;
			part = plan->parts[p];
			part.axis[i] = plan->parts[p].axis[i - 1];
			part.axis[i - 1] = plan->parts[p].axis[i];
			if (try_change(book, plan, p, part))
				unchanged = -1;
			tries--;
		}
		if (below->status == HILBERT_PLANNED) {
			part = plan->parts[p];
			part.reversed = !part.reversed;
			if (try_change(book, plan, p, part))
				unchanged = -1;
			tries--;
		}
		p = (p + 1) % plan->part_count;
	}
}

/* Give the plan the parts of the best way: the cheapest, or if [measured] the tightest.
 */
static void choose_way(search_t *search, hilbert_plan_t *plan, bool measured)
{
	hilbert_book_t *book = search->book;
	hilbert_part_t parts[HILBERT_PARTS_MAX];
	int32_t looseness = INT32_MAX;
	int best = 0;

	plan->parts = calloc(HILBERT_PARTS_MAX, sizeof(*plan->parts));
	if (!plan->parts) {
		book->no_memory = true;
		return;
	}
	for (int w = 0; measured && w < search->count; w++) {
		memcpy(plan->parts, search->best[w].part, sizeof(parts));
		plan->part_count = search->best[w].cutting.parts;
		if (torus_hilbert_measure(book, plan))
			return;
		if (plan->looseness < looseness) {
			looseness = plan->looseness;
			best = w;
		}
	}
	memcpy(plan->parts, search->best[best].part, sizeof(parts));
	plan->part_count = search->best[best].cutting.parts;
	plan->looseness =
		measured ? looseness : (int32_t)(search->best[best].cost / plan->cells);
}

void torus_hilbert_plan_search(hilbert_book_t *book, uint32_t index)
{
	uint32_t cells = book->plans[index].cells;
	uint64_t work =
		torus_hilbert_looseness_work(book->dims, &book->plans[index].task);
	search_t *search = calloc(1, sizeof(*search));
	int cuttings = 1, paths;

	if (!search) {
		book->no_memory = true;
		return;
	}
	search->book = book;
	search->task = book->plans[index].task;
	search->keep = WAYS_MAX;
	if (allowance(search) > work)
		cuttings += CELLS_CUTTING / ((int)cells * book->dims * book->dims);
	list_ways(search, cuttings);
	/* Half of the paths to find the best way, half to improve it. */
	paths = (int)(allowance(search) / work / 2);
	if (search->count > paths)
		search->count = paths ? paths : 1;
	if (search->found && !book->no_memory) {
		choose_way(search, &book->plans[index], paths > 0);
		if (search->task.wrap)
			torus_hilbert_try_layers(book, index, paths);
		improve(book, &book->plans[index], paths < WAYS_MAX ? paths : WAYS_MAX);
	}
	free(search);
}
