/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recursive coordinate bisection: cut the tasks in two across one dimension, cut the
 * places into as many and as many along the same one, recurse.
 *
 * The dimension is the longest of the tasks' box or of the places' box, whichever has the
 * larger ratio of longest to shortest side (the tasks' on ties), among the dimensions in
 * which the tasks can be cut at all; among equally long ones that which is longer in the
 * other box; ties: the lowest. The tasks' box is cut after half of its layers, rounded
 * down. The places are cut in order of their coordinate in that dimension, ties by their
 * coordinates in the others, from the longest side of the places' box to the shortest
 * (equal sides: the lower dimension first), then in allocation order.
 *
 * The paper looks at one box only, and breaks ties in x, y, z order. On the jobs of two
 * logs on 3D meshes and tori our ties leave 0.1 to 2.0% fewer hops than the paper's, in
 * every case; with two dimensions there is nothing to choose. bench_map_logs prints both
 * in one run, as rcb_paper and rcb: docs/mapping.md.
 *
 * torus_rcb_run() also takes another rule for the dimension, which does better on
 * scattered places: the one with the largest product of the two sides, so that both the
 * tasks and the places have something to be cut; and a turn, an assignment of the grid's
 * axes to other dimensions than the layout's.
 */
#include "taskmap/mappers/rcb.h"

#include <stdlib.h>
#include <string.h>

#include "taskmap/mappers/mappers.h"

/* A point is its coordinates and then the number of its task or node. */
struct torus_rcb {
	const torus_layout_t *layout;
	int dims;
	bool by_product;
	size_t stride;
	int32_t *tasks, *places, *scratch; /* [tasks * stride] */
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

/* The paper's rule, and our ties. */
static int choose_axis(const torus_rcb_t *rcb, const extent_t *tasks,
		       const extent_t *places)
{
	int64_t task_ratio = (int64_t)tasks->longest * places->shortest;
	int64_t place_ratio = (int64_t)places->longest * tasks->shortest;
	const extent_t *shape = place_ratio > task_ratio ? places : tasks;
	const extent_t *other = shape == tasks ? places : tasks;
	int chosen = -1;

	for (int axis = 0; axis < rcb->dims; axis++) {
		if (tasks->side[axis] > 1 &&
		    (chosen < 0 || shape->side[axis] > shape->side[chosen] ||
		     (shape->side[axis] == shape->side[chosen] &&
		      other->side[axis] > other->side[chosen])))
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
 * Move the points whose coordinate is below [limit] to the front; those in front and
 * those behind keep their order. Returns how many are in front.
 */
static uint32_t partition(const torus_rcb_t *rcb, int32_t *points, uint32_t count,
			  int axis, int32_t limit)
{
	size_t stride = rcb->stride, bytes = stride * sizeof(*points);
	int32_t *front = points, *back = rcb->scratch;

	for (const int32_t *at = points, *end = points + count * stride; at < end;
	     at += stride) {
		int first = at[axis] < limit;

		memmove(first ? front : back, at, bytes);
		front += first ? stride : 0;
		back += first ? 0 : stride;
	}
	memcpy(front, rcb->scratch, (size_t)(back - rcb->scratch) * sizeof(*points));
	return (uint32_t)((size_t)(front - points) / stride);
}

/* The axes that places are sorted by: [first], then the others by falling side. */
static void order_axes(const torus_rcb_t *rcb, const extent_t *extent, int first,
		       int *order)
{
	order[0] = first;
	for (int axis = 0, count = 1; axis < rcb->dims; axis++) {
		int at = count;

		if (axis == first)
			continue;
		for (; at > 1 && extent->side[order[at - 1]] < extent->side[axis]; at--)
			order[at] = order[at - 1];
		order[at] = axis;
		count++;
	}
}

/* The highest coordinate along [axis] below which there are not more than [wanted]. */
static int32_t limit_for(const torus_rcb_t *rcb, const int32_t *places, uint32_t count,
			 int axis, const extent_t *extent, uint32_t wanted)
{
	int32_t low = extent->low[axis], high = low + extent->side[axis] - 1;

	while (low < high) {
		int32_t middle = low + (high - low + 1) / 2;

		if (count_below(rcb, places, count, axis, middle) <= wanted)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/*
 * Move to the front the [wanted] places that are first along [axis]. One axis after the
 * other decides between the places that are level along those before; the order of
 * allocation, which never changes among equal places, between the last.
 */
static void split_places(const torus_rcb_t *rcb, int32_t *places, uint32_t count,
			 int axis, const extent_t *extent, uint32_t wanted)
{
	int order[TORUS_MAX_DIMS];

	order_axes(rcb, extent, axis, order);
	for (int i = 0; i < rcb->dims && wanted; i++) {
		int32_t limit = limit_for(rcb, places, count, order[i], extent, wanted);
		uint32_t below = partition(rcb, places, count, order[i], limit);

		places += below * rcb->stride;
		count -= below;
		wanted -= below;
		if (wanted)
			count = partition(rcb, places, count, order[i], limit + 1);
	}
}

static void bisect(const torus_rcb_t *rcb, int32_t *tasks, int32_t *places,
		   uint32_t count)
{
	size_t number = (size_t)rcb->dims, last = (count - 1) * rcb->stride;
	extent_t task_extent, place_extent;
	uint32_t first;
	int axis;

	/* Places of one node stay together: if the ends are equal, all are. */
	if (places[number] == places[last + number]) {
		for (uint32_t i = 0; i < count; i++)
			rcb->node_of_task[tasks[i * rcb->stride + number]] =
				(uint32_t)places[number];
		return;
	}
	measure(rcb, tasks, count, &task_extent);
	measure(rcb, places, count, &place_extent);
	axis = rcb->by_product ? choose_axis_by_product(rcb, &task_extent, &place_extent)
			       : choose_axis(rcb, &task_extent, &place_extent);
	first = partition(rcb, tasks, count, axis,
			  task_extent.low[axis] + task_extent.side[axis] / 2);
	split_places(rcb, places, count, axis, &place_extent, first);
	bisect(rcb, tasks, places, first);
	bisect(rcb, tasks + first * rcb->stride, places + first * rcb->stride,
	       count - first);
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

	for (uint32_t node = 0; node < layout->job->nodes; node++) {
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
