/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nearest point that still has room: a k-d tree whose subtrees know how much room is
 * left in them.
 */
#ifndef TORUS_GEOMETRY_NEAREST_H
#define TORUS_GEOMETRY_NEAREST_H

#include <stdint.h>

#include "base/error.h"

#define TORUS_NEAREST_NONE UINT32_MAX

typedef struct torus_nearest torus_nearest_t;

/*
 * Index points[0 .. count*dims-1], [count] >= 1 points of [dims] coordinates of 0 or
 * more, point i with room for room[i] takers. [points] must outlive the index; [room] is
 * copied. NULL with [err] filled: memory. O(count * log(largest coordinate) * dims).
 */
torus_nearest_t *torus_nearest_create(const int32_t *points, uint32_t count, int dims,
				      const uint32_t *room, torus_error_t *err);
void torus_nearest_destroy(torus_nearest_t *nearest);

/*
 * Take one room of the point with the smallest sum of coordinate differences to
 * target[dims] among those with room left; ties: lowest first coordinate, then second and
 * so on, then lowest index. Returns the point, TORUS_NEAREST_NONE when no room is left.
 * O(log count) while there is room nearby.
 */
uint32_t torus_nearest_take(torus_nearest_t *nearest, const int32_t *target);

#endif
