/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buddy: the smallest square block with side 2^k that holds the job, at a multiple of its
 * side. "A Two-Dimensional Buddy System for Dynamic Resource Allocation in a
 * Partitionable Mesh Connected System" (Li, Cheng, 1991); in three dimensions cubes, and
 * so on.
 *
 * The block is cut out of the smallest free block that is large enough. In the paper a
 * job gets the whole block. Here it gets the first n nodes of it in Morton order, so that
 * the rest is blocks again.
 */
#include "strategies/blocks.h"
#include "strategies/strategies.h"

int torus_buddy(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	torus_blocks_t blocks;
	uint32_t block;
	int level = 0, placed = -1;

	(void)score;
	if (torus_blocks_begin(&blocks, ask->site, err))
		goto out;
	placed = 0;
	while (level < blocks.levels && torus_blocks_nodes(&blocks, level) < ask->nodes)
		level++;
	if (level < blocks.levels && torus_blocks_take(&blocks, level, &block)) {
		torus_blocks_fill(&blocks, level, block, ask->nodes);
		placed = 1;
	}
out:
	torus_blocks_clear(&blocks);
	return placed;
}
