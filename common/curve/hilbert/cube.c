/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan of a cube with sides 2^k whose path travels along one axis: Hilbert's own
 * curve. The half-cubes follow a Gray code; entry corner and travel of each are those of
 * "Compact Hilbert Indices" (Hamilton, 2006), with the cube's own travel along axis 0.
 */
#include <stdlib.h>

#include "curve/hilbert/rules.h"

static uint32_t gray(uint32_t i)
{
	return i ^ (i >> 1);
}

static uint32_t rotate(uint32_t bits, int dims)
{
	return ((bits << 1) | (bits >> (dims - 1))) & ((1u << dims) - 1);
}

/* Where half-cube [i] is entered (bit a: at the high end of axis a), and along which axis
 * it is travelled. */
static uint32_t entry_of(uint32_t i, int dims)
{
	return i ? rotate(gray((i - 1) & ~1u), dims) : 0;
}

static int travel_of(uint32_t i, int dims)
{
	uint32_t ones = i % 2 ? i : i - 1;
	int trailing = 0;

	for (; i && (ones & 1); ones >>= 1)
		trailing++;
	return (trailing + 1) % dims;
}

void torus_hilbert_plan_cube(hilbert_book_t *book, uint32_t index)
{
	int dims = book->dims;
	int32_t half = book->plans[index].task.side[0] / 2;
	hilbert_task_t smaller = {.travel = half > 1};
	uint8_t same[TORUS_MAX_DIMS];
	hilbert_part_t *parts = calloc((size_t)1 << dims, sizeof(*parts));
	int64_t below;

	for (int i = 0; i < dims; i++)
		smaller.side[i] = half;
	below = torus_hilbert_book_find(book, &smaller, same);
	if (!parts || below < 0) {
		book->no_memory = true; /* the smaller cube always has a plan */
		free(parts);
		return;
	}
	for (uint32_t i = 0; i < 1u << dims; i++) {
		uint32_t where = rotate(gray(i), dims), entry = entry_of(i, dims);
		hilbert_part_t *part = &parts[i];

		part->plan = (uint32_t)below;
		for (int a = 0; a < dims; a++) {
			bool high = entry >> a & 1;

			part->entry[a] =
				(where >> a & 1 ? half : 0) + (high ? half - 1 : 0);
			part->sign[a] = high ? -1 : 1;
			part->axis[a] = (uint8_t)((a + travel_of(i, dims)) % dims);
		}
	}
	book->plans[index].parts = parts;
	book->plans[index].part_count = 1 << dims;
	book->plans[index].looseness = book->plans[below].looseness;
}
