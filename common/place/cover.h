/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces that have no rank in common, found by trying: what cuts a set of ranks into
 * segments, and what finds segments among free ranks where putting them together one
 * after the other (place/segments.h) does not.
 *
 * Private to place/.
 */
#ifndef TORUS_PLACE_COVER_H
#define TORUS_PLACE_COVER_H

#include "place/pieces.h"

typedef enum torus_covering {
	TORUS_COVER_ERROR = -1,
	TORUS_NOT_COVERED, /* proved */
	TORUS_COVERED,
	TORUS_COVER_GAVE_UP,
} torus_covering_t;

/*
 * Find [count] (>= 1) of the [pieces] of those set in [ranks], no two of which have a
 * rank in common, and write their numbers into covered[0 .. count-1]. There are at least
 * as many ranks as these have together. All ranks set in [required], a part of these, are
 * in them; NULL: none has to be.
 *
 * If they have all of the ranks, the lowest that is left each time gets the piece with
 * the fewest hops that has it and none that is gone, with a way back, until
 * TORUS_CUT_STEPS pieces were tried; then, instead of the lowest rank, the one that has
 * the fewest pieces left, until TORUS_CUT_MORE_STEPS were (place/segments.h). If some
 * ranks are left over, that is done with TORUS_PACK_STEPS at once, and a rank may also be
 * given up, as long as enough remain. All of this ends, too, when the looks of the site
 * (place/segments.h) do.
 *
 * TORUS_COVER_ERROR: [err] is filled (memory).
 */
#define TORUS_PACK_STEPS 50000
torus_covering_t torus_pieces_cover(const torus_pieces_t *pieces, const uint64_t *ranks,
				    const uint64_t *required, uint32_t count,
				    uint32_t *covered, torus_error_t *err);

/*
 * The same for the [required] ranks alone: as many pieces, up to [count], as it takes to
 * have all of these. For each rank the pieces with most of them are tried first. Their
 * number is *taken; TORUS_NOT_COVERED: so many pieces never have them all.
 */
torus_covering_t torus_pieces_cover_required(const torus_pieces_t *pieces,
					     const uint64_t *ranks,
					     const uint64_t *required, uint32_t count,
					     uint32_t *covered, uint32_t *taken,
					     torus_error_t *err);

#endif
