/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hop statistics of a mapping: see taskmap/hops.h. */
#include "taskmap/hops.h"

#include <stdbool.h>
#include <stdlib.h>

int torus_hop_table_init(const torus_task_job_t *job, torus_hop_table_t *table,
			 torus_error_t *err)
{
	const torus_geometry_t *geometry = job->geometry;
	size_t dims = (size_t)geometry->dims;

	table->dims = geometry->dims;
	table->hops = NULL;
	table->other = torus_hops_add_up(geometry) ? NULL : geometry;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		table->ring[axis] =
			geometry->wrap[axis] ? geometry->length[axis] : INT32_MAX;
	table->coord = malloc(job->nodes * dims * sizeof(*table->coord));
	if (!table->coord)
		return torus_fail(err, "out of memory for the coordinates of %u nodes",
				  job->nodes);
	for (uint32_t node = 0; node < job->nodes; node++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(geometry, job->cell[node], coord);
		for (size_t axis = 0; axis < dims; axis++)
			table->coord[node * dims + axis] = coord[axis];
	}
	return 0;
}

void torus_hop_table_destroy(torus_hop_table_t *table)
{
	free(table->coord);
	free(table->hops);
	table->coord = NULL;
	table->hops = NULL;
}

/* --- all distances ------------------------------------------------------- */

/* So many are computed at once: a constant, so that compilers use vectors of bytes. */
#define AT_ONCE 16

/* Add the hops along one axis, a ring of [ring] or a line (0), from [at] to to[]. */
static void add_axis(uint8_t at, const uint8_t *to, uint8_t ring, uint8_t *hops)
{
	uint8_t sum[AT_ONCE];

	for (int i = 0; i < AT_ONCE; i++) {
		uint8_t apart =
			(uint8_t)((at > to[i] ? at : to[i]) - (at > to[i] ? to[i] : at));
		uint8_t around = (uint8_t)(ring - apart);

		sum[i] = ring && around < apart ? around : apart;
	}
	for (int i = 0; i < AT_ONCE; i++)
		hops[i] = (uint8_t)(hops[i] + sum[i]);
}

/* The row of [node] where hops do not add up. */
static void add_others(torus_hop_table_t *table, uint32_t nodes, uint32_t node)
{
	size_t dims = (size_t)table->dims;

	for (uint32_t to = 0; to < nodes; to++)
		table->hops[node * table->row + to] = (uint8_t)torus_other_hops(
			table->other, table->coord + node * dims,
			table->coord + to * dims);
}

static bool all_are_near(const torus_geometry_t *geometry)
{
	int64_t farthest = 0;

	for (int axis = 0; axis < geometry->dims; axis++)
		farthest += geometry->length[axis];
	return farthest <= UINT8_MAX;
}

int torus_hop_table_expand(const torus_task_job_t *job, torus_hop_table_t *table,
			   torus_error_t *err)
{
	size_t dims = (size_t)table->dims, row = job->nodes;
	uint8_t *at;

	if (table->hops || job->nodes > TORUS_HOP_TABLE_NODES ||
	    !all_are_near(job->geometry))
		return 0;
	row = (row + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
	at = calloc(dims, row);
	table->hops = calloc(job->nodes, row);
	if (!at || !table->hops) {
		free(at);
		return torus_fail(err, "out of memory for the distances of %u nodes",
				  job->nodes);
	}
	table->row = row;
	for (uint32_t node = 0; node < job->nodes; node++) {
		for (size_t axis = 0; axis < dims; axis++)
			at[axis * row + node] = (uint8_t)table->coord[node * dims + axis];
	}
	for (uint32_t node = 0; table->other && node < job->nodes; node++)
		add_others(table, job->nodes, node);
	for (uint32_t node = 0; !table->other && node < job->nodes; node++) {
		for (size_t axis = 0; axis < dims; axis++) {
			const uint8_t *to = at + axis * row;
			int32_t ring = table->ring[axis];

			for (size_t i = 0; i < row; i += AT_ONCE)
				add_axis(to[node], to + i,
					 ring == INT32_MAX ? 0 : (uint8_t)ring,
					 table->hops + node * row + i);
		}
	}
	free(at);
	return 0;
}

/* --- measuring ----------------------------------------------------------- */

/* Sums over the edges seen so far. */
typedef struct hop_sums {
	uint64_t edges;
	double weight, hops, squares;
	uint32_t maximum;
} hop_sums_t;

static inline void add_edge(hop_sums_t *sums, uint32_t hops, double weight)
{
	sums->edges++;
	sums->weight += weight;
	sums->hops += weight * hops;
	sums->squares += weight * hops * hops;
	if (hops > sums->maximum)
		sums->maximum = hops;
}

/* One step along one axis: runs of tasks whose neighbour is [stride] further. */
static void sum_faces(const torus_task_grid_t *grid, const torus_hop_table_t *table,
		      const uint32_t *node_of_task, hop_sums_t *sums)
{
	uint32_t tasks = torus_task_grid_tasks(grid), stride = 1;

	for (int axis = 0; axis < grid->dims; axis++) {
		uint32_t length = (uint32_t)grid->length[axis], rows = stride * length;

		for (uint32_t row = 0; row < tasks; row += rows) {
			uint32_t last = row + rows - stride;

			for (uint32_t task = row; task < last; task++)
				add_edge(
					sums,
					torus_hop_table_hops(table, node_of_task[task],
							     node_of_task[task + stride]),
					1);
			/* Closing a ring of one or two tasks adds no edge. */
			for (uint32_t i = 0;
			     grid->periodic[axis] && length > 2 && i < stride; i++)
				add_edge(sums,
					 torus_hop_table_hops(table,
							      node_of_task[row + i],
							      node_of_task[last + i]),
					 1);
		}
		stride = rows;
	}
}

static void sum_corners(const torus_task_grid_t *grid, const torus_hop_table_t *table,
			const uint32_t *node_of_task, hop_sums_t *sums)
{
	uint32_t tasks = torus_task_grid_tasks(grid);
	uint32_t neighbors[TORUS_STENCIL_OFFSETS];
	int32_t coord[TORUS_MAX_DIMS] = {0};
	torus_offsets_t offsets;

	torus_task_grid_offsets(grid, &offsets);
	for (uint32_t task = 0; task < tasks; task++) {
		int found = torus_task_grid_neighbors(grid, &offsets, offsets.forward,
						      coord, neighbors);

		for (int i = 0; i < found; i++)
			add_edge(sums,
				 torus_hop_table_hops(table, node_of_task[task],
						      node_of_task[neighbors[i]]),
				 1);
		torus_task_grid_next(grid, coord);
	}
}

static void sum_graph(const torus_task_graph_t *graph, const torus_hop_table_t *table,
		      const uint32_t *node_of_task, hop_sums_t *sums)
{
	for (uint32_t task = 0; task < graph->tasks; task++) {
		for (uint64_t i = graph->first[task]; i < graph->first[task + 1]; i++) {
			uint32_t other = graph->neighbor[i];

			if (other > task)
				add_edge(sums,
					 torus_hop_table_hops(table, node_of_task[task],
							      node_of_task[other]),
					 graph->weight ? graph->weight[i] : 1);
		}
	}
}

void torus_hop_table_stats(const torus_task_job_t *job, const torus_hop_table_t *table,
			   const uint32_t *node_of_task, torus_hop_stats_t *stats)
{
	hop_sums_t sums = {0};

	if (job->graph)
		sum_graph(job->graph, table, node_of_task, &sums);
	else if (job->grid->stencil == TORUS_STENCIL_FACES)
		sum_faces(job->grid, table, node_of_task, &sums);
	else
		sum_corners(job->grid, table, node_of_task, &sums);
	*stats = (torus_hop_stats_t){
		.edges = sums.edges,
		.maximum = sums.maximum,
		.hop_bytes = sums.hops,
	};
	if (sums.weight > 0) {
		stats->average = sums.hops / sums.weight;
		stats->variance =
			sums.squares / sums.weight - stats->average * stats->average;
		if (stats->variance < 0) /* rounding */
			stats->variance = 0;
	}
}

int torus_hop_stats(const torus_task_job_t *job, const uint32_t *node_of_task,
		    torus_hop_stats_t *stats, torus_error_t *err)
{
	torus_hop_table_t table;

	if (torus_hop_table_init(job, &table, err))
		return -1;
	torus_hop_table_stats(job, &table, node_of_task, stats);
	torus_hop_table_destroy(&table);
	return 0;
}
