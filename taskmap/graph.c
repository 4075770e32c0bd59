/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Communication graphs: see taskmap/graph.h. */
#include "taskmap/graph.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"

#define GRAPH_MAX_EDGES (UINT64_C(1) << 31)

static torus_task_graph_t *graph_alloc(uint32_t tasks, uint64_t entries, bool weighted,
				       torus_error_t *err)
{
	torus_task_graph_t *graph = calloc(1, sizeof(*graph));

	if (graph) {
		graph->tasks = tasks;
		graph->first = calloc((size_t)tasks + 1, sizeof(*graph->first));
		entries += TORUS_TASK_GRAPH_MORE;
		graph->neighbor = calloc(entries, sizeof(*graph->neighbor));
		if (weighted)
			graph->weight = calloc(entries, sizeof(*graph->weight));
	}
	if (!graph || !graph->first || !graph->neighbor || (weighted && !graph->weight)) {
		torus_fail(err, "out of memory for a communication graph of %u tasks",
			   tasks);
		torus_task_graph_destroy(graph);
		return NULL;
	}
	return graph;
}

void torus_task_graph_destroy(torus_task_graph_t *graph)
{
	if (!graph)
		return;
	free(graph->first);
	free(graph->neighbor);
	free(graph->weight);
	free(graph);
}

static int compare_tasks(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

torus_task_graph_t *torus_task_graph_alloc(uint32_t tasks, uint64_t entries,
					   torus_error_t *err)
{
	return graph_alloc(tasks, entries, true, err);
}

torus_task_graph_t *torus_task_graph_stencil(const torus_task_grid_t *grid,
					     torus_error_t *err)
{
	uint32_t tasks = torus_task_grid_tasks(grid);
	int32_t coord[TORUS_MAX_DIMS] = {0};
	torus_task_graph_t *graph;
	torus_offsets_t offsets;
	uint64_t used = 0;

	graph = graph_alloc(tasks, 2 * torus_task_grid_edges(grid), false, err);
	if (!graph)
		return NULL;
	torus_task_grid_offsets(grid, &offsets);
	for (uint32_t task = 0; task < tasks; task++) {
		int found = torus_task_grid_neighbors(grid, &offsets, offsets.count,
						      coord, graph->neighbor + used);

		qsort(graph->neighbor + used, (size_t)found, sizeof(*graph->neighbor),
		      compare_tasks);
		used += (uint64_t)found;
		graph->first[task + 1] = used;
		torus_task_grid_next(grid, coord);
	}
	return graph;
}

typedef struct graph_entry {
	uint32_t neighbor;
	uint32_t edge; /* of the input, so that both ends add up weights in the same order
			*/
	double weight;
} graph_entry_t;

static int compare_entries(const void *a, const void *b)
{
	const graph_entry_t *left = a, *right = b;
	int result = compare_tasks(&left->neighbor, &right->neighbor);

	return result ? result : compare_tasks(&left->edge, &right->edge);
}

/*
 * Sort entry[0 .. count-1] by neighbour, and merge entries of the same neighbour by
 * adding their weights. Returns how many remain.
 */
static uint64_t merge_entries(graph_entry_t *entry, uint64_t count)
{
	uint64_t kept = 0;

	qsort(entry, count, sizeof(*entry), compare_entries);
	for (uint64_t i = 0; i < count; i++) {
		if (kept && entry[kept - 1].neighbor == entry[i].neighbor)
			entry[kept - 1].weight += entry[i].weight;
		else
			entry[kept++] = entry[i];
	}
	return kept;
}

torus_task_graph_t *torus_task_graph_create(uint32_t tasks, const uint32_t *from,
					    const uint32_t *to, const double *weight,
					    uint64_t edges, torus_error_t *err)
{
	uint64_t *start = calloc((size_t)tasks + 2, sizeof(*start));
	graph_entry_t *entry = malloc((2 * edges + 1) * sizeof(*entry));
	torus_task_graph_t *graph = graph_alloc(tasks, 2 * edges, true, err);
	uint64_t used = 0;

	if (!start || !entry || !graph) {
		if (graph)
			torus_fail(err,
				   "out of memory for a communication graph of %u tasks",
				   tasks);
		torus_task_graph_destroy(graph);
		graph = NULL;
		goto done;
	}
	/* Counting sort by task: start[t + 2] counts, then start[t + 1] moves to t's end.
	 */
	for (uint64_t i = 0; i < edges; i++) {
		if (from[i] != to[i] && weight[i] > 0) {
			start[from[i] + 2]++;
			start[to[i] + 2]++;
		}
	}
	for (uint32_t task = 0; task < tasks; task++)
		start[task + 1] += start[task];
	for (uint64_t i = 0; i < edges; i++) {
		if (from[i] != to[i] && weight[i] > 0) {
			entry[start[from[i] + 1]++] =
				(graph_entry_t){to[i], (uint32_t)i, weight[i]};
			entry[start[to[i] + 1]++] =
				(graph_entry_t){from[i], (uint32_t)i, weight[i]};
		}
	}
	for (uint32_t task = 0; task < tasks; task++) {
		uint64_t count =
			merge_entries(entry + start[task], start[task + 1] - start[task]);

		for (uint64_t i = 0; i < count; i++, used++) {
			graph->neighbor[used] = entry[start[task] + i].neighbor;
			graph->weight[used] = entry[start[task] + i].weight;
		}
		graph->first[task + 1] = used;
	}
done:
	free(start);
	free(entry);
	return graph;
}

/* The edges read so far. */
typedef struct edge_list {
	uint32_t *from, *to;
	double *weight;
	uint64_t count, room;
	uint64_t useful; /* how many of them join two different tasks with a weight above
			  * 0 */
} edge_list_t;

static int edges_grow(edge_list_t *edges, torus_error_t *err)
{
	uint64_t room = edges->room ? 2 * edges->room : 1024;
	uint32_t *from = realloc(edges->from, room * sizeof(*from));
	uint32_t *to = from ? realloc(edges->to, room * sizeof(*to)) : NULL;
	double *weight = to ? realloc(edges->weight, room * sizeof(*weight)) : NULL;

	if (from)
		edges->from = from;
	if (to)
		edges->to = to;
	if (!weight)
		return torus_fail(err, "out of memory for %llu edges",
				  (unsigned long long)room);
	edges->weight = weight;
	edges->room = room;
	return 0;
}

static int parse_task(const char *field, uint32_t tasks, uint32_t *task,
		      torus_error_t *err)
{
	uint64_t value = 0;
	const char *at = field;

	while (isdigit((unsigned char)*at) && value <= UINT32_MAX)
		value = value * 10 + (uint64_t)(*at++ - '0');
	if (*at && !isdigit((unsigned char)*at))
		return torus_fail(err, "'%s' is not a task number", field);
	if (value >= tasks)
		return torus_fail(err, "task %s is out of range: tasks are 0 to %u",
				  field, tasks - 1);
	*task = (uint32_t)value;
	return 0;
}

static int parse_edge(const torus_lines_t *lines, uint32_t tasks, edge_list_t *edges,
		      torus_error_t *err)
{
	uint32_t from, to;
	double weight;
	char *tail;

	if (lines->words != 3)
		return torus_fail(err, "expected three fields: task task weight");
	if (parse_task(lines->word[0].text, tasks, &from, err) ||
	    parse_task(lines->word[1].text, tasks, &to, err))
		return -1;
	weight = strtod(lines->word[2].text, &tail);
	if (*tail || !(weight >= 0 && weight <= TORUS_TASK_GRAPH_WEIGHT))
		return torus_fail(err, "weight '%s' is not a number from 0 to %g",
				  lines->word[2].text, TORUS_TASK_GRAPH_WEIGHT);
	if (edges->count == GRAPH_MAX_EDGES)
		return torus_fail(err, "more than 2^31 edges");
	if (edges->count == edges->room && edges_grow(edges, err))
		return -1;
	edges->from[edges->count] = from;
	edges->to[edges->count] = to;
	edges->weight[edges->count++] = weight;
	edges->useful += from != to && weight > 0;
	return 0;
}

torus_task_graph_t *torus_task_graph_parse(const char *text, size_t length,
					   const char *path, uint32_t tasks,
					   torus_error_t *err)
{
	torus_task_graph_t *graph = NULL;
	edge_list_t edges = {0};
	torus_lines_t lines;
	int found;

	if (torus_lines_open(&lines, text, length, path, err))
		goto done;
	while ((found = torus_lines_next(&lines, err)) > 0) {
		if (parse_edge(&lines, tasks, &edges, err)) {
			torus_fail_prefix(err, "%s:%u: ", path, lines.word[0].line);
			goto done;
		}
	}
	if (found < 0)
		goto done;
	if (!edges.useful) {
		torus_fail(err, "%s: no edge between two tasks", path);
		goto done;
	}
	graph = torus_task_graph_create(tasks, edges.from, edges.to, edges.weight,
					edges.count, err);
done:
	torus_lines_close(&lines);
	free(edges.from);
	free(edges.to);
	free(edges.weight);
	return graph;
}

torus_task_graph_t *torus_task_graph_blocks(const torus_task_graph_t *graph,
					    const uint32_t *block_of, uint32_t blocks,
					    torus_error_t *err)
{
	torus_task_graph_t *result = NULL;
	uint64_t edges = 0, used = 0;
	uint32_t *from, *to;
	double *weight;

	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++)
			edges += block_of[task] < block_of[graph->neighbor[i]];
	}
	from = malloc((edges + 1) * sizeof(*from));
	to = malloc((edges + 1) * sizeof(*to));
	weight = malloc((edges + 1) * sizeof(*weight));
	if (!from || !to || !weight) {
		torus_fail(err, "out of memory for a graph of %u blocks", blocks);
		goto done;
	}
	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			uint32_t other = block_of[graph->neighbor[i]];

			if (block_of[task] >= other)
				continue;
			from[used] = block_of[task];
			to[used] = other;
			weight[used++] = graph->weight ? graph->weight[i] : 1;
		}
	}
	result = torus_task_graph_create(blocks, from, to, weight, edges, err);
done:
	free(from);
	free(to);
	free(weight);
	return result;
}
