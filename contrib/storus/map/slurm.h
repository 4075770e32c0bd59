/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus map asks a running Slurm: the nodes of a job, and how many tasks it has. */
#ifndef STORUS_MAP_SLURM_H
#define STORUS_MAP_SLURM_H

#include <stdint.h>

#include "base/error.h"

/*
 * Look up the running job called [id] (12, or 12_3 for a task of an array), after
 * storus_slurm_start(). Fills *nodelist (malloc'ed) and *tasks (0: the job does not say).
 * Returns 0, or -1 with [err] filled: no such job, or one that holds no nodes.
 */
int storus_map_slurm_job(const char *id, char **nodelist, uint32_t *tasks,
			 torus_error_t *err);

#endif
