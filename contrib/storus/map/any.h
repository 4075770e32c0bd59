/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus map --grid any: an order for jobs of which nobody says who talks to whom. */
#ifndef STORUS_MAP_ANY_H
#define STORUS_MAP_ANY_H

#include "storus/map/job.h"
#include "taskmap/any/any.h"

/* Read the value of --distribution, as srun's: block or cyclic. Returns 0, or -1 with
 * [err] filled. */
int storus_map_deal_parse(const char *text, torus_deal_t *deal, torus_error_t *err);

/* Deal the tasks of [job] out to its nodes, in our order and in that of the allocation,
 * into node_of_task[tasks] and baseline[tasks]. [free_head]: as in taskgrid/words.h.
 * Returns 0, or -1 with [err] filled. */
int storus_map_any(const storus_map_job_t *job, torus_deal_t deal, bool free_head,
		   uint32_t *node_of_task, uint32_t *baseline, torus_error_t *err);

/* Say on the standard error what a ring and the two grids come to, before and after.
 * Returns 0, or -1 with [err] filled. */
int storus_map_any_report(const storus_map_job_t *job, const uint32_t *node_of_task,
			  const uint32_t *baseline, torus_error_t *err);

#endif
