/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Search for the plan of a box that can be measured. One to three axes are cut in two;
 * depth first, all ways are listed that lead through the sub-boxes from the first cell to
 * the last, entering and leaving each at corners between which parity and its own plan
 * allow a path. They are ranked by the looseness of their parts, the best of them laid
 * out and measured, and the winner's parts turned around and mirrored while that helps.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hilbert_plan.h"

#define AXES_CUT 3
#define PARTS_MAX (1 << AXES_CUT)
#define CUTS_MAX 12
#define CUTTINGS_MAX (CUTS_MAX * CUTS_MAX * CUTS_MAX)
/* Part boxes: a sub-box alone, or joined with its neighbour along one of the cut axes. */
#define JOINS (AXES_CUT + 1)
/* Work spent measuring a box, in paths and in cells times sides (hilbert_work). */
#define PATHS_MEASURED 32
#define WORK_MEASURING 2e6
/* Steps of the depth-first search a way of cutting, once some plan is known. */
#define STEPS_MAX 1000
/* Cuttings searched of a box: as many as this work is worth, at least one. */
#define WORK_CUTTING 1e5
/* How much more a part's shape counts than what is known of its inside. */
#define SHAPE_WEIGHT 0.25

/* One part of a way through the box. */
typedef struct stage {
	uint8_t sub;  /* bit k: the upper sub-box along the k-th cut axis */
	uint8_t join; /* k: joined with its neighbour along the k-th cut axis; or AXES_CUT
		       */
	uint8_t travel; /* axes along which it is travelled */
	uint8_t high;	/* axes at whose high end it is entered */
} stage_t;

typedef struct cutting {
	double cost; /* how far from cubes its sub-boxes are */
	int count;   /* of axes cut */
	int axis[AXES_CUT];
	int32_t at[AXES_CUT]; /* length of the lower sub-box */
} cutting_t;

typedef struct way {
	double cost; /* the sum of its parts' */
	int stages;
	stage_t stage[PARTS_MAX];
	cutting_t cutting;
} way_t;

typedef struct search {
	hilbert_book_t *book;
	hilbert_task_t task;
	way_t way;   /* the one being tried */
	way_t *best; /* those to measure, cheapest first */
	int count, keep;
	int travels;
	uint8_t travel[1 << TORUS_MAX_DIMS]; /* sets of axes that a part may travel */
	uint32_t found;			     /* ways so far, kept or not */
	int32_t steps;			     /* left, for this cutting */
	double cost[PARTS_MAX][JOINS]
		   [1 << TORUS_MAX_DIMS]; /* of a part; NAN: not known */
} search_t;

typedef struct extent {
	int32_t low[TORUS_MAX_DIMS], high[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];
} extent_t;

static extent_t extent_of(const search_t *search, const way_t *way, int sub, int join)
{
	extent_t box = {0};

	for (int i = 0; i < search->book->dims; i++)
		box.high[i] = search->task.side[i] - 1;
	for (int k = 0; k < way->cutting.count; k++) {
		if (k == join)
			continue;
		if (sub >> k & 1)
			box.low[way->cutting.axis[k]] = way->cutting.at[k];
		else
			box.high[way->cutting.axis[k]] = way->cutting.at[k] - 1;
	}
	for (int i = 0; i < search->book->dims; i++)
		box.side[i] = box.high[i] - box.low[i] + 1;
	return box;
}

/* The cells of a box times how much longer it is than a cube, as a logarithm. */
static double shape_cost(int dims, const int32_t side[TORUS_MAX_DIMS])
{
	double cells = 1;
	int32_t longest = 1;

	for (int i = 0; i < dims; i++) {
		cells *= side[i];
		longest = side[i] > longest ? side[i] : longest;
	}
	return cells * log(longest / pow(cells, 1.0 / dims));
}

/* What a part adds to the cost of a way; infinite if it cannot be travelled so. */
static double cost_of(search_t *search, const stage_t *stage, const extent_t *box)
{
	double *cost = &search->cost[stage->sub][stage->join][stage->travel];
	uint8_t axis[TORUS_MAX_DIMS];
	int64_t index;

	if (!isnan(*cost))
		return *cost;
	*cost = INFINITY;
	if (!hilbert_parity_allows(box->side, stage->travel))
		return *cost;
	index = hilbert_book_enter(search->book, box->side, stage->travel, axis);
	if (index < 0 || !hilbert_solve(search->book, (uint32_t)index))
		return *cost;
	*cost = search->book->plans[index].looseness * search->book->plans[index].cells +
		SHAPE_WEIGHT * shape_cost(search->book->dims, box->side);
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

static int sub_of(const way_t *way, const int32_t *cell)
{
	int sub = 0;

	for (int k = 0; k < way->cutting.count; k++)
		sub |= (cell[way->cutting.axis[k]] >= way->cutting.at[k]) << k;
	return sub;
}

/* Where on axis [i] the path ends. */
static int32_t end_of(const search_t *search, int i)
{
	return search->task.travel >> i & 1 ? search->task.side[i] - 1 : 0;
}

/* Whether nothing is left to visit. */
static bool is_last(const way_t *way, uint32_t visited)
{
	return visited == (1u << (1 << way->cutting.count)) - 1;
}

static void enter(search_t *search, uint32_t visited, const int32_t *cell);

/* Leave the last stage at [cell] for any sub-box not yet visited. */
static void leave(search_t *search, uint32_t visited, const int32_t *cell)
{
	const way_t *way = &search->way;

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
static void travel(search_t *search, uint32_t visited, const int32_t *cell, stage_t stage,
		   const extent_t *box, uint32_t axes)
{
	way_t *way = &search->way;
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
			const stage_t *stage, const extent_t *box)
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
	way_t *way = &search->way;
	int sub = sub_of(way, cell);

	if (search->count && --search->steps < 0)
		return;
	for (int join = 0; join < JOINS; join++) {
		stage_t stage = {.sub = (uint8_t)sub, .join = (uint8_t)join};
		uint32_t covers = 1u << sub;
		extent_t box;
		bool corner = true;

		/* With three cuts, joining multiplies the ways and has little to offer.
		 */
		if (join < AXES_CUT &&
		    (join >= way->cutting.count || way->cutting.count != 2))
			continue;
		if (join < AXES_CUT)
			covers |= 1u << (sub ^ 1 << join);
		if (covers & visited)
			continue;
		box = extent_of(search, way, sub, join);
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

/*
 * Lengths of the lower part worth trying: half, and half rounded to even numbers (and in
 * the plane to multiples of four), because parts with even sides cut and join better.
 */
static int list_cuts(int32_t side, int32_t roundest, int32_t cuts[CUTS_MAX])
{
	int count = 0;

	for (int32_t unit = 1; unit <= roundest; unit *= 2) {
		int32_t below = side / 2 / unit * unit;
		int32_t above = (side - side / 2 + unit - 1) / unit * unit;
		const int32_t tried[] = {below, above, side - below, side - above};

		for (int t = 0; t < 4; t++) {
			bool known = 4 * tried[t] < side || 4 * (side - tried[t]) < side;

			for (int c = 0; c < count; c++)
				known |= cuts[c] == tried[t];
			if (!known)
				cuts[count++] = tried[t];
		}
	}
	return count;
}

/* Whether the axes can be cut, and of those that are alike are the first: others mirror
 * it. */
static bool is_choice(const search_t *search, uint32_t axes)
{
	const int32_t *side = search->task.side;
	uint32_t travel = search->task.travel;

	for (int i = 0; i < search->book->dims; i++) {
		if ((axes >> i & 1) && side[i] == 1)
			return false;
		if (i && (axes >> i & 1) && !(axes >> (i - 1) & 1) &&
		    side[i - 1] == side[i] &&
		    (travel >> i & 1) == (travel >> (i - 1) & 1))
			return false;
	}
	return true;
}

/*
 * Whether a path can end where it has to: without joins it crosses a cut at each step
 * from one of the 2^n sub-boxes to the next, 2^n - 1 times, an odd number.
 */
static bool can_end(const search_t *search, uint32_t axes)
{
	return __builtin_popcount(axes) == 2 ||
	       __builtin_popcount(axes & search->task.travel) % 2;
}

static int by_cost(const void *a, const void *b)
{
	double left = ((const cutting_t *)a)->cost, right = ((const cutting_t *)b)->cost;

	return (left > right) - (left < right);
}

static double cutting_cost(const search_t *search, const cutting_t *cutting)
{
	way_t way = {.cutting = *cutting};
	double cost = 0;

	for (int sub = 0; sub < 1 << cutting->count; sub++) {
		extent_t box = extent_of(search, &way, sub, AXES_CUT);

		cost += shape_cost(search->book->dims, box.side);
	}
	return cost;
}

/* All ways to cut [axes], appended to [list]. */
static int append_cuttings(const search_t *search, uint32_t axes, cutting_t *list)
{
	cutting_t cutting = {0};
	int32_t lengths[AXES_CUT][CUTS_MAX];
	int choices[AXES_CUT], at[AXES_CUT] = {0};
	int appended = 0, turned = 0;

	for (int i = 0; i < search->book->dims; i++) {
		if (!(axes >> i & 1))
			continue;
		choices[cutting.count] =
			list_cuts(search->task.side[i], search->book->dims == 2 ? 4 : 2,
				  lengths[cutting.count]);
		cutting.axis[cutting.count++] = i;
	}
	while (turned < cutting.count) {
		for (int k = 0; k < cutting.count; k++)
			cutting.at[k] = lengths[k][at[k]];
		cutting.cost = cutting_cost(search, &cutting);
		list[appended++] = cutting;
		for (turned = 0; turned < cutting.count; turned++) {
			if (++at[turned] < choices[turned])
				break;
			at[turned] = 0;
		}
	}
	return appended;
}

/* List the ways of the [most] likeliest cuttings that have any. */
static void list_ways(search_t *search, cutting_t *cuttings, int count, int most)
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

/* Every cutting worth a thought, the likeliest first. NULL when memory is short. */
static cutting_t *list_cuttings(const search_t *search, int *count)
{
	cutting_t *list = NULL;

	*count = 0;
	for (uint32_t axes = 1; axes < 1u << search->book->dims; axes++) {
		cutting_t *longer;

		if (__builtin_popcount(axes) > AXES_CUT || !is_choice(search, axes) ||
		    !can_end(search, axes))
			continue;
		longer = realloc(list, ((size_t)*count + CUTTINGS_MAX) * sizeof(*list));
		if (!longer) {
			free(list);
			return NULL;
		}
		list = longer;
		*count += append_cuttings(search, axes, list + *count);
	}
	qsort(list, (size_t)*count, sizeof(*list), by_cost);
	return list;
}

static hilbert_part_t *lay_out(const search_t *search, const way_t *way)
{
	hilbert_part_t *parts = calloc((size_t)way->stages, sizeof(*parts));

	if (!parts)
		return NULL;
	for (int s = 0; s < way->stages; s++) {
		const stage_t *stage = &way->stage[s];
		extent_t box = extent_of(search, way, stage->sub, stage->join);

		for (int i = 0; i < search->book->dims; i++) {
			bool high = stage->high >> i & 1;

			parts[s].entry[i] = high ? box.high[i] : box.low[i];
			parts[s].sign[i] = high ? -1 : 1;
		}
		/* Found, not entered: the search has solved it. */
		parts[s].plan = (uint32_t)hilbert_book_enter(
			search->book, box.side, stage->travel, parts[s].axis);
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
	hilbert_measure(book, index);
	if (plan->looseness < looseness - 1e-12)
		return true;
	plan->parts[p] = before;
	plan->looseness = looseness;
	return false;
}

/* Turn parts around, and mirror them where two of their axes are alike, while it helps.
 */
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

/* Lay out and measure the ways that were kept; leave the plan with the best. */
static void choose_way(search_t *search, uint32_t index)
{
	hilbert_plan_t *plan = &search->book->plans[index];
	hilbert_part_t *best = NULL;
	int best_count = 0;
	double looseness = INFINITY;

	for (int w = 0; w < search->count && !search->book->no_memory; w++) {
		plan->parts = lay_out(search, &search->best[w]);
		plan->part_count = search->best[w].stages;
		if (!plan->parts) {
			search->book->no_memory = true;
			break;
		}
		hilbert_measure(search->book, index);
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

void hilbert_plan_search(hilbert_book_t *book, uint32_t index)
{
	search_t *search = calloc(1, sizeof(*search));
	cutting_t *cuttings;
	double paths;
	int count;

	if (!search)
		goto no_memory;
	search->book = book;
	search->task = book->plans[index].task;
	for (uint32_t axes = 0; axes < 1u << book->dims; axes++) {
		if (__builtin_popcount(axes) <= HILBERT_TRAVEL_MAX)
			search->travel[search->travels++] = (uint8_t)axes;
	}
	paths = fmin(PATHS_MEASURED,
		     book->effort * WORK_MEASURING / hilbert_work(search->task.side));
	paths = fmax(paths, 2);
	search->keep = (int)(paths / 2);
	search->best = calloc((size_t)search->keep, sizeof(*search->best));
	if (!search->best)
		goto no_memory;
	cuttings = list_cuttings(search, &count);
	if (!cuttings)
		goto no_memory;
	list_ways(search, cuttings, count,
		  (int)fmax(1, book->effort * WORK_CUTTING /
				       hilbert_work(search->task.side)));
	free(cuttings);
	choose_way(search, index);
	if (book->plans[index].parts)
		improve(book, index, (int)paths / 2);
	free(search->best);
	free(search);
	return;
no_memory:
	book->no_memory = true;
	if (search)
		free(search->best);
	free(search);
}
