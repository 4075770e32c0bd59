/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All ways through the sub-boxes of a cutting, from the first cell of the box to the
 * last, depth first: see curve/hilbert/search.h. A part is entered and left at corners
 * between which parity and its own plan allow a path; a way's cost is how loose its parts
 * are.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/hilbert/search.h"

#define JOINS (HILBERT_ALONE + 1)
/* Steps of the depth-first search a cutting, once some way is known. */
#define STEPS_MAX 1000
/* How much a part's shape counts beside the looseness of its inside. */
#define SHAPE_WEIGHT 0.25

typedef struct search {
	hilbert_book_t *book;
	const hilbert_task_t *task;
	hilbert_way_t way;   /* the one being tried */
	hilbert_way_t *best; /* the cheapest, cheapest first */
	int count, keep;     /* of those: now, at most */
	uint32_t found;	     /* ways so far, kept or not */
	int32_t steps;	     /* left, for this cutting */
	int travels;
	uint8_t travel[1 << TORUS_MAX_DIMS]; /* sets of axes that a part may travel */
	/* Of a part by sub-box, join and travel; NAN: not known yet. */
	double cost[HILBERT_PARTS_MAX][JOINS][1 << TORUS_MAX_DIMS];
} search_t;

/* What a part adds to the cost of a way; infinite if it cannot be travelled so. */
static double cost_of(search_t *search, const hilbert_stage_t *stage,
		      const hilbert_extent_t *box)
{
	double *cost = &search->cost[stage->sub][stage->join][stage->travel];
	uint8_t axis[TORUS_MAX_DIMS];
	int64_t index;

	if (!isnan(*cost))
		return *cost;
	*cost = INFINITY;
	if (!torus_hilbert_parity_allows(box->side, stage->travel))
		return *cost;
	index = torus_hilbert_book_enter(search->book, box->side, stage->travel, axis);
	if (index < 0 || !torus_hilbert_solve(search->book, (uint32_t)index))
		return *cost;
	*cost = search->book->plans[index].looseness * search->book->plans[index].cells +
		SHAPE_WEIGHT * torus_hilbert_shape_cost(search->book->dims, box->side);
	return *cost;
}

/* Keep the way if it is among the cheapest. */
static void keep_way(search_t *search)
{
	int at = search->count;

	search->found++;
	if (search->count == search->keep)
		at--;
	else
		search->count++;
	for (; at > 0 && search->best[at - 1].cost > search->way.cost; at--)
		search->best[at] = search->best[at - 1];
	search->best[at] = search->way;
}

static bool is_too_costly(const search_t *search, double cost)
{
	return search->count == search->keep &&
	       cost >= search->best[search->keep - 1].cost;
}

static int sub_of(const hilbert_way_t *way, const int32_t *cell)
{
	int sub = 0;

	for (int k = 0; k < way->cutting.count; k++)
		sub |= (cell[way->cutting.axis[k]] >= way->cutting.at[k]) << k;
	return sub;
}

/* Where on axis [i] the path ends. */
static int32_t end_of(const search_t *search, int i)
{
	return search->task->travel >> i & 1 ? search->task->side[i] - 1 : 0;
}

/* Whether nothing is left to visit. */
static bool is_last(const hilbert_way_t *way, uint32_t visited)
{
	return visited == (1u << (1 << way->cutting.count)) - 1;
}

static void enter(search_t *search, uint32_t visited, const int32_t *cell);

/* Leave the last stage at [cell] for any sub-box not yet visited. */
static void leave(search_t *search, uint32_t visited, const int32_t *cell)
{
	const hilbert_way_t *way = &search->way;

	for (int k = 0; k < way->cutting.count; k++) {
		int axis = way->cutting.axis[k];
		int32_t next[TORUS_MAX_DIMS];

		memcpy(next, cell, sizeof(next));
		if (cell[axis] == way->cutting.at[k] - 1)
			next[axis]++;
		else if (cell[axis] == way->cutting.at[k])
			next[axis]--;
		else
			continue;
		if (!(visited >> sub_of(way, next) & 1))
			enter(search, visited, next);
	}
}

/* Travel the part [box] from [cell] along [axes], and go on from there. */
static void travel(search_t *search, uint32_t visited, const int32_t *cell,
		   hilbert_stage_t stage, const hilbert_extent_t *box, uint32_t axes)
{
	hilbert_way_t *way = &search->way;
	bool last = is_last(way, visited);
	double cost_before = way->cost, cost;
	int32_t end[TORUS_MAX_DIMS];

	memcpy(end, cell, sizeof(end));
	for (int i = 0; i < search->book->dims; i++) {
		if (axes >> i & 1)
			end[i] = box->low[i] + box->high[i] - cell[i];
		if (last && end[i] != end_of(search, i))
			return;
	}
	stage.travel = (uint8_t)axes;
	cost = cost_before + cost_of(search, &stage, box);
	if (isinf(cost) || is_too_costly(search, cost))
		return;
	way->cost = cost;
	way->stage[way->stages++] = stage;
	if (last)
		keep_way(search);
	else
		leave(search, visited, end);
	way->stages--;
	way->cost = cost_before;
}

/* Try each travel through the part [box], which is entered at [cell]. */
static void try_travels(search_t *search, uint32_t visited, const int32_t *cell,
			const hilbert_stage_t *stage, const hilbert_extent_t *box)
{
	uint32_t axes = 0;

	if (!is_last(&search->way, visited)) {
		for (int t = 0; t < search->travels; t++)
			travel(search, visited, cell, *stage, box, search->travel[t]);
		return;
	}
	for (int i = 0; i < search->book->dims; i++)
		axes |= (uint32_t)(cell[i] != end_of(search, i)) << i;
	if (__builtin_popcount(axes) <= HILBERT_TRAVEL_MAX)
		travel(search, visited, cell, *stage, box, axes);
}

static void enter(search_t *search, uint32_t visited, const int32_t *cell)
{
	hilbert_way_t *way = &search->way;
	int sub = sub_of(way, cell);

	if (search->count && --search->steps < 0)
		return;
	for (int join = 0; join < JOINS; join++) {
		hilbert_stage_t stage = {.sub = (uint8_t)sub, .join = (uint8_t)join};
		uint32_t covers = 1u << sub;
		hilbert_extent_t box;
		bool corner = true;

		/* With three cuts, joins multiply the ways and have little to offer. */
		if (join < HILBERT_ALONE &&
		    (join >= way->cutting.count || way->cutting.count != 2))
			continue;
		if (join < HILBERT_ALONE)
			covers |= 1u << (sub ^ 1 << join);
		if (covers & visited)
			continue;
		box = torus_hilbert_extent(search->book->dims, search->task,
					   &way->cutting, sub, join);
		for (int i = 0; i < search->book->dims; i++) {
			if (cell[i] == box.high[i] && cell[i] != box.low[i])
				stage.high |= (uint8_t)(1 << i);
			else if (cell[i] != box.low[i])
				corner = false;
		}
		if (corner)
			try_travels(search, visited | covers, cell, &stage, &box);
	}
}

/* List the ways of the first [most] cuttings that have any. */
static void list_ways(search_t *search, const hilbert_cutting_t *cuttings, int count,
		      int most)
{
	static const int32_t start[TORUS_MAX_DIMS];

	for (int c = 0; c < count && most > 0; c++) {
		uint32_t known = search->found;

		search->way.cutting = cuttings[c];
		for (size_t i = 0; i < sizeof(search->cost) / sizeof(double); i++)
			((double *)search->cost)[i] = NAN;
		search->steps = STEPS_MAX;
		enter(search, 0, start);
		most -= search->found > known;
	}
}

int torus_hilbert_ways(hilbert_book_t *book, const hilbert_task_t *task, int most,
		       hilbert_way_t *best, int keep)
{
	search_t *search = calloc(1, sizeof(*search));
	hilbert_cutting_t *cuttings;
	int cutting_count, found = 0;

	cuttings = torus_hilbert_cuttings(book->dims, task, &cutting_count);
	if (!search || !cuttings) {
		book->no_memory = true;
		goto done;
	}
	search->book = book;
	search->task = task;
	search->best = best;
	search->keep = keep;
	for (uint32_t axes = 0; axes < 1u << book->dims; axes++) {
		if (__builtin_popcount(axes) <= HILBERT_TRAVEL_MAX)
			search->travel[search->travels++] = (uint8_t)axes;
	}
	list_ways(search, cuttings, cutting_count, most);
	found = search->count;
done:
	free(cuttings);
	free(search);
	return found;
}
