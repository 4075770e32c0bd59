/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decision where a job runs: the engine names a place, somebody verifies it, what a
 * refusal teaches is kept in mind, and another place is named. Behind both plugins; knows
 * no Slurm.
 *
 * A *strict* job must have one interval of a curve or a box. For it every place that
 * meets the need is named in turn, within bounds, so that "there is none" can be proved.
 * The first place is the one of torus_cluster_place() among nodes that have an even share
 * of what is needed in all (for a box: among all candidates), if it meets the need; then
 * come the others in the order of decide/places.h. Where one of several boxes will do,
 * all places of the first come before those of the next; where any will do, the numbers
 * of nodes come in the order of torus_wanted_distance(). Each of these but the last has
 * half of the verifications that are left.
 *
 * A job of segments (place/segments.h) is strict, too, but there are more ways to put
 * pieces together than could be named in turn: for each number of nodes that can be cut
 * into segments, in the order of torus_wanted_distance(), the place is the one of
 * torus_cluster_place() among nodes with an even share, then among all. Below the number
 * wanted the largest that has a place is found by bisection. TORUS_NO_PLACE says that
 * there are no such segments, whatever the nodes have in all.
 *
 * Any other job gets the choice of torus_cluster_place(), or after a refusal that among
 * the candidates that are left, or none: a place for it is easily found by others. One
 * that counts its nodes with features gets nodes of one torus that are near each other
 * (place/featured.h), if that choice has not enough of them.
 */
#ifndef TORUS_DECIDE_H
#define TORUS_DECIDE_H

#include "base/error.h"
#include "decide/need.h"
#include "decide/verifier.h"

typedef enum torus_outcome {
	TORUS_OUTCOME_ERROR = -1, /* memory, or a strategy that does not suit its torus */
	TORUS_NO_PLACE,		  /* proved; only for strict jobs */
	TORUS_PLACE_FOUND,
	TORUS_UNDECIDED, /* none found, but there may be one */
} torus_outcome_t;

typedef struct torus_decide_request {
	/* Contiguous, candidates, elsewhere, seed: as there. The segment, too; with
	 * shapes or contiguous, and for a number of nodes that is not more than one
	 * segment, it says no more than that a number has to be a multiple of it. The
	 * rest does not matter. */
	torus_cluster_request_t cluster;
	/* The boxes that will do, the first of which there is a place comes first; NULL:
	 * none is asked for. Not with contiguous. */
	const torus_shapes_t *shapes;
	/*
	 * How many nodes: the number wanted, or if there are too few (a strict job: if no
	 * interval, and no box of any sides, holds so many) the most below it, and more
	 * where it takes more to have enough in all. A box of a shape must have a number
	 * of nodes in the range. 1 <= min_nodes <= wanted_nodes <= max_nodes.
	 */
	uint32_t min_nodes, wanted_nodes, max_nodes;
	const torus_need_t *need;
	/* The bounds for a strict job: places verified, and numbers looked at by the
	 * searches (decide/intervals.h, decide/boxes.h). So many looks there may also be
	 * at pieces for segments (place/segments.h) or at nodes with features
	 * (place/featured.h). */
	int most_verified;
	uint64_t most_work;
	/* Where more places are found than may be verified, which of them are beside the
	 * best ones: others for another number, so that who asks again and again with
	 * numbers that go up has asked about all. */
	uint32_t turn;
} torus_decide_request_t;

/* All questions about one job. */
typedef struct torus_decider {
	torus_cluster_placer_t *placer;
	const torus_verifier_t *verifier;
	enum {
		TORUS_CONFINEMENT_UNKNOWN,
		TORUS_CONFINED,
		TORUS_UNCONFINED
	} confinement; /* private */
} torus_decider_t;

/*
 * Decide. With TORUS_PLACE_FOUND the verifier has said yes to *placement, with the parts
 * in the placer, last of all places. It has all required nodes, and each of its nodes
 * what the need says of each; a strict job's place also has what it says of all together.
 */
torus_outcome_t torus_decide(torus_decider_t *decider,
			     const torus_decide_request_t *request,
			     torus_cluster_placement_t *placement, torus_error_t *err);

/*
 * With several tori: whether the job has to stay within one, because there is one on
 * which it could run one day. The verifier is asked once for all questions.
 */
bool torus_decider_is_confined(torus_decider_t *decider);

#endif
