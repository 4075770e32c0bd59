/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What moves do to hop-bytes: see taskmap/search/move_cost.h. */
#include "taskmap/search/move_cost.h"

double torus_move_cost_least(const torus_task_graph_t *graph)
{
	double heaviest = 1;

	for (uint64_t i = 0; graph->weight && i < graph->first[graph->tasks]; i++) {
		if (!i || graph->weight[i] > heaviest)
			heaviest = graph->weight[i];
	}
	return heaviest * 1e-6;
}
