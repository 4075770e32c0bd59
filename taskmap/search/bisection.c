/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recursive coordinate bisection: cut the tasks in two along one dimension, cut the
 * places along the same one into two sets of the same sizes, and recurse.
 *
 * The dimension, by the rule of rcb, is the longest of the tasks' box or of the places'
 * box, whichever has the larger ratio of longest to shortest side (the tasks' on ties),
 * among the dimensions in which the tasks can be cut at all; among equally long ones that
 * which is longer in the other box; ties: the lowest. The tasks' box is cut after half of
 * its layers, rounded down. The places are cut in order of their coordinate in that
 * dimension, ties by their coordinates in the others, from the longest side of the
 * places' box to the shortest (equal sides: the lower dimension first), then in
 * allocation order.
 *
 * "Task Mapping Stencil Computations for Non-Contiguous Allocations" cuts along the
 * largest dimension of the job, whatever the box of its nodes, and does not say how it
 * breaks ties. That is rcb:longest: the longest of the tasks' box, ties: the lowest; the
 * places by that coordinate, then by the others, the lowest dimension first, then in
 * allocation order.
 *
 * A third rule does better on scattered places: the dimension with the largest product of
 * the two sides, so that both the tasks and the places have something to be cut, its ties
 * as those of rcb. torus_bisection_run() also takes a turn, an assignment of the grid's
 * axes to other dimensions than the layout's.
 */
#include "taskmap/search/bisection.h"

#include <stdlib.h>
#include <string.h>

/* A point is its coordinates and then the number of its task or node. */
struct torus_bisection {
	const torus_layout_t *layout;
	int dims;
	torus_bisection_rule_t rule;
	size_t stride;
	int32_t *tasks, *places, *scratch; /* [tasks * stride] */
	uint32_t *node_of_task;
};

typedef struct extent {
	int32_t low[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];
	int32_t shortest, longest;
} extent_t;

static void measure(const torus_bisection_t *bisection, const int32_t *points,
		    uint32_t count, extent_t *extent)
{
	for (int axis = 0; axis < bisection->dims; axis++) {
		const int32_t *at = points + axis;
		int32_t low = *at, high = *at;

		for (uint32_t i = 1; i < count; i++) {
			at += bisection->stride;
			low = *at < low ? *at : low;
			high = *at > high ? *at : high;
		}
		extent->low[axis] = low;
		extent->side[axis] = high - low + 1;
		if (!axis || extent->side[axis] < extent->shortest)
			extent->shortest = extent->side[axis];
		if (!axis || extent->side[axis] > extent->longest)
			extent->longest = extent->side[axis];
	}
}

static int choose_axis_by_ratio(const torus_bisection_t *bisection, const extent_t *tasks,
				const extent_t *places)
{
	int64_t task_ratio = (int64_t)tasks->longest * places->shortest;
	int64_t place_ratio = (int64_t)places->longest * tasks->shortest;
	const extent_t *shape = place_ratio > task_ratio ? places : tasks;
	const extent_t *other = shape == tasks ? places : tasks;
	int chosen = -1;

	for (int axis = 0; axis < bisection->dims; axis++) {
		if (tasks->side[axis] > 1 &&
		    (chosen < 0 || shape->side[axis] > shape->side[chosen] ||
		     (shape->side[axis] == shape->side[chosen] &&
		      other->side[axis] > other->side[chosen])))
			chosen = axis;
	}
	return chosen;
}

static int choose_longest_axis(const torus_bisection_t *bisection, const extent_t *tasks)
{
	int chosen = 0;

	for (int axis = 1; axis < bisection->dims; axis++) {
		if (tasks->side[axis] > tasks->side[chosen])
			chosen = axis;
	}
	return chosen;
}

static int choose_axis_by_product(const torus_bisection_t *bisection,
				  const extent_t *tasks, const extent_t *places)
{
	int64_t largest = 0;
	int chosen = -1;

	for (int axis = 0; axis < bisection->dims; axis++) {
		int64_t product = (int64_t)tasks->side[axis] * places->side[axis];

		if (tasks->side[axis] > 1 && product > largest) {
			largest = product;
			chosen = axis;
		}
	}
	return chosen;
}

static int choose_axis(const torus_bisection_t *bisection, const extent_t *tasks,
		       const extent_t *places)
{
	switch (bisection->rule) {
	case TORUS_BISECTION_LONGEST:
		return choose_longest_axis(bisection, tasks);
	case TORUS_BISECTION_PRODUCT:
		return choose_axis_by_product(bisection, tasks, places);
	default:
		return choose_axis_by_ratio(bisection, tasks, places);
	}
}

/* How many points have a coordinate below [limit]. */
static uint32_t count_below(const torus_bisection_t *bisection, const int32_t *points,
			    uint32_t count, int axis, int32_t limit)
{
	const int32_t *at = points + axis;
	uint32_t below = 0;

	for (uint32_t i = 0; i < count; i++, at += bisection->stride)
		below += *at < limit;
	return below;
}

/*
 * Move the points whose coordinate is below [limit] to the front; those in front and
 * those behind keep their order. Returns how many are in front.
 */
static uint32_t partition(const torus_bisection_t *bisection, int32_t *points,
			  uint32_t count, int axis, int32_t limit)
{
	size_t stride = bisection->stride, bytes = stride * sizeof(*points);
	int32_t *front = points, *back = bisection->scratch;

	for (const int32_t *at = points, *end = points + count * stride; at < end;
	     at += stride) {
		int first = at[axis] < limit;

		memmove(first ? front : back, at, bytes);
		front += first ? stride : 0;
		back += first ? 0 : stride;
	}
	memcpy(front, bisection->scratch,
	       (size_t)(back - bisection->scratch) * sizeof(*points));
	return (uint32_t)((size_t)(front - points) / stride);
}

/* The axes that places are sorted by: [first], then the others by falling side, or, by
 * the paper's rule, as they come. */
static void order_axes(const torus_bisection_t *bisection, const extent_t *extent,
		       int first, int *order)
{
	order[0] = first;
	for (int axis = 0, count = 1; axis < bisection->dims; axis++) {
		int at = count;

		if (axis == first)
			continue;
		for (; bisection->rule != TORUS_BISECTION_LONGEST && at > 1 &&
		       extent->side[order[at - 1]] < extent->side[axis];
		     at--)
			order[at] = order[at - 1];
		order[at] = axis;
		count++;
	}
}

/* The highest coordinate along [axis] with at most [wanted] places below it. */
static int32_t limit_for(const torus_bisection_t *bisection, const int32_t *places,
			 uint32_t count, int axis, const extent_t *extent,
			 uint32_t wanted)
{
	int32_t low = extent->low[axis], high = low + extent->side[axis] - 1;

	while (low < high) {
		int32_t middle = low + (high - low + 1) / 2;

		if (count_below(bisection, places, count, axis, middle) <= wanted)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/*
 * Move the [wanted] places that come first along [axis] to the front. Places with equal
 * coordinates there are ordered by the next axis, and so on; equal places stay in
 * allocation order.
 */
static void split_places(const torus_bisection_t *bisection, int32_t *places,
			 uint32_t count, int axis, const extent_t *extent,
			 uint32_t wanted)
{
	int order[TORUS_MAX_DIMS];

	order_axes(bisection, extent, axis, order);
	for (int i = 0; i < bisection->dims && wanted; i++) {
		int32_t limit =
			limit_for(bisection, places, count, order[i], extent, wanted);
		uint32_t below = partition(bisection, places, count, order[i], limit);

		places += below * bisection->stride;
		count -= below;
		wanted -= below;
		if (wanted)
			count = partition(bisection, places, count, order[i], limit + 1);
	}
}

static void bisect(const torus_bisection_t *bisection, int32_t *tasks, int32_t *places,
		   uint32_t count)
{
	size_t number = (size_t)bisection->dims, last = (count - 1) * bisection->stride;
	extent_t task_extent, place_extent;
	uint32_t first;
	int axis;

	/*
	 * Places of one node are together, so if the two ends are the same node, all are.
	 */
	if (places[number] == places[last + number]) {
		for (uint32_t i = 0; i < count; i++)
			bisection->node_of_task[tasks[i * bisection->stride + number]] =
				(uint32_t)places[number];
		return;
	}
	measure(bisection, tasks, count, &task_extent);
	measure(bisection, places, count, &place_extent);
	axis = choose_axis(bisection, &task_extent, &place_extent);
	first = partition(bisection, tasks, count, axis,
			  task_extent.low[axis] + task_extent.side[axis] / 2);
	split_places(bisection, places, count, axis, &place_extent, first);
	bisect(bisection, tasks, places, first);
	bisect(bisection, tasks + first * bisection->stride,
	       places + first * bisection->stride, count - first);
}

torus_bisection_t *torus_bisection_create(const torus_layout_t *layout,
					  torus_error_t *err)
{
	size_t stride = (size_t)layout->dims + 1;
	size_t bytes = layout->tasks * stride * sizeof(int32_t);
	torus_bisection_t *bisection = calloc(1, sizeof(*bisection));

	if (!bisection)
		goto fail;
	bisection->layout = layout;
	bisection->dims = layout->dims;
	bisection->stride = stride;
	bisection->tasks = malloc(bytes);
	bisection->places = malloc(bytes);
	bisection->scratch = malloc(bytes);
	if (!bisection->tasks || !bisection->places || !bisection->scratch)
		goto fail;
	return bisection;
fail:
	torus_fail(err, "out of memory for bisecting %u tasks", layout->tasks);
	torus_bisection_destroy(bisection);
	return NULL;
}

void torus_bisection_destroy(torus_bisection_t *bisection)
{
	if (!bisection)
		return;
	free(bisection->tasks);
	free(bisection->places);
	free(bisection->scratch);
	free(bisection);
}

static void fill_tasks(const torus_bisection_t *bisection, const int *turn)
{
	const torus_layout_t *layout = bisection->layout;
	const int32_t *from = layout->task_point;
	int32_t *to = bisection->tasks;

	for (uint32_t task = 0; task < layout->tasks; task++) {
		for (int axis = 0; axis < layout->dims; axis++)
			to[turn[axis]] = from[axis];
		to[layout->dims] = (int32_t)task;
		to += bisection->stride;
		from += layout->dims;
	}
}

static void fill_places(const torus_bisection_t *bisection)
{
	const torus_layout_t *layout = bisection->layout;
	size_t dims = (size_t)layout->dims;
	int32_t *to = bisection->places;

	for (uint32_t node = 0; node < layout->job->nodes; node++) {
		for (uint32_t j = 0; j < layout->job->tasks_on_node[node]; j++) {
			memcpy(to, layout->node_point + node * dims, dims * sizeof(*to));
			to[dims] = (int32_t)node;
			to += bisection->stride;
		}
	}
}

void torus_bisection_run(torus_bisection_t *bisection, torus_bisection_rule_t rule,
			 const int *turn, uint32_t *node_of_task)
{
	bisection->rule = rule;
	bisection->node_of_task = node_of_task;
	fill_tasks(bisection, turn);
	fill_places(bisection);
	bisect(bisection, bisection->tasks, bisection->places, bisection->layout->tasks);
}
