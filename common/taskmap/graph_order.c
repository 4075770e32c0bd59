/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line through the tasks of a graph: see graph_order.h. */
#include "taskmap/graph_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LANDMARKS 4
/* Each landmark's distances, and the difference of each two. */
#define FEATURES (LANDMARKS + LANDMARKS * (LANDMARKS - 1) / 2)
#define SAMPLE 128 /* tasks of a piece whose edges are looked at */

typedef struct ordering {
	const torus_task_graph_t *graph;
	uint32_t leaf;
	uint32_t *order;
	int32_t *far[LANDMARKS]; /* [tasks] distance of each task from the landmark */
	uint32_t *scratch;	 /* [tasks] a queue, then a piece while it is sorted */
	uint32_t *piece;	 /* [tasks] the first position of the task's piece */
	uint32_t *count;	 /* [span of the features + 1] */
	int32_t farthest;
} ordering_t;

/*
 * Distances from [start] into far[]; tasks that cannot be reached come after those that
 * can, a component after the other. Returns the last one.
 */
static uint32_t measure_from(ordering_t *ordering, uint32_t start, int32_t *far)
{
	const torus_task_graph_t *graph = ordering->graph;
	uint32_t *queue = ordering->scratch, head = 0, tail = 0, next = 0;

	memset(far, -1, graph->tasks * sizeof(*far));
	far[start] = 0;
	queue[tail++] = start;
	while (tail < graph->tasks || head < tail) {
		uint32_t task;

		if (head == tail) {
			while (far[next] >= 0)
				next++;
			far[next] = far[queue[tail - 1]] + 1;
			queue[tail++] = next;
		}
		task = queue[head++];
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			uint32_t other = graph->neighbor[i];

			if (far[other] >= 0)
				continue;
			far[other] = far[task] + 1;
			queue[tail++] = other;
		}
	}
	return queue[graph->tasks - 1];
}

/* The task farthest from all of the first [count] landmarks. */
static uint32_t farthest_from(const ordering_t *ordering, int count)
{
	int32_t most = -1;
	uint32_t best = 0;

	for (uint32_t task = 0; task < ordering->graph->tasks; task++) {
		int32_t least = ordering->far[0][task];

		for (int i = 1; i < count; i++) {
			if (ordering->far[i][task] < least)
				least = ordering->far[i][task];
		}
		if (least > most) {
			most = least;
			best = task;
		}
	}
	return best;
}

static void find_landmarks(ordering_t *ordering)
{
	uint32_t start = measure_from(ordering, 0, ordering->far[0]);

	for (int i = 0; i < LANDMARKS; i++) {
		uint32_t last;

		if (i)
			start = farthest_from(ordering, i);
		last = measure_from(ordering, start, ordering->far[i]);
		if (ordering->far[i][last] > ordering->farthest)
			ordering->farthest = ordering->far[i][last];
	}
}

/* Coordinate [feature] of [task], from 0 to twice the farthest. */
static int32_t value(const ordering_t *ordering, int feature, uint32_t task)
{
	int other = 1, first = feature - LANDMARKS;

	if (first < 0)
		return ordering->far[feature][task];
	while (first >= other) {
		first -= other;
		other++;
	}
	return ordering->far[other][task] - ordering->far[first][task] +
	       ordering->farthest;
}

/* The value of [feature] below which half of the piece lies. */
static int32_t middle(ordering_t *ordering, int feature, const uint32_t *task,
		      uint32_t tasks)
{
	uint32_t below = 0;
	int32_t at = 0;

	memset(ordering->count, 0,
	       (2 * (size_t)ordering->farthest + 2) * sizeof(*ordering->count));
	for (uint32_t i = 0; i < tasks; i++)
		ordering->count[value(ordering, feature, task[i])]++;
	while (below + ordering->count[at] <= tasks / 2)
		below += ordering->count[at++];
	return at;
}

/* The weight, in a sample, of edges inside the piece that a cut there would cut. */
static double cut_weight(const ordering_t *ordering, int feature, int32_t at,
			 const uint32_t *task, uint32_t tasks)
{
	const torus_task_graph_t *graph = ordering->graph;
	uint32_t step = tasks / SAMPLE + 1;
	double weight = 0;

	for (uint32_t i = 0; i < tasks; i += step) {
		bool low = value(ordering, feature, task[i]) < at;

		for (uint64_t e = graph->first[task[i]]; e < graph->first[task[i] + 1];
		     e++) {
			uint32_t other = graph->neighbor[e];

			if (ordering->piece[other] == ordering->piece[task[i]] &&
			    (value(ordering, feature, other) < at) != low)
				weight += graph->weight ? graph->weight[e] : 1;
		}
	}
	return weight;
}

/* Sort the piece by [feature]; ties stay as they are. */
static void sort_piece(ordering_t *ordering, int feature, uint32_t *task, uint32_t tasks)
{
	size_t values = 2 * (size_t)ordering->farthest + 2;
	uint32_t before = 0;

	memset(ordering->count, 0, values * sizeof(*ordering->count));
	for (uint32_t i = 0; i < tasks; i++)
		ordering->count[value(ordering, feature, task[i])]++;
	for (size_t i = 0; i < values; i++) {
		uint32_t here = ordering->count[i];

		ordering->count[i] = before;
		before += here;
	}
	for (uint32_t i = 0; i < tasks; i++)
		ordering->scratch[ordering->count[value(ordering, feature, task[i])]++] =
			task[i];
	memcpy(task, ordering->scratch, tasks * sizeof(*task));
}

/* Cut the piece at order[first .. first+tasks-1], and its halves. */
static void cut(ordering_t *ordering, uint32_t first, uint32_t tasks)
{
	uint32_t *task = ordering->order + first, half = tasks / 2;
	double least = -1;
	int best = 0;

	if (tasks <= ordering->leaf || tasks < 2)
		return;
	for (int feature = 0; feature < FEATURES && least != 0; feature++) {
		int32_t at = middle(ordering, feature, task, tasks);
		double weight = cut_weight(ordering, feature, at, task, tasks);

		if (at == 0)
			continue;
		if (least < 0 || weight < least) {
			least = weight;
			best = feature;
		}
	}
	sort_piece(ordering, best, task, tasks);
	for (uint32_t i = half; i < tasks; i++)
		ordering->piece[task[i]] = first + half;
	cut(ordering, first, half);
	cut(ordering, first + half, tasks - half);
}

int torus_graph_order(const torus_task_graph_t *graph, uint32_t leaf, uint32_t *order,
		      torus_error_t *err)
{
	ordering_t ordering = {.graph = graph, .leaf = leaf, .order = order};
	int32_t *far = malloc(LANDMARKS * (size_t)graph->tasks * sizeof(*far));
	int result = -1;

	ordering.scratch = malloc(graph->tasks * sizeof(*ordering.scratch));
	ordering.piece = calloc(graph->tasks, sizeof(*ordering.piece));
	if (!far || !ordering.scratch || !ordering.piece)
		goto done;
	for (int i = 0; i < LANDMARKS; i++)
		ordering.far[i] = far + (size_t)i * graph->tasks;
	for (uint32_t task = 0; task < graph->tasks; task++)
		order[task] = task;
	find_landmarks(&ordering);
	ordering.count =
		malloc((2 * (size_t)ordering.farthest + 2) * sizeof(*ordering.count));
	if (!ordering.count)
		goto done;
	cut(&ordering, 0, graph->tasks);
	result = 0;
done:
	if (result)
		torus_fail(err, "out of memory for a graph of %u tasks", graph->tasks);
	free(far);
	free(ordering.scratch);
	free(ordering.piece);
	free(ordering.count);
	return result;
}

typedef struct entry {
	uint32_t neighbor;
	double weight;
} entry_t;

static int compare_entries(const void *a, const void *b)
{
	const entry_t *left = a, *right = b;

	return left->neighbor < right->neighbor ? -1 : left->neighbor > right->neighbor;
}

/* Neighbours in ascending order, as a graph wants them. */
static void fill(const torus_task_graph_t *graph, const uint32_t *order,
		 const uint32_t *position, entry_t *entry, torus_task_graph_t *result)
{
	uint64_t filled = 0;

	for (uint32_t i = 0; i < graph->tasks; i++) {
		uint64_t begin = graph->first[order[i]], end = graph->first[order[i] + 1];

		for (uint64_t e = begin; e < end; e++)
			entry[e - begin] =
				(entry_t){position[graph->neighbor[e]],
					  graph->weight ? graph->weight[e] : 1};
		qsort(entry, end - begin, sizeof(*entry), compare_entries);
		for (uint64_t e = 0; e < end - begin; e++) {
			result->neighbor[filled] = entry[e].neighbor;
			result->weight[filled++] = entry[e].weight;
		}
		result->first[i + 1] = filled;
	}
}

torus_task_graph_t *torus_graph_renumber(const torus_task_graph_t *graph,
					 const uint32_t *order, torus_error_t *err)
{
	uint32_t *position = malloc(graph->tasks * sizeof(*position));
	torus_task_graph_t *result =
		torus_task_graph_alloc(graph->tasks, graph->first[graph->tasks], err);
	entry_t *entry = NULL;
	uint64_t most = 1;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		uint64_t degree = graph->first[task + 1] - graph->first[task];

		if (degree > most)
			most = degree;
	}
	entry = malloc(most * sizeof(*entry));
	if (!position || !entry) {
		torus_fail(err, "out of memory for a graph of %u tasks", graph->tasks);
		torus_task_graph_destroy(result);
		result = NULL;
	}
	if (result) {
		for (uint32_t i = 0; i < graph->tasks; i++)
			position[order[i]] = i;
		fill(graph, order, position, entry, result);
	}
	free(position);
	free(entry);
	return result;
}
