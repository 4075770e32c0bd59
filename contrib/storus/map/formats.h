/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that tell a launcher which task runs on which node. */
#ifndef STORUS_MAP_FORMATS_H
#define STORUS_MAP_FORMATS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "storus/map/job.h"
#include "taskmap/any/any.h"

typedef enum storus_map_format {
	STORUS_MAP_SLURM,   /* a node name a line, task 0 first: SLURM_HOSTFILE */
	STORUS_MAP_OPENMPI, /* `rank 0=node slot=0-3` lines: a rankfile of Open MPI 4 and
			     * 5
			     */
	STORUS_MAP_MPICH,   /* the ranks node by node: Cray MPICH's MPICH_RANK_ORDER */
	STORUS_MAP_CSV,	    /* task,node_or_cell,x,y,z */
	STORUS_MAP_HOSTS,   /* a node name a line, each once */
	STORUS_MAP_JSON,    /* the nodes with their coordinates and tasks */
	STORUS_MAP_TORCHRUN /* a line a node: its name, and torchrun's options there */
} storus_map_format_t;

/* Read the value of --format. Returns 0, or -1 with [err] filled. */
int storus_map_format_parse(const char *text, storus_map_format_t *format,
			    torus_error_t *err);
const char *storus_map_format_name(storus_map_format_t format);

/* Whether it tells a launcher the order of the nodes only: the launcher deals tasks out
 * to them by itself. */
bool storus_map_format_is_order(storus_map_format_t format);

/*
 * Write the mapping node_of_task[job->tasks] of a job whose launcher deals out tasks as
 * [deal] says. Returns 0, or -1 with [err] filled: a format that needs node names for a
 * job that has none, an order of nodes for a mapping that is none, memory.
 */
int storus_map_format_write(FILE *file, storus_map_format_t format,
			    const storus_map_job_t *job, torus_deal_t deal,
			    const uint32_t *node_of_task, torus_error_t *err);

#endif
