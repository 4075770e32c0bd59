/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Free intervals: see fragments.h. */
#include "metrics/fragments.h"

#include "base/bitmap.h"

static uint64_t square(uint32_t length)
{
	return (uint64_t)length * length;
}

torus_fragments_t torus_fragments(const uint64_t *free, uint32_t ranks, torus_span_t span)
{
	torus_fragments_t found = {0};
	uint32_t at_start = 0, end = 0;

	for (uint32_t first = torus_bitmap_next_set(free, ranks, 0); first < ranks;
	     first = torus_bitmap_next_set(free, ranks, end)) {
		uint32_t length;

		end = torus_bitmap_next_clear(free, ranks, first);
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
