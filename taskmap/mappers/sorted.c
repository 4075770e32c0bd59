/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mappers that sort tasks and places by the same order and pair them: row- and
 * column-major, ordered, corner, all corners.
 */
#include "taskmap/mappers/mappers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "taskmap/hops.h"
#include "base/radix.h"

/* Tasks and places, each sorted in some way; pair them off with pair_off(). */
typedef struct sorted {
	torus_keyed_t *tasks, *places, *scratch;
} sorted_t;

static int sorted_init(const torus_layout_t *layout, sorted_t *sorted, torus_error_t *err)
{
	size_t bytes = (size_t)layout->tasks * sizeof(torus_keyed_t);

	sorted->tasks = malloc(bytes);
	sorted->places = malloc(bytes);
	sorted->scratch = malloc(bytes);
	if (!sorted->tasks || !sorted->places || !sorted->scratch)
		return torus_fail(err, "out of memory for sorting %u tasks",
				  layout->tasks);
	return 0;
}

static void sorted_destroy(sorted_t *sorted)
{
	free(sorted->tasks);
	free(sorted->places);
	free(sorted->scratch);
}

static void pair_off(const torus_layout_t *layout, const sorted_t *sorted,
		     uint32_t *node_of_task)
{
	for (uint32_t i = 0; i < layout->tasks; i++)
		node_of_task[sorted->tasks[i].value] =
			layout->node_of_place[sorted->places[i].value];
}

/* A sorting order of points in a box. */
typedef struct sort_order {
	bool by_distance;  /* first by distance from the origin, then by position */
	bool column_major; /* y before x */
	unsigned flips;	   /* bit a: axis a counts from its far end */
} sort_order_t;

/*
 * The sorting key of [point] in a box of [sides]: first the distance from the (flipped)
 * origin, if the order has it; then the position, with the first axis fastest, or the
 * second and then the first.
 */
static uint64_t key_of(const int32_t *point, const int32_t *sides, int dims,
		       const sort_order_t *order)
{
	uint64_t position = 0, distance = 0;

	for (int i = dims - 1; i >= 0; i--) {
		int axis = order->column_major && dims > 1 && i < 2 ? 1 - i : i;
		int32_t at = point[axis];

		if (order->flips >> axis & 1)
			at = sides[axis] - 1 - at;
		distance += (uint64_t)at;
		/*
		 * Ties of distance are broken by the true coordinate, not by the flipped
		 * one.
		 */
		position = position * (uint64_t)sides[axis] +
			   (uint64_t)(order->by_distance ? point[axis] : at);
	}
	if (!order->by_distance)
		return position;
	for (int axis = 0; axis < dims; axis++)
		distance *= (uint64_t)sides[axis];
	return distance + position;
}

static void sort_tasks(const torus_layout_t *layout, const sort_order_t *order,
		       torus_keyed_t *tasks, torus_keyed_t *scratch)
{
	size_t dims = (size_t)layout->dims;

	for (uint32_t task = 0; task < layout->tasks; task++)
		tasks[task] = (torus_keyed_t){key_of(layout->task_point + task * dims,
						     layout->grid, layout->dims, order),
					      task};
	torus_radix_sort(tasks, scratch, layout->tasks);
}

static void sort_places(const torus_layout_t *layout, const sort_order_t *order,
			torus_keyed_t *places, torus_keyed_t *scratch)
{
	size_t dims = (size_t)layout->dims;

	for (uint32_t i = 0; i < layout->tasks; i++) {
		const int32_t *point =
			layout->node_point + layout->node_of_place[i] * dims;

		places[i] = (torus_keyed_t){
			key_of(point, layout->box, layout->dims, order), i};
	}
	torus_radix_sort(places, scratch, layout->tasks);
}

/* Sort both by the same order. */
static int map_sorted(const torus_layout_t *layout, const sort_order_t *order,
		      uint32_t *node_of_task, torus_error_t *err)
{
	sorted_t sorted;
	int result = sorted_init(layout, &sorted, err);

	if (!result) {
		sort_tasks(layout, order, sorted.tasks, sorted.scratch);
		sort_places(layout, order, sorted.places, sorted.scratch);
		pair_off(layout, &sorted, node_of_task);
	}
	sorted_destroy(&sorted);
	return result;
}

int torus_mapper_row_major(const torus_layout_t *layout, uint32_t *node_of_task,
			   torus_error_t *err)
{
	return map_sorted(layout, &(sort_order_t){0}, node_of_task, err);
}

int torus_mapper_col_major(const torus_layout_t *layout, uint32_t *node_of_task,
			   torus_error_t *err)
{
	return map_sorted(layout, &(sort_order_t){.column_major = true}, node_of_task,
			  err);
}

int torus_mapper_corner(const torus_layout_t *layout, uint32_t *node_of_task,
			torus_error_t *err)
{
	return map_sorted(layout, &(sort_order_t){.by_distance = true}, node_of_task,
			  err);
}

/* Flips worth trying: of axes along which the places differ. */
static bool flips_nothing(const torus_layout_t *layout, unsigned flips)
{
	for (int axis = 0; axis < layout->dims; axis++) {
		if (flips >> axis & 1 && layout->box[axis] == 1)
			return true;
	}
	return false;
}

int torus_mapper_ordered(const torus_layout_t *layout, uint32_t *node_of_task,
			 torus_error_t *err)
{
	uint32_t *trial = malloc(layout->tasks * sizeof(*trial));
	double fewest = 0;
	bool found = false;
	int result = -1;
	sorted_t sorted;

	if (sorted_init(layout, &sorted, err))
		goto done;
	if (!trial) {
		torus_fail(err, "out of memory for mapping %u tasks", layout->tasks);
		goto done;
	}
	for (int column = 0; column < 2; column++) {
		sort_order_t order = {.column_major = column};

		sort_tasks(layout, &order, sorted.tasks, sorted.scratch);
		for (; order.flips < 1u << layout->dims; order.flips++) {
			torus_hop_stats_t stats;

			if (flips_nothing(layout, order.flips))
				continue;
			sort_places(layout, &order, sorted.places, sorted.scratch);
			pair_off(layout, &sorted, trial);
			if (torus_hop_stats(layout->job, trial, &stats, err))
				goto done;
			if (!found || stats.hop_bytes < fewest) {
				memcpy(node_of_task, trial,
				       layout->tasks * sizeof(*trial));
				fewest = stats.hop_bytes;
				found = true;
			}
		}
	}
	result = 0;
done:
	sorted_destroy(&sorted);
	free(trial);
	return result;
}

/* What remains of the tasks and places in order of distance from one corner. */
typedef struct corner {
	uint32_t *tasks, *places;
	uint32_t next_task, next_place;
} corner_t;

static int corner_init(const torus_layout_t *layout, unsigned flips, sorted_t *sorted,
		       corner_t *corner, torus_error_t *err)
{
	sort_order_t order = {.by_distance = true, .flips = flips};

	corner->tasks = malloc(layout->tasks * sizeof(*corner->tasks));
	corner->places = malloc(layout->tasks * sizeof(*corner->places));
	if (!corner->tasks || !corner->places)
		return torus_fail(err, "out of memory for mapping %u tasks",
				  layout->tasks);
	sort_tasks(layout, &order, sorted->tasks, sorted->scratch);
	sort_places(layout, &order, sorted->places, sorted->scratch);
	for (uint32_t i = 0; i < layout->tasks; i++) {
		corner->tasks[i] = sorted->tasks[i].value;
		corner->places[i] = sorted->places[i].value;
	}
	return 0;
}

/*
 * The [i]-th corner, bit a set where axis a is at its far end. In two dimensions they are
 * 00, 0y, xy and x0, as the paper has it; it does not say how a third goes on: the same
 * four at its far end, and so on for further axes.
 */
static unsigned corner_in_turn(unsigned i, int dims)
{
	static const unsigned plane[] = {0, 2, 3, 1};

	return dims < 2 ? i : (i & ~3u) | plane[i & 3];
}

int torus_mapper_all_corners(const torus_layout_t *layout, uint32_t *node_of_task,
			     torus_error_t *err)
{
	unsigned corners = 1u << layout->dims;
	corner_t corner[1 << TORUS_MAX_DIMS] = {0};
	bool *task_done = calloc(layout->tasks, sizeof(*task_done));
	bool *place_done = calloc(layout->tasks, sizeof(*place_done));
	int result = -1;
	sorted_t sorted;

	if (sorted_init(layout, &sorted, err))
		goto done;
	if (!task_done || !place_done) {
		torus_fail(err, "out of memory for mapping %u tasks", layout->tasks);
		goto done;
	}
	for (unsigned flips = 0; flips < corners; flips++) {
		if (corner_init(layout, flips, &sorted, &corner[flips], err))
			goto done;
	}
	for (uint32_t i = 0; i < layout->tasks; i++) {
		corner_t *turn = &corner[corner_in_turn(i % corners, layout->dims)];
		uint32_t task, place;

		while (task_done[turn->tasks[turn->next_task]])
			turn->next_task++;
		while (place_done[turn->places[turn->next_place]])
			turn->next_place++;
		task = turn->tasks[turn->next_task];
		place = turn->places[turn->next_place];
		task_done[task] = true;
		place_done[place] = true;
		node_of_task[task] = layout->node_of_place[place];
	}
	result = 0;
done:
	for (unsigned flips = 0; flips < corners; flips++) {
		free(corner[flips].tasks);
		free(corner[flips].places);
	}
	sorted_destroy(&sorted);
	free(task_done);
	free(place_done);
	return result;
}
