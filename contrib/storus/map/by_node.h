/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats that go node by node. Each writes the mapping node_of_task[job->tasks], and
 * returns 0, or -1 with [err] filled (memory, or as said).
 */
#ifndef STORUS_MAP_BY_NODE_H
#define STORUS_MAP_BY_NODE_H

#include <stdio.h>

#include "base/error.h"
#include "storus/map/job.h"
#include "taskmap/any/any.h"

/* The ranks of each node on a line, in allocation order. */
int storus_map_write_mpich(FILE *file, const storus_map_job_t *job,
			   const uint32_t *node_of_task, torus_error_t *err);

/* The nodes, a name a line, in the order of their first tasks. It must be all that a
 * launcher needs to know that deals out tasks as [deal] says. */
int storus_map_write_hosts(FILE *file, const storus_map_job_t *job, torus_deal_t deal,
			   const uint32_t *node_of_task, torus_error_t *err);

/* The same for torchrun, with its options for each node. Its tasks are consecutive on a
 * node, and all meet at the node of task 0. */
int storus_map_write_torchrun(FILE *file, const storus_map_job_t *job,
			      const uint32_t *node_of_task, torus_error_t *err);

/* The machine's dimensions, and the nodes in the order of their first tasks: name (or
 * cell), coordinates and tasks of each. */
int storus_map_write_json(FILE *file, const storus_map_job_t *job,
			  const uint32_t *node_of_task, torus_error_t *err);

#endif
