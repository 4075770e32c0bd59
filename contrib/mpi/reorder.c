/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which process gets which rank: see reorder.h. */
#include "torus_config.h"

#include "mpi/reorder.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/choose.h"
#include "taskmap/hops.h"
#include "taskmap/mappers/from.h"
#include "taskmap/mappers/graph.h"
#include "taskmap/taskmap.h"

/*
 * What a call searches beyond bisection: distances for each process, and at most; for few
 * processes more, as each then takes a millisecond in all. With bisection that is below a
 * millisecond for 512 processes, 100 for 65,536 (bench_mpi).
 * The clock ends a search only where something is wrong: the same call is to give the
 * same ranks.
 */
#define WORK_PER_PROCESS 300
#define WORK_MAX 8000000
#define WORK_OF_FEW 560000
#define WORK_OF_FEW_LESS_PER_PROCESS 460
#define WORK_OF_FEW_PER_PROCESS 7000
#define CLOCK_GRACE 0.1 /* seconds */

/* The share of that for mending the order after process 0 got its old rank. */
#define SHARE_OF_FIRST 4

typedef struct reordering {
	const storus_mpi_request_t *request;
	torus_task_grid_t grid; /* the request's, or a line for the graph's tasks */
	uint32_t tasks;
	uint32_t nodes;		/* different ones, in the order of their numbers */
	uint32_t *index;	/* [processes] the node of each, 0 .. nodes-1 */
	uint32_t *cell;		/* [nodes] */
	uint32_t *capacity;	/* [nodes] processes there */
	uint32_t *take;		/* [nodes] of them in the new communicator */
	uint32_t *node_of_task; /* [tasks] chosen: an index into the nodes */
	uint32_t *first;	/* [nodes + 1] into by_node[] */
	uint32_t *by_node;	/* [processes] sorted by node, then by old rank */
} reordering_t;

/* Sorting processes by node: the key and the process in one number. */
static int compare_keys(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/* Number the nodes from 0 and list the processes of each. [key] is room for all. */
static void index_nodes(reordering_t *r, uint64_t *key)
{
	const storus_mpi_request_t *request = r->request;

	for (uint32_t i = 0; i < request->processes; i++)
		key[i] = (uint64_t)request->node[i] << 32 | i;
	qsort(key, request->processes, sizeof(*key), compare_keys);
	for (uint32_t i = 0; i < request->processes; i++) {
		uint32_t process = (uint32_t)key[i];

		if (!i || key[i] >> 32 != key[i - 1] >> 32) {
			r->first[r->nodes] = i;
			r->cell[r->nodes++] = request->cell[process];
		}
		r->capacity[r->nodes - 1]++;
		r->index[process] = r->nodes - 1;
		r->by_node[i] = process;
	}
	r->first[r->nodes] = request->processes;
}

static int reordering_init(reordering_t *r, torus_error_t *err)
{
	const storus_mpi_request_t *request = r->request;
	size_t processes = request->processes;
	uint64_t *key = malloc(processes * sizeof(*key));

	r->index = malloc(processes * sizeof(*r->index));
	r->cell = malloc(processes * sizeof(*r->cell));
	r->capacity = calloc(processes, sizeof(*r->capacity));
	r->take = malloc(processes * sizeof(*r->take));
	r->node_of_task = malloc(processes * sizeof(*r->node_of_task));
	r->first = malloc((processes + 1) * sizeof(*r->first));
	r->by_node = malloc(processes * sizeof(*r->by_node));
	if (!key || !r->index || !r->cell || !r->capacity || !r->take ||
	    !r->node_of_task || !r->first || !r->by_node) {
		free(key);
		return torus_fail(err, "out of memory for %u processes",
				  request->processes);
	}
	index_nodes(r, key);
	free(key);
	if (request->grid) {
		r->grid = *request->grid;
	} else {
		torus_task_grid_factor(request->graph->tasks, 1, &r->grid);
		r->grid.stencil = TORUS_STENCIL_FACES;
	}
	r->tasks = torus_task_grid_tasks(&r->grid);
	if (r->tasks > request->processes)
		return torus_fail(err, "%u ranks of a topology for %u processes",
				  r->tasks, request->processes);
	return 0;
}

static void reordering_clear(reordering_t *r)
{
	free(r->index);
	free(r->cell);
	free(r->capacity);
	free(r->take);
	free(r->node_of_task);
	free(r->first);
	free(r->by_node);
}

/* Map onto the places in take[], whose nodes alone the engine gets to see. */
static int map_tasks(reordering_t *r, torus_error_t *err)
{
	uint32_t *some = malloc(3 * (size_t)r->nodes * sizeof(*some));
	uint32_t *cell = some, *tasks_on_node, *index, nodes = 0, first = 0;
	torus_mapper_budget_t mending = *r->request->budget;
	torus_task_job_t job = {.grid = &r->grid,
				.graph = r->request->graph,
				.geometry = r->request->geometry};
	int result = -1;

	if (!some)
		return torus_fail(err, "out of memory for %u nodes", r->nodes);
	tasks_on_node = some + r->nodes;
	index = tasks_on_node + r->nodes;
	for (uint32_t node = 0; node < r->nodes; node++) {
		if (!r->take[node])
			continue;
		cell[nodes] = r->cell[node];
		tasks_on_node[nodes] = r->take[node];
		first = node == r->index[0] ? nodes : first;
		index[nodes++] = node;
	}
	job.nodes = nodes;
	job.cell = cell;
	job.tasks_on_node = tasks_on_node;
	if (job.graph
		    ? torus_taskmap_graph(&job, r->request->budget, r->node_of_task, err)
		    : torus_taskmap(TORUS_MAPPER_ANNEAL, &job, r->request->budget,
				    r->node_of_task, err))
		goto done;
	mending.work /= SHARE_OF_FIRST;
	if (torus_taskmap_first(&job, first, &mending, r->node_of_task, err))
		goto done;
	for (uint32_t task = 0; task < r->tasks; task++)
		r->node_of_task[task] = index[r->node_of_task[task]];
	result = 0;
done:
	free(some);
	return result;
}

/* Measure both, as tasks on all nodes. */
static int measure(const reordering_t *r, storus_mpi_gain_t *gain, torus_error_t *err)
{
	torus_task_job_t job = {.grid = &r->grid,
				.graph = r->request->graph,
				.geometry = r->request->geometry,
				.nodes = r->nodes,
				.cell = r->cell,
				.tasks_on_node = r->capacity};
	torus_hop_table_t table = {0};
	torus_hop_stats_t before, after;

	if (torus_hop_table_init(&job, &table, err))
		return -1;
	torus_hop_table_stats(&job, &table, r->index, &before);
	torus_hop_table_stats(&job, &table, r->node_of_task, &after);
	torus_hop_table_destroy(&table);
	*gain = (storus_mpi_gain_t){before.average, after.average};
	return 0;
}

static void keep_ranks(const reordering_t *r, int32_t *rank)
{
	for (uint32_t i = 0; i < r->request->processes; i++)
		rank[i] = i < r->tasks ? (int32_t)i : -1;
}

/* Give the tasks of each node to its processes: to the one whose rank it was, if it is
 * there, else to the first without. */
static void deal_ranks(reordering_t *r, int32_t *rank)
{
	for (uint32_t i = 0; i < r->request->processes; i++)
		rank[i] = i < r->tasks && r->node_of_task[i] == r->index[i] ? (int32_t)i
									    : -1;
	for (uint32_t task = 0; task < r->tasks; task++) {
		uint32_t node = r->node_of_task[task];

		if (rank[task] == (int32_t)task)
			continue;
		/* first[] moves on over processes that have a rank. */
		while (rank[r->by_node[r->first[node]]] >= 0)
			r->first[node]++;
		rank[r->by_node[r->first[node]++]] = (int32_t)task;
	}
}

int storus_mpi_reorder(const storus_mpi_request_t *request, int32_t *rank, bool *changed,
		       storus_mpi_gain_t *gain, torus_error_t *err)
{
	reordering_t r = {.request = request};
	int result = -1;

	*changed = false;
	if (reordering_init(&r, err))
		goto done;
	if (r.tasks == request->processes)
		memcpy(r.take, r.capacity, r.nodes * sizeof(*r.take));
	else if (storus_mpi_choose(request->geometry, r.cell, r.capacity, r.nodes,
				   r.index[0], r.tasks, r.take, err))
		goto done;
	if (map_tasks(&r, err) || measure(&r, gain, err))
		goto done;
	*changed = gain->after < gain->before;
	if (*changed) {
		deal_ranks(&r, rank);
	} else {
		keep_ranks(&r, rank);
		gain->after = gain->before;
	}
	result = 0;
done:
	reordering_clear(&r);
	return result;
}

static uint64_t work_of_few(uint32_t processes)
{
	uint64_t most = (uint64_t)processes * WORK_OF_FEW_PER_PROCESS;
	uint64_t less = (uint64_t)processes * WORK_OF_FEW_LESS_PER_PROCESS;

	if (less >= WORK_OF_FEW)
		return 0;
	return WORK_OF_FEW - less < most ? WORK_OF_FEW - less : most;
}

torus_mapper_budget_t storus_mpi_budget(uint32_t processes)
{
	uint64_t work = (uint64_t)processes * WORK_PER_PROCESS;

	if (work > WORK_MAX)
		work = WORK_MAX;
	work = work > work_of_few(processes) ? work : work_of_few(processes);
	return (torus_mapper_budget_t){
		.work = work,
		.seconds = CLOCK_GRACE + TORUS_MAPPER_GRACE * (double)work /
						 TORUS_MAPPER_WORK_PER_SECOND,
		.seed = TORUS_MAPPER_SEED,
	};
}
