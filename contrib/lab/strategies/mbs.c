/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mbs, the multiple buddy strategy: n is written in base 4, n = sum of d(i) * 4^i, and
 * the job gets d(i) square blocks with side 2^i. "Noncontiguous Processor Allocation
 * Algorithms for Mesh-Connected Multicomputers" (Lo, Windisch, Liu, Nitzberg, 1997). In
 * three dimensions base 8 and cubes, generally 2^d.
 *
 * From the largest size down, the job gets a free block of the size wanted, or one cut
 * out of the smallest larger free block, or else 2^d times as many of the next smaller
 * size. Where routers have up to K nodes, the blocks are of whole routers. The remaining
 * n modulo K nodes come last, from routers already in use first, in row-major order.
 */
#include "strategies/blocks.h"
#include "strategies/strategies.h"

/*
 * Take up to [count] nodes of routers that are partly in use. Returns how many are
 * missing.
 */
static uint32_t take_single(torus_site_t *site, uint32_t count)
{
	for (uint32_t cell = 0; cell < site->cells && count; cell++) {
		if (site->free_on[cell] && !torus_site_whole(site, cell))
			count -= torus_site_take(site, cell, count);
	}
	return count;
}

int torus_mbs(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	uint32_t left = ask->nodes, block;
	torus_blocks_t blocks;
	int level, placed = -1;

	(void)score;
	if (torus_blocks_begin(&blocks, ask->site, err))
		goto out;
	/* What one level cannot give, the levels below it must. */
	for (level = blocks.levels - 1; level >= 0; level--) {
		uint64_t nodes = torus_blocks_nodes(&blocks, level);

		while (left >= nodes && torus_blocks_take(&blocks, level, &block))
			left -= torus_blocks_fill(&blocks, level, block, (uint32_t)nodes);
	}
	left = take_single(ask->site, left);
	while (left && torus_blocks_take(&blocks, 0, &block))
		left -= torus_site_take(ask->site, block, left);
	placed = 1;
out:
	torus_blocks_clear(&blocks);
	return placed;
}
