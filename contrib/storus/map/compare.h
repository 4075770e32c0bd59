/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus map --compare: all mappers on the same job, side by side. */
#ifndef STORUS_MAP_COMPARE_H
#define STORUS_MAP_COMPARE_H

#include "base/error.h"
#include "taskmap/taskmap.h"
#include "storus/cli/output.h"
#include "storus/map/job.h"

/*
 * Map [job] by every mapper and print a line each to stdout: hop statistics, seconds
 * taken, and by how many per cent the average is below baseline's. If [job] is one of
 * chips (map/chips.h), [on_nodes] is the job of nodes, otherwise NULL. Returns 0, or -1
 * with [err] filled.
 */
int storus_map_compare(const torus_task_job_t *job, const storus_map_job_t *on_nodes,
		       const torus_mapper_budget_t *budget, storus_format_t format,
		       torus_error_t *err);

#endif
