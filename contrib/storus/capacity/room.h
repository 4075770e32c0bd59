/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is free on one torus, who has the rest, what is reserved, and what is down. */
#ifndef STORUS_CAPACITY_ROOM_H
#define STORUS_CAPACITY_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "capacity/holders.h"
#include "machine/cluster.h"
#include "storus/cli/jobs.h"

/* From when on, and how long, nodes are wanted. */
typedef struct storus_when {
	int64_t now;	 /* seconds since 1970 */
	int64_t seconds; /* >= 1 */
} storus_when_t;

typedef struct storus_room {
	const torus_cluster_t *cluster; /* borrowed */
	int torus;
	const torus_map_t *map;	   /* cluster->map[torus] */
	const storus_jobs_t *jobs; /* borrowed */
	storus_when_t when;
	uint32_t cells;
	uint64_t *free;	    /* bitmap of ranks: neither down, nor reserved, nor a job's */
	uint64_t *down;	    /* bitmap of ranks: not usable, whoever has them */
	uint64_t *reserved; /* bitmap of ranks that would be free if it were not for
			     * reservations */
	uint64_t *usable;   /* bitmap of cells that may be in a box now */
	/*
	 * Jobs are holders 0 .. jobs->count - 1. Nodes that are down are holders from
	 * there on, down_rank[0 .. downs-1], and then come the reservations in force now;
	 * who leaves them out has them in never.
	 */
	uint32_t downs;
	uint32_t *down_rank;
	uint32_t *first; /* as in torus_holders_t, with all of these */
	uint32_t *holder;
	uint32_t *first_job; /* the same with jobs only */
	uint32_t *job;
	uint32_t *first_of_rank; /* the same, of each rank */
	uint32_t *job_of_rank;
	uint64_t *never;	  /* cells without a node */
	uint64_t *never_down;	  /* and those with a node that is down */
	uint64_t *never_now;	  /* and those with a node that is reserved now, or that
				   * a job holds which Slurm does not show */
	bool *dear;		  /* [jobs->count] not preemptible */
	int64_t *end;		  /* [jobs->count] */
	int64_t *shown_end;	  /* the same; of a hidden job now */
	torus_closure_t *closure; /* [jobs->reservations] */
	uint64_t *closed;	  /* their bitmaps of cells */
	torus_closure_t *closure_of_ranks; /* [jobs->reservations] */
	uint64_t *closed_ranks;		   /* the same, of ranks */
	torus_geometry_t line;		   /* of the ranks */
} storus_room_t;

/*
 * Lay [jobs] over torus number [t] of [cluster]; both must outlive *room. [free_list] has
 * the ranks that may be free (--free: as base/ranklist.h reads them, "all" or "none";
 * NULL: all); those that neither are in it nor have a job are down, and so are nodes that
 * the jobs say are not usable. Reservations count
 * if they are in force at some time of [when]. Returns 0, or -1 with [err] filled. In
 * either case to be freed with storus_room_clear().
 */
int storus_room_open(storus_room_t *room, const torus_cluster_t *cluster, int t,
		     const storus_jobs_t *jobs, const char *free_list,
		     const storus_when_t *when, torus_error_t *err);
void storus_room_clear(storus_room_t *room);

/* The holders, borrowed: with the nodes that are down and the reservations, all the same;
 * the jobs only, with the reservations as closures; or the jobs now, where a box with a
 * reserved node is none. */
torus_holders_t storus_room_obstacles(const storus_room_t *room);
torus_holders_t storus_room_jobs(const storus_room_t *room);
torus_holders_t storus_room_jobs_now(const storus_room_t *room);

/* The jobs only, by rank: holders of room->line, on which each rank is a cell. */
torus_holders_t storus_room_jobs_of_ranks(const storus_room_t *room);

/*
 * As storus_room_jobs(), as if hidden jobs and reservations ended now: when a box would
 * be free at the earliest. False, with *holders empty, where nothing is hidden.
 */
bool storus_room_shown(const storus_room_t *room, torus_holders_t *holders);

/* Whether reservation [number] is in force at some time of room->when. */
bool storus_room_in_force(const storus_room_t *room, uint32_t number);

#endif
