/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes that are near each other, so many of them with one feature and so many with
 * another.
 */
#ifndef TORUS_PLACE_FEATURED_H
#define TORUS_PLACE_FEATURED_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/geometry.h"

#define TORUS_FEATURED_MOST 6

/* What is asked for. Borrowed. */
typedef struct torus_featured {
	const torus_geometry_t *geometry;
	const uint32_t *cell_of_rank; /* [ranks] */
	uint32_t ranks;
	const uint64_t *free;	  /* bitmap of ranks */
	const uint64_t *required; /* bitmap of ranks that must be chosen; NULL: none */
	const uint64_t *weights;  /* [ranks], the lowest first; NULL: all the same */
	int features;		  /* 1 .. TORUS_FEATURED_MOST */
	const uint8_t *has;	  /* [ranks] bit i: the node has feature i */
	uint32_t count[TORUS_FEATURED_MOST]; /* nodes with each, each counted for one */
	uint32_t nodes;			     /* in all, at least 1 */
	uint64_t *work; /* looks at nodes that are left, of which each question takes what
			 * it needs; with none left it looks around one node only. NULL:
			 * each has TORUS_FEATURED_WORK. */
} torus_featured_t;

/*
 * Choose the nodes. Those of lowest weight are taken, as far as the features allow.
 *
 * Around each free rank, or evenly spread ones if they are more than the work bound
 * allows, the nearest nodes are taken that leave room for what is missing: that is the
 * set with the fewest hops to this one (the sets that can be completed are those of a
 * matroid). Of these sets the one with the smallest summed distance is taken. Then single
 * nodes are exchanged as long as that makes it smaller, and no weight larger.
 *
 * Returns 1 with chosen[0 .. nodes-1], ascending; 0: there are no such nodes; -1 with
 * [err] filled (memory).
 */
#define TORUS_FEATURED_WORK (UINT64_C(1) << 21)
int torus_featured_place(const torus_featured_t *ask, uint32_t *chosen,
			 torus_error_t *err);

#endif
