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
	int verified;  /* places so far */
	uint64_t work; /* of the request's most_work, left */
	torus_error_t *err;
} torus_deciding_t;

/* Whether the verifier accepts the placement. */
bool torus_deciding_verify(const torus_deciding_t *d);

/* After a refusal: whether the verifier has taken away candidates for it. */
bool torus_deciding_narrow(torus_deciding_t *d);

/*
 * The kinds of decisions, as torus_decide(): one interval, or a box of the shape in
 * request->cluster; the request's shapes, each in turn by the former; anything.
 */
torus_outcome_t torus_decide_strictly(torus_deciding_t *d);
torus_outcome_t torus_decide_shapes(torus_deciding_t *d);
torus_outcome_t torus_decide_freely(torus_deciding_t *d);

#endif
