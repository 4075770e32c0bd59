/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which links of the network the messages within a job use.
 *
 * A link is a directed channel from a router to one next to it: on a mesh of k routers a
 * dimension has k-1 upward (to the next higher coordinate) and k-1 downward, on a ring k
 * of each. Routing is dimension-order, and minimal: a message first corrects its x
 * coordinate, then y, and so on; in a wrapped dimension it goes the shorter way, and
 * upward where both are equally long (so a ring of two routers has only its upward
 * channels in use). Every cell has a router, whether nodes hang on it or not. Messages
 * between nodes of one router use no link.
 *
 * Routing: Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor
 * Interconnection Networks" (1987).
 */
#ifndef TORUS_MEASURES_LINKS_H
#define TORUS_MEASURES_LINKS_H

#include <stddef.h>

#include "geometry/geometry.h"

/*
 * Number of a link, 0 .. torus_links_total()-1: that which leaves the router [cell] along
 * [axis], upward or [down]. The links of one dimension and direction stand together,
 * those of a line of routers after each other by the coordinate. Also defined for the
 * channels that the ends of a mesh do not have.
 */
uint32_t torus_link_number(const torus_geometry_t *geometry, uint32_t cell, int axis,
			   bool down);

/* 2 * dims * cells: at most 12 * TORUS_MAX_CELLS, which is inside 32 bits. */
uint32_t torus_links_total(const torus_geometry_t *geometry);

/* Links first .. first+count-1. */
typedef struct torus_link_range {
	uint32_t first, count;
} torus_link_range_t;

/* A set of links; {0} is the empty one. */
typedef struct torus_links {
	torus_link_range_t *range; /* [ranges] no link is in two */
	size_t ranges;
	size_t room;	/* private */
	uint32_t count; /* links */
} torus_links_t;

/*
 * Find the links that messages between all ordered pairs of cells[0 .. n-1] use (n >= 1,
 * in any order, repetitions allowed). Exact, without looking at pairs of cells.
 *
 * In dimension d a message from s to t is on the line that has t's coordinates in the
 * dimensions before d and s's in those behind d, and goes from s_d to t_d. So the lines
 * in use are all combinations of a prefix of some member with a suffix of some member,
 * and on each the sources are the s_d of all members with this suffix, the destinations
 * the t_d of all with this prefix, in all combinations. The union of their routes on the
 * line takes one walk through both.
 *
 * Time O(n) a byte of the cell numbers, and for each dimension the sum over the lines in
 * use of their sources and destinations, which is O(n) for a box. Returns 0, and then
 * [links] is to be cleared by the caller; or -1 with [err] filled (memory), [links]
 * empty.
 */
int torus_links_used(const torus_geometry_t *geometry, const uint32_t *cells, uint32_t n,
		     torus_links_t *links, torus_error_t *err);

/* Free what *links holds. It is empty then. */
void torus_links_clear(torus_links_t *links);

#endif
