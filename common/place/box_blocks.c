/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes kept in blocks: see box_blocks.h. */
#include "place/box_blocks.h"

#include <string.h>

#include "base/bitmap.h"

/* Cells of a block, at least: fewer are not worth a loop of their own. */
#define SMALL_BLOCK 32

void torus_blocks_divide(torus_blocks_t *blocks, const torus_geometry_t *geometry)
{
	blocks->geometry = geometry;
	blocks->axes = 0;
	blocks->block = 1;
	while (blocks->block < SMALL_BLOCK && blocks->axes < geometry->dims)
		blocks->block *= (size_t)geometry->length[blocks->axes++];
	blocks->count = (uint32_t)(torus_geometry_cells(geometry) / blocks->block);
}

/* Lengthen the boxes of one block: by those [step] rows on, around the end of rings. */
static void lengthen_block(const torus_blocks_t *blocks, const torus_rows_t *rows,
			   size_t step, const int32_t *from, int32_t *to)
{
	size_t size = rows->row * rows->length, ahead = rows->row * step;
	int32_t *shifted = blocks->scratch;

	memcpy(shifted, from + ahead, (blocks->block - ahead) * sizeof(*from));
	for (size_t first = 0; first < blocks->block; first += size) {
		int32_t *last = shifted + first + size - ahead;

		if (rows->wrap)
			memcpy(last, from + first, ahead * sizeof(*last));
		for (size_t i = 0; i < ahead && !rows->wrap; i++)
			last[i] = TORUS_SWEEP_NO_BOX;
	}
	torus_lower_of(to, from, shifted, blocks->block);
}

/* Lengthen the boxes of live blocks by [step] along an axis of the blocks. */
static void lengthen_within(const torus_blocks_t *blocks, const torus_rows_t *rows,
			    size_t step, const uint64_t *live, const int32_t *from,
			    int32_t *to)
{
	uint32_t block = 0;

	while ((block = torus_bitmap_next_set(live, blocks->count, block)) <
	       blocks->count) {
		size_t first = block++ * blocks->block;

		lengthen_block(blocks, rows, step, from + first, to + first);
	}
}

/* Along an axis across the blocks: blocks to a ring or line, and to a step. */
typedef struct stride {
	uint32_t ring;
	uint32_t ahead;
	bool wrap;
} stride_t;

static stride_t stride_of(const torus_blocks_t *blocks, const torus_rows_t *rows,
			  size_t step)
{
	size_t row = rows->row / blocks->block;

	return (stride_t){(uint32_t)(row * rows->length), (uint32_t)(row * step),
			  rows->wrap};
}

/* Which blocks stay live when each box needs one a step on. */
static void narrow(const torus_blocks_t *blocks, const stride_t *stride,
		   const uint64_t *from, uint64_t *to)
{
	size_t bytes = TORUS_WORDS(blocks->count) * sizeof(*from);
	uint64_t *before = blocks->before;
	uint32_t block = 0;

	memcpy(before, from, bytes);
	memcpy(to, before, bytes);
	while ((block = torus_bitmap_next_set(before, blocks->count, block)) <
	       blocks->count) {
		bool around = block % stride->ring + stride->ahead >= stride->ring;
		uint32_t other = block + stride->ahead - (around ? stride->ring : 0);

		if ((around && !stride->wrap) || !torus_bit_test(before, other))
			torus_bit_clear(to, block);
		block++;
	}
}

/* Lengthen the boxes of live blocks by a step along an axis across the blocks. None of
 * them leaves a line. */
static void lengthen_across(const torus_blocks_t *blocks, const stride_t *stride,
			    const uint64_t *live, const int32_t *from, int32_t *to)
{
	size_t size = blocks->block, bytes = size * sizeof(*from);
	uint32_t block = 0;

	while ((block = torus_bitmap_next_set(live, blocks->count, block)) <
	       blocks->count) {
		uint32_t at = block % stride->ring, other = block + stride->ahead;
		const int32_t *second = from;

		/* The beginning of a ring is needed again at its end. */
		if (to == from && at < stride->ahead)
			memcpy(blocks->scratch + block * size, from + block * size,
			       bytes);
		if (at + stride->ahead >= stride->ring) {
			other -= stride->ring;
			if (to == from && torus_bit_test(live, other))
				second = blocks->scratch;
		}
		torus_lower_of(to + block * size, from + block * size,
			       second + other * size, size);
		block++;
	}
}

/* Minimums of boxes [step] cells longer than those in [from], which are at least [step]
 * cells long: each such box is two that overlap or touch. */
static void lengthen(const torus_blocks_t *blocks, int axis, size_t step,
		     const torus_boxes_t *from, torus_boxes_t *to)
{
	torus_rows_t rows = torus_rows_along(blocks->geometry, axis);
	bool within = axis < blocks->axes;
	stride_t stride = {0};

	if (!within) {
		stride = stride_of(blocks, &rows, step);
		narrow(blocks, &stride, from->live, to->live);
	} else if (to != from) {
		memcpy(to->live, from->live,
		       TORUS_WORDS(blocks->count) * sizeof(*to->live));
	}
	for (int i = 0; i < to->values.minimums; i++) {
		const int32_t *shorter = from->values.minimum[i];
		int32_t *longer = to->values.minimum[i];

		if (within)
			lengthen_within(blocks, &rows, step, to->live, shorter, longer);
		else
			lengthen_across(blocks, &stride, to->live, shorter, longer);
	}
}

void torus_blocks_grow(const torus_blocks_t *blocks, int axis, int32_t have, int32_t side,
		       const torus_boxes_t *from, torus_boxes_t *to)
{
	while (have < side) {
		int32_t step = side - have < have ? side - have : have;

		lengthen(blocks, axis, (size_t)step, from, to);
		have += step;
		from = to;
	}
}
