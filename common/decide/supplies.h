/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the candidates of a decision have, and which of them have enough for one node of
 * the job. Private to decide/.
 */
#ifndef TORUS_DECIDE_SUPPLIES_H
#define TORUS_DECIDE_SUPPLIES_H

#include "base/error.h"
#include "decide/decide.h"

/* The nodes of a torus, or elsewhere. */
typedef struct torus_stock {
	uint32_t nodes;
	uint64_t *has;	  /* [nodes * kinds]; NULL where there are no kinds */
	uint64_t *usable; /* candidates that have what each node must have; NULL where
			   * there are no kinds: all have */
	uint64_t *shared; /* those of them with an even share; made when first needed */
} torus_stock_t;

typedef struct torus_supplies {
	int tori;
	torus_stock_t *stock; /* [tori + 1] the last one elsewhere */
	uint64_t least[TORUS_MAX_KINDS], most[TORUS_MAX_KINDS]; /* of usable nodes */
	torus_candidates_t *torus;	 /* [tori] what is to be placed on, see below */
	torus_cluster_request_t cluster; /* the request with these */
} torus_supplies_t;

/*
 * Ask the verifier what the candidates of [request] have. 0, or -1 with [err] filled.
 * Either way to be freed.
 */
int torus_supplies_load(torus_supplies_t *supplies, const torus_decider_t *decider,
			const torus_decide_request_t *request, torus_error_t *err);
void torus_supplies_free(torus_supplies_t *supplies);

/* Take the candidates anew, after some of them have gone. */
void torus_supplies_narrow(torus_supplies_t *supplies,
			   const torus_decide_request_t *request);

/*
 * Put into supplies->cluster, as candidates, all usable nodes; or those with an even
 * share of what is needed when the job is on [nodes], and the required ones; or those
 * with a feature that is counted, and the required ones. 0, or -1 with [err] filled
 * (memory).
 */
void torus_supplies_use_all(torus_supplies_t *supplies,
			    const torus_decide_request_t *request);
int torus_supplies_use_shares(torus_supplies_t *supplies,
			      const torus_decide_request_t *request, uint32_t nodes,
			      torus_error_t *err);

int torus_supplies_use_featured(torus_supplies_t *supplies,
				const torus_decide_request_t *request,
				torus_error_t *err);

/* The candidates in supplies->cluster on torus [t], or elsewhere with [t] = tori. */
uint32_t torus_supplies_count(const torus_supplies_t *supplies, int t);

/* Whether the placement, with its parts in [placer] and on one torus, has enough in all.
 */
bool torus_supplies_suffice(const torus_supplies_t *supplies, const torus_need_t *need,
			    const torus_cluster_placer_t *placer,
			    const torus_cluster_placement_t *placement);

#endif
