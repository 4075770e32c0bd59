/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reproducible random numbers (splitmix64), the same on every machine. */
#ifndef TORUS_BASE_RANDOM_H
#define TORUS_BASE_RANDOM_H

#include <stdint.h>

/* The next number of a reproducible sequence; *state is any seed to begin with. */
static inline uint64_t torus_random_next(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* A number below [limit] (>= 1) of that sequence. */
static inline uint32_t torus_random_below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)((torus_random_next(state) >> 32) * limit >> 32);
}

#endif
