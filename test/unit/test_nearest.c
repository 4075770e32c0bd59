/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nearest point with room against a look at all points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "geometry/nearest.h"
#include "random.h"

enum { MOST = 120, DIMS = 6 };

/* Whether point [i] goes before the best so far, by the words of nearest.h. */
static bool goes_before(const int32_t *points, int dims, const int32_t *target,
			uint32_t i, uint32_t best)
{
	const int32_t *a = points + (size_t)i * (size_t)dims;
	const int32_t *b = points + (size_t)best * (size_t)dims;
	int64_t closer = 0;

	for (int axis = 0; axis < dims; axis++)
		closer += labs((long)a[axis] - target[axis]) -
			  labs((long)b[axis] - target[axis]);
	for (int axis = 0; !closer && axis < dims; axis++)
		closer = (int64_t)a[axis] - b[axis];
	return closer < 0;
}

static uint32_t take_slowly(const int32_t *points, uint32_t count, int dims,
			    uint32_t *room, const int32_t *target)
{
	uint32_t best = TORUS_NEAREST_NONE;

	for (uint32_t i = 0; i < count; i++) {
		if (room[i] && (best == TORUS_NEAREST_NONE ||
				goes_before(points, dims, target, i, best)))
			best = i;
	}
	if (best != TORUS_NEAREST_NONE)
		room[best]--;
	return best;
}

/* Take all the room there is, near random targets, also outside; then once more. */
static void takes_the_nearest(void **state)
{
	(void)state;
	for (int round = 0; round < 400; round++) {
		int dims = (int)random_in(1, DIMS);
		uint32_t count = random_in(1, MOST), side = random_in(1, 20), rooms = 0;
		uint32_t room[MOST];
		int32_t points[MOST * DIMS], target[DIMS];
		torus_nearest_t *nearest;

		for (uint32_t i = 0; i < count * (uint32_t)dims; i++)
			points[i] = (int32_t)random_in(0, side - 1);
		for (uint32_t i = 0; i < count; i++)
			rooms += room[i] = random_in(0, 3);
		nearest = torus_nearest_create(points, count, dims, room, NULL);
		assert_non_null(nearest);
		for (uint32_t taken = 0; taken <= rooms; taken++) {
			uint32_t expected;

			for (int axis = 0; axis < dims; axis++)
				target[axis] = (int32_t)random_in(0, side + 4) - 2;
			expected = take_slowly(points, count, dims, room, target);
			assert_int_equal(torus_nearest_take(nearest, target), expected);
			assert_int_equal(expected == TORUS_NEAREST_NONE, taken == rooms);
		}
		torus_nearest_destroy(nearest);
	}
	torus_nearest_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_nearest),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
