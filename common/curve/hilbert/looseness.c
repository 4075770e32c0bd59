/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measure by which plans of the Hilbert curve are compared: see curve/hilbert/plan.h.
 *
 * It is that of curve/score.h for meshes, computed in another way that is quicker on
 * small boxes, of which a search measures thousands: cut an axis between two of its
 * positions; a window with m of its L cells below the cut has m * (L - m) pairs that
 * cross it, and a pair is as many hops apart as there are cuts between its cells. How
 * many cells of each window lie below comes from one running count along the path.
 */
#include <math.h>
#include <stdlib.h>

#include "curve/hilbert/plan.h"

#define WINDOWS_MAX 32

/* Average distance of two cells in a cube of [cells] cells; of pairs of different cells.
 */
static double cube_distance(int dims, double cells)
{
	double side = pow(cells, 1.0 / dims);

	return dims * (side - 1 / side) / 3 * cells / (cells - 1);
}

/* Add to crossing[w] the pairs of all windows of 2 << w cells that a cut parts. */
static void add_crossings(const uint32_t *below, uint32_t cells, int windows,
			  double *crossing)
{
	for (int w = 0; w < windows; w++) {
		uint32_t length = UINT32_C(2) << w;
		const uint32_t *ahead = below + length;
		uint64_t sum = 0;

		for (uint32_t first = 0; first + length <= cells; first++) {
			uint32_t m = ahead[first] - below[first];

			sum += (uint64_t)m * (length - m);
		}
		crossing[w] += (double)sum;
	}
}

double torus_hilbert_looseness(int dims, const int32_t side[TORUS_MAX_DIMS],
			       const uint32_t *path)
{
	double crossing[WINDOWS_MAX] = {0}, looseness = 0;
	uint32_t cells = 1, stride = 1, *below;
	int windows = 0;

	for (int i = 0; i < dims; i++)
		cells *= (uint32_t)side[i];
	while (UINT32_C(2) << windows <= cells)
		windows++;
	if (!windows)
		return 0;
	below = malloc((cells + 1) * sizeof(*below));
	if (!below)
		return NAN;
	below[0] = 0;
	for (int i = 0; i < dims; i++) {
		for (uint32_t cut = 1; cut < (uint32_t)side[i]; cut++) {
			for (uint32_t at = 0; at < cells; at++)
				below[at + 1] =
					below[at] +
					(path[at] / stride % (uint32_t)side[i] < cut);
			add_crossings(below, cells, windows, crossing);
		}
		stride *= (uint32_t)side[i];
	}
	free(below);
	for (int w = 0; w < windows; w++) {
		double length = UINT32_C(2) << w;
		double pairs = (cells - length + 1) * (length * (length - 1) / 2);

		looseness += log(crossing[w] / pairs / cube_distance(dims, length));
	}
	return looseness / windows;
}

double torus_hilbert_line_looseness(int dims, int32_t length)
{
	double looseness = 0;
	int windows = 0;

	for (double cells = 2; cells <= length; cells *= 2, windows++)
		looseness += log((cells + 1) / 3 / cube_distance(dims, cells));
	return windows ? looseness / windows : 0;
}
