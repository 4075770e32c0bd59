/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An order of nodes for an unknown pattern: see taskmap/any/any.h. */
#include "taskmap/any/any.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "taskmap/any/candidates.h"
#include "taskmap/any/moves.h"
#include "taskmap/any/trades.h"

/* The effort of candidates and moves, in distances looked up: 0.1 ms for 64 nodes and 4
 * ms for 4,608. */
#define WORK_LEAST 30000
#define WORK_A_NODE 160
/* Of it, what candidates may take: enough for a few of them whatever the size. */
#define CANDIDATES_SHARE 2 / 3

/* Improve each of the orders kept by candidates, while effort is left, and copy the one
 * that is best then. */
static int improve_kept(const torus_task_job_t *job, const torus_hop_table_t *table,
			torus_effort_t *effort, torus_any_order_t *kept, uint32_t *order,
			torus_error_t *err)
{
	double best = INFINITY;

	for (int i = 0; i < TORUS_ANY_KEPT && isfinite(kept[i].hop_bytes); i++) {
		torus_hop_stats_t stats;

		if (torus_any_moves(job, table, effort, kept[i].node_of_task, err))
			return -1;
		torus_hop_table_stats(job, table, kept[i].node_of_task, &stats);
		if (stats.hop_bytes < best) {
			best = stats.hop_bytes;
			memcpy(order, kept[i].node_of_task, job->nodes * sizeof(*order));
		}
	}
	return 0;
}

static int search(const torus_task_job_t *job, uint32_t *order, torus_error_t *err)
{
	torus_mapper_budget_t budget = {
		.work = WORK_LEAST + (uint64_t)WORK_A_NODE * job->nodes,
		.seconds = 1e9, /* the work alone decides */
	};
	uint32_t *memory = malloc((size_t)job->nodes * TORUS_ANY_KEPT * sizeof(*memory));
	torus_any_order_t kept[TORUS_ANY_KEPT];
	torus_hop_table_t table = {0};
	torus_effort_t effort, candidates;
	int rc = -1;

	if (!memory) {
		torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
		goto done;
	}
	for (int i = 0; i < TORUS_ANY_KEPT; i++)
		kept[i] = (torus_any_order_t){memory + (size_t)i * job->nodes, INFINITY};
	if (torus_hop_table_init(job, &table, err) ||
	    torus_hop_table_expand(job, &table, err))
		goto done;
	torus_effort_begin(&budget, &effort);
	candidates = torus_effort_part(&effort, budget.work * CANDIDATES_SHARE);
	if (torus_any_candidates(job, &table, &candidates, kept, err))
		goto done;
	torus_effort_return(&effort, &candidates);
	if (improve_kept(job, &table, &effort, kept, order, err))
		goto done;
	rc = job->nodes <= TORUS_ANY_TRADES_NODES && table.hops
		     ? torus_any_trades(job, &table, order, err)
		     : 0;
done:
	torus_hop_table_destroy(&table);
	free(memory);
	return rc;
}

int torus_any_order(const torus_any_job_t *job, uint32_t *order, torus_error_t *err)
{
	torus_task_grid_t line = {.dims = 1, .length = {1, 1, 1, 1, 1, 1}};
	uint32_t *ones = malloc(job->nodes * sizeof(*ones));
	torus_task_graph_t *pattern =
		torus_any_pattern(job->tasks, job->nodes, job->deal, err);
	torus_task_job_t positions = {
		.grid = &line,
		.graph = pattern,
		.geometry = job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks_on_node = ones,
	};
	int rc = -1;

	if (!ones)
		torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
	if (!ones || !pattern)
		goto done;
	line.length[0] = (int32_t)job->nodes;
	for (uint32_t node = 0; node < job->nodes; node++) {
		ones[node] = 1;
		order[node] = node;
	}
	rc = job->nodes > 2 ? search(&positions, order, err) : 0;
done:
	torus_task_graph_destroy(pattern);
	free(ones);
	return rc;
}

void torus_any_deal(const uint32_t *order, uint32_t nodes, const uint32_t *tasks_on_node,
		    torus_deal_t deal, uint32_t *node_of_task)
{
	uint32_t task = 0;

	if (deal == TORUS_DEAL_BLOCK) {
		for (uint32_t i = 0; i < nodes; i++) {
			for (uint32_t j = 0; j < tasks_on_node[order[i]]; j++)
				node_of_task[task++] = order[i];
		}
		return;
	}
	for (uint32_t round = 0, before = UINT32_MAX; before != task; round++) {
		before = task;
		for (uint32_t i = 0; i < nodes; i++) {
			if (tasks_on_node[order[i]] > round)
				node_of_task[task++] = order[i];
		}
	}
}
