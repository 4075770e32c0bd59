/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which node of a job gets which of its tasks: see taskmap/job_order.h. */
#include "taskmap/job_order.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/chips.h"
#include "taskmap/chips.h"
#include "taskmap/head.h"
#include "taskmap/grid_blocks.h"
#include "taskmap/hops.h"
#include "taskmap/positions.h"
#include "taskmap/taskmap.h"

/* The number of all tasks, checked. 0 with [err] filled: they are too few or too many. */
static uint32_t count_tasks(const torus_ordered_job_t *job, torus_error_t *err)
{
	uint64_t tasks = 0;

	for (uint32_t node = 0; node < job->nodes; node++)
		tasks += job->tasks_on_node[node];
	if (tasks && tasks >= job->nodes && tasks <= TORUS_MAX_CELLS)
		return (uint32_t)tasks;
	torus_fail(err,
		   "%u nodes with %llu tasks: there must be one for each node, and at "
		   "most %u",
		   job->nodes, (unsigned long long)tasks, TORUS_MAX_CELLS);
	return 0;
}

static torus_mapper_budget_t budget_of(const torus_ordered_job_t *job)
{
	return job->budget ? *job->budget
			   : torus_mapper_budget(TORUS_MAPPER_SECONDS, TORUS_MAPPER_SEED);
}

/* Map [tasks] by storus map's default mapper. */
static int map_best(const torus_ordered_job_t *job, const torus_task_job_t *tasks,
		    uint32_t *node_of_task, torus_error_t *err)
{
	torus_mapper_budget_t budget = budget_of(job);
	int rc = torus_taskmap(TORUS_MAPPER_BEST, tasks, &budget, node_of_task, err);

	if (rc || job->words.free_head)
		return rc;
	return torus_keep_head(tasks, &budget, node_of_task, err);
}

/* The order for a job of [tasks] tasks that says nothing of a grid; [counts] of them on
 * each node, or NULL. */
static int order_any(const torus_ordered_job_t *job, uint32_t tasks,
		     const uint32_t *counts, uint32_t *order, torus_error_t *err)
{
	const torus_any_job_t any = {
		.geometry = job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks = tasks,
		.tasks_on_node = counts,
		.deal = job->deal,
		.free_head = job->words.free_head,
	};

	return torus_any_order(&any, order, err);
}

/* --- assignments --------------------------------------------------------- */

/* Map [on_nodes], of [tasks] tasks, one on each chip. */
static int assign_chips(const torus_ordered_job_t *job, const torus_task_job_t *on_nodes,
			uint32_t tasks, uint32_t *node_of_task, torus_error_t *err)
{
	torus_mapper_budget_t budget = budget_of(job);
	torus_geometry_t machine = torus_chip_machine(job->geometry);
	uint32_t *cell = malloc(tasks * sizeof(*cell));
	uint32_t *one = malloc(tasks * sizeof(*one));
	torus_task_job_t on_chips = *on_nodes;
	int rc = -1;

	if (!cell || !one) {
		torus_fail(err, "out of memory for %u chips", tasks);
		goto done;
	}
	torus_chip_cells(job->geometry, job->nodes, job->cell, cell);
	for (uint32_t chip = 0; chip < tasks; chip++)
		one[chip] = 1;
	on_chips.geometry = &machine;
	on_chips.nodes = tasks;
	on_chips.cell = cell;
	on_chips.tasks_on_node = one;
	rc = torus_taskmap_chips(TORUS_MAPPER_BEST, &on_chips, on_nodes, &budget,
				 node_of_task, err);
	if (!rc && !job->words.free_head)
		rc = torus_keep_head_on_chips(&on_chips, torus_node_chips(job->geometry),
					      &budget, node_of_task, err);
	for (uint32_t task = 0; !rc && task < tasks; task++)
		node_of_task[task] /= torus_node_chips(job->geometry);
done:
	free(cell);
	free(one);
	return rc;
}

static int assign_grid(const torus_ordered_job_t *job, uint32_t tasks,
		       uint32_t *node_of_task, torus_error_t *err)
{
	torus_task_grid_t grid;
	const torus_task_job_t mapped = {
		.grid = &grid,
		.graph = job->graph,
		.geometry = job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks_on_node = job->tasks_on_node,
	};

	torus_task_words_grid(&job->words, tasks, &grid);
	if (torus_tasks_on_chips(job->geometry, job->nodes, job->tasks_on_node))
		return assign_chips(job, &mapped, tasks, node_of_task, err);
	return map_best(job, &mapped, node_of_task, err);
}

static int assign_any(const torus_ordered_job_t *job, uint32_t tasks,
		      uint32_t *node_of_task, torus_error_t *err)
{
	uint32_t *order = malloc(job->nodes * sizeof(*order));
	int rc;

	if (!order)
		return torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
	rc = order_any(job, tasks, job->tasks_on_node, order, err);
	if (!rc)
		torus_any_deal(order, job->nodes, job->tasks_on_node, job->deal,
			       node_of_task);
	free(order);
	return rc;
}

/* The nodes as their first tasks come, and then the others. */
static int order_by_first_task(const torus_ordered_job_t *job, uint32_t tasks,
			       const uint32_t *node_of_task, uint32_t *order,
			       torus_error_t *err)
{
	bool *seen = calloc(job->nodes, sizeof(*seen));
	uint32_t count = 0;

	if (!seen)
		return torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
	for (uint32_t task = 0; task < tasks; task++) {
		uint32_t node = node_of_task[task];

		if (!seen[node])
			order[count++] = node;
		seen[node] = true;
	}
	for (uint32_t node = 0; node < job->nodes; node++) {
		if (!seen[node])
			order[count++] = node;
	}
	free(seen);
	return 0;
}

/* Whether [order] gives each task the node of [node_of_task], in *is_order. */
static int compare_with_order(const torus_ordered_job_t *job, uint32_t tasks,
			      const uint32_t *node_of_task, const uint32_t *order,
			      bool *is_order, torus_error_t *err)
{
	uint32_t *dealt = malloc(tasks * sizeof(*dealt));

	if (!dealt)
		return torus_fail(err, "out of memory for %u tasks", tasks);
	torus_any_deal(order, job->nodes, job->tasks_on_node, job->deal, dealt);
	*is_order = memcmp(dealt, node_of_task, tasks * sizeof(*dealt)) == 0;
	free(dealt);
	return 0;
}

/* That words and graph are for a job of [tasks] tasks. */
static int check_pattern(const torus_ordered_job_t *job, uint32_t tasks,
			 torus_error_t *err)
{
	if (job->graph && job->graph->tasks != tasks)
		return torus_fail(err, "the graph is for %u tasks, and the job has %u",
				  job->graph->tasks, tasks);
	return torus_task_words_check(&job->words, tasks, err);
}

int torus_job_assign(const torus_ordered_job_t *job, uint32_t *node_of_task,
		     uint32_t *order, bool *is_order, torus_error_t *err)
{
	uint32_t tasks = count_tasks(job, err);

	if (!tasks || check_pattern(job, tasks, err))
		return -1;
	if (job->words.kind == TORUS_GRID_ANY
		    ? assign_any(job, tasks, node_of_task, err)
		    : assign_grid(job, tasks, node_of_task, err))
		return -1;
	if (order && order_by_first_task(job, tasks, node_of_task, order, err))
		return -1;
	if (order && is_order)
		return compare_with_order(job, tasks, node_of_task, order, is_order, err);
	return 0;
}

/* --- orders -------------------------------------------------------------- */

/*
 * The *position* of a node is its place in the order. Positions stand for the tasks dealt
 * out to them, and the graph of who talks to whom becomes one of positions.
 */
typedef struct positions {
	torus_task_grid_t grid; /* how positions lie to each other */
	torus_task_graph_t *graph;
	uint32_t *one; /* [nodes] each node has one position */
} positions_t;

/* What geometric mappers see of the positions. */
static void lay_out_positions(const torus_ordered_job_t *job,
			      const torus_task_grid_t *of_tasks, torus_task_grid_t *grid)
{
	if (!torus_positions_grid(of_tasks, job->nodes, job->deal, grid))
		torus_task_grid_factor(job->nodes, of_tasks->dims, grid);
}

/* The graph of positions that the tasks of [tasks] are dealt out to evenly. */
static torus_task_graph_t *graph_of_positions(const torus_ordered_job_t *job,
					      const torus_task_graph_t *tasks,
					      torus_error_t *err)
{
	uint32_t share = tasks->tasks / job->nodes, more = tasks->tasks % job->nodes;
	uint32_t *order = malloc(job->nodes * sizeof(*order));
	uint32_t *dealt = malloc(job->nodes * sizeof(*dealt));
	uint32_t *position_of_task = malloc(tasks->tasks * sizeof(*position_of_task));
	torus_task_graph_t *blocks = NULL;

	if (!order || !dealt || !position_of_task) {
		torus_fail(err, "out of memory for %u tasks", tasks->tasks);
		goto done;
	}
	for (uint32_t i = 0; i < job->nodes; i++) {
		order[i] = i;
		dealt[i] = share + (i < more);
	}
	torus_any_deal(order, job->nodes, dealt, job->deal, position_of_task);
	blocks = torus_task_graph_blocks(tasks, position_of_task, job->nodes, err);
done:
	free(order);
	free(dealt);
	free(position_of_task);
	return blocks;
}

static int make_positions(const torus_ordered_job_t *job, uint32_t tasks,
			  positions_t *positions, torus_error_t *err)
{
	torus_task_grid_t grid;

	positions->one = malloc(job->nodes * sizeof(*positions->one));
	if (!positions->one)
		return torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
	for (uint32_t node = 0; node < job->nodes; node++)
		positions->one[node] = 1;
	torus_task_words_grid(&job->words, tasks, &grid);
	lay_out_positions(job, &grid, &positions->grid);
	if (tasks == job->nodes) /* as torus_job_assign() does */
		return 0;
	positions->graph =
		job->graph ? graph_of_positions(job, job->graph, err)
			   : torus_task_grid_blocks(&grid, job->deal != TORUS_DEAL_BLOCK,
						    job->nodes, err);
	return positions->graph ? 0 : -1;
}

/* Keep in [order] the better of it and that of a job that says nothing. */
static int compare_with_any(const torus_ordered_job_t *job, uint32_t tasks,
			    const torus_task_job_t *mapped, uint32_t *order,
			    torus_error_t *err)
{
	uint32_t *any = malloc(job->nodes * sizeof(*any));
	torus_hop_stats_t with, without;
	int rc = -1;

	if (!any)
		return torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
	if (!order_any(job, tasks, NULL, any, err) &&
	    !torus_hop_stats(mapped, order, &with, err) &&
	    !torus_hop_stats(mapped, any, &without, err)) {
		if (without.hop_bytes < with.hop_bytes)
			memcpy(order, any, job->nodes * sizeof(*any));
		rc = 0;
	}
	free(any);
	return rc;
}

static int order_for_grid(const torus_ordered_job_t *job, uint32_t tasks, uint32_t *order,
			  torus_error_t *err)
{
	positions_t positions = {0};
	torus_task_job_t mapped = {
		.grid = &positions.grid,
		.geometry = job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
	};
	int rc = make_positions(job, tasks, &positions, err);

	mapped.graph = tasks > job->nodes ? positions.graph : job->graph;
	mapped.tasks_on_node = positions.one;
	if (!rc)
		rc = map_best(job, &mapped, order, err);
	if (!rc && tasks > job->nodes)
		rc = compare_with_any(job, tasks, &mapped, order, err);
	torus_task_graph_destroy(positions.graph);
	free(positions.one);
	return rc;
}

/* --- orders where there is a task on each chip ----------------------------- */

/* What hops between chips are counted with. */
typedef struct chip_hops {
	torus_geometry_t machine;
	torus_task_grid_t grid;
	torus_task_job_t on_chips;
	uint32_t *cell, *one, *chip_of_task; /* [tasks] */
} chip_hops_t;

static void free_chip_hops(chip_hops_t *hops)
{
	free(hops->cell);
	free(hops->one);
	free(hops->chip_of_task);
}

static int make_chip_hops(const torus_ordered_job_t *job, uint32_t tasks,
			  chip_hops_t *hops, torus_error_t *err)
{
	hops->machine = torus_chip_machine(job->geometry);
	hops->cell = malloc(tasks * sizeof(*hops->cell));
	hops->one = malloc(tasks * sizeof(*hops->one));
	hops->chip_of_task = malloc(tasks * sizeof(*hops->chip_of_task));
	if (!hops->cell || !hops->one || !hops->chip_of_task)
		return torus_fail(err, "out of memory for %u chips", tasks);
	torus_chip_cells(job->geometry, job->nodes, job->cell, hops->cell);
	for (uint32_t chip = 0; chip < tasks; chip++)
		hops->one[chip] = 1;
	torus_task_words_grid(&job->words, tasks, &hops->grid);
	hops->on_chips = (torus_task_job_t){
		.grid = &hops->grid,
		.graph = job->graph,
		.geometry = &hops->machine,
		.nodes = tasks,
		.cell = hops->cell,
		.tasks_on_node = hops->one,
	};
	return 0;
}

/* The hops between chips when tasks are dealt out along [order]. */
static int count_chip_hops(const torus_ordered_job_t *job, chip_hops_t *hops,
			   const uint32_t *order, torus_hop_stats_t *stats,
			   torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(job->geometry);
	uint32_t tasks = hops->on_chips.nodes;

	torus_any_deal(order, job->nodes, job->tasks_on_node, job->deal,
		       hops->chip_of_task);
	for (uint32_t task = 0; task < tasks; task++)
		hops->chip_of_task[task] *= of_node;
	if (torus_chips_in_order(hops->chip_of_task, tasks, of_node, err))
		return -1;
	return torus_hop_stats(&hops->on_chips, hops->chip_of_task, stats, err);
}

/*
 * Of two orders the one with fewer hops between chips: that of the nodes, and that of
 * their first chips on the torus of chips, where nodes are as far apart as their chips.
 */
static int order_on_chips(const torus_ordered_job_t *job, uint32_t tasks, uint32_t *order,
			  torus_error_t *err)
{
	torus_mapper_budget_t half = budget_of(job);
	uint32_t *other = malloc(job->nodes * sizeof(*other));
	uint32_t *first = malloc(job->nodes * sizeof(*first));
	torus_ordered_job_t by_nodes = *job, by_chips;
	torus_geometry_t of_nodes = *job->geometry;
	torus_hop_stats_t one, another;
	chip_hops_t hops = {0};
	int rc = -1;

	half.work /= 2;
	half.seconds /= 2;
	memset(of_nodes.chips, 0, sizeof(of_nodes.chips));
	by_nodes.geometry = &of_nodes;
	by_nodes.budget = &half;
	by_chips = by_nodes;
	by_chips.geometry = &hops.machine;
	by_chips.cell = first;
	if (!other || !first) {
		torus_fail(err, "out of memory for ordering %u nodes", job->nodes);
		goto done;
	}
	for (uint32_t node = 0; node < job->nodes; node++)
		first[node] = torus_chip_cell(job->geometry, job->cell[node], 0);
	if (make_chip_hops(job, tasks, &hops, err) ||
	    order_for_grid(&by_nodes, tasks, order, err) ||
	    order_for_grid(&by_chips, tasks, other, err) ||
	    count_chip_hops(job, &hops, order, &one, err) ||
	    count_chip_hops(job, &hops, other, &another, err))
		goto done;
	if (another.hop_bytes < one.hop_bytes)
		memcpy(order, other, job->nodes * sizeof(*order));
	rc = 0;
done:
	free_chip_hops(&hops);
	free(first);
	free(other);
	return rc;
}

int torus_job_node_order(const torus_ordered_job_t *job, uint32_t *order,
			 torus_error_t *err)
{
	uint32_t tasks = count_tasks(job, err);

	if (!tasks || check_pattern(job, tasks, err))
		return -1;
	if (job->words.kind == TORUS_GRID_ANY)
		return order_any(job, tasks, NULL, order, err);
	return torus_tasks_on_chips(job->geometry, job->nodes, job->tasks_on_node)
		       ? order_on_chips(job, tasks, order, err)
		       : order_for_grid(job, tasks, order, err);
}
