/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One decision on its way; private to decide/. */
#ifndef TORUS_DECIDE_PRIVATE_H
#define TORUS_DECIDE_PRIVATE_H

#include "decide/supplies.h"

typedef struct torus_deciding {
	torus_decider_t *decider;
	const torus_decide_request_t *request;
	torus_supplies_t supplies;
	torus_cluster_placement_t *placement;
	int verified;	/* places so far */
	int most_now;	/* of the request's most_verified, for what is tried now */
	uint64_t work;	/* of the request's most_work, left */
	uint64_t looks; /* the same, of looks at pieces and at nodes with features */
	bool unproved;	/* segments: a place was found that has not enough in all, or not
			 * all ways to put them together were tried */
	torus_error_t *err;
} torus_deciding_t;

/* The nodes required, on all tori and elsewhere. */
uint32_t torus_deciding_required(const torus_deciding_t *d);

/* Whether the verifier accepts the placement, and it can be cut into segments. */
bool torus_deciding_verify(const torus_deciding_t *d);

/* After a refusal: whether the verifier has taken away candidates for it. */
bool torus_deciding_narrow(torus_deciding_t *d);

/*
 * The kinds of decisions, as torus_decide(): one interval, or a box of the shape in
 * request->cluster; the request's shapes, each in turn by the former; segments; anything.
 */
torus_outcome_t torus_decide_strictly(torus_deciding_t *d);
torus_outcome_t torus_decide_shapes(torus_deciding_t *d);
torus_outcome_t torus_decide_segments(torus_deciding_t *d);
torus_outcome_t torus_decide_freely(torus_deciding_t *d);

/* Of jobs that may be anywhere, as are their segments: the engine's choice of [nodes] of
 * the candidates in d->supplies.cluster, spread over tori if it must be: 1, 0, or -1. */
int torus_deciding_choose(torus_deciding_t *d, uint32_t nodes);
/* The same for a job that counts nodes with features: the engine's choice if it has as
 * many of them, else nodes of one torus that are near each other (place/featured.h). */
int torus_deciding_choose_featured(torus_deciding_t *d, uint32_t nodes);
/* The fewest nodes that could have enough in all; 0: no number of them. */
uint32_t torus_deciding_fewest(const torus_deciding_t *d);
/* The next larger number of nodes than [nodes] with a smaller even share; 0: none. */
uint32_t torus_deciding_next_share(const torus_need_t *need, uint32_t nodes);

#endif
