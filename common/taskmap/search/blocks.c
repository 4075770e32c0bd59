/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of tasks: what a node holds, moved as one. A job of 16 tasks a node has 16 times
 * fewer blocks than tasks, and a swap of two blocks is a step that single tasks, bound to
 * their neighbours on the node, could not take.
 */
#include "taskmap/search/blocks.h"

#include <stdlib.h>

torus_task_graph_t *torus_blocks_graph(const torus_task_graph_t *graph,
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
