/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recursive bisection of a graph: see graph_bisection.h. */
#include "taskmap/search/graph_bisection.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LANDMARKS 4
/* Each landmark's distances, and the difference of each two. */
#define FEATURES 10
#define SAMPLE 64 /* tasks of a piece that are looked at to choose a cut */

/* A feature: distances from one landmark, less those from another if there is one. */
static const struct {
	int plus, minus;
} features[FEATURES] = {{0, 1}, {0, 2},	 {0, 3},  {1, 2},  {1, 3},
			{2, 3}, {0, -1}, {1, -1}, {2, -1}, {3, -1}};

typedef struct point {
	float at[TORUS_MAX_DIMS];
} point_t;

/* What is looked up of neighbours, side by side in memory. */
typedef struct near {
	int32_t far[LANDMARKS]; /* distance from each landmark */
	uint32_t piece;		/* the first position of the task's piece */
} near_t;

/* Tasks and places of a piece are at the same positions of order[] and place[]. */
typedef struct bisecting {
	const torus_layout_t *layout;
	const torus_task_graph_t *graph;
	near_t *near; /* [tasks] */
	int32_t farthest;
	uint32_t *order;   /* [tasks] */
	uint32_t *place;   /* [tasks] nodes */
	uint32_t *scratch; /* [tasks] a queue, then a piece while it is sorted */
	point_t *middle;   /* [tasks] of a piece's places, by its first position */
	uint32_t *count;   /* room for counting values */
	size_t counts;
} bisecting_t;

/*
 * Distances from [start] as those from a landmark; tasks that cannot be reached come
 * after those that can, a component after the other. Returns the last one.
 */
static uint32_t measure_from(bisecting_t *b, uint32_t start, int landmark)
{
	const torus_task_graph_t *graph = b->graph;
	uint32_t *queue = b->scratch, head = 0, tail = 0, next = 0;
	near_t *near = b->near;

	for (uint32_t task = 0; task < graph->tasks; task++)
		near[task].far[landmark] = -1;
	near[start].far[landmark] = 0;
	queue[tail++] = start;
	while (head < graph->tasks) {
		uint32_t task;
		int32_t further;

		if (head == tail) {
			while (near[next].far[landmark] >= 0)
				next++;
			near[next].far[landmark] =
				near[queue[tail - 1]].far[landmark] + 1;
			queue[tail++] = next;
		}
		task = queue[head++];
		further = near[task].far[landmark] + 1;
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			uint32_t other = graph->neighbor[i];

			if (near[other].far[landmark] >= 0)
				continue;
			near[other].far[landmark] = further;
			queue[tail++] = other;
		}
	}
	return queue[graph->tasks - 1];
}

/* The task farthest from all of the first [count] landmarks. */
static uint32_t farthest_from(const bisecting_t *b, int count)
{
	int32_t most = -1;
	uint32_t best = 0;

	for (uint32_t task = 0; task < b->graph->tasks; task++) {
		const int32_t *far = b->near[task].far;
		int32_t least = far[0];

		for (int i = 1; i < count; i++)
			least = far[i] < least ? far[i] : least;
		if (least > most) {
			most = least;
			best = task;
		}
	}
	return best;
}

static void find_landmarks(bisecting_t *b)
{
	uint32_t start = measure_from(b, 0, 0);

	for (int i = 0; i < LANDMARKS; i++) {
		uint32_t last;

		if (i)
			start = farthest_from(b, i);
		last = measure_from(b, start, i);
		if (b->near[last].far[i] > b->farthest)
			b->farthest = b->near[last].far[i];
	}
}

/* From -farthest to farthest. */
static inline int32_t value(const bisecting_t *b, int feature, uint32_t task)
{
	const int32_t *far = b->near[task].far;
	int minus = features[feature].minus;

	return minus < 0 ? far[features[feature].plus]
			 : far[features[feature].plus] - far[minus];
}

/* Every how many tasks of a piece one is looked at. */
static uint32_t stride(uint32_t tasks)
{
	return (tasks + SAMPLE - 1) / SAMPLE;
}

/* The [at]-th smallest of the values, from 0, which it moves about (Hoare's Find). */
static int32_t nth_smallest(int32_t *value_of, int at, int count)
{
	int low = 0, high = count - 1;

	while (low < high) {
		int32_t pivot = value_of[at];
		int left = low, right = high;

		while (left <= right) {
			while (value_of[left] < pivot)
				left++;
			while (value_of[right] > pivot)
				right--;
			if (left <= right) {
				int32_t one = value_of[left];

				value_of[left++] = value_of[right];
				value_of[right--] = one;
			}
		}
		if (right < at)
			low = left;
		if (left > at)
			high = right;
	}
	return value_of[at];
}

/* Where each feature would cut: the value below which half of the sample lies. */
static void find_middles(const bisecting_t *b, const uint32_t *task, uint32_t tasks,
			 int32_t *middle)
{
	uint32_t step = stride(tasks);

	for (int feature = 0; feature < FEATURES; feature++) {
		int32_t sample[SAMPLE];
		int count = 0;

		for (uint32_t i = 0; i < tasks; i += step)
			sample[count++] = value(b, feature, task[i]);
		middle[feature] = nth_smallest(sample, count / 2, count);
	}
}

/*
 * A bit for each feature: whether the task is below its cut. features[] written out,
 * since most of the time goes here.
 */
static inline uint32_t sides(const near_t *near, const int32_t *middle)
{
	int32_t p = near->far[0], q = near->far[1], r = near->far[2], s = near->far[3];

	return (uint32_t)((p - q < middle[0]) | (p - r < middle[1]) << 1 |
			  (p - s < middle[2]) << 2 | (q - r < middle[3]) << 3 |
			  (q - s < middle[4]) << 4 | (r - s < middle[5]) << 5 |
			  (p < middle[6]) << 6 | (q < middle[7]) << 7 |
			  (r < middle[8]) << 8 | (s < middle[9]) << 9);
}

/* Of a sample: how many tasks are below each cut, and the weight that it would cut. */
typedef struct cuts {
	uint32_t all, low[FEATURES];
	double weight[FEATURES];
} cuts_t;

/* Weigh what all cuts would cut inside the piece, each edge looked at once. */
static void weigh_cuts(const bisecting_t *b, const uint32_t *task, uint32_t tasks,
		       const int32_t *middle, cuts_t *cuts)
{
	const torus_task_graph_t *graph = b->graph;
	uint32_t step = stride(tasks);

	*cuts = (cuts_t){0};
	for (uint32_t i = 0; i < tasks; i += step) {
		uint32_t own = sides(&b->near[task[i]], middle),
			 piece = b->near[task[i]].piece;

		cuts->all++;
		for (int feature = 0; feature < FEATURES; feature++)
			cuts->low[feature] += own >> feature & 1;
		for (uint64_t e = graph->first[task[i]]; e < graph->first[task[i] + 1];
		     e++) {
			uint32_t other = graph->neighbor[e], cut;

			if (b->near[other].piece != piece)
				continue;
			cut = own ^ sides(&b->near[other], middle);
			for (int feature = 0; cut; feature++, cut >>= 1) {
				if (cut & 1)
					cuts->weight[feature] +=
						graph->weight ? graph->weight[e] : 1;
			}
		}
	}
}

/* The feature whose cut in the middle cuts the least share of the weight. */
static int best_feature(const bisecting_t *b, const uint32_t *task, uint32_t tasks)
{
	int32_t middle[FEATURES];
	double least = INFINITY;
	cuts_t cuts;
	int best = 0;

	find_middles(b, task, tasks, middle);
	weigh_cuts(b, task, tasks, middle, &cuts);
	for (int feature = 0; feature < FEATURES; feature++) {
		uint32_t low = cuts.low[feature], high = cuts.all - low;
		double weight;

		/* Many equal values leave a cut out of the middle, which the real one is
		 * not. */
		if (!low || !high)
			continue;
		weight =
			cuts.weight[feature] * 0.5 * cuts.all / (low < high ? low : high);
		if (weight < least) {
			least = weight;
			best = feature;
		}
	}
	return best;
}

/* Sort item[] by their keys, which are from [least] to [most]; ties stay as they are. */
static void sort(bisecting_t *b, uint32_t *item, uint32_t count,
		 int32_t (*key)(const bisecting_t *b, int which, uint32_t item),
		 int which, int32_t least, int32_t most)
{
	size_t values = (size_t)(most - least) + 1;
	uint32_t before = 0;

	memset(b->count, 0, values * sizeof(*b->count));
	for (uint32_t i = 0; i < count; i++)
		b->count[key(b, which, item[i]) - least]++;
	for (size_t i = 0; i < values; i++) {
		uint32_t here = b->count[i];

		b->count[i] = before;
		before += here;
	}
	for (uint32_t i = 0; i < count; i++)
		b->scratch[b->count[key(b, which, item[i]) - least]++] = item[i];
	memcpy(item, b->scratch, count * sizeof(*item));
}

static int32_t key_of_task(const bisecting_t *b, int feature, uint32_t task)
{
	return value(b, feature, task);
}

static int32_t key_of_node(const bisecting_t *b, int axis, uint32_t node)
{
	return b->layout
		->node_point[(size_t)node * (size_t)b->layout->dims + (size_t)axis];
}

/* Sort by a key, whose range is looked up first: small pieces have small ones. */
static void sort_range(bisecting_t *b, uint32_t *item, uint32_t count,
		       int32_t (*key)(const bisecting_t *b, int which, uint32_t item),
		       int which)
{
	int32_t least = key(b, which, item[0]), most = least;

	for (uint32_t i = 1; i < count; i++) {
		int32_t one = key(b, which, item[i]);

		least = one < least ? one : least;
		most = one > most ? one : most;
	}
	sort(b, item, count, key, which, least, most);
}

static void sort_tasks(bisecting_t *b, uint32_t *task, uint32_t tasks)
{
	/* Any cut of two tasks is the same. */
	sort_range(b, task, tasks, key_of_task,
		   tasks > 2 ? best_feature(b, task, tasks) : 0);
}

/* Sort places along the longest side of their box. */
static void sort_places(bisecting_t *b, uint32_t *place, uint32_t places)
{
	int longest = 0;
	int32_t side = -1;

	for (int axis = 0; axis < b->layout->dims; axis++) {
		int32_t least = INT32_MAX, most = 0;

		for (uint32_t i = 0; i < places; i++) {
			int32_t at = key_of_node(b, axis, place[i]);

			least = at < least ? at : least;
			most = at > most ? at : most;
		}
		if (most - least > side) {
			side = most - least;
			longest = axis;
		}
	}
	if (side)
		sort_range(b, place, places, key_of_node, longest);
}

static point_t middle_of(const bisecting_t *b, const uint32_t *place, uint32_t places)
{
	point_t middle = {{0}};

	for (int axis = 0; axis < b->layout->dims; axis++) {
		int64_t sum = 0;

		for (uint32_t i = 0; i < places; i++)
			sum += key_of_node(b, axis, place[i]);
		middle.at[axis] = (float)sum / (float)places;
	}
	return middle;
}

/* Distance as the machine has it, around wrapped dimensions if that is shorter. */
static float apart(const bisecting_t *b, const point_t *p, const point_t *q)
{
	const torus_geometry_t *geometry = b->layout->job->geometry;
	float sum = 0;

	for (int axis = 0; axis < b->layout->dims; axis++) {
		float one = fabsf(p->at[axis] - q->at[axis]);
		float around = (float)geometry->length[axis] - one;

		sum += geometry->wrap[axis] && around < one ? around : one;
	}
	return sum;
}

/*
 * How much more the neighbours outside of the piece pull these tasks to [low] than to
 * [high].
 */
static double pull(const bisecting_t *b, const uint32_t *task, uint32_t tasks,
		   const point_t *low, const point_t *high)
{
	const torus_task_graph_t *graph = b->graph;
	uint32_t step = stride(tasks);
	double sum = 0;

	for (uint32_t i = 0; i < tasks; i += step) {
		for (uint64_t e = graph->first[task[i]]; e < graph->first[task[i] + 1];
		     e++) {
			uint32_t piece = b->near[graph->neighbor[e]].piece;
			const point_t *other = &b->middle[piece];

			if (piece != b->near[task[i]].piece)
				sum += (graph->weight ? graph->weight[e] : 1) *
				       (apart(b, high, other) - apart(b, low, other));
		}
	}
	return sum * step;
}

/* Exchange the halves of item[]: the last [count - half] come first. */
static void swap_halves(bisecting_t *b, uint32_t *item, uint32_t half, uint32_t count)
{
	memcpy(b->scratch, item, half * sizeof(*item));
	memmove(item, item + half, (count - half) * sizeof(*item));
	memcpy(item + count - half, b->scratch, half * sizeof(*item));
}

/* Bisect the piece at [first]; halves of tasks and places stay at the same positions. */
static void bisect(bisecting_t *b, uint32_t first, uint32_t count)
{
	uint32_t *task = b->order + first, *place = b->place + first, half = count / 2;
	point_t low, high;

	if (count < 2)
		return;
	sort_places(b, place, count);
	if (place[0] == place[count - 1])
		return;
	sort_tasks(b, task, count);
	low = middle_of(b, place, half);
	high = middle_of(b, place + half, count - half);
	/* Turned, the higher half of the tasks takes the lower places. */
	if (pull(b, task, half, &low, &high) <
	    pull(b, task + count - half, half, &low, &high))
		swap_halves(b, task, count - half, count);
	b->middle[first] = low;
	b->middle[first + half] = high;
	for (uint32_t i = half; i < count; i++)
		b->near[task[i]].piece = first + half;
	bisect(b, first, half);
	bisect(b, first + half, count - half);
}

static int bisecting_init(bisecting_t *b, torus_error_t *err)
{
	const torus_layout_t *layout = b->layout;
	size_t tasks = layout->tasks;

	b->near = calloc(tasks, sizeof(*b->near));
	b->order = malloc(tasks * sizeof(*b->order));
	b->place = malloc(tasks * sizeof(*b->place));
	b->scratch = malloc(tasks * sizeof(*b->scratch));
	b->middle = calloc(tasks, sizeof(*b->middle));
	if (!b->near || !b->order || !b->place || !b->scratch || !b->middle)
		return torus_fail(err, "out of memory for a graph of %u tasks",
				  layout->tasks);
	for (uint32_t task = 0; task < layout->tasks; task++)
		b->order[task] = task;
	memcpy(b->place, layout->node_of_place, tasks * sizeof(*b->place));
	find_landmarks(b);
	b->counts = 2 * (size_t)b->farthest + 1;
	for (int axis = 0; axis < layout->dims; axis++) {
		if ((size_t)layout->box[axis] > b->counts)
			b->counts = (size_t)layout->box[axis];
	}
	b->count = malloc(b->counts * sizeof(*b->count));
	return b->count ? 0
			: torus_fail(err, "out of memory for a graph of %u tasks",
				     layout->tasks);
}

int torus_graph_bisection(const torus_layout_t *layout, uint32_t *node_of_task,
			  torus_error_t *err)
{
	bisecting_t b = {.layout = layout, .graph = layout->job->graph};
	int result = bisecting_init(&b, err);

	if (!result) {
		bisect(&b, 0, layout->tasks);
		for (uint32_t i = 0; i < layout->tasks; i++)
			node_of_task[b.order[i]] = b.place[i];
	}
	free(b.near);
	free(b.order);
	free(b.place);
	free(b.scratch);
	free(b.middle);
	free(b.count);
	return result;
}
