/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free intervals: see fragments.h. */
#include "metrics/fragments.h"

#include "base/bitmap.h"

static uint64_t square(uint32_t length)
{
	return (uint64_t)length * length;
}

/* The first rank at [first] or after it that is not free, or [ranks]. */
static uint32_t end_of_run(const uint64_t *free, uint32_t ranks, uint32_t first)
{
	while (first < ranks && torus_bit_test(free, first))
		first++;
	return first;
}

torus_fragments_t torus_fragments(const uint64_t *free, uint32_t ranks, torus_span_t span)
{
	torus_fragments_t found = {0};
	uint32_t at_start = 0, end = 0;

	for (uint32_t first = torus_bitmap_next_set(free, ranks, 0); first < ranks;
	     first = torus_bitmap_next_set(free, ranks, end)) {
		uint32_t length;

		end = end_of_run(free, ranks, first);
		length = end - first;
		if (first == 0)
			at_start = length;
		found.free += length;
		if (span == TORUS_SPAN_RING && end == ranks && first > 0 && at_start) {
			found.squares -= square(at_start);
			length += at_start;
		} else {
			found.intervals++;
		}
		found.squares += square(length);
		if (length > found.largest)
			found.largest = length;
	}
	return found;
}

uint32_t torus_fragmentation(const torus_fragments_t *fragments, uint32_t ranks)
{
	return fragments->free ? ranks - (uint32_t)(fragments->squares / fragments->free)
			       : ranks;
}
