/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See looseness.h. Curves are scored by hops (curve/score.h). The square of the straight
 * distance orders paths nearly alike and is far quicker to sum, as it separates: over all
 * pairs of a window of L cells and along one axis it sums to L times the sum of the
 * coordinates' squares less the square of their sum.
 */
#include "curve/hilbert/looseness.h"

#include <stdlib.h>

/* Running sums along a path of one coordinate and of its square. */
typedef struct sums {
	uint64_t first, second;
} sums_t;

int32_t torus_hilbert_log2(uint64_t value)
{
	int whole = 63 - __builtin_clzll(value);
	uint64_t rest = value << (63 - whole) >> 32; /* from 2^31 to 2^32 - 1 */
	int32_t log = whole;

	/* Squaring doubles the logarithm: each time its next digit shows. */
	for (int32_t one = 1; one < HILBERT_ONE; one *= 2) {
		rest = rest * rest >> 31;
		log = 2 * log + (int32_t)(rest >> 32);
		rest >>= rest >> 32;
	}
	return log;
}

/* Window lengths 2, 4, 8 ... up to [cells]. */
static int windows_of(uint32_t cells)
{
	return 31 - __builtin_clz(cells);
}

/* The logarithm of length^(2/dims), where the length is 2 << w. */
static int32_t compact(int dims, int w)
{
	return 2 * (w + 1) * HILBERT_ONE / dims;
}

/* Add to square[w] the squared distances of all pairs of each window of 2 << w cells. */
static void add_windows(const sums_t *sums, uint32_t cells, uint64_t *square)
{
	for (int w = 0; w < windows_of(cells); w++) {
		uint32_t length = UINT32_C(2) << w;
		const sums_t *ahead = sums + length;
		uint64_t sum = 0;

		for (uint32_t start = 0; start + length <= cells; start++) {
			uint64_t first = ahead[start].first - sums[start].first;
			uint64_t second = ahead[start].second - sums[start].second;

			sum += length * second - first * first;
		}
		square[w] += sum;
	}
}

int torus_hilbert_looseness(int dims, const int32_t side[TORUS_MAX_DIMS],
			    const uint32_t *path, int32_t *looseness)
{
	uint64_t square[32] = {0};
	uint32_t cells = 1, stride = 1;
	int64_t total = 0;
	int windows;
	sums_t *sums;

	for (int i = 0; i < dims; i++)
		cells *= (uint32_t)side[i];
	windows = windows_of(cells);
	sums = malloc((cells + 1) * sizeof(*sums));
	if (!sums)
		return -1;
	sums[0] = (sums_t){0};
	for (int i = 0; i < dims; i++) {
		if (side[i] == 1)
			continue;
		for (uint32_t at = 0; at < cells; at++) {
			uint32_t x = path[at] / stride % (uint32_t)side[i];

			sums[at + 1].first = sums[at].first + x;
			sums[at + 1].second = sums[at].second + (uint64_t)x * x;
		}
		add_windows(sums, cells, square);
		stride *= (uint32_t)side[i];
	}
	free(sums);
	for (int w = 0; w < windows; w++) {
		uint64_t length = UINT64_C(2) << w;
		uint64_t pairs = (cells - length + 1) * (length * (length - 1) / 2);

		total += torus_hilbert_log2(square[w]) - torus_hilbert_log2(pairs) -
			 compact(dims, w);
	}
	*looseness = windows ? (int32_t)(total / windows) : 0;
	return 0;
}

int32_t torus_hilbert_line_looseness(int dims, int32_t length)
{
	int windows = windows_of((uint32_t)length);
	int64_t total = 0;

	for (int w = 0; w < windows; w++) {
		uint64_t window = UINT64_C(2) << w;

		total += torus_hilbert_log2(window * (window + 1)) -
			 torus_hilbert_log2(6) - compact(dims, w);
	}
	return windows ? (int32_t)(total / windows) : 0;
}

uint64_t torus_hilbert_looseness_work(int dims, uint32_t cells)
{
	return (uint64_t)cells * (uint64_t)(dims * (windows_of(cells) + 2));
}
