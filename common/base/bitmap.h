/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bitmaps as arrays of 64-bit words, bit i in word i / 64 at position i % 64.
 *
 * A bitmap of [bits] bits has TORUS_WORDS(bits) words, owned by the caller. Every bit
 * beyond [bits] in the last word is zero; each function below keeps that invariant and
 * relies on it. Indexes are not checked: they must be below [bits].
 */
#ifndef TORUS_BASE_BITMAP_H
#define TORUS_BASE_BITMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TORUS_WORDS(bits) (((size_t)(bits) + 63) / 64)

static inline bool torus_bit_test(const uint64_t *words, uint32_t bit)
{
	return words[bit >> 6] >> (bit & 63) & 1;
}

static inline void torus_bit_set(uint64_t *words, uint32_t bit)
{
	words[bit >> 6] |= (uint64_t)1 << (bit & 63);
}

static inline void torus_bit_clear(uint64_t *words, uint32_t bit)
{
	words[bit >> 6] &= ~((uint64_t)1 << (bit & 63));
}

/* Allocate a bitmap of [bits] zero bits, to be freed with free(). NULL: out of memory. */
uint64_t *torus_bitmap_create(uint32_t bits);

/* Set, or clear, bits first .. first+count-1; [count] may be 0. */
void torus_bitmap_set_range(uint64_t *words, uint32_t first, uint32_t count);
void torus_bitmap_clear_range(uint64_t *words, uint32_t first, uint32_t count);

/* Number of bits set among the first [bits]. */
uint32_t torus_bitmap_count(const uint64_t *words, uint32_t bits);

/* Lowest set bit that is not below [from], or [bits] if there is none. */
uint32_t torus_bitmap_next_set(const uint64_t *words, uint32_t bits, uint32_t from);
/* Lowest clear bit that is not below [from], or [bits] if there is none; [words] may go
 * on beyond. */
uint32_t torus_bitmap_next_clear(const uint64_t *words, uint32_t bits, uint32_t from);

#endif
