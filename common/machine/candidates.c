/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The candidate nodes of one place and their weights: see candidates.h. */
#include "machine/candidates.h"

#include <stdlib.h>

#include "base/bitmap.h"

void torus_candidates_count(const torus_candidates_t *candidates, uint32_t nodes,
			    uint64_t limit, uint32_t *lighter, uint32_t *equal)
{
	*lighter = *equal = 0;
	for (uint32_t i = torus_bitmap_next_set(candidates->free, nodes, 0); i < nodes;
	     i = torus_bitmap_next_set(candidates->free, nodes, i + 1)) {
		uint64_t weight = torus_candidates_weight(candidates, i);

		*lighter += weight < limit;
		*equal += weight == limit;
	}
}

uint32_t torus_candidates_weights(const torus_candidates_t *candidates, uint32_t nodes,
				  uint64_t *list)
{
	uint32_t count = 0;

	for (uint32_t i = torus_bitmap_next_set(candidates->free, nodes, 0); i < nodes;
	     i = torus_bitmap_next_set(candidates->free, nodes, i + 1)) {
		if (!candidates->required || !torus_bit_test(candidates->required, i))
			list[count++] = torus_candidates_weight(candidates, i);
	}
	return count;
}

static int compare_weights(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

void torus_weights_sort(uint64_t *list, uint32_t count)
{
	qsort(list, count, sizeof(*list), compare_weights);
}
