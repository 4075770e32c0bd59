/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How good a mapping is: hops between neighbouring tasks. */
#ifndef TORUS_TASKMAP_HOPS_H
#define TORUS_TASKMAP_HOPS_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/job.h"

typedef struct torus_hop_stats {
	uint64_t edges; /* pairs of neighbouring tasks */
	double average; /* mean hops of an edge, by the edges' weights; 0 without edges */
	uint32_t maximum; /* hops of the longest edge */
	double variance;  /* mean squared deviation from the average, weighted likewise */
	double hop_bytes; /* sum over edges of weight times hops */
} torus_hop_stats_t;

/*
 * Measure the mapping node_of_task[] of [job]. A stencil's edges all weigh 1. O(edges)
 * time; memory only for the nodes' coordinates. Returns 0, or -1 with [err] filled
 * (memory).
 */
int torus_hop_stats(const torus_task_job_t *job, const uint32_t *node_of_task,
		    torus_hop_stats_t *stats, torus_error_t *err);

/*
 * A job's nodes prepared for computing many distances. Free with
 * torus_hop_table_destroy(), which accepts a zeroed table.
 */
typedef struct torus_hop_table {
	int dims;
	int32_t ring[TORUS_MAX_DIMS]; /* length where wrapped, else a number above any 2
				       * lengths */
	int32_t *coord;		      /* [nodes * dims] */
	const torus_geometry_t *other; /* the job's, borrowed, where hops do not add up
					* over dimensions: the rings do not tell them;
					* else NULL */
	uint8_t *hops; /* [nodes * row] the hops of node a and b in a's row, or NULL: see
			* torus_hop_table_expand() */
	size_t row;
} torus_hop_table_t;

/* Fill [table] for [job]. 0, or -1 with [err] filled (memory). */
int torus_hop_table_init(const torus_task_job_t *job, torus_hop_table_t *table,
			 torus_error_t *err);
void torus_hop_table_destroy(torus_hop_table_t *table);

/*
 * List the hops between all nodes of [job] in [table], if there are at most
 * TORUS_HOP_TABLE_NODES and none are more than 255 hops apart; else nothing changes. A
 * search that looks up many takes half the time then. 0, or -1 with [err] filled
 * (memory). O(nodes^2).
 */
#define TORUS_HOP_TABLE_NODES 512
int torus_hop_table_expand(const torus_task_job_t *job, torus_hop_table_t *table,
			   torus_error_t *err);

/* torus_hop_stats() with the [table] of [job]. */
void torus_hop_table_stats(const torus_task_job_t *job, const torus_hop_table_t *table,
			   const uint32_t *node_of_task, torus_hop_stats_t *stats);

/* Hops between nodes a and b of the job. */
static inline uint32_t torus_hop_table_hops(const torus_hop_table_t *table, uint32_t a,
					    uint32_t b)
{
	const int32_t *from = table->coord + (size_t)a * (size_t)table->dims;
	const int32_t *to = table->coord + (size_t)b * (size_t)table->dims;
	int32_t hops = 0;

	if (table->hops)
		return table->hops[a * table->row + b];
	if (table->other)
		return torus_other_hops(table->other, from, to);
	for (int axis = 0; axis < table->dims; axis++) {
		int32_t apart = from[axis] > to[axis] ? from[axis] - to[axis]
						      : to[axis] - from[axis];
		int32_t around = table->ring[axis] - apart;

		hops += apart < around ? apart : around;
	}
	return (uint32_t)hops;
}

#endif
