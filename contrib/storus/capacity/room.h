/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is free on one torus, who has the rest, and what is down. */
#ifndef STORUS_CAPACITY_ROOM_H
#define STORUS_CAPACITY_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "capacity/holders.h"
#include "machine/cluster.h"
#include "storus/cli/jobs.h"

typedef struct storus_room {
	const torus_map_t *map;	   /* borrowed */
	const storus_jobs_t *jobs; /* borrowed */
	uint32_t cells;
	uint64_t *free;	  /* bitmap of ranks */
	uint64_t *down;	  /* bitmap of ranks: not usable, whoever has them */
	uint64_t *usable; /* bitmap of cells that may be in a box now */
	/*
	 * Jobs are holders 0 .. jobs->count - 1. Nodes that are down are holders from
	 * there on, down_rank[0 .. downs-1]; who leaves them out has them in never.
	 */
	uint32_t downs;
	uint32_t *down_rank;
	uint32_t *first; /* as in torus_holders_t, with the nodes that are down */
	uint32_t *holder;
	uint32_t *first_job; /* the same without them */
	uint32_t *job;
	uint64_t *never;     /* cells without a node */
	uint64_t *never_now; /* and those with a node that is down */
	bool *dear;	     /* [jobs->count] not preemptible */
	int64_t *end;	     /* [jobs->count] */
} storus_room_t;

/*
 * Lay [jobs] over torus number [t] of [cluster]; both must outlive *room. [listed] is a
 * bitmap of the ranks that may be free (NULL: all); those that neither are in it nor have
 * a job are down, and so are nodes that the jobs say are not usable. Returns 0, or -1
 * with [err] filled. In either case to be freed with storus_room_clear().
 */
int storus_room_open(storus_room_t *room, const torus_cluster_t *cluster, int t,
		     const storus_jobs_t *jobs, const uint64_t *listed,
		     torus_error_t *err);
void storus_room_clear(storus_room_t *room);

/* The holders with the nodes that are down, all the same; or the jobs only. Borrowed. */
torus_holders_t storus_room_obstacles(const storus_room_t *room);
torus_holders_t storus_room_jobs(const storus_room_t *room);

#endif
