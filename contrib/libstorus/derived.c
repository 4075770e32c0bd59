/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns that are made from others: see storus.h. */
#include "torus_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libstorus/private.h"

/* The edges of [pattern] as a graph of [tasks] tasks, of which the last ones have none.
 * NULL with [err] filled: memory. */
static torus_task_graph_t *widen(const storus_pattern_t *pattern, uint32_t tasks,
				 torus_error_t *err)
{
	torus_task_graph_t *own = NULL, *graph = NULL;
	const torus_task_graph_t *from = pattern->graph;

	if (!from)
		from = own = torus_task_graph_stencil(&pattern->grid, err);
	if (from)
		graph = torus_task_graph_alloc(tasks, from->first[from->tasks], err);
	if (graph) {
		uint64_t entries = from->first[from->tasks];

		for (uint32_t task = 0; task <= tasks; task++)
			graph->first[task] =
				task < from->tasks ? from->first[task] : entries;
		memcpy(graph->neighbor, from->neighbor, entries * sizeof(uint32_t));
		for (uint64_t i = 0; i < entries; i++)
			graph->weight[i] = from->weight ? from->weight[i] : 1;
	}
	torus_task_graph_destroy(own);
	return graph;
}

/* A pattern that owns copies of all that [pattern] has. NULL with [err] filled: memory.
 */
static storus_pattern_t *copy(const storus_pattern_t *pattern, torus_error_t *err)
{
	storus_pattern_t *new = malloc(sizeof(*new));
	size_t bytes = (size_t)pattern->tasks * (size_t)pattern->axes * sizeof(double);

	if (!new) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	*new = *pattern;
	new->graph = NULL;
	new->at = NULL;
	new->busy = NULL;
	if (pattern->graph) {
		new->graph = widen(pattern, pattern->tasks, err);
		if (!new->graph)
			goto fail;
	}
	if (pattern->at) {
		new->at = malloc(bytes);
		if (!new->at) {
			torus_fail(err, "out of memory for %u tasks", pattern->tasks);
			goto fail;
		}
		memcpy(new->at, pattern->at, bytes);
	}
	return new;
fail:
	storus_pattern_free(new);
	return NULL;
}

static int check_known(const storus_pattern_t *pattern, torus_error_t *err)
{
	if (!pattern)
		return torus_fail(err, "no pattern");
	if (pattern->kind == STORUS_PATTERN_ANY)
		return torus_fail(err,
				  "nobody knows which tasks of the pattern communicate");
	return 0;
}

static int check_points(const storus_pattern_t *pattern, int dims,
			const double *coordinates, torus_error_t *err)
{
	if (check_known(pattern, err))
		return -1;
	if (pattern->busy)
		return torus_fail(err, "coordinates: give them before idle tasks");
	if (dims < 1 || dims > STORUS_MAX_DIMS)
		return torus_fail(err, "coordinates: %d dimensions are not 1 to %d", dims,
				  STORUS_MAX_DIMS);
	if (!coordinates)
		return torus_fail(err, "no coordinates");
	for (size_t i = 0; i < (size_t)pattern->tasks * (size_t)dims; i++) {
		if (!isfinite(coordinates[i]))
			return torus_fail(err, "coordinates: %g of task %zu is no number",
					  coordinates[i], i / (size_t)dims);
	}
	return 0;
}

storus_pattern_t *storus_pattern_locate(const storus_pattern_t *pattern, int dims,
					const double *coordinates, char *error,
					size_t error_size)
{
	storus_pattern_t *new = NULL;
	size_t bytes;
	torus_error_t err;

	if (check_points(pattern, dims, coordinates, &err))
		goto fail;
	new = copy(pattern, &err);
	if (!new)
		goto fail;
	bytes = (size_t)pattern->tasks * (size_t)dims * sizeof(*new->at);
	free(new->at);
	new->axes = dims;
	new->at = malloc(bytes);
	if (!new->at) {
		torus_fail(&err, "out of memory for %u tasks", pattern->tasks);
		goto fail;
	}
	memcpy(new->at, coordinates, bytes);
	return new;
fail:
	storus_pattern_free(new);
	storus_report(&err, error, error_size);
	return NULL;
}

storus_pattern_t *storus_pattern_idle(const storus_pattern_t *pattern, uint32_t tasks,
				      char *error, size_t error_size)
{
	storus_pattern_t *new = NULL;
	torus_error_t err;

	if (check_known(pattern, &err))
		goto fail;
	if (tasks < pattern->tasks || tasks > TORUS_MAX_CELLS) {
		torus_fail(&err,
			   "idle: %u tasks are not in %u (those of the pattern) .. %u",
			   tasks, pattern->tasks, TORUS_MAX_CELLS);
		goto fail;
	}
	new = calloc(1, sizeof(*new));
	if (!new) {
		torus_fail(&err, "out of memory");
		goto fail;
	}
	new->kind = STORUS_PATTERN_GRAPH;
	new->tasks = tasks;
	new->graph = widen(pattern, tasks, &err);
	new->busy =
		new->graph ? copy(pattern->busy ? pattern->busy : pattern, &err) : NULL;
	if (new->busy)
		return new;
fail:
	storus_pattern_free(new);
	storus_report(&err, error, error_size);
	return NULL;
}
