/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a job's tasks, and how broken up nodes are: see topology/order.h. */
#include "topology/order.h"

#include <inttypes.h>
#include <time.h>

#include "base/bitmap.h"
#include "cubes/joined.h"
#include "metrics/metrics.h"
#include "slurm/choose.h"
#include "slurm/network.h"
#include "topology/kept_orders.h"
#include "topology/planned.h"
#include "topology/segment_order.h"
#include "topology/tori.h"

/* Slurm 26.05: the lower bits of a task's rank are the place within a unit. */
#define UNIT_SHIFT 16

/*
 * What a grid that the job gives may cost while slurmctld holds its locks, in seconds, as
 * of storus map --budget: a few per cent more hops than with the half second that this
 * takes. Jobs that say nothing take a fraction of it.
 */
#define GRID_SECONDS 0.02

/* The job that Slurm's plugin has last had nodes chosen for in this thread. */
static __thread const job_record_t *expected;

void topology_order_expect(const job_record_t *job)
{
	expected = job;
}

/*
 * The job whose nodes are [nodes], or NULL: not known. Slurm's plugin asks for the order
 * in the thread, and under the locks, in which it has just had the nodes chosen, with the
 * bitmap of what it has noted for the job. (For a job of one node, it does not ask.)
 */
static const job_record_t *job_that_has(const bitstr_t *nodes)
{
	const job_record_t *job = expected;

	expected = NULL;
	return job && job->job_resrcs && job->job_resrcs->node_bitmap == nodes ? job
									       : NULL;
}

/* Whether Slurm only plans the job, and will forget the order: see planned.h. */
static bool is_planned(const bitstr_t *nodes)
{
	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		if (!topology_weighs_for_plan(node_record_table_ptr[i]))
			return false;
	}
	return true;
}

/*
 * Whether the job's tasks are to be packed onto the first nodes. Slurm does so only where
 * there is no order of nodes.
 */
static bool is_packed(const job_record_t *job)
{
	uint32_t wanted = job ? job->details->task_dist : 0;

	if (wanted & (SLURM_DIST_PACK_NODES | SLURM_DIST_NO_PACK_NODES))
		return wanted & SLURM_DIST_PACK_NODES;
	return slurm_conf.select_type_param & SELECT_PACK_NODES;
}

/* What is known of a job whose tasks are to be ordered. */
typedef struct ordering {
	const tori_t *tori;
	const job_record_t *job; /* NULL: not known */
	uint32_t nodes;
	uint32_t tasks; /* of all nodes; never fewer than nodes */
	torus_task_words_t words;
	const torus_shapes_t *shapes; /* that it asked for, in [network]; NULL: none */
	torus_network_request_t network;
	/* Of the nodes of one torus, in the order of Slurm's table: */
	uint32_t *place; /* among all nodes of the job */
	uint32_t *cell;
	uint32_t *count; /* of tasks */
	uint32_t *order; /* what is found */
	uint32_t *rank;	 /* on the curve */
} ordering_t;

/* As many tasks as the job says, or else one a node. */
static uint32_t tasks_of(const job_record_t *job, uint32_t nodes)
{
	uint64_t tasks = nodes;

	if (job && job->bit_flags & JOB_NTASKS_SET)
		tasks = job->details->num_tasks;
	else if (job && job->details->ntasks_per_node)
		tasks = (uint64_t)nodes * job->details->ntasks_per_node;
	return tasks >= nodes && tasks <= TORUS_MAX_CELLS ? (uint32_t)tasks : nodes;
}

/* The number of tasks and the words of the job. */
static void read_job(ordering_t *o)
{
	uint32_t grid;

	o->tasks = tasks_of(o->job, o->nodes);
	if (!o->job || network_of_job(o->job, &o->network, NULL))
		return;
	if (o->network.has_shape)
		o->shapes = &o->network.shapes;
	o->words = o->network.tasks;
	if (o->words.kind != TORUS_GRID_GIVEN)
		return;
	/* Where the job does not say how many tasks it has, its steps will: as many. */
	grid = torus_task_grid_tasks(&o->words.grid);
	if (grid >= o->nodes)
		o->tasks = grid;
	else
		o->words = (torus_task_words_t){0};
}

/* List the nodes on torus t (-1: on none). Returns how many they are. */
static uint32_t list_nodes(ordering_t *o, const bitstr_t *nodes, int t)
{
	const tori_t *tori = o->tori;
	uint32_t place = 0, count = 0;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		int of_node = i < tori->nodes ? tori->torus_of_node[i] : -1;

		if (of_node == t) {
			o->place[count] = place;
			if (t >= 0) {
				o->rank[count] = tori->rank_of_node[i];
				o->cell[count] =
					tori->torus[t].map->cell_of_rank[o->rank[count]];
			}
			count++;
		}
		place++;
	}
	return count;
}

/*
 * Fill o->order for the [count] nodes listed, of torus t, where the job is cut into
 * segments: one after the other. Whether it is.
 */
static bool order_segments(ordering_t *o, int t, uint32_t count)
{
	uint32_t size = o->job ? job_segment_size(o->job) : 0;
	bool ordered;
	torus_error_t err;

	if (size < 2 || size >= o->nodes || count % size ||
	    o->words.kind != TORUS_GRID_ANY)
		return false;
	ordered = !topology_segment_order(o->tori->torus[t].map, o->rank, count, size,
					  o->order, &err);
	if (!ordered)
		error("%s: no order of segments: %s", plugin_type, err.text);
	return ordered;
}

/* Fill o->order for the [count] nodes listed, of torus t. */
static void order_on_torus(ordering_t *o, int t, uint32_t count)
{
	torus_mapper_budget_t budget =
		torus_mapper_budget(GRID_SECONDS, TORUS_MAPPER_SEED);
	torus_geometry_t geometry = o->tori->torus[t].map->geometry;
	torus_ordered_job_t job = {
		.geometry = &geometry,
		.nodes = count,
		.cell = o->cell,
		.tasks_on_node = o->count,
		.deal = TORUS_DEAL_BLOCK, /* for others Slurm wants no order */
		.budget = &budget,
	};
	uint32_t tasks = (uint32_t)((uint64_t)o->tasks * count / o->nodes);
	torus_error_t err;

	if (count == o->nodes) /* a grid over several tori has no order */
		job.words = o->words;
	for (uint32_t i = 0; i < count; i++)
		o->count[i] = tasks / count + (i < tasks % count);
	if (torus_join_cells(&geometry, o->cell, count, o->shapes, &err) ||
	    topology_kept_order(&job, tasks, o->order, &err)) {
		error("%s: no order of tasks: %s", plugin_type, err.text);
		for (uint32_t i = 0; i < count; i++)
			o->order[i] = i;
	}
}

static uint64_t microseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void log_order(const ordering_t *o, uint32_t parts, uint64_t taken)
{
	static const char *const kinds[] = {
		[TORUS_GRID_ANY] = "any",
		[TORUS_GRID_AUTO] = "auto",
		[TORUS_GRID_GIVEN] = "given",
	};

	debug("%s: JobId=%u tasks=%u nodes=%u parts=%u ordered for grid=%s in %" PRIu64
	      " us",
	      plugin_type, o->job ? o->job->job_id : 0, o->tasks, o->nodes, parts,
	      kinds[parts > 1 ? TORUS_GRID_ANY : o->words.kind], taken);
}

/* Number the job's nodes: torus by torus, and those on none last. */
static void number_nodes(ordering_t *o, const bitstr_t *nodes, uint32_t *node_rank)
{
	uint64_t start = microseconds();
	uint32_t unit = 0;

	o->place = xcalloc(5 * (size_t)o->nodes, sizeof(*o->place));
	o->cell = o->place + o->nodes;
	o->count = o->cell + o->nodes;
	o->order = o->count + o->nodes;
	o->rank = o->order + o->nodes;
	for (int t = 0; t <= o->tori->count; t++) {
		bool elsewhere = t == o->tori->count;
		uint32_t count = list_nodes(o, nodes, elsewhere ? -1 : t);

		if (!count)
			continue;
		if (!elsewhere && !order_segments(o, t, count))
			order_on_torus(o, t, count);
		for (uint32_t i = 0; i < count; i++)
			node_rank[o->place[elsewhere ? i : o->order[i]]] =
				unit << UNIT_SHIFT | i;
		unit++;
	}
	xfree(o->place);
	log_order(o, unit, microseconds() - start);
}

int topology_order_tasks(const bitstr_t *nodes, uint32_t **node_rank, uint32_t *size)
{
	uint32_t count = nodes ? (uint32_t)bit_set_count((bitstr_t *)nodes) : 0;
	ordering_t o = {.nodes = count};

	*node_rank = NULL;
	*size = 0;
	o.job = nodes ? job_that_has(nodes) : NULL;
	if (!count || count > UINT32_C(1) << UNIT_SHIFT || is_planned(nodes) ||
	    is_packed(o.job))
		return SLURM_SUCCESS;
	o.tori = topology_tori_lock();
	if (!o.tori)
		return SLURM_SUCCESS;
	read_job(&o);
	*node_rank = xcalloc(count, sizeof(**node_rank));
	*size = count;
	number_nodes(&o, nodes, *node_rank);
	topology_tori_unlock();
	return SLURM_SUCCESS;
}

/*
 * A hundred times the mean hops between two nodes of the torus that are not in its set
 * TORI_FREE.
 */
static uint32_t scatter_on(const joined_torus_t *torus)
{
	const torus_map_t *map = torus->map;
	uint32_t *cells = xcalloc(map->nodes, sizeof(*cells)), taken = 0;
	uint64_t sum = 0;
	torus_error_t err;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (!torus_bit_test(torus->set[TORI_FREE], rank))
			cells[taken++] = map->cell_of_rank[rank];
	}
	if (taken > 1 &&
	    torus_summed_distance(&map->geometry, cells, taken, &sum, &err) != 0)
		error("%s: %s", plugin_type, err.text);
	xfree(cells);
	return taken > 1 ? (uint32_t)(100 * sum / ((uint64_t)taken * (taken - 1))) : 0;
}

uint32_t topology_fragmentation(const bitstr_t *nodes)
{
	tori_t *tori = topology_tori_lock();
	uint32_t sum = 0;

	if (!tori)
		return 0;
	uint32_t counts[tori->count];

	choose_ranks_of(tori, nodes, counts);
	for (int t = 0; t < tori->count; t++)
		sum += scatter_on(&tori->torus[t]);
	topology_tori_unlock();
	return sum;
}
