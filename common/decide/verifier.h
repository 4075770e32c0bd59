/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whoever has the last word about a place: Slurm's plugin, or a test's stand-in for it.
 *
 * The engine knows which nodes are near each other, the verifier everything else. It is
 * asked only what is in this table.
 */
#ifndef TORUS_DECIDE_VERIFIER_H
#define TORUS_DECIDE_VERIFIER_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/cluster_place.h"

typedef struct torus_verifier {
	void *context; /* handed to each function */
	/*
	 * Whether the job may have the nodes of [placement], the answer to [request],
	 * with the parts in the placer. The first yes ends the decision. NULL: every
	 * place will do.
	 */
	bool (*verify)(void *context, const torus_cluster_request_t *request,
		       const torus_cluster_placement_t *placement);
	/*
	 * Write to has[] how much of each kind the node with this number on [torus] (or
	 * TORUS_ELSEWHERE) has for the job: not less than it could get there. Asked for
	 * candidates only; may be NULL where the need has no kinds.
	 */
	void (*has)(void *context, int torus, uint32_t number, uint64_t *has);
	/*
	 * After a refusal: clear from the candidates' bitmaps, in place, the nodes that
	 * verify() accepts in no place at all. Whether some had to go. NULL: not known.
	 */
	bool (*narrow)(void *context);
	/*
	 * Whether the job could run on [torus] alone one day, on what it may have there.
	 * Only asked where there are several tori. NULL: never.
	 */
	bool (*could_ever_run)(void *context, int torus);
} torus_verifier_t;

#endif
