/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segments: a job that asks for --segment=N gets pieces of N nodes each: an interval of
 * the curve, or a box. Within each the nodes are as near to each other as can be; that
 * the segments are near each other comes second, as in Slurm's topology/block, where a
 * segment has to be within a block and a job's segments may be in any.
 */
#ifndef TORUS_PLACE_SEGMENTS_H
#define TORUS_PLACE_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"
#include "metrics/span.h"

/* The machine: ranks cell_of_rank[0 .. ranks-1], ranks >= 1. Borrowed. */
typedef struct torus_segments_site {
	const torus_geometry_t *geometry;
	const uint32_t *cell_of_rank;
	uint32_t ranks;
	torus_span_t span; /* whether an interval may go around the end */
	/* Bitmap of ranks that a choice must have, all of them free; NULL: none. What
	 * cuts and counts does not look at it. */
	const uint64_t *required;
	/* What matters is whether there is a choice: the first one found will do, and
	 * weights and hops do not count. */
	bool whether;
	/*
	 * How many looks at pieces and at their ranks are left, for this question and
	 * those after it; each takes away what it needed. With none left there is still a
	 * choice wherever the intervals hold enough segments and no rank is required.
	 * NULL: each question has its own TORUS_SEGMENTS_WORK, and the steps below.
	 */
	uint64_t *work;
} torus_segments_site_t;

/* How compact a choice is. */
typedef struct torus_segments_hops {
	uint64_t within; /* summed distance in each segment, of all segments together */
	uint64_t all;	 /* summed distance of all nodes */
	/* Set, if none were found although not all ways to put them together were tried:
	 * there may be some. Never cleared. */
	bool gave_up;
} torus_segments_hops_t;

/*
 * How many segments of [size] (>= 1) ranks the intervals of those set in [free_ranks]
 * hold. As many are always found by torus_segments_place(). O(words + intervals).
 */
uint32_t torus_segments_in_intervals(const torus_segments_site_t *site,
				     const uint64_t *free_ranks, uint32_t size);

/*
 * Choose [count] segments of [size] nodes each, both >= 1, among the ranks set in
 * [free_ranks]. chosen[] (room for all ranks) receives the ranks, ascending.
 *
 * Pieces (place/pieces.h) are put together, beginning with one of the most compact. In
 * turn the piece comes whose middle has the fewest hops to the middles of those before,
 * among pieces that have no node of these and are in the most compact class that has
 * such a one: those with the fewest hops within, with up to 1/8 more than these, up to
 * 1/4, 1/2, twice as many, any. Ties: the order of the pieces. This is done from several
 * beginnings, evenly spread over the first class, from as many as TORUS_SEGMENTS_WORK
 * looks at pieces allow; the result with the fewest hops within is taken, then the one
 * with the fewest between all nodes, then the first.
 *
 * If that finds too few pieces, or the first beginning already takes more looks, the
 * intervals are cut: each free interval from the place on at which its segments have the
 * fewest hops within, and of all segments on the line those [count] successive ones are
 * taken which have the smallest span; ties: the first. If these are too few, too, pieces
 * that do not overlap are looked for by trying (place/cover.h), whatever their hops.
 *
 * If ranks are required, pieces come first that have all of them (place/cover.h), then
 * others, as from one beginning; if that finds too few, pieces that do not overlap are
 * looked for by trying. No interval is cut.
 *
 * With site->whether the first segments of the intervals are taken, if these hold enough;
 * else it is as above, but the first beginning that gives enough ends it.
 *
 * Returns 1; 0, with at most hops->gave_up written, if none finds enough segments: then
 * there are not as many, unless the last ran out of steps, which that says; -1 with [err]
 * filled (memory). Time as torus_pieces_list() and TORUS_SEGMENTS_WORK or site->work.
 */
#define TORUS_SEGMENTS_WORK (UINT64_C(1) << 22)
int torus_segments_place(const torus_segments_site_t *site, const uint64_t *free_ranks,
			 uint32_t size, uint32_t count, uint32_t *chosen,
			 torus_segments_hops_t *hops, torus_error_t *err);

/*
 * The same where nodes have weights, weights[rank]; NULL: all the same. The lowest
 * weight w is looked for, by bisection, for which the ranks of weight up to w, and those
 * required, have a choice as with site->whether; half of site->work is for that.
 */
int torus_segments_place_weighted(const torus_segments_site_t *site,
				  const uint64_t *free_ranks, const uint64_t *weights,
				  uint32_t size, uint32_t count, uint32_t *chosen,
				  torus_segments_hops_t *hops, torus_error_t *err);

/* A choice of so many nodes among those set in a bitmap, with [site]'s whether and work;
 * returns as torus_segments_place(). */
typedef int (*torus_segments_choose_t)(void *context, const torus_segments_site_t *site,
				       const uint64_t *free_ranks, uint32_t *chosen,
				       torus_segments_hops_t *hops, torus_error_t *err);

/*
 * The same by any such choice of [nodes] nodes. Returns as [choose] does.
 */
int torus_segments_lowest_weight(const torus_segments_site_t *site,
				 const uint64_t *free_ranks, const uint64_t *weights,
				 uint32_t nodes, torus_segments_choose_t choose,
				 void *context, uint32_t *chosen,
				 torus_segments_hops_t *hops, torus_error_t *err);

/*
 * Cut a job's ranks, set[0 .. count*size-1], ascending, into [count] segments:
 * in order[] they come segment by segment, the segment with the lowest rank first, the
 * ranks of each ascending.
 *
 * If the set can be covered by pieces, it is: each time the lowest rank that is left gets
 * the piece with the fewest hops that has it and none that is gone, with a way back,
 * until TORUS_CUT_STEPS pieces were tried; then, instead of the lowest rank, the one that
 * has the fewest pieces left, until TORUS_CUT_MORE_STEPS were, which was enough for each
 * of 60,000 random cases of test_segments. It is also cut along the line, from the
 * beginning of an interval on; the cut of the two with fewer hops within is taken, one
 * into pieces before one that is not. *pieces: whether each segment is a piece.
 *
 * Returns 0, or -1 with [err] filled (memory).
 */
#define TORUS_CUT_STEPS 100000
#define TORUS_CUT_MORE_STEPS 2000000
int torus_segments_cut(const torus_segments_site_t *site, const uint32_t *set,
		       uint32_t size, uint32_t count, uint32_t *order, bool *pieces,
		       torus_segments_hops_t *hops, torus_error_t *err);

/* Whether a job of [nodes] can be cut into segments of [size] (>= 1): it has a multiple
 * of that, or not more than one. */
static inline bool torus_segments_divide(uint32_t nodes, uint32_t size)
{
	return nodes <= size || nodes % size == 0;
}

#endif
