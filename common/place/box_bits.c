/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where boxes are free, a bit a cell: see box_bits.h. */
#include "place/box_bits.h"

#include <string.h>

/* The [count] <= 64 bits from [first] on. */
static uint64_t get_bits(const uint64_t *words, uint64_t first, uint32_t count)
{
	uint32_t at = first & 63;
	uint64_t bits = words[first >> 6] >> at;

	if (at + count > 64)
		bits |= words[(first >> 6) + 1] << (64 - at);
	return count == 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
}

/* Set the [count] <= 64 bits from [first] on to [bits], of which no others are set. */
static void put_bits(uint64_t *words, uint64_t first, uint32_t count, uint64_t bits)
{
	uint64_t mask = count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
	uint64_t *word = words + (first >> 6);
	uint32_t at = first & 63;

	word[0] = (word[0] & ~(mask << at)) | bits << at;
	if (at + count > 64)
		word[1] = (word[1] & ~(mask >> (64 - at))) | bits >> (64 - at);
}

/* Copy [count] bits of [from], beginning with [first], to [to], beginning with [there].
 * [from] NULL: clear them. */
static void copy_bits(const uint64_t *from, uint64_t first, uint64_t *to, uint64_t there,
		      uint64_t count)
{
	while (count) {
		uint32_t some = count < 64 ? (uint32_t)count : 64;

		put_bits(to, there, some, from ? get_bits(from, first, some) : 0);
		first += some;
		there += some;
		count -= some;
	}
}

/* to[i] = from[i + by], 0 beyond the end. */
static void shift_down(const uint64_t *from, uint64_t *to, size_t words, uint64_t by)
{
	size_t whole = by >> 6 < words ? by >> 6 : words, left = words - whole;
	uint32_t rest = by & 63;

	if (!rest) {
		memcpy(to, from + whole, left * sizeof(*to));
	} else if (left) {
		for (size_t i = 0; i + 1 < left; i++)
			to[i] = from[whole + i] >> rest | from[whole + i + 1]
								  << (64 - rest);
		to[left - 1] = from[whole + left - 1] >> rest;
	}
	memset(to + left, 0, whole * sizeof(*to));
}

/*
 * In blocks of [block] <= 64 bits, of which the last [moved] < block are those of the
 * next block: make them the first ones of their own, or with [from] NULL clear them.
 */
static void mend_ends(const uint64_t *from, uint64_t *to, size_t words, uint32_t block,
		      uint32_t moved)
{
	/* The ends of all blocks, of which a word begins anywhere in the first. */
	unsigned __int128 ends = ((unsigned __int128)1 << block) -
				 ((unsigned __int128)1 << (block - moved));
	uint32_t back = block - moved, at = 0;

	for (uint32_t i = block; i < 128; i *= 2)
		ends |= ends << i;
	for (size_t i = 0; i < words; i++, at = (at + 64) % block) {
		uint64_t end = (uint64_t)(ends >> at), first = 0;

		if (from)
			first = from[i] << back | (i ? from[i - 1] >> (64 - back) : 0);
		to[i] = (to[i] & ~end) | (first & end);
	}
}

/* to = the bits of the cells [step] further along [axis], fewer than its length, but for
 * what is beyond the last cell. */
static void shift(const torus_geometry_t *geometry, int axis, int32_t step,
		  const uint64_t *from, uint64_t *to)
{
	const uint64_t *ahead = geometry->wrap[axis] ? from : NULL;
	uint64_t cells = torus_geometry_cells(geometry), row = 1, block, moved;
	size_t words = TORUS_WORDS(cells);

	for (int i = 0; i < axis; i++)
		row *= (uint64_t)geometry->length[i];
	block = row * (uint64_t)geometry->length[axis];
	moved = row * (uint64_t)step;
	shift_down(from, to, words, moved);
	/* The end of each block has got the beginning of the next one. */
	if (block <= 64) {
		mend_ends(ahead, to, words, (uint32_t)block, (uint32_t)moved);
		return;
	}
	for (uint64_t first = 0; first < cells; first += block)
		copy_bits(ahead, first, to, first + block - moved, moved);
}

void torus_box_bits_grow(const torus_geometry_t *geometry, int axis, int32_t from,
			 int32_t to, uint64_t *boxes, uint64_t *scratch)
{
	size_t words = TORUS_WORDS(torus_geometry_cells(geometry));

	/* A longer box is two shorter ones that overlap or touch. */
	while (from < to) {
		int32_t step = to - from < from ? to - from : from;

		shift(geometry, axis, step, boxes, scratch);
		for (size_t i = 0; i < words; i++)
			boxes[i] &= scratch[i];
		from += step;
	}
}

/*
 * Give one of the sides not [placed] to [axis]. maps[axis] is the bitmap of boxes that
 * have their sides along the axes before it.
 */
static bool fit_from(const torus_geometry_t *geometry, const int32_t *side,
		     uint32_t placed, int axis, uint64_t *maps)
{
	uint32_t cells = torus_geometry_cells(geometry);
	size_t words = TORUS_WORDS(cells);
	uint64_t *before = maps + (size_t)axis * words, *after = before + words;
	uint64_t *scratch = maps + ((size_t)geometry->dims + 1) * words;
	uint32_t tried = 0;
	uint64_t needed = 1; /* boxes that the whole one is made of */

	for (int i = 0; i < geometry->dims; i++)
		needed *= placed >> i & 1 ? 1 : (uint64_t)side[i];
	if (torus_bitmap_count(before, cells) < needed)
		return false;
	if (axis == geometry->dims)
		return true;
	for (int i = 0; i < geometry->dims; i++) {
		bool again = placed >> i & 1 || side[i] > geometry->length[axis];

		for (int j = 0; j < i; j++)
			again |= (tried >> j & 1) && side[j] == side[i];
		if (again)
			continue;
		tried |= 1u << i;
		memcpy(after, before, words * sizeof(*after));
		torus_box_bits_grow(geometry, axis, 1, side[i], after, scratch);
		if (fit_from(geometry, side, placed | 1u << i, axis + 1, maps))
			return true;
	}
	return false;
}

bool torus_box_bits_fit(const torus_geometry_t *geometry, const int32_t *side,
			uint64_t *maps)
{
	return fit_from(geometry, side, 0, 0, maps);
}

bool torus_box_bits_any(const uint64_t *boxes, uint32_t cells)
{
	return torus_bitmap_next_set(boxes, cells, 0) < cells;
}

void torus_box_bits_usable(const torus_geometry_t *geometry, const uint32_t *cell_of_rank,
			   uint32_t ranks, const uint64_t *free_ranks, uint64_t *usable)
{
	memset(usable, 0, TORUS_WORDS(torus_geometry_cells(geometry)) * sizeof(*usable));
	for (uint32_t rank = 0; rank < ranks; rank++)
		torus_bit_set(usable, cell_of_rank[rank]);
	for (uint32_t rank = 0; rank < ranks; rank++) {
		if (!torus_bit_test(free_ranks, rank))
			torus_bit_clear(usable, cell_of_rank[rank]);
	}
}
