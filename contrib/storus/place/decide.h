/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision of storus place: which of the free nodes a job gets. */
#ifndef STORUS_PLACE_DECIDE_H
#define STORUS_PLACE_DECIDE_H

#include <stdint.h>

#include "machine/cluster_place.h"
#include "storus/place/candidates.h"
#include "storus/place/options.h"

/* The options understood, and the decision. */
typedef struct storus_place {
	storus_candidates_t candidates;
	uint64_t nodes;		      /* 0: not given */
	uint32_t segment;	      /* 0: not given, or single nodes */
	const torus_shapes_t *shapes; /* of the options; count 0 without --shape */
	torus_cluster_placer_t *placer;
	torus_cluster_placement_t placement;
} storus_place_t;

/*
 * Open the machine of [options], find out what they mean on it, and choose. Returns a
 * status of commands.h, message printed unless STORUS_OK. In every case *place is to be
 * cleared with storus_place_clear().
 */
int storus_place_decide(const storus_place_options_t *options, storus_place_t *place);

void storus_place_clear(storus_place_t *place);

#endif
