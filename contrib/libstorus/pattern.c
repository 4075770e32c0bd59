/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns of communication: see storus.h. */
#include "torus_config.h"

#include <stdlib.h>

#include "libstorus/private.h"

/* A pattern without anything in it. NULL with [err] filled: memory, number of tasks. */
static storus_pattern_t *allocate(storus_pattern_kind_t kind, uint32_t tasks,
				  torus_error_t *err)
{
	storus_pattern_t *pattern;

	if (!tasks || tasks > TORUS_MAX_CELLS) {
		torus_fail(err, "%u tasks are not in 1 .. %u", tasks, TORUS_MAX_CELLS);
		return NULL;
	}
	pattern = calloc(1, sizeof(*pattern));
	if (!pattern) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	pattern->kind = kind;
	pattern->tasks = tasks;
	return pattern;
}

storus_pattern_t *storus_pattern_grid(int dims, const int32_t *lengths,
				      const unsigned char *periodic,
				      storus_stencil_t stencil, char *error,
				      size_t error_size)
{
	torus_task_grid_t grid = {.dims = dims};
	storus_pattern_t *pattern = NULL;
	torus_error_t err;

	if (storus_lengths_check(dims, lengths, "grid", grid.length, &err))
		goto done;
	if (stencil != STORUS_FACES && stencil != STORUS_CORNERS) {
		torus_fail(&err, "grid: stencil %d is not known", (int)stencil);
		goto done;
	}
	grid.stencil =
		stencil == STORUS_CORNERS ? TORUS_STENCIL_CORNERS : TORUS_STENCIL_FACES;
	for (int axis = 0; periodic && axis < dims; axis++)
		grid.periodic[axis] = periodic[axis] != 0;
	pattern = allocate(STORUS_PATTERN_GRID, torus_task_grid_tasks(&grid), &err);
	if (pattern)
		pattern->grid = grid;
done:
	if (!pattern)
		storus_report(&err, error, error_size);
	return pattern;
}

/* The graph of [grid] with weight[axis] on the edges along each axis. NULL with [err]
 * filled. */
static torus_task_graph_t *weigh_axes(const torus_task_grid_t *grid, const double *weight,
				      torus_error_t *err)
{
	torus_task_graph_t *stencil = torus_task_graph_stencil(grid, err), *graph = NULL;
	size_t room = stencil ? (size_t)stencil->first[stencil->tasks] + 1 : 1;
	uint32_t *ends = malloc(2 * room * sizeof(*ends));
	double *weights = malloc(room * sizeof(*weights));
	uint64_t edges = 0;

	if (stencil && (!ends || !weights))
		torus_fail(err, "out of memory for %u tasks", stencil->tasks);
	for (uint32_t task = 0; stencil && ends && weights && task < stencil->tasks;
	     task++) {
		for (uint64_t i = stencil->first[task]; i < stencil->first[task + 1];
		     i++) {
			uint32_t other = stencil->neighbor[i], apart = other - task;
			int axis = grid->dims - 1;

			if (other < task)
				continue;
			/* The axis is the last one whose stride is not longer. */
			for (uint32_t stride = stencil->tasks; axis >= 0; axis--) {
				stride /= (uint32_t)grid->length[axis];
				if (apart >= stride && grid->length[axis] > 1)
					break;
			}
			ends[edges] = task;
			ends[room + edges] = other;
			weights[edges++] = weight[axis];
		}
	}
	if (stencil && ends && weights)
		graph = torus_task_graph_create(stencil->tasks, ends, ends + room,
						weights, edges, err);
	torus_task_graph_destroy(stencil);
	free(ends);
	free(weights);
	return graph;
}

storus_pattern_t *storus_pattern_weighted_grid(int dims, const int32_t *lengths,
					       const unsigned char *periodic,
					       const double *weight, char *error,
					       size_t error_size)
{
	storus_pattern_t *pattern = NULL;
	torus_error_t err;

	if (!weight) {
		torus_fail(&err, "grid: no weights");
		storus_report(&err, error, error_size);
		return NULL;
	}
	/* also not true of NaN */
	for (int axis = 0; axis < dims && axis < TORUS_MAX_DIMS; axis++) {
		if (weight[axis] >= 0 && weight[axis] <= TORUS_TASK_GRAPH_WEIGHT)
			continue;
		torus_fail(&err, "grid: weight %g of dimension %d is not in 0 .. 1e15",
			   weight[axis], axis);
		storus_report(&err, error, error_size);
		return NULL;
	}
	pattern = storus_pattern_grid(dims, lengths, periodic, STORUS_FACES, error,
				      error_size);
	if (!pattern)
		return NULL;
	pattern->graph = weigh_axes(&pattern->grid, weight, &err);
	if (!pattern->graph) {
		storus_report(&err, error, error_size);
		storus_pattern_free(pattern);
		return NULL;
	}
	return pattern;
}

static int check_edges(uint32_t tasks, uint64_t edges, const uint32_t *from,
		       const uint32_t *to, const double *weight, torus_error_t *err)
{
	if (!from || !to || !edges || edges > UINT64_C(1) << 31)
		return torus_fail(err, "graph: no edges, or more than 2^31");
	for (uint64_t i = 0; i < edges; i++) {
		if (from[i] >= tasks || to[i] >= tasks)
			return torus_fail(err,
					  "graph: edge number %llu is from task %u to "
					  "task %u of %u",
					  (unsigned long long)i, from[i], to[i], tasks);
		/* also not true of NaN */
		if (weight && !(weight[i] >= 0 && weight[i] <= TORUS_TASK_GRAPH_WEIGHT))
			return torus_fail(
				err,
				"graph: weight %g of edge number %llu is not in "
				"0 .. 1e15",
				weight[i], (unsigned long long)i);
	}
	return 0;
}

/* The engine wants weights: 1 each. NULL: out of memory. */
static double *make_ones(uint64_t count)
{
	double *ones = malloc(count * sizeof(*ones));

	for (uint64_t i = 0; ones && i < count; i++)
		ones[i] = 1;
	return ones;
}

storus_pattern_t *storus_pattern_graph(uint32_t tasks, uint64_t edges,
				       const uint32_t *from, const uint32_t *to,
				       const double *weight, char *error,
				       size_t error_size)
{
	storus_pattern_t *pattern = NULL;
	double *ones = NULL;
	torus_error_t err;

	if (check_edges(tasks, edges, from, to, weight, &err))
		goto fail;
	pattern = allocate(STORUS_PATTERN_GRAPH, tasks, &err);
	if (!pattern)
		goto fail;
	if (!weight) {
		ones = make_ones(edges);
		if (!ones) {
			torus_fail(&err, "out of memory for %llu edges",
				   (unsigned long long)edges);
			goto fail;
		}
	}
	pattern->graph = torus_task_graph_create(tasks, from, to, weight ? weight : ones,
						 edges, &err);
	if (!pattern->graph)
		goto fail;
	if (!pattern->graph->first[tasks]) {
		torus_fail(&err, "graph: no edge between two tasks");
		goto fail;
	}
	free(ones);
	return pattern;
fail:
	free(ones);
	storus_report(&err, error, error_size);
	storus_pattern_free(pattern);
	return NULL;
}

storus_pattern_t *storus_pattern_any(uint32_t tasks, char *error, size_t error_size)
{
	torus_error_t err;
	storus_pattern_t *pattern = allocate(STORUS_PATTERN_ANY, tasks, &err);

	if (!pattern)
		storus_report(&err, error, error_size);
	return pattern;
}

void storus_pattern_free(storus_pattern_t *pattern)
{
	if (pattern) {
		torus_task_graph_destroy(pattern->graph);
		free(pattern->at);
		storus_pattern_free(pattern->busy);
	}
	free(pattern);
}

uint32_t storus_pattern_tasks(const storus_pattern_t *pattern)
{
	return pattern ? pattern->tasks : 0;
}
