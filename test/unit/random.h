/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers for tests: a fresh seed each run, printed, or the one in the environment
 * variable TORUS_TEST_SEED to see a failure again.
 */
#ifndef TORUS_TEST_RANDOM_H
#define TORUS_TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "geometry/geometry.h"

/*
 * How many random cases a long test has: with the address sanitizer, which takes ten
 * times as long and looks for other mistakes, a fifth of [cases].
 */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define RANDOM_SHARE 5
#else
#define RANDOM_SHARE 1
#endif
#define RANDOM_CASES(cases) ((cases) / RANDOM_SHARE)

static uint64_t random_state;

/* Call first in main(). */
static inline void random_begin(void)
{
	const char *text = getenv("TORUS_TEST_SEED");

	random_state = text ? strtoull(text, NULL, 10)
			    : (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
	printf("# seed: TORUS_TEST_SEED=%llu\n", (unsigned long long)random_state);
	fflush(stdout);
}

/* The next number (splitmix64). */
static inline uint64_t random_next(void)
{
	uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* A number in low .. high, both included. */
static inline uint32_t random_in(uint32_t low, uint32_t high)
{
	return low + (uint32_t)(random_next() % ((uint64_t)high - low + 1));
}

/* Whether to try a case of a long list that is not random: with the address sanitizer a
 * fifth of them, others each time. */
static inline bool random_listed(void)
{
	return random_in(1, RANDOM_SHARE) == 1;
}

/* A machine of 1 to max_dims dimensions with at most max_cells cells, each wrapped or
 * not. */
static inline torus_geometry_t random_geometry(int max_dims, uint32_t max_cells)
{
	torus_geometry_t geometry = {.dims = (int)random_in(1, (uint32_t)max_dims)};
	uint32_t room = max_cells;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		uint32_t most = room < 9 ? room : 9;

		if (geometry.dims == 1)
			most = room;
		geometry.length[axis] =
			axis < geometry.dims ? (int32_t)random_in(1, most) : 1;
		geometry.wrap[axis] = axis < geometry.dims && random_in(0, 1);
		room /= (uint32_t)geometry.length[axis];
	}
	return geometry;
}

/*
 * Classes of cases that a generator is there for. One that it never reaches has shown
 * nothing, though every assertion held.
 */
static struct {
	const char *what;
	uint64_t count;
} reached_class[32];

/* Count a case of the class [what], if it is one. At most 32 classes a program. */
static inline void reached(const char *what, bool is_one)
{
	size_t i = 0;

	while (reached_class[i].what && strcmp(reached_class[i].what, what)) {
		if (++i == 32)
			abort(); /* too many */
	}
	reached_class[i].what = what;
	reached_class[i].count += is_one;
}

/* Whether each class that was asked about had [least] cases; then forget them. */
static inline bool reached_all(uint64_t least)
{
	bool all = reached_class[0].what;

	for (size_t i = 0; i < 32 && reached_class[i].what; i++) {
		bool enough = reached_class[i].count >= least;

		printf("# %llu cases: %s (%s%llu)\n",
		       (unsigned long long)reached_class[i].count, reached_class[i].what,
		       enough ? "at least " : "too few, not ", (unsigned long long)least);
		all = all && enough;
	}
	memset(reached_class, 0, sizeof(reached_class));
	return all;
}

#endif
