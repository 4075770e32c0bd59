/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks of the buddy strategies: see blocks.h. */
#include "strategies/blocks.h"

#include <stdlib.h>

typedef struct torus_block_level level_t;

void torus_blocks_clear(torus_blocks_t *blocks)
{
	for (int level = 0; level < blocks->levels; level++)
		free(blocks->level[level].whole);
}

/* Whether dimension [axis] counts. */
static bool counts(const torus_blocks_t *blocks, int axis)
{
	return blocks->site->geometry.length[axis] > 1;
}

/*
 * The block one level up that contains [block]; UINT32_MAX: it would reach beyond the
 * machine.
 */
static uint32_t parent_of(const torus_blocks_t *blocks, int level, uint32_t block)
{
	const torus_geometry_t *above;
	int32_t coord[TORUS_MAX_DIMS];

	if (level + 1 == blocks->levels)
		return UINT32_MAX;
	above = &blocks->level[level + 1].geometry;
	torus_cell_to_coord(&blocks->level[level].geometry, block, coord);
	for (int axis = 0; axis < above->dims; axis++) {
		if (!counts(blocks, axis))
			continue;
		coord[axis] /= 2;
		if (coord[axis] >= above->length[axis])
			return UINT32_MAX;
	}
	return torus_coord_to_cell(above, coord);
}

/* Part number [part] (of 2^d, x first) of [block] of [level] >= 1. */
static uint32_t part_of(const torus_blocks_t *blocks, int level, uint32_t block,
			uint32_t part)
{
	int32_t coord[TORUS_MAX_DIMS];

	torus_cell_to_coord(&blocks->level[level].geometry, block, coord);
	for (int axis = 0; axis < blocks->site->geometry.dims; axis++) {
		if (!counts(blocks, axis))
			continue;
		coord[axis] = 2 * coord[axis] + (int32_t)(part & 1);
		part >>= 1;
	}
	return torus_coord_to_cell(&blocks->level[level - 1].geometry, coord);
}

/* Whether this free block is in no larger free block. */
static bool is_apart(const torus_blocks_t *blocks, int level, uint32_t block)
{
	uint32_t parent = parent_of(blocks, level, block);

	return parent == UINT32_MAX || !blocks->level[level + 1].whole[parent];
}

/* Find the free blocks of the highest level so far, from those of the level below. */
static int find_whole(torus_blocks_t *blocks, int level, torus_error_t *err)
{
	level_t *here = &blocks->level[level];
	uint32_t count = torus_geometry_cells(&here->geometry), below;
	uint32_t parts = UINT32_C(1) << blocks->dims;

	here->whole = calloc(count, 1);
	if (!here->whole)
		return torus_fail(err, "out of memory for %u blocks", count);
	if (level == 0) {
		for (uint32_t cell = 0; cell < count; cell++)
			here->whole[cell] = torus_site_whole(blocks->site, cell);
		return 0;
	}
	/* A byte is enough to count up to 2^d = 64 parts. */
	below = torus_geometry_cells(&blocks->level[level - 1].geometry);
	for (uint32_t block = 0; block < below; block++) {
		uint32_t parent;

		if (!blocks->level[level - 1].whole[block])
			continue;
		parent = parent_of(blocks, level - 1, block);
		if (parent != UINT32_MAX)
			here->whole[parent]++;
	}
	for (uint32_t block = 0; block < count; block++)
		here->whole[block] = here->whole[block] == parts;
	return 0;
}

/* Add the next level, if the machine has blocks of that size. */
static bool next_geometry(const torus_blocks_t *blocks, torus_geometry_t *geometry)
{
	if (!blocks->dims)
		return false;
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (!counts(blocks, axis))
			continue;
		geometry->length[axis] /= 2;
		if (!geometry->length[axis])
			return false;
	}
	return true;
}

int torus_blocks_begin(torus_blocks_t *blocks, torus_site_t *site, torus_error_t *err)
{
	torus_geometry_t geometry = site->geometry;

	geometry.chords = NULL; /* they are between the site's cells */
	*blocks = (torus_blocks_t){.site = site};
	for (int axis = 0; axis < geometry.dims; axis++)
		blocks->dims += counts(blocks, axis);
	do {
		int level = blocks->levels++;

		blocks->level[level].geometry = geometry;
		if (find_whole(blocks, level, err))
			return -1;
	} while (next_geometry(blocks, &geometry));
	for (int level = 0; level < blocks->levels; level++) {
		level_t *here = &blocks->level[level];
		uint32_t count = torus_geometry_cells(&here->geometry);

		for (uint32_t block = 0; block < count; block++)
			here->apart +=
				here->whole[block] && is_apart(blocks, level, block);
	}
	return 0;
}

uint64_t torus_blocks_nodes(const torus_blocks_t *blocks, int level)
{
	return (uint64_t)blocks->site->most << (blocks->dims * level);
}

/* The first free block of [level] that is in no larger free block; there is one. */
static uint32_t first_apart(level_t *here, const torus_blocks_t *blocks, int level)
{
	while (!here->whole[here->earliest] || !is_apart(blocks, level, here->earliest))
		here->earliest++;
	return here->earliest;
}

/* Mark all smaller blocks in a block that was taken as not free. */
static void take_parts(torus_blocks_t *blocks, int level, uint32_t block)
{
	for (uint32_t i = 0; level > 0 && i < UINT32_C(1) << blocks->dims; i++) {
		uint32_t part = part_of(blocks, level, block, i);

		blocks->level[level - 1].whole[part] = false;
		take_parts(blocks, level - 1, part);
	}
}

bool torus_blocks_take(torus_blocks_t *blocks, int level, uint32_t *block)
{
	int from = level;

	while (from < blocks->levels && !blocks->level[from].apart)
		from++;
	if (from == blocks->levels)
		return false;
	*block = first_apart(&blocks->level[from], blocks, from);
	blocks->level[from].whole[*block] = false;
	blocks->level[from].apart--;
	for (; from > level; from--) {
		level_t *below = &blocks->level[from - 1];

		/* The other parts are in no larger free block any more. */
		*block = part_of(blocks, from, *block, 0);
		below->whole[*block] = false;
		below->apart += (UINT32_C(1) << blocks->dims) - 1;
		if (*block < below->earliest)
			below->earliest = *block;
	}
	take_parts(blocks, level, *block);
	return true;
}

uint32_t torus_blocks_fill(const torus_blocks_t *blocks, int level, uint32_t block,
			   uint32_t count)
{
	uint32_t left = count;

	if (level == 0)
		return torus_site_take(blocks->site, block, count);
	for (uint32_t i = 0; left && i < UINT32_C(1) << blocks->dims; i++)
		left -= torus_blocks_fill(blocks, level - 1,
					  part_of(blocks, level, block, i), left);
	return count - left;
}
