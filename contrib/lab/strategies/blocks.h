/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of the buddy strategies: squares (cubes ...) of whole routers. A block of
 * some level has sides 2^level and stands at multiples of that side; 2^d of them make one
 * block of the next level. Dimensions of length 1 do not count in d. Private to
 * strategies/.
 */
#ifndef TORUS_STRATEGIES_BLOCKS_H
#define TORUS_STRATEGIES_BLOCKS_H

#include "place/site.h"

#define TORUS_BLOCK_LEVELS 29 /* a side is at most 2^28 cells */

typedef struct torus_blocks {
	torus_site_t *site;
	int dims;		   /* number of dimensions that count: d */
	int levels;		   /* levels of blocks on the machine: 0 .. levels-1 */
	struct torus_block_level { /* private */
		torus_geometry_t geometry; /* a cell of it is a block */
		uint8_t *whole;		   /* [blocks] whether all of the block is free */
		uint32_t apart; /* number of free blocks that are in no larger free one */
		uint32_t earliest; /* none of these has a lower number */
	} level[TORUS_BLOCK_LEVELS];
} torus_blocks_t;

/*
 * Find the free blocks for the decision that [site] has begun. Returns 0, or -1 with
 * [err] filled (memory); must be cleared in both cases. O(cells).
 */
int torus_blocks_begin(torus_blocks_t *blocks, torus_site_t *site, torus_error_t *err);
void torus_blocks_clear(torus_blocks_t *blocks);

/* Nodes of a block: 2^(d * level) times those of a full router. */
uint64_t torus_blocks_nodes(const torus_blocks_t *blocks, int level);

/*
 * Take a free block of [level] (below levels): the first in row-major order of those that
 * are in no larger free block; if there is none, the first part of a free block of the
 * lowest higher level that has one. Returns whether there is one, and its number among
 * the blocks of [level] (at level 0 the cell).
 */
bool torus_blocks_take(torus_blocks_t *blocks, int level, uint32_t *block);

/*
 * Give the job the first [count] nodes, in Morton order, of a block that was taken.
 * Returns how many it got: fewer than [count] if the block has no more.
 */
uint32_t torus_blocks_fill(const torus_blocks_t *blocks, int level, uint32_t block,
			   uint32_t count);

#endif
