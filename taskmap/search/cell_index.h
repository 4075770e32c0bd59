/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a job on each cell: a hash table with chains. */
#ifndef TORUS_TASKMAP_SEARCH_CELL_INDEX_H
#define TORUS_TASKMAP_SEARCH_CELL_INDEX_H

#include <stdint.h>

#include "base/error.h"
#include "taskmap/job.h"

#define TORUS_NO_NODE UINT32_MAX

typedef struct torus_cell_index {
	const torus_task_job_t *job;
	uint32_t mask;
	uint32_t *first; /* [mask + 1] */
	uint32_t *next;	 /* [nodes] */
} torus_cell_index_t;

/* Index the nodes of [job], which must outlive the index. O(nodes). Returns 0, or -1 with
 * [err] filled (memory). To be destroyed, also after an error. */
int torus_cell_index_init(const torus_task_job_t *job, torus_cell_index_t *index,
			  torus_error_t *err);
void torus_cell_index_destroy(torus_cell_index_t *index);

static inline uint32_t torus_cell_index_slot(const torus_cell_index_t *index,
					     uint32_t cell)
{
	return (uint32_t)(cell * UINT64_C(0x9e3779b97f4a7c15) >> 32) & index->mask;
}

/* The node on [cell] at [node] or behind it in a chain. */
static inline uint32_t torus_cell_index_seek(const torus_cell_index_t *index,
					     uint32_t cell, uint32_t node)
{
	while (node != TORUS_NO_NODE && index->job->cell[node] != cell)
		node = index->next[node];
	return node;
}

/* The first node of the job on [cell], and the one after [node], in allocation order;
 * TORUS_NO_NODE: there is none. */
static inline uint32_t torus_cell_index_first(const torus_cell_index_t *index,
					      uint32_t cell)
{
	return torus_cell_index_seek(index, cell,
				     index->first[torus_cell_index_slot(index, cell)]);
}

static inline uint32_t torus_cell_index_next(const torus_cell_index_t *index,
					     uint32_t node)
{
	return torus_cell_index_seek(index, index->job->cell[node], index->next[node]);
}

#endif
