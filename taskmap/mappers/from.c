/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Annealing from a mapping that is there: see from.h. */
#include "taskmap/mappers/from.h"

#include <string.h>

#include "taskmap/mappers/search.h"

int torus_taskmap_from(const torus_task_job_t *job, const bool *stays, bool gentle,
		       const torus_mapper_budget_t *budget, uint32_t *node_of_task,
		       torus_error_t *err)
{
	torus_search_t search = {0};
	torus_layout_t layout = {0};
	int result = -1;

	if (torus_task_job_check(job, err))
		return -1;
	if (torus_layout_init(job, &layout, err) ||
	    torus_search_begin(&layout, budget, node_of_task, &search, err))
		goto done;
	search.stays = stays;
	search.gentle = gentle;
	memcpy(search.trial, node_of_task, layout.tasks * sizeof(*node_of_task));
	if (!torus_search_start(&search, err))
		result = job->graph && !gentle
				 ? torus_search_anneal_graph(&search, true, budget->seed,
							     err)
				 : torus_search_anneal(&search, budget->seed, err);
done:
	torus_search_end(&search);
	torus_layout_destroy(&layout);
	return result;
}
