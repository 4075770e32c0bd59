/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of a job's nodes hang on a cell: see taskmap/search/cell_index.h. */
#include "taskmap/search/cell_index.h"

#include <stdlib.h>
#include <string.h>

int torus_cell_index_init(const torus_task_job_t *job, torus_cell_index_t *index,
			  torus_error_t *err)
{
	index->job = job;
	for (index->mask = 1; index->mask < job->nodes; index->mask *= 2)
		;
	index->mask = 2 * index->mask - 1;
	index->first = malloc(((size_t)index->mask + 1) * sizeof(*index->first));
	index->next = malloc(job->nodes * sizeof(*index->next));
	if (!index->first || !index->next)
		return torus_fail(err, "out of memory for an index of %u nodes",
				  job->nodes);
	memset(index->first, 0xff, ((size_t)index->mask + 1) * sizeof(*index->first));
	for (uint32_t node = job->nodes; node-- > 0;) {
		uint32_t *chain =
			&index->first[torus_cell_index_slot(index, job->cell[node])];

		index->next[node] = *chain;
		*chain = node;
	}
	return 0;
}

void torus_cell_index_destroy(torus_cell_index_t *index)
{
	free(index->first);
	free(index->next);
	*index = (torus_cell_index_t){0};
}
