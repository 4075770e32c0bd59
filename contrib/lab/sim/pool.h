/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The free nodes of the simulated machine, and decisions on them. Private to the
 * simulator. */
#ifndef TORUS_SIM_POOL_H
#define TORUS_SIM_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "machine/cluster_place.h"
#include "sim/intervals.h"
#include "sim/wish.h"

typedef struct torus_pool {
	const torus_map_t *const *map; /* [tori], borrowed */
	int tori;
	uint64_t **free;	       /* [tori] bitmaps by rank */
	torus_intervals_t **intervals; /* [tori] of these */
	uint32_t *count;	       /* [tori] how many are free */
	uint64_t total;		       /* of all tori */
	uint64_t nodes;		       /* of the machine */
	uint32_t largest;	       /* nodes of the largest torus */
	uint64_t changes;	       /* how often nodes were taken or given back */
	bool spreads;	   /* jobs of any size use several tori, where one has no room;
			    * false unless the owner sets it */
	bool strict;	   /* a strategy may find no place though enough nodes are free */
	uint64_t *nothing; /* an empty bitmap for any torus */
	torus_cluster_placer_t *placer;	     /* its parts: the last decision */
	torus_cluster_placement_t placement; /* the last decision */
	torus_candidates_t *candidates;	     /* [tori] private */
} torus_pool_t;

/* What a job needs. */
typedef struct torus_job_need {
	uint32_t nodes;		    /* with a shape: those of the box */
	const torus_shape_t *shape; /* or NULL */
	bool spread;		    /* it may have nodes of several tori */
	bool isolated, loose;	    /* as in torus_cluster_request_t */
	uint32_t segment;	    /* the same */
	torus_segments_where_t segments;
	uint64_t seed; /* of strategies that choose by chance */
	/* [tori] whether it has a place there if all nodes are free; NULL: wherever there
	 * are enough nodes */
	const bool *on;
	/* What it wishes for besides, with the shapes of which the machine has boxes of
	 * [nodes]; or NULL. Only torus_pool_place_wished() looks at it. */
	const torus_sim_wish_t *wish;
} torus_job_need_t;

/* Whether a number of free nodes does not tell that it has a place. */
static inline bool torus_job_is_strict(const torus_job_need_t *need)
{
	return need->shape || need->segment;
}

/*
 * A pool with all nodes free. The maps must outlive it. NULL with [err] filled (memory).
 */
torus_pool_t *torus_pool_create(const torus_map_t *const *map, int tori,
				torus_error_t *err);
/* NULL is accepted. */
void torus_pool_destroy(torus_pool_t *pool);

/* Whether as many nodes are free as are needed. O(tori). */
bool torus_pool_enough(const torus_pool_t *pool, const torus_job_need_t *need);

/* No job that needs more nodes than this can start now. O(tori). */
uint32_t torus_pool_most(const torus_pool_t *pool);

/*
 * Choose nodes for the job by torus_cluster_place(), among the free nodes; or, unless it
 * is NULL, among those of [among], a bitmap for each torus, NULL for tori that the job
 * must not use. Takes no nodes. Returns 1, with placement and the placer's parts filled;
 * 0: there is no place; -1 with [err] filled (memory).
 */
int torus_pool_place(torus_pool_t *pool, const torus_job_need_t *need,
		     const uint64_t *const *among, torus_error_t *err);

/* Make the nodes [among] as above, or the free ones, the candidates. For pool_wish.c. */
void torus_pool_set_candidates(torus_pool_t *pool, const uint64_t *const *among);

/*
 * The same for a job with a wish. *met says whether the place is one that it wishes for:
 * the first of the boxes by torus_decide(), or else the place of torus_pool_place(), if
 * that is near. Returns 1 with that place, or with that of torus_pool_place() and *met
 * false.
 */
int torus_pool_place_wished(torus_pool_t *pool, const torus_job_need_t *need,
			    const uint64_t *const *among, bool *met, torus_error_t *err);

/*
 * A box of exactly need->nodes nodes, of need->wish->shapes, as above: 1, 0 or -1.
 */
int torus_pool_place_box(torus_pool_t *pool, const torus_job_need_t *need,
			 const uint64_t *const *among, torus_error_t *err);

/* Take [count] ranks from [first] on, which are all free; give back ranks that are not.
 */
void torus_pool_take(torus_pool_t *pool, int torus, uint32_t first, uint32_t count);
void torus_pool_give(torus_pool_t *pool, int torus, uint32_t first, uint32_t count);

#endif
