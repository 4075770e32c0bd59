/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bisection of whole nodes. If every node takes the same number of tasks and grouping's
 * sub-box divides the grid, the grid of sub-boxes is bisected in all turns instead of the
 * grid of tasks. The tasks of a node then form a good box, and it takes a fraction of the
 * time.
 */
#include "taskmap/mappers/rcb_nodes.h"

#include <math.h>
#include <stdlib.h>

#include "taskmap/mappers/grouping.h"
#include "taskmap/mappers/rcb.h"

/* Fill [coarse], the grid of sub-boxes of [side]; false: they do not fit. */
static bool coarsen(const torus_task_job_t *job, const int32_t *side,
		    uint32_t tasks_in_box, torus_task_grid_t *coarse)
{
	*coarse = *job->grid;
	for (uint32_t node = 0; node < job->nodes; node++) {
		if (job->tasks_on_node[node] != tasks_in_box)
			return false;
	}
	for (int axis = 0; axis < coarse->dims; axis++) {
		if (coarse->length[axis] % side[axis])
			return false;
		coarse->length[axis] /= side[axis];
	}
	return true;
}

static uint32_t *number_blocks(const torus_task_job_t *job, const int32_t *side,
			       uint32_t tasks)
{
	uint32_t *block_of = malloc(tasks * sizeof(*block_of));
	int32_t coord[TORUS_MAX_DIMS] = {0};
	uint64_t within;

	for (uint32_t task = 0; block_of && task < tasks; task++) {
		block_of[task] =
			(uint32_t)torus_grouping_number(job->grid, side, coord, &within);
		torus_task_grid_next(job->grid, coord);
	}
	return block_of;
}

int torus_rcb_nodes(const torus_layout_t *layout, const torus_hop_table_t *table,
		    const torus_task_graph_t *graph, torus_effort_t *effort,
		    torus_starts_t *starts, torus_error_t *err)
{
	const torus_task_job_t *job = layout->job;
	int32_t side[TORUS_MAX_DIMS];
	uint32_t tasks_in_box = torus_grouping_box(job, side), nodes = job->nodes;
	uint32_t *block_of = NULL, *one = NULL, *node_of_task = NULL;
	torus_layout_t coarse_layout = {0};
	torus_task_job_t coarse = *job;
	torus_task_graph_t *blocks = NULL;
	torus_starts_t of_blocks = {0};
	torus_task_grid_t grid;
	int result = -1;

	if (tasks_in_box == 1 || !coarsen(job, side, tasks_in_box, &grid))
		return 0;
	block_of = number_blocks(job, side, layout->tasks);
	one = malloc(nodes * sizeof(*one));
	node_of_task = malloc(layout->tasks * sizeof(*node_of_task));
	if (!block_of || !one || !node_of_task) {
		torus_fail(err, "out of memory for mapping %u tasks", layout->tasks);
		goto done;
	}
	for (uint32_t node = 0; node < nodes; node++)
		one[node] = 1;
	blocks = torus_task_graph_blocks(graph, block_of, nodes, err);
	if (!blocks)
		goto done;
	coarse.grid = &grid;
	coarse.graph = blocks;
	coarse.tasks_on_node = one;
	if (torus_layout_init(&coarse, &coarse_layout, err) ||
	    torus_rcb_turns(&coarse_layout, table, effort, &of_blocks, err))
		goto done;
	for (uint32_t i = 0; i < of_blocks.count; i++) {
		const torus_start_t *start = &of_blocks.start[i];

		for (uint32_t task = 0; task < layout->tasks; task++)
			node_of_task[task] = start->node_of_task[block_of[task]];
		/* Tasks of a node are 0 hops apart. */
		if (torus_starts_add(starts, start->hop_bytes, node_of_task,
				     layout->tasks, err))
			goto done;
	}
	result = 1;
done:
	torus_starts_keep(&of_blocks, 0);
	torus_layout_destroy(&coarse_layout);
	torus_task_graph_destroy(blocks);
	free(block_of);
	free(one);
	free(node_of_task);
	return result;
}
