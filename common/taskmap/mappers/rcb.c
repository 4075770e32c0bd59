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
 * That is the rule of the paper. torus_rcb_run() also takes a rule of ours, which does
 * better on scattered places: the dimension with the largest product of the two sides, so
 * that both the tasks and the places have something to be cut; and a turn, an assignment
 * of the grid's axes to other dimensions than the layout's.
 *
 * Places are kept in x, y, z order throughout: with stable partitions, ties in the
 * cutting coordinate are then in that order without any sorting.
 */
#include "taskmap/mappers/rcb.h"

#include <stdlib.h>
#include <string.h>

#include "base/radix.h"
#include "taskmap/mappers/mappers.h"

/* A point is its coordinates and then the number of its task or node. */
struct torus_rcb {
	const torus_layout_t *layout;
	int dims;
	bool by_product;
	size_t stride;
	int32_t *tasks, *places, *scratch; /* [tasks * stride] */
	uint32_t *order;		   /* [nodes] in x, y, z order */
	uint32_t *node_of_task;
};

typedef struct extent {
	int32_t low[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];
	int32_t shortest, longest;
} extent_t;

static void measure(const torus_rcb_t *rcb, const int32_t *points, uint32_t count,
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
static int choose_axis(const torus_rcb_t *rcb, const extent_t *tasks,
		       const extent_t *places)
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
static int choose_axis_by_product(const torus_rcb_t *rcb, const extent_t *tasks,
				  const extent_t *places)
{
	int64_t largest = 0;
	int chosen = -1;

	for (int axis = 0; axis < rcb->dims; axis++) {
		int64_t product = (int64_t)tasks->side[axis] * places->side[axis];

		if (tasks->side[axis] > 1 && product > largest) {
			largest = product;
			chosen = axis;
		}
	}
	return chosen;
}

/* How many points have a coordinate below [limit]. */
static uint32_t count_below(const torus_rcb_t *rcb, const int32_t *points, uint32_t count,
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
static void partition(const torus_rcb_t *rcb, int32_t *points, uint32_t count, int axis,
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
static void split_places(const torus_rcb_t *rcb, int32_t *places, uint32_t count,
			 int axis, const extent_t *extent, uint32_t wanted)
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

/* Two tasks and two places: what bisect() would do, without the machinery. */
static void bisect_pair(const torus_rcb_t *rcb, const int32_t *tasks,
			const int32_t *places)
{
	size_t stride = rcb->stride, number = (size_t)rcb->dims;
	extent_t task_extent, place_extent;
	int axis, swap;

	measure(rcb, tasks, 2, &task_extent);
	measure(rcb, places, 2, &place_extent);
	axis = rcb->by_product ? choose_axis_by_product(rcb, &task_extent, &place_extent)
			       : choose_axis(rcb, &task_extent, &place_extent);
	swap = (tasks[axis] < tasks[stride + (size_t)axis]) !=
	       (places[axis] <= places[stride + (size_t)axis]);
	rcb->node_of_task[tasks[number]] =
		(uint32_t)places[swap ? stride + number : number];
	rcb->node_of_task[tasks[stride + number]] =
		(uint32_t)places[swap ? number : stride + number];
}

static void bisect(const torus_rcb_t *rcb, int32_t *tasks, int32_t *places,
		   uint32_t count)
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
	if (count == 2) {
		bisect_pair(rcb, tasks, places);
		return;
	}
	measure(rcb, tasks, count, &task_extent);
	measure(rcb, places, count, &place_extent);
	axis = rcb->by_product ? choose_axis_by_product(rcb, &task_extent, &place_extent)
			       : choose_axis(rcb, &task_extent, &place_extent);
	task_extent.low[axis] += task_extent.side[axis] / 2;
	first = count_below(rcb, tasks, count, axis, task_extent.low[axis]);
	partition(rcb, tasks, count, axis, task_extent.low[axis], 0);
	split_places(rcb, places, count, axis, &place_extent, first);
	bisect(rcb, tasks, places, first);
	bisect(rcb, tasks + first * rcb->stride, places + first * rcb->stride,
	       count - first);
}

/* Nodes in x, y, z order, allocation order among equals. NULL with [err] filled: memory.
 */
static uint32_t *order_nodes(const torus_layout_t *layout, torus_error_t *err)
{
	uint32_t nodes = layout->job->nodes;
	torus_keyed_t *sorted = malloc(2 * (size_t)nodes * sizeof(*sorted));
	uint32_t *order = malloc(nodes * sizeof(*order));
	size_t dims = (size_t)layout->dims;

	if (!sorted || !order) {
		torus_fail(err, "out of memory for sorting %u nodes", nodes);
		free(sorted);
		free(order);
		return NULL;
	}
	for (uint32_t node = 0; node < nodes; node++) {
		const int32_t *point = layout->node_point + node * dims;
		uint64_t position = 0;

		for (size_t axis = 0; axis < dims; axis++)
			position = position * (uint64_t)layout->box[axis] +
				   (uint64_t)point[axis];
		sorted[node] = (torus_keyed_t){position, node};
	}
	torus_radix_sort(sorted, sorted + nodes, nodes);
	for (uint32_t i = 0; i < nodes; i++)
		order[i] = sorted[i].value;
	free(sorted);
	return order;
}

torus_rcb_t *torus_rcb_create(const torus_layout_t *layout, torus_error_t *err)
{
	size_t stride = (size_t)layout->dims + 1;
	size_t bytes = layout->tasks * stride * sizeof(int32_t);
	torus_rcb_t *rcb = calloc(1, sizeof(*rcb));

	if (!rcb)
		goto fail;
	rcb->layout = layout;
	rcb->dims = layout->dims;
	rcb->stride = stride;
	rcb->tasks = malloc(bytes);
	rcb->places = malloc(bytes);
	rcb->scratch = malloc(bytes);
	if (!rcb->tasks || !rcb->places || !rcb->scratch)
		goto fail;
	rcb->order = order_nodes(layout, err);
	if (!rcb->order) {
		torus_rcb_destroy(rcb);
		return NULL;
	}
	return rcb;
fail:
	torus_fail(err, "out of memory for bisecting %u tasks", layout->tasks);
	torus_rcb_destroy(rcb);
	return NULL;
}

void torus_rcb_destroy(torus_rcb_t *rcb)
{
	if (!rcb)
		return;
	free(rcb->tasks);
	free(rcb->places);
	free(rcb->scratch);
	free(rcb->order);
	free(rcb);
}

static void fill_tasks(const torus_rcb_t *rcb, const int *turn)
{
	const torus_layout_t *layout = rcb->layout;
	const int32_t *from = layout->task_point;
	int32_t *to = rcb->tasks;

	for (uint32_t task = 0; task < layout->tasks; task++) {
		for (int axis = 0; axis < layout->dims; axis++)
			to[turn[axis]] = from[axis];
		to[layout->dims] = (int32_t)task;
		to += rcb->stride;
		from += layout->dims;
	}
}

static void fill_places(const torus_rcb_t *rcb)
{
	const torus_layout_t *layout = rcb->layout;
	size_t dims = (size_t)layout->dims;
	int32_t *to = rcb->places;

	for (uint32_t i = 0; i < layout->job->nodes; i++) {
		uint32_t node = rcb->order[i];

		for (uint32_t j = 0; j < layout->job->tasks_on_node[node]; j++) {
			memcpy(to, layout->node_point + node * dims, dims * sizeof(*to));
			to[dims] = (int32_t)node;
			to += rcb->stride;
		}
	}
}

void torus_rcb_run(torus_rcb_t *rcb, bool by_product, const int *turn,
		   uint32_t *node_of_task)
{
	rcb->by_product = by_product;
	rcb->node_of_task = node_of_task;
	fill_tasks(rcb, turn);
	fill_places(rcb);
	bisect(rcb, rcb->tasks, rcb->places, rcb->layout->tasks);
}

int torus_map_rcb(const torus_layout_t *layout, uint32_t *node_of_task,
		  torus_error_t *err)
{
	static const int straight[TORUS_MAX_DIMS] = {0, 1, 2, 3, 4, 5};
	torus_rcb_t *rcb = torus_rcb_create(layout, err);

	if (!rcb)
		return -1;
	torus_rcb_run(rcb, false, straight, node_of_task);
	torus_rcb_destroy(rcb);
	return 0;
}
