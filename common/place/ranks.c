/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions about all ranks of a request: see private.h. */
#include "place/private.h"

#include "base/bitmap.h"

bool torus_any_required(const uint64_t *required, uint32_t ranks)
{
	return required && torus_bitmap_next_set(required, ranks, 0) < ranks;
}

bool torus_weights_equal(const uint64_t *free, const uint64_t *weights, uint32_t ranks)
{
	if (!weights)
		return true;

	uint32_t rank = torus_bitmap_next_set(free, ranks, 0);
	uint64_t weight = rank < ranks ? weights[rank] : 0;

	for (; rank < ranks; rank = torus_bitmap_next_set(free, ranks, rank + 1)) {
		if (weights[rank] != weight)
			return false;
	}
	return true;
}
