/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bitmaps as arrays of 64-bit words: see bitmap.h. */
#include "base/bitmap.h"

#include <stdlib.h>

uint64_t *torus_bitmap_create(uint32_t bits)
{
	size_t words = TORUS_WORDS(bits);

	return calloc(words ? words : 1, sizeof(uint64_t));
}

/* The bits of [first], below [end], that lie in its word; moves *first behind them. */
static uint64_t next_mask(uint32_t *first, uint64_t end)
{
	uint32_t offset = *first & 63, here = 64 - offset;

	if (here > end - *first)
		here = (uint32_t)(end - *first);
	*first += here;
	return (here == 64 ? ~(uint64_t)0 : ((uint64_t)1 << here) - 1) << offset;
}

void torus_bitmap_set_range(uint64_t *words, uint32_t first, uint32_t count)
{
	uint64_t end = (uint64_t)first + count;

	while (first < end) {
		uint64_t *word = &words[first >> 6];

		*word |= next_mask(&first, end);
	}
}

void torus_bitmap_clear_range(uint64_t *words, uint32_t first, uint32_t count)
{
	uint64_t end = (uint64_t)first + count;

	while (first < end) {
		uint64_t *word = &words[first >> 6];

		*word &= ~next_mask(&first, end);
	}
}

uint32_t torus_bitmap_count(const uint64_t *words, uint32_t bits)
{
	size_t total = TORUS_WORDS(bits);
	uint32_t count = 0;

	for (size_t i = 0; i < total; i++)
		count += (uint32_t)__builtin_popcountll(words[i]);
	return count;
}

uint32_t torus_bitmap_next_set(const uint64_t *words, uint32_t bits, uint32_t from)
{
	size_t total = TORUS_WORDS(bits);
	size_t i = from >> 6;
	uint64_t word;

	if (from >= bits)
		return bits;
	word = words[i] & (~(uint64_t)0 << (from & 63));
	while (!word) {
		if (++i == total)
			return bits;
		word = words[i];
	}
	return (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(word);
}

uint32_t torus_bitmap_next_clear(const uint64_t *words, uint32_t bits, uint32_t from)
{
	size_t total = TORUS_WORDS(bits);
	size_t i = from >> 6;
	uint64_t word;
	uint32_t bit;

	if (from >= bits)
		return bits;
	word = ~words[i] & (~(uint64_t)0 << (from & 63));
	while (!word) {
		if (++i == total)
			return bits;
		word = ~words[i];
	}
	bit = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(word);
	return bit < bits ? bit : bits;
}
