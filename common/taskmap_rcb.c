/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recursive coordinate bisection: cut the tasks in two across one dimension, cut the
 * places into as many and as many along the same one, recurse.
 *
 * The dimension is the longest of the tasks' box or of the places' box, whichever has the
 * larger ratio of longest to shortest side (the tasks' on ties), among the dimensions in
 * which the tasks can be cut at all; ties: the lowest. The tasks' box is cut after half
 * of its layers, rounded down.
 *
 * That is the rule of the paper. torus_rcb() also takes a rule of ours, which does better
 * on scattered places: the dimension with the largest product of powers of the two sides,
 * so that both the tasks and the places have something to be cut; and a turn, an
 * assignment of the grid's axes to other dimensions than the layout's.
 *
 * Places are kept in x, y, z order throughout: with stable partitions, ties in the
 * cutting coordinate are then in that order without any sorting.
 */
#include "taskmap_rcb.h"

#include "taskmap_mappers.h"

#include <stdlib.h>
#include <string.h>

#include "radix.h"

/* A point is its coordinates and then the number of its task or node. */
typedef struct rcb {
	int dims;
	torus_rcb_rule_t rule;
	size_t stride;
	int32_t *scratch; /* [tasks * stride] */
	uint32_t *node_of_task;
} rcb_t;

typedef struct extent {
	int32_t low[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];
	int32_t shortest, longest;
} extent_t;

static void measure(const rcb_t *rcb, const int32_t *points, uint32_t count,
		    extent_t *extent)
{
	for (int axis = 0; axis < rcb->dims; axis++) {
		const int32_t *at = points + axis;
		int32_t low = *at, high = *at;

		for (uint32_t i = 1; i < count; i++) {
			at += rcb->stride;
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

/* The paper's rule. */
static int choose_axis(const rcb_t *rcb, const extent_t *tasks, const extent_t *places)
{
	int64_t task_ratio = (int64_t)tasks->longest * places->shortest;
	int64_t place_ratio = (int64_t)places->longest * tasks->shortest;
	const extent_t *shape = place_ratio > task_ratio ? places : tasks;
	int chosen = -1;

	for (int axis = 0; axis < rcb->dims; axis++) {
		if (tasks->side[axis] > 1 &&
		    (chosen < 0 || shape->side[axis] > shape->side[chosen]))
			chosen = axis;
	}
	return chosen;
}

/* Our rule. */
static int choose_axis_by_product(const rcb_t *rcb, const extent_t *tasks,
				  const extent_t *places)
{
	double largest = 0;
	int chosen = -1;

	for (int axis = 0; axis < rcb->dims; axis++) {
		double product = 1;

		for (int i = 0; i < rcb->rule.task_power; i++)
			product *= tasks->side[axis];
		for (int i = 0; i < rcb->rule.place_power; i++)
			product *= places->side[axis];
		if (tasks->side[axis] > 1 && product > largest) {
			largest = product;
			chosen = axis;
		}
	}
	return chosen;
}

/* How many points have a coordinate below [limit]. */
static uint32_t count_below(const rcb_t *rcb, const int32_t *points, uint32_t count,
			    int axis, int32_t limit)
{
	const int32_t *at = points + axis;
	uint32_t below = 0;

	for (uint32_t i = 0; i < count; i++, at += rcb->stride)
		below += *at < limit;
	return below;
}

/*
 * Move to the front, in their order, the points whose coordinate is below [limit] and the
 * first [level] of those that are on it.
 */
static void partition(const rcb_t *rcb, int32_t *points, uint32_t count, int axis,
		      int32_t limit, uint32_t level)
{
	size_t stride = rcb->stride, bytes = stride * sizeof(*points);
	int32_t *front = points, *back = rcb->scratch;

	for (const int32_t *at = points, *end = points + count * stride; at < end;
	     at += stride) {
		int first = at[axis] < limit;

		if (at[axis] == limit && level) {
			first = 1;
			level--;
		}
		memmove(first ? front : back, at, bytes);
		front += first ? stride : 0;
		back += first ? 0 : stride;
	}
	memcpy(front, rcb->scratch, (size_t)(back - rcb->scratch) * sizeof(*points));
}

/* Partition places so that the first [wanted] lie lowest along [axis]. */
static void split_places(const rcb_t *rcb, int32_t *places, uint32_t count, int axis,
			 const extent_t *extent, uint32_t wanted)
{
	int32_t low = extent->low[axis], high = low + extent->side[axis] - 1;
	uint32_t below = 0;

	/* The highest coordinate below which there are not more than wanted. */
	while (low < high) {
		int32_t middle = low + (high - low + 1) / 2;
		uint32_t found = count_below(rcb, places, count, axis, middle);

		if (found <= wanted) {
			low = middle;
			below = found;
		} else {
			high = middle - 1;
		}
	}
	partition(rcb, places, count, axis, low, wanted - below);
}

static void bisect(const rcb_t *rcb, int32_t *tasks, int32_t *places, uint32_t count)
{
	size_t number = (size_t)rcb->dims, last = (count - 1) * rcb->stride;
	extent_t task_extent, place_extent;
	uint32_t first;
	int axis;

	/* Places of one node stay together, in order: if the ends are equal, all are. */
	if (places[number] == places[last + number]) {
		for (uint32_t i = 0; i < count; i++)
			rcb->node_of_task[tasks[i * rcb->stride + number]] =
				(uint32_t)places[number];
		return;
	}
	measure(rcb, tasks, count, &task_extent);
	measure(rcb, places, count, &place_extent);
	axis = rcb->rule.task_power
		       ? choose_axis_by_product(rcb, &task_extent, &place_extent)
		       : choose_axis(rcb, &task_extent, &place_extent);
	task_extent.low[axis] += task_extent.side[axis] / 2;
	first = count_below(rcb, tasks, count, axis, task_extent.low[axis]);
	partition(rcb, tasks, count, axis, task_extent.low[axis], 0);
	split_places(rcb, places, count, axis, &place_extent, first);
	bisect(rcb, tasks, places, first);
	bisect(rcb, tasks + first * rcb->stride, places + first * rcb->stride,
	       count - first);
}

/* Fill [places] in x, y, z order, allocation order among equals. */
static int fill_places(const torus_layout_t *layout, size_t stride, int32_t *places,
		       torus_error_t *err)
{
	uint32_t nodes = layout->job->nodes;
	torus_keyed_t *order = malloc(2 * (size_t)nodes * sizeof(*order));
	size_t dims = (size_t)layout->dims;

	if (!order)
		return torus_fail(err, "out of memory for sorting %u nodes", nodes);
	for (uint32_t node = 0; node < nodes; node++) {
		const int32_t *point = layout->node_point + node * dims;
		uint64_t position = 0;

		for (size_t axis = 0; axis < dims; axis++)
			position = position * (uint64_t)layout->box[axis] +
				   (uint64_t)point[axis];
		order[node] = (torus_keyed_t){position, node};
	}
	torus_radix_sort(order, order + nodes, nodes);
	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t node = order[i].value;

		for (uint32_t j = 0; j < layout->job->tasks_on_node[node]; j++) {
			memcpy(places, layout->node_point + node * dims,
			       dims * sizeof(*places));
			places[dims] = (int32_t)node;
			places += stride;
		}
	}
	free(order);
	return 0;
}

int torus_rcb(const torus_layout_t *layout, const torus_rcb_rule_t *rule, const int *turn,
	      uint32_t *node_of_task, torus_error_t *err)
{
	size_t dims = (size_t)layout->dims, stride = dims + 1;
	size_t bytes = layout->tasks * stride * sizeof(int32_t);
	int32_t *tasks = malloc(bytes), *places = malloc(bytes), *to = tasks;
	const int32_t *from = layout->task_point;
	rcb_t rcb = {.dims = layout->dims,
		     .rule = *rule,
		     .stride = stride,
		     .node_of_task = node_of_task};
	int result = -1;

	rcb.scratch = malloc(bytes);
	if (!tasks || !places || !rcb.scratch) {
		torus_fail(err, "out of memory for bisecting %u tasks", layout->tasks);
		goto done;
	}
	if (fill_places(layout, stride, places, err))
		goto done;
	for (uint32_t task = 0; task < layout->tasks; task++) {
		for (size_t axis = 0; axis < dims; axis++)
			to[turn[axis]] = from[axis];
		to[dims] = (int32_t)task;
		to += stride;
		from += dims;
	}
	bisect(&rcb, tasks, places, layout->tasks);
	result = 0;
done:
	free(tasks);
	free(places);
	free(rcb.scratch);
	return result;
}

int torus_map_rcb(const torus_layout_t *layout, uint32_t *node_of_task,
		  torus_error_t *err)
{
	static const int straight[TORUS_MAX_DIMS] = {0, 1, 2, 3, 4, 5};

	return torus_rcb(layout, &(torus_rcb_rule_t){0}, straight, node_of_task, err);
}
