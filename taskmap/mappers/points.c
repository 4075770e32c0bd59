/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recursive bisection of tasks that have coordinates: see points.h. Places for tasks are
 * unrolled (taskmap/layout.h).
 *
 * Both are cut into halves at once: the tasks along one axis, the places along the
 * dimension that it lies along. Of the pairs of these that which is longest is taken, by
 * the product of the two extents, so that both have something to be cut; where no such
 * pair is left, the longest of each. Where the machine has more dimensions than the tasks
 * have axes, the places are cut along their longest dimension, and the tasks along the
 * axis that lies along it or, if there is none, the longest. Points that tie stay in
 * order of their numbers.
 */
#include "taskmap/mappers/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "taskmap/hops.h"
#include "taskmap/layout.h"

/* Turns that are tried: all of four axes. */
#define TURNS_MOST 24

/* Tasks, or places for them. */
typedef struct points {
	int dims;
	const double *at; /* [points * dims] */
	uint32_t *number; /* [tasks] of the points, as far as they have been cut */
} points_t;

/* A point by what it is sorted by. */
typedef struct sorted {
	double at;
	uint32_t number;
} sorted_t;

typedef struct bisection {
	points_t tasks;
	points_t places;	  /* a point a node, as often as it takes tasks */
	int turn[TORUS_MAX_DIMS]; /* the dimension of each axis, -1: none */
	sorted_t *sorted;	  /* [tasks] */
	uint32_t *node_of_task;
} bisection_t;

static int compare(const void *a, const void *b)
{
	const sorted_t *first = a, *second = b;

	if (first->at != second->at)
		return first->at < second->at ? -1 : 1;
	return first->number < second->number ? -1 : first->number > second->number;
}

static void sort(bisection_t *b, const points_t *points, uint32_t from, uint32_t count,
		 int axis)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = points->number[from + i];

		b->sorted[i].number = number;
		b->sorted[i].at =
			points->at[number * (size_t)points->dims + (size_t)axis];
	}
	qsort(b->sorted, count, sizeof(*b->sorted), compare);
	for (uint32_t i = 0; i < count; i++)
		points->number[from + i] = b->sorted[i].number;
}

/* How far the points are apart along each axis; returns the longest one. */
static int measure(const points_t *points, uint32_t from, uint32_t count, double *extent)
{
	int longest = 0;

	for (int axis = 0; axis < points->dims; axis++) {
		double low = INFINITY, high = -INFINITY;

		for (uint32_t i = 0; i < count; i++) {
			double at = points->at[points->number[from + i] *
						       (size_t)points->dims +
					       (size_t)axis];

			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		/* Half of it: the whole may be more than a double holds. */
		extent[axis] = high / 2 - low / 2;
		if (extent[axis] > extent[longest])
			longest = axis;
	}
	return longest;
}

static void bisect(bisection_t *b, uint32_t from, uint32_t count)
{
	double tasks[TORUS_MAX_DIMS], places[TORUS_MAX_DIMS], largest = 0;
	int axis = measure(&b->tasks, from, count, tasks);
	int dimension = measure(&b->places, from, count, places);

	if (places[dimension] == 0) {
		for (uint32_t i = from; i < from + count; i++)
			b->node_of_task[b->tasks.number[i]] = b->places.number[i];
		return;
	}
	for (int i = 0; i < b->tasks.dims; i++) {
		double product = b->turn[i] < 0 ? 0 : tasks[i] * places[b->turn[i]];

		if (b->tasks.dims < b->places.dims && b->turn[i] != dimension)
			continue;
		if (product > largest) {
			largest = product;
			axis = i;
			dimension = b->turn[i];
		}
	}
	sort(b, &b->tasks, from, count, axis);
	sort(b, &b->places, from, count, dimension);
	bisect(b, from, count / 2);
	bisect(b, from + count / 2, count - count / 2);
}

static void swap(int *a, int *b)
{
	int kept = *a;

	*a = *b;
	*b = kept;
}

/* The next permutation of turn[count] in lexicographic order; false: it was the last. */
static bool next_turn(int *turn, int count)
{
	int at = count - 2, other = count - 1;

	while (at >= 0 && turn[at] >= turn[at + 1])
		at--;
	if (at < 0)
		return false;
	while (turn[other] <= turn[at])
		other--;
	swap(turn + at, turn + other);
	for (int low = at + 1, high = count - 1; low < high; low++, high--)
		swap(turn + low, turn + high);
	return true;
}

/* Run in the turn of all axes, of tasks and of the machine, that [order] has. */
static void run(bisection_t *b, const torus_task_job_t *job, const int *order,
		uint32_t tasks)
{
	uint32_t place = 0;

	for (int axis = 0; axis < b->tasks.dims; axis++)
		b->turn[axis] = order[axis] < b->places.dims ? order[axis] : -1;
	for (uint32_t task = 0; task < tasks; task++)
		b->tasks.number[task] = task;
	for (uint32_t node = 0; node < job->nodes; node++) {
		for (uint32_t i = 0; i < job->tasks_on_node[node]; i++)
			b->places.number[place++] = node;
	}
	bisect(b, 0, tasks);
}

/* Run in all turns that are tried, and keep the best. */
static void try_turns(bisection_t *b, const torus_task_job_t *job,
		      const torus_hop_table_t *table, uint32_t tasks, uint32_t *best)
{
	int axes = b->tasks.dims > b->places.dims ? b->tasks.dims : b->places.dims;
	int order[TORUS_MAX_DIMS];
	double fewest = INFINITY;

	for (int axis = 0; axis < axes; axis++)
		order[axis] = axis;
	for (int turn = 0; turn < TURNS_MOST; turn++) {
		torus_hop_stats_t stats;

		run(b, job, order, tasks);
		torus_hop_table_stats(job, table, b->node_of_task, &stats);
		if (stats.hop_bytes < fewest) {
			fewest = stats.hop_bytes;
			memcpy(best, b->node_of_task, tasks * sizeof(*best));
		}
		/* An axis alone has no turn: it is cut, whatever the dimension. */
		if (b->tasks.dims == 1 || !next_turn(order, axes))
			break;
	}
}

int torus_taskmap_points(const torus_task_job_t *job, int dims, const double *at,
			 uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t tasks = torus_task_grid_tasks(job->grid);
	size_t axes = (size_t)job->geometry->dims;
	int32_t box[TORUS_MAX_DIMS], *unrolled = NULL;
	torus_hop_table_t table = {0};
	double *places = NULL;
	bisection_t b = {0};
	int rc = -1;

	if (torus_task_job_check(job, err) || torus_hop_table_init(job, &table, err))
		goto done;
	unrolled = malloc(job->nodes * axes * sizeof(*unrolled));
	places = malloc(job->nodes * axes * sizeof(*places));
	b.tasks = (points_t){dims, at, malloc(tasks * sizeof(uint32_t))};
	b.places = (points_t){(int)axes, places, malloc(tasks * sizeof(uint32_t))};
	b.sorted = malloc(tasks * sizeof(*b.sorted));
	b.node_of_task = malloc(tasks * sizeof(*b.node_of_task));
	if (!unrolled || !places || !b.tasks.number || !b.places.number || !b.sorted ||
	    !b.node_of_task) {
		torus_fail(err, "out of memory for bisecting %u tasks", tasks);
		goto done;
	}
	if (torus_unroll(job, box, unrolled, err))
		goto done;
	for (size_t i = 0; i < job->nodes * axes; i++)
		places[i] = unrolled[i];
	try_turns(&b, job, &table, tasks, node_of_task);
	rc = 0;
done:
	torus_hop_table_destroy(&table);
	free(unrolled);
	free(places);
	free(b.tasks.number);
	free(b.places.number);
	free(b.sorted);
	free(b.node_of_task);
	return rc;
}
