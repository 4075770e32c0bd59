/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Least significant digit first radix sort: see radix.h. */
#include "base/radix.h"

#include <string.h>

void torus_radix_sort(torus_keyed_t *items, torus_keyed_t *scratch, uint32_t count)
{
	torus_keyed_t *from = items, *to = scratch;
	uint64_t differ = 0;

	for (uint32_t i = 1; i < count; i++)
		differ |= items[i].key ^ items[0].key;
	for (int shift = 0; shift < 64 && differ >> shift; shift += 8) {
		uint32_t start[257] = {0};
		torus_keyed_t *swap = from;

		if (!(differ >> shift & 255))
			continue;
		for (uint32_t i = 0; i < count; i++)
			start[(from[i].key >> shift & 255) + 1]++;
		for (int digit = 0; digit < 256; digit++)
			start[digit + 1] += start[digit];
		for (uint32_t i = 0; i < count; i++)
			to[start[from[i].key >> shift & 255]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
}
