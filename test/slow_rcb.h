/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slow twin of taskmap/search/bisection.c: its three rules, and that of rcb
 * with ties broken in the order of the dimensions.
 */
#ifndef TORUS_TEST_SLOW_RCB_H
#define TORUS_TEST_SLOW_RCB_H

#include <stdbool.h>

#include "taskmap/layout.h"

#define SLOW_RCB_TASKS 512

typedef struct slow_box_sides {
	int32_t low[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS], longest, shortest;
} slow_box_sides_t;

typedef struct slow_rcb {
	const torus_layout_t *layout;
	bool xyz;	 /* break ties in the order of the dimensions */
	bool by_product; /* the dimension of the largest product of sides; ties: the
			  * lowest
			  */
	bool longest;	 /* the longest dimension of the tasks' box */
	uint32_t *node_of_task;
} slow_rcb_t;

static inline const int32_t *slow_task_at(const slow_rcb_t *rcb, uint32_t task)
{
	return rcb->layout->task_point + task * (size_t)rcb->layout->dims;
}

static inline const int32_t *slow_place_at(const slow_rcb_t *rcb, uint32_t place)
{
	return rcb->layout->node_point +
	       rcb->layout->node_of_place[place] * (size_t)rcb->layout->dims;
}

static inline slow_box_sides_t
slow_measure(const slow_rcb_t *rcb, const int32_t *(*point)(const slow_rcb_t *, uint32_t),
	     const uint32_t *list, uint32_t count)
{
	slow_box_sides_t box = {.longest = 0, .shortest = INT32_MAX};

	for (int axis = 0; axis < rcb->layout->dims; axis++) {
		int32_t low = INT32_MAX, high = INT32_MIN;

		for (uint32_t i = 0; i < count; i++) {
			int32_t at = point(rcb, list[i])[axis];

			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		box.low[axis] = low;
		box.side[axis] = high - low + 1;
		if (box.side[axis] > box.longest)
			box.longest = box.side[axis];
		if (box.side[axis] < box.shortest)
			box.shortest = box.side[axis];
	}
	return box;
}

/* Whether place a comes before place b: cutting coordinate, then those that break ties,
 * then allocation order. */
static inline bool slow_place_before(const slow_rcb_t *rcb, const slow_box_sides_t *box,
				     int cut, uint32_t a, uint32_t b)
{
	const int32_t *left = slow_place_at(rcb, a), *right = slow_place_at(rcb, b);
	bool asked[TORUS_MAX_DIMS] = {false};

	for (int axis = cut; axis >= 0;) {
		if (left[axis] != right[axis])
			return left[axis] < right[axis];
		asked[axis] = true;
		axis = -1;
		for (int next = 0; next < rcb->layout->dims; next++) {
			if (asked[next])
				continue;
			if (axis < 0 || (!rcb->xyz && box->side[next] > box->side[axis]))
				axis = next;
		}
	}
	return a < b;
}

static inline int slow_choose_axis(const slow_rcb_t *rcb, const slow_box_sides_t *tasks,
				   const slow_box_sides_t *places)
{
	bool by_places =
		!rcb->longest && (double)places->longest / places->shortest >
					 (double)tasks->longest / tasks->shortest;
	const slow_box_sides_t *shape = by_places ? places : tasks;
	const slow_box_sides_t *other = by_places ? tasks : places;
	int chosen = -1;

	for (int axis = 0; rcb->by_product && axis < rcb->layout->dims; axis++) {
		if (tasks->side[axis] > 1 &&
		    (chosen < 0 || tasks->side[axis] * places->side[axis] >
					   tasks->side[chosen] * places->side[chosen]))
			chosen = axis;
	}
	if (rcb->by_product)
		return chosen;
	/* From the highest dimension down, so that the lowest wins what remains level. */
	for (int axis = rcb->layout->dims - 1; axis >= 0; axis--) {
		if (tasks->side[axis] == 1)
			continue;
		if (chosen < 0 || shape->side[axis] > shape->side[chosen] ||
		    (shape->side[axis] == shape->side[chosen] &&
		     (rcb->xyz || other->side[axis] >= other->side[chosen])))
			chosen = axis;
	}
	return chosen;
}

static inline void slow_bisect(const slow_rcb_t *rcb, const uint32_t *tasks,
			       const uint32_t *places, uint32_t count)
{
	slow_box_sides_t task_box, place_box;
	uint32_t half[2][SLOW_RCB_TASKS], counts[2] = {0}, sorted[SLOW_RCB_TASKS];
	int axis;

	if (count == 1) {
		rcb->node_of_task[tasks[0]] = rcb->layout->node_of_place[places[0]];
		return;
	}
	task_box = slow_measure(rcb, slow_task_at, tasks, count);
	place_box = slow_measure(rcb, slow_place_at, places, count);
	axis = slow_choose_axis(rcb, &task_box, &place_box);
	for (uint32_t i = 0; i < count; i++) {
		int second = slow_task_at(rcb, tasks[i])[axis] >=
			     task_box.low[axis] + task_box.side[axis] / 2;

		half[second][counts[second]++] = tasks[i];
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;

		for (; at > 0 && slow_place_before(rcb, &place_box, axis, places[i],
						   sorted[at - 1]);
		     at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = places[i];
	}
	slow_bisect(rcb, half[0], sorted, counts[0]);
	slow_bisect(rcb, half[1], sorted + counts[0], counts[1]);
}

static inline void slow_run(const slow_rcb_t *rcb)
{
	uint32_t all[SLOW_RCB_TASKS];

	for (uint32_t i = 0; i < rcb->layout->tasks; i++)
		all[i] = i;
	slow_bisect(rcb, all, all, rcb->layout->tasks);
}

/* Map a layout of at most SLOW_RCB_TASKS tasks, by the rule of rcb, its ties or [xyz] ...
 */
static inline void slow_rcb(const torus_layout_t *layout, bool xyz,
			    uint32_t *node_of_task)
{
	slow_run(&(slow_rcb_t){
		.layout = layout, .xyz = xyz, .node_of_task = node_of_task});
}

/* ... by that of rcb:longest ... */
static inline void slow_rcb_longest(const torus_layout_t *layout, uint32_t *node_of_task)
{
	slow_run(&(slow_rcb_t){.layout = layout,
			       .xyz = true,
			       .longest = true,
			       .node_of_task = node_of_task});
}

/* ... or by the product of sides. */
static inline void slow_rcb_by_product(const torus_layout_t *layout,
				       uint32_t *node_of_task)
{
	slow_run(&(slow_rcb_t){
		.layout = layout, .by_product = true, .node_of_task = node_of_task});
}

#endif
