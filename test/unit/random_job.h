/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random jobs for the tests of task mapping: a machine, scattered nodes, a task grid. */
#ifndef TORUS_TEST_RANDOM_JOB_H
#define TORUS_TEST_RANDOM_JOB_H

#include <string.h>

#include "random.h"
#include "taskmap/job.h"

#define RANDOM_JOB_NODES 400

typedef struct random_job {
	torus_geometry_t geometry;
	torus_task_grid_t grid;
	uint32_t cell[RANDOM_JOB_NODES], tasks_on_node[RANDOM_JOB_NODES];
	torus_task_job_t job;
	uint32_t tasks;
} random_job_t;

/* Split [tasks] into the lengths of a grid of 1 to max_dims dimensions, any factors. */
static inline torus_task_grid_t random_grid(uint32_t tasks, int max_dims)
{
	torus_task_grid_t grid = {
		.dims = (int)random_in(1, (uint32_t)max_dims),
		.stencil = random_in(0, 1) ? TORUS_STENCIL_FACES : TORUS_STENCIL_CORNERS,
	};

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		grid.length[axis] = 1;
		grid.periodic[axis] = axis < grid.dims && random_in(0, 1);
	}
	for (uint32_t factor = 2; tasks > 1; factor++) {
		while (tasks % factor == 0) {
			grid.length[random_in(0, (uint32_t)grid.dims - 1)] *=
				(int32_t)factor;
			tasks /= factor;
		}
	}
	return grid;
}

/*
 * Fill [random] with a job of at most max_nodes nodes with 1 to max_count tasks each, as
 * many everywhere or not; some nodes share a cell.
 */
static inline void random_job(random_job_t *random, int max_dims, uint32_t max_nodes,
			      uint32_t max_count)
{
	uint32_t nodes = random_in(1, max_nodes), count = random_in(1, max_count), cells;
	bool even = random_in(0, 1), shared = random_in(0, 1);

	do {
		random->geometry = random_geometry(max_dims, 2 * max_nodes);
		cells = torus_geometry_cells(&random->geometry);
	} while (cells < nodes && !shared);
	random->tasks = 0;
	for (uint32_t node = 0; node < nodes; node++) {
		uint32_t cell;

		for (bool fresh = false; !fresh;) {
			cell = random_in(0, cells - 1);
			fresh = true;
			for (uint32_t i = 0; i < node && !shared; i++)
				fresh &= random->cell[i] != cell;
		}
		random->cell[node] = cell;
		random->tasks_on_node[node] = even ? count : random_in(1, max_count);
		random->tasks += random->tasks_on_node[node];
	}
	random->grid = random_grid(random->tasks, 4);
	random->job = (torus_task_job_t){
		.grid = &random->grid,
		.geometry = &random->geometry,
		.nodes = nodes,
		.cell = random->cell,
		.tasks_on_node = random->tasks_on_node,
	};
}

/* Whether node_of_task[] gives every node as many tasks as it takes. */
static inline bool is_mapping(const torus_task_job_t *job, const uint32_t *node_of_task)
{
	uint32_t taken[RANDOM_JOB_NODES] = {0};

	for (uint32_t task = 0; task < torus_task_grid_tasks(job->grid); task++) {
		if (node_of_task[task] >= job->nodes)
			return false;
		taken[node_of_task[task]]++;
	}
	return !memcmp(taken, job->tasks_on_node, job->nodes * sizeof(*taken));
}

/* Coordinate of [task] in [grid], by the definition of the numbering. */
static inline void task_coord(const torus_task_grid_t *grid, uint32_t task,
			      int32_t *coord)
{
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		uint32_t length = axis < grid->dims ? (uint32_t)grid->length[axis] : 1;

		coord[axis] = (int32_t)(task % length);
		task /= length;
	}
}

/* Whether two tasks are neighbours, by the definition of the stencils. */
static inline bool are_neighbors(const torus_task_grid_t *grid, uint32_t a, uint32_t b)
{
	int32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS];
	int steps = 0;

	task_coord(grid, a, from);
	task_coord(grid, b, to);
	for (int axis = 0; axis < grid->dims; axis++) {
		int32_t apart = abs(from[axis] - to[axis]);

		if (grid->periodic[axis] && grid->length[axis] - apart < apart)
			apart = grid->length[axis] - apart;
		if (apart > 1)
			return false;
		steps += apart;
	}
	return grid->stencil == TORUS_STENCIL_FACES ? steps == 1 : steps >= 1;
}

#endif
