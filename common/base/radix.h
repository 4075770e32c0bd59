/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stable sorting of many numbers by 64-bit keys, in linear time. */
#ifndef TORUS_BASE_RADIX_H
#define TORUS_BASE_RADIX_H

#include <stdint.h>

typedef struct torus_keyed {
	uint64_t key;
	uint32_t value;
} torus_keyed_t;

/*
 * Sort items[0 .. count-1] by key, ascending; those of equal keys keep their order.
 * scratch[] has room for [count]. O(count) a byte in which keys differ.
 */
void torus_radix_sort(torus_keyed_t *items, torus_keyed_t *scratch, uint32_t count);

#endif
