/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of place/ share. Not to be included from elsewhere. */
#ifndef TORUS_PLACE_PRIVATE_H
#define TORUS_PLACE_PRIVATE_H

#include "place/allocator.h"

/*
 * The arrays live behind the struct, in the same block. Between decisions every entry of
 * `tally` is zero; `edge` holds whatever the last decision left: if `edges` is not 0, the
 * runs of `seen`.
 */
struct torus_placer {
	uint32_t ranks;
	uint32_t edges;	    /* how many edge[] has of the runs of [seen]; 0: not known */
	uint64_t *seen;	    /* [TORUS_WORDS(ranks)] free ranks, see runs.c */
	uint32_t *edge;	    /* [ranks + 1] where free runs begin and end, or free ranks */
	uint32_t *tally;    /* [ranks + 1] number of intervals of each length */
	torus_site_t *site; /* NULL until a strategy looks at the machine */
};

/* The allocator that the request names. */
static inline const torus_allocator_t *
torus_allocator_of(const torus_place_request_t *request)
{
	return request->allocator ? request->allocator : &torus_best_fit;
}

/* The part of torus_place() for requests with at least one required rank. */
bool torus_place_required(torus_placer_t *placer, const uint64_t *free,
			  const torus_place_request_t *request, uint32_t *chosen,
			  torus_placement_t *placement);

/*
 * A decision without weights, by any strategy: rule 1 of torus_place_weighted(). Returns
 * as that does.
 */
int torus_place_by_strategy(torus_placer_t *placer, const uint64_t *free,
			    const torus_place_request_t *request, uint32_t *chosen,
			    torus_placement_t *placement, torus_error_t *err);

/*
 * The weights of the ranks that are set in [free] and not in [required] (NULL: none), as
 * *count of them, ascending. To be freed; NULL: out of memory. O(ranks log ranks).
 */
uint64_t *torus_weights_ascending(const uint64_t *free, const uint64_t *required,
				  const uint64_t *weights, uint32_t ranks,
				  uint32_t *count);

#endif
