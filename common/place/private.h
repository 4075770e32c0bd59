/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of placement share among themselves; nobody else includes this. */
#ifndef TORUS_PLACE_PRIVATE_H
#define TORUS_PLACE_PRIVATE_H

#include "place/place.h"

/*
 * The arrays live behind the struct, in the same block. Between decisions every entry of
 * `tally` is zero; `edge` holds whatever the last decision left.
 */
struct torus_placer {
	uint32_t ranks;
	uint32_t *edge;	 /* [ranks + 1] where free runs begin and end, or free ranks */
	uint32_t *tally; /* [ranks + 1] number of intervals of each length */
};

/* The part of torus_place() for requests with at least one required rank. */
bool torus_place_required(torus_placer_t *placer, const uint64_t *free,
			  const torus_place_request_t *request, uint32_t *chosen,
			  torus_placement_t *placement);

/* Whether the bitmap of [ranks] ranks is given and has a bit set. */
bool torus_any_required(const uint64_t *required, uint32_t ranks);

#endif
