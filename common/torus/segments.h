/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segments on one torus, whatever it is made of: as place/segments.h has them, or on a
 * machine of cubes by the rules below. There a cube is what a base block is to Slurm's
 * topology/block: links beyond it are there only where whole cubes are joined. So a
 * segment is one or more whole cubes, where so many have its nodes; or it is within one
 * cube, where that is an interval of the ranks of this cube, or a box, such as all nodes
 * of a cube with holes. Others are none.
 */
#ifndef TORUS_TORUS_SEGMENTS_H
#define TORUS_TORUS_SEGMENTS_H

#include "place/segments.h"

/* Where the segments of a job may be that are smaller than a cube, after sbatch's
 * --spread-segments and --consolidate-segments; of larger ones nothing is said. */
typedef enum torus_segments_where {
	TORUS_SEGMENTS_ANYWHERE,
	TORUS_SEGMENTS_SPREAD,	     /* no two in the same cube */
	TORUS_SEGMENTS_CONSOLIDATED, /* all in one cube, if one has room for the job: the
				      * next larger block is the machine */
} torus_segments_where_t;

/*
 * torus_segments_place_weighted(); [where] counts on a machine of cubes. There segments
 * of whole cubes get those with required ranks, then those of lowest weight, then lowest
 * number. Others fill cubes, those with the fewest free nodes first (ties: the lowest
 * number): each gets as many as torus_segments_place() finds in it, but so many are left
 * for the cubes with required ranks as these need; if nodes have weights, among those up
 * to the lowest weight with which that finds enough. The hops within are those in the
 * cube, or on the torus that the cubes of a segment are joined to; hops->all are on the
 * job's own torus (torus/joined.h).
 *
 * Returns as that does; 0 also for segments of another size.
 */
int torus_choose_segments(const torus_segments_site_t *site, const uint64_t *free_ranks,
			  const uint64_t *weights, uint32_t size, uint32_t count,
			  torus_segments_where_t where, uint32_t *chosen,
			  torus_segments_hops_t *hops, torus_error_t *err);

/*
 * torus_segments_in_intervals(); on either machine as many are always found by
 * torus_choose_segments(). Returns 0, or -1 with [err] filled (memory).
 */
int torus_count_segments(const torus_segments_site_t *site, const uint64_t *free_ranks,
			 uint32_t size, torus_segments_where_t where, uint32_t *count,
			 torus_error_t *err);

/*
 * torus_segments_cut(); of cubes the whole ones by ascending numbers, nodes of one
 * cube among themselves. If the set is not made of segments, the grid is cut, and *pieces
 * is false; [where] is not looked at.
 */
int torus_cut_segments(const torus_segments_site_t *site, const uint32_t *set,
		       uint32_t size, uint32_t count, uint32_t *order, bool *pieces,
		       torus_segments_hops_t *hops, torus_error_t *err);

#endif
