/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An order of nodes for an unknown pattern: see taskmap/any/any.h. */
#include "taskmap/any/any.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/chips.h"
#include "taskmap/any/candidates.h"
#include "taskmap/any/few.h"
#include "taskmap/any/line.h"
#include "taskmap/any/moves.h"
#include "taskmap/any/trades.h"
#include "taskmap/positions.h"

/* The effort of candidates and moves, in distances looked up: a few milliseconds at most
 * up to 2,000 nodes, and hardly more beyond. */
#define WORK_LEAST 30000
#define WORK_A_NODE 1000
#define WORK_MOST 2000000
/* However many nodes there are, enough for a few candidates. */
#define WORK_ALWAYS 160
/* What candidates may take of it. */
#define CANDIDATES_SHARE 2 / 3

/* Improve [order], and offer what comes of it. */
static int improve(torus_any_search_t *search, torus_effort_t *effort,
		   torus_any_order_t *order, torus_error_t *err)
{
	uint64_t hops[TORUS_ANY_PATTERNS];

	if (torus_any_moves(search, effort, order->order, err))
		return -1;
	torus_any_hops(search, order->order, hops);
	torus_any_offer(search, order->order, hops);
	order->value = torus_any_value(search, hops);
	return 0;
}

/* Improve each of the orders kept by candidates, while effort is left, and begin trades
 * with the one that is best then. */
static int improve_kept(torus_any_search_t *search, torus_effort_t *effort,
			torus_any_order_t *kept, torus_error_t *err)
{
	const torus_any_order_t *best = kept;

	for (int i = 0; i < TORUS_ANY_KEPT && kept[i].value != UINT64_MAX; i++) {
		if (improve(search, effort, &kept[i], err))
			return -1;
		best = kept[i].value < best->value ? &kept[i] : best;
	}
	if (search->job->nodes > TORUS_ANY_TRADES_NODES || !search->table->hops)
		return 0;
	return torus_any_trades(search, best->order, err);
}

/* How the positions lie to each other in a grid of [dims] dimensions. */
static void lay_out(const torus_any_job_t *job, int dims, torus_task_grid_t *grid)
{
	torus_task_grid_t tasks = {0};

	torus_task_grid_mpi(job->tasks, dims, &tasks);
	if (!torus_positions_grid(&tasks, job->nodes, job->deal, grid))
		torus_task_grid_mpi(job->nodes, dims, grid);
}

/* Look for orders of many nodes. */
static int search_many(const torus_any_job_t *job, torus_any_search_t *search,
		       torus_error_t *err)
{
	torus_mapper_budget_t budget = {
		.work = (uint64_t)WORK_A_NODE * job->nodes,
		.seconds = 1e9, /* the work alone decides */
	};
	uint32_t *memory = malloc((size_t)job->nodes * TORUS_ANY_KEPT * sizeof(*memory));
	torus_any_order_t kept[TORUS_ANY_KEPT];
	torus_effort_t effort, candidates;
	torus_task_grid_t grid[2];
	int rc = -1;

	if (!memory)
		return torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
	for (int i = 0; i < TORUS_ANY_KEPT; i++)
		kept[i] =
			(torus_any_order_t){memory + (size_t)i * job->nodes, UINT64_MAX};
	for (int dims = 2; dims <= 3; dims++)
		lay_out(job, dims, &grid[dims - 2]);
	budget.work = budget.work < WORK_MOST ? budget.work : WORK_MOST;
	budget.work += WORK_LEAST + (uint64_t)WORK_ALWAYS * job->nodes;
	torus_effort_begin(&budget, &effort);
	candidates = torus_effort_part(&effort, budget.work * CANDIDATES_SHARE);
	if (torus_any_candidates(search, grid, &candidates, kept, err))
		goto done;
	torus_effort_return(&effort, &candidates);
	rc = improve_kept(search, &effort, kept, err);
done:
	free(memory);
	return rc;
}

/* Fill order[] for a job whose nodes all have tasks. */
static int search(const torus_any_job_t *job, torus_any_search_t *search, uint32_t *order,
		  torus_error_t *err)
{
	bool is_line = false;

	for (uint32_t node = 0; node < job->nodes; node++)
		order[node] = node;
	search->best = order;
	torus_any_hops(search, order, search->bound);
	search->value = torus_any_value(search, search->bound);
	if (job->nodes < 2 || torus_any_line(job, search, order, &is_line, err))
		return job->nodes < 2 ? 0 : -1;
	if (is_line)
		return 0;
	for (uint32_t node = 0; node < job->nodes; node++)
		order[node] = node;
	if (job->nodes > TORUS_ANY_FEW)
		return search_many(job, search, err);
	torus_any_few(search);
	return 0;
}

static bool are_alike(const torus_any_job_t *job)
{
	for (uint32_t node = 1; job->tasks_on_node && node < job->nodes; node++) {
		if (job->tasks_on_node[node] != job->tasks_on_node[0])
			return false;
	}
	return true;
}

/* What is searched in. */
typedef struct space {
	torus_task_grid_t line;
	torus_any_pattern_t pattern;
	torus_any_chip_pairs_t chips;
	torus_hop_table_t table;
	torus_task_job_t positions;
	uint32_t *one, *first_chip; /* [nodes] */
} space_t;

static void clear(space_t *space)
{
	torus_hop_table_destroy(&space->table);
	torus_any_chip_pairs_destroy(&space->chips);
	torus_any_pattern_destroy(&space->pattern);
	free(space->one);
	free(space->first_chip);
}

/* On chips, the machine is theirs, and each node is where its first one is. */
static int go_to_chips(const torus_any_job_t *job, space_t *space, torus_error_t *err)
{
	if (torus_any_chip_pairs_init(&space->pattern, job->geometry, job->cell,
				      job->deal, &space->chips, err))
		return -1;
	for (uint32_t node = 0; node < job->nodes; node++)
		space->first_chip[node] =
			torus_chip_cell(job->geometry, job->cell[node], 0);
	space->positions.geometry = &space->chips.machine;
	space->positions.cell = space->first_chip;
	return 0;
}

static int make_space(const torus_any_job_t *job, const uint32_t *counts, bool on_chips,
		      space_t *space, torus_error_t *err)
{
	space->line = (torus_task_grid_t){.dims = 1, .length = {1, 1, 1, 1, 1, 1}};
	space->line.length[0] = (int32_t)job->nodes;
	space->one = malloc(job->nodes * sizeof(*space->one));
	space->first_chip = malloc(job->nodes * sizeof(*space->first_chip));
	if (!space->one || !space->first_chip)
		return torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
	for (uint32_t node = 0; node < job->nodes; node++)
		space->one[node] = 1;
	space->positions = (torus_task_job_t){
		.grid = &space->line,
		.geometry = job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks_on_node = space->one,
	};
	if (torus_any_pattern_init(job->tasks, job->nodes, counts, job->deal,
				   &space->pattern, err) ||
	    (on_chips && go_to_chips(job, space, err)) ||
	    torus_hop_table_init(&space->positions, &space->table, err))
		return -1;
	space->positions.graph = space->pattern.graph;
	return torus_hop_table_expand(&space->positions, &space->table, err);
}

/* torus_any_order() for nodes that all have tasks. */
static int order_all(const torus_any_job_t *job, uint32_t *order, torus_error_t *err)
{
	const uint32_t *counts = are_alike(job) ? NULL : job->tasks_on_node;
	uint32_t chips = torus_node_chips(job->geometry);
	bool on_chips = !counts && chips > 1 && job->tasks / job->nodes == chips &&
			job->tasks % job->nodes == 0;
	space_t space = {0};
	torus_any_search_t of_job = {
		.pattern = &space.pattern,
		.job = &space.positions,
		.table = &space.table,
		.chips = on_chips ? &space.chips : NULL,
		.tasks_on = counts,
		.free_head = job->free_head,
	};
	int rc = make_space(job, counts, on_chips, &space, err);

	if (!rc)
		rc = search(job, &of_job, order, err);
	clear(&space);
	return rc;
}

/* torus_any_order() for the [busy] nodes that have tasks; the others follow. */
static int order_busy(const torus_any_job_t *job, uint32_t busy, uint32_t *order,
		      torus_error_t *err)
{
	uint32_t *memory = malloc(3 * (size_t)busy * sizeof(*memory)), count = 0;
	uint32_t *node = memory, *cell = memory + busy,
		 *tasks = memory + 2 * (size_t)busy;
	torus_any_job_t with_tasks = *job;
	uint32_t idle = busy;
	int rc;

	if (!memory)
		return torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
	for (uint32_t i = 0; i < job->nodes; i++) {
		if (!job->tasks_on_node[i])
			continue;
		node[count] = i;
		cell[count] = job->cell[i];
		tasks[count++] = job->tasks_on_node[i];
	}
	with_tasks.nodes = busy;
	with_tasks.cell = cell;
	with_tasks.tasks_on_node = tasks;
	rc = order_all(&with_tasks, order, err);
	for (uint32_t i = 0; !rc && i < busy; i++)
		order[i] = node[order[i]];
	for (uint32_t i = 0; i < job->nodes; i++) {
		if (!job->tasks_on_node[i])
			order[idle++] = i;
	}
	free(memory);
	return rc;
}

int torus_any_order(const torus_any_job_t *job, uint32_t *order, torus_error_t *err)
{
	uint32_t busy = 0;

	for (uint32_t node = 0; node < job->nodes; node++)
		busy += !job->tasks_on_node || job->tasks_on_node[node];
	return busy == job->nodes ? order_all(job, order, err)
				  : order_busy(job, busy, order, err);
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
