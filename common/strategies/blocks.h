/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of the buddy strategies: squares (cubes ...) of whole routers with sides
 * 2^level at multiples of that side, of which 2^d make one of the next level. Dimensions
 * of length 1 do not count in d. Private to strategies/.
 */
#ifndef TORUS_STRATEGIES_BLOCKS_H
#define TORUS_STRATEGIES_BLOCKS_H

#include "place/site.h"

#define TORUS_BLOCK_LEVELS 29 /* a side is at most 2^28 cells */

typedef struct torus_blocks {
	torus_site_t *site;
	int dims;			   /* that count */
	int levels;			   /* of blocks that the machine has, from 0 on */
	struct torus_block_level {	   /* private */
		torus_geometry_t geometry; /* a cell of it is a block */
		uint8_t *whole;		   /* [blocks] whether it is free, all of it */
		uint32_t apart;	   /* free blocks that are in no larger free one */
		uint32_t earliest; /* of these there is none before this number */
	} level[TORUS_BLOCK_LEVELS];
} torus_blocks_t;

/*
 * Find the free blocks of the decision that [site] has begun. Returns 0, or -1 with [err]
 * filled (memory); to be cleared in both cases. O(cells).
 */
int torus_blocks_begin(torus_blocks_t *blocks, torus_site_t *site, torus_error_t *err);
void torus_blocks_clear(torus_blocks_t *blocks);

/* Nodes of a block: 2^(d * level) times those of a full router. */
uint64_t torus_blocks_nodes(const torus_blocks_t *blocks, int level);

/*
 * Take a block of [level], below levels, out of the free ones. It is the first in
 * row-major order of those that are part of no larger free block; if there is none, the
 * first part of a block of the smallest larger level that has one. Returns whether there
 * is one, and its number among the blocks of the level (of level 0, the cell's).
 */
bool torus_blocks_take(torus_blocks_t *blocks, int level, uint32_t *block);

/*
 * Give the job the first [count] nodes of a block that was taken, in Morton order: one
 * part of it after the other. Returns how many these are, fewer than [count] if the block
 * has no more.
 */
uint32_t torus_blocks_fill(const torus_blocks_t *blocks, int level, uint32_t block,
			   uint32_t count);

#endif
