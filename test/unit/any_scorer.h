/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an order for an unknown pattern is judged by, written down once more. */
#ifndef TORUS_TEST_ANY_SCORER_H
#define TORUS_TEST_ANY_SCORER_H

#include <string.h>

#include "geometry/chips.h"
#include "taskmap/any/any.h"

/* The most a job has. */
#define SCORER_NODES 1200
#define SCORER_TASKS 8192

/*
 * It knows tasks, nodes and chips, and nothing of positions: Slurm's dealing, MPI's grids
 * and the patterns are written down here once more.
 */
typedef struct job {
	torus_geometry_t geometry;
	torus_any_job_t any;
	uint32_t cell[SCORER_NODES], counts[SCORER_NODES];
	bool on_chips;
} job_t;

static job_t job;

/* MPI_Dims_create()'s sides for [tasks] in [dims] dimensions, falling: of all with the
 * smallest sum the ones that differ least, and then the ones with the longest longest. */
static inline void choose_sides(uint32_t tasks, int dims, uint32_t *sides)
{
	uint32_t least = UINT32_MAX, spread = 0;

	sides[0] = tasks;
	for (uint32_t a = tasks; a >= 1; a--) {
		for (uint32_t b = 1; dims > 1 && b <= a && a * b <= tasks; b++) {
			uint32_t c = tasks / a / b, last = dims == 2 ? b : c;

			if (a * b * c != tasks || c > b || (dims == 2 && c > 1) ||
			    a + b + c > least ||
			    (a + b + c == least && a - last >= spread))
				continue;
			least = a + b + c;
			spread = a - last;
			sides[0] = a;
			sides[1] = b;
			sides[2] = c;
		}
	}
}

/* The node of each task, and which of its tasks it is. */
static inline void deal(const uint32_t *order, uint32_t *node_of, uint32_t *which)
{
	uint32_t left[SCORER_NODES], taken[SCORER_NODES] = {0}, at = 0;
	uint32_t nodes = job.any.nodes;

	for (uint32_t i = 0; i < nodes; i++)
		left[order[i]] =
			job.any.tasks_on_node
				? job.counts[order[i]]
				: job.any.tasks / nodes + (i < job.any.tasks % nodes);
	for (uint32_t task = 0; task < job.any.tasks; task++) {
		while (!left[order[at]])
			at = (at + 1) % nodes;
		node_of[task] = order[at];
		which[task] = taken[order[at]]++;
		left[order[at]]--;
		if (job.any.deal == TORUS_DEAL_CYCLIC)
			at = (at + 1) % nodes;
	}
}

/* See each pair of neighbours: of the ring (k 0), the 2D (1) and the 3D grid (2). */
static inline void each_pair(void (*see)(uint32_t a, uint32_t b, int k, void *context),
			     void *context)
{
	uint32_t tasks = job.any.tasks;

	for (uint32_t task = 1; task < tasks; task++)
		see(task - 1, task, 0, context);
	if (tasks > 2)
		see(tasks - 1, 0, 0, context);
	for (int dims = 2; dims <= 3; dims++) {
		uint32_t sides[3], stride = 1;

		choose_sides(tasks, dims, sides);
		for (int i = dims - 1; i >= 0; stride *= sides[i--]) {
			for (uint32_t task = 0; task < tasks; task++) {
				if (task / stride % sides[i] + 1 < sides[i])
					see(task, task + stride, dims - 1, context);
			}
		}
	}
}

/* Where the tasks are, and the hops between neighbours so far. */
typedef struct slow_count {
	torus_geometry_t geometry;
	uint32_t cell[SCORER_TASKS];
	uint64_t *hops; /* [3] */
} slow_count_t;

static inline void add_hops(uint32_t a, uint32_t b, int k, void *context)
{
	slow_count_t *count = context;

	count->hops[k] +=
		torus_hops_cells(&count->geometry, count->cell[a], count->cell[b]);
}

/* Hops of the ring, the 2D and the 3D grid along [order]. */
static inline void slow_hops(const uint32_t *order, uint64_t hops[3])
{
	static uint32_t node_of[SCORER_TASKS], which[SCORER_TASKS];
	static slow_count_t count;

	count.geometry = job.on_chips ? torus_chip_machine(&job.geometry) : job.geometry;
	count.hops = hops;
	deal(order, node_of, which);
	for (uint32_t task = 0; task < job.any.tasks; task++)
		count.cell[task] = job.on_chips
					   ? torus_chip_cell(&job.geometry,
							     job.cell[node_of[task]],
							     which[task])
					   : job.cell[node_of[task]];
	memset(hops, 0, 3 * sizeof(*hops));
	each_pair(add_hops, &count);
}

/* The sum of the averages. */
static inline double slow_value(const uint64_t hops[3])
{
	uint32_t tasks = job.any.tasks;
	double value = (double)hops[0] / (tasks > 2 ? tasks : 1);

	for (int dims = 2; dims <= 3; dims++) {
		uint32_t sides[3], edges = 0;

		choose_sides(tasks, dims, sides);
		for (int i = 0; i < dims; i++)
			edges += tasks / sides[i] * (sides[i] - 1);
		value += (double)hops[dims - 1] / (edges ? edges : 1);
	}
	return value;
}

static inline void names(uint32_t *order)
{
	for (uint32_t node = 0; node < job.any.nodes; node++)
		order[node] = node;
}

static inline void assert_permutation(const uint32_t *order, uint32_t nodes)
{
	bool seen[SCORER_NODES] = {false};

	for (uint32_t i = 0; i < nodes; i++) {
		assert_true(order[i] < nodes && !seen[order[i]]);
		seen[order[i]] = true;
	}
}

/* The first node that has tasks. */
static inline uint32_t head(void)
{
	uint32_t node = 0;

	while (job.any.tasks_on_node && !job.counts[node])
		node++;
	return node;
}

#endif
