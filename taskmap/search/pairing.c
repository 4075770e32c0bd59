/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of pairs of tasks: see pairing.h.
 *
 * The groups of a level are numbered in the order in which they were made; joined[] has
 * the number that each gets on the next level. A group's place among the leaves is its
 * parent's, and behind that of its partner if it is the second one.
 */
#include "taskmap/search/pairing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A tree of tasks has no more levels. */
#define LEVELS_MOST 32

typedef struct edge {
	double weight;
	uint32_t low, high;
} edge_t;

static int compare_edges(const void *a, const void *b)
{
	const edge_t *one = a, *other = b;

	if (one->weight != other->weight)
		return one->weight > other->weight ? -1 : 1;
	if (one->low != other->low)
		return one->low < other->low ? -1 : 1;
	return one->high < other->high ? -1 : one->high > other->high;
}

/* The edges of [graph], the heaviest first. Malloc'ed; NULL: out of memory. */
static edge_t *sort_edges(const torus_task_graph_t *graph, uint64_t *count)
{
	edge_t *edge = malloc((graph->first[graph->tasks] / 2 + 1) * sizeof(*edge));

	*count = 0;
	for (uint32_t task = 0; edge && task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			if (graph->neighbor[i] > task)
				edge[(*count)++] =
					(edge_t){graph->weight ? graph->weight[i] : 1,
						 task, graph->neighbor[i]};
		}
	}
	if (edge)
		qsort(edge, *count, sizeof(*edge), compare_edges);
	return edge;
}

/*
 * Pair the groups that are the tasks of [graph]: fill joined[] with the numbers of the
 * pairs, and second[] with whether a group is the second one of its pair. Returns how
 * many pairs there are, 0: out of memory.
 */
static uint32_t pair(const torus_task_graph_t *graph, uint32_t *joined, bool *second)
{
	uint32_t pairs = 0, alone = UINT32_MAX;
	uint64_t edges;
	edge_t *edge = sort_edges(graph, &edges);

	if (!edge)
		return 0;
	for (uint32_t group = 0; group < graph->tasks; group++) {
		joined[group] = UINT32_MAX;
		second[group] = false;
	}
	for (uint64_t i = 0; i < edges; i++) {
		if (joined[edge[i].low] != UINT32_MAX ||
		    joined[edge[i].high] != UINT32_MAX)
			continue;
		joined[edge[i].low] = joined[edge[i].high] = pairs++;
		second[edge[i].high] = true;
	}
	for (uint32_t group = 0; group < graph->tasks; group++) {
		if (joined[group] != UINT32_MAX)
			continue;
		second[group] = alone != UINT32_MAX;
		joined[group] = second[group] ? joined[alone] : pairs++;
		alone = second[group] ? UINT32_MAX : group;
	}
	free(edge);
	return pairs;
}

/* The levels of the tree, from the tasks up. */
typedef struct tree {
	int levels;
	uint32_t groups[LEVELS_MOST];
	uint32_t *joined[LEVELS_MOST]; /* [groups] */
	bool *second[LEVELS_MOST];     /* [groups] */
} tree_t;

/* Pair the groups of one level more. */
static int grow(tree_t *tree, const torus_task_graph_t *graph, torus_error_t *err)
{
	int level = tree->levels++;

	tree->groups[level] = graph->tasks;
	tree->joined[level] = malloc(graph->tasks * sizeof(**tree->joined));
	tree->second[level] = malloc(graph->tasks * sizeof(**tree->second));
	if (tree->joined[level] && tree->second[level]) {
		uint32_t pairs = pair(graph, tree->joined[level], tree->second[level]);

		tree->groups[level + 1] = pairs;
		if (pairs)
			return 0;
	}
	return torus_fail(err, "out of memory for pairing %u tasks", graph->tasks);
}

/* Fill first[] of each group's leaves, from the root down; leaves[] of how many it has.
 */
static int place_leaves(const tree_t *tree, uint32_t *position, torus_error_t *err)
{
	uint32_t tasks = tree->groups[0];
	uint32_t *leaves[LEVELS_MOST] = {NULL}, *first = calloc(tasks, sizeof(*first));
	int rc = first ? 0 : -1;

	for (int level = 0; level < tree->levels; level++) {
		leaves[level] = calloc(tree->groups[level], sizeof(**leaves));
		if (!leaves[level])
			rc = -1;
		for (uint32_t i = 0; !rc && !level && i < tasks; i++)
			leaves[0][i] = 1;
		for (uint32_t i = 0; !rc && level && i < tree->groups[level - 1]; i++)
			leaves[level][tree->joined[level - 1][i]] += leaves[level - 1][i];
	}
	/* first[] is that of the level above, and becomes that of the level. */
	for (int level = tree->levels - 1; !rc && level >= 0; level--) {
		for (uint32_t i = 0; i < tree->groups[level]; i++) {
			if (!tree->second[level][i])
				position[i] = first[tree->joined[level][i]];
		}
		for (uint32_t i = 0; i < tree->groups[level]; i++) {
			if (!tree->second[level][i])
				first[tree->joined[level][i]] += leaves[level][i];
		}
		for (uint32_t i = 0; i < tree->groups[level]; i++) {
			if (tree->second[level][i])
				position[i] = first[tree->joined[level][i]];
		}
		memcpy(first, position, tree->groups[level] * sizeof(*first));
	}
	for (int level = 0; level < tree->levels; level++)
		free(leaves[level]);
	free(first);
	return rc ? torus_fail(err, "out of memory for pairing %u tasks", tasks) : 0;
}

int torus_pairing(const torus_task_graph_t *graph, uint32_t *position, torus_error_t *err)
{
	const torus_task_graph_t *level = graph;
	torus_task_graph_t *own = NULL;
	tree_t tree = {0};
	int rc = 0;

	position[0] = 0;
	while (!rc && level->tasks > 1) {
		torus_task_graph_t *next = NULL;

		rc = grow(&tree, level, err);
		if (!rc) {
			next = torus_task_graph_blocks(level,
						       tree.joined[tree.levels - 1],
						       tree.groups[tree.levels], err);
			rc = next ? 0 : -1;
		}
		torus_task_graph_destroy(own);
		level = own = next;
	}
	torus_task_graph_destroy(own);
	if (!rc && tree.levels)
		rc = place_leaves(&tree, position, err);
	for (int i = 0; i < tree.levels; i++) {
		free(tree.joined[i]);
		free(tree.second[i]);
	}
	return rc;
}
