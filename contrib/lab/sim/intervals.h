/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many intervals the free ranks of one torus form, and how long the longest is, kept
 * up while ranks are taken and given back: a tree over the words of the bitmap. Private
 * to the simulator.
 */
#ifndef TORUS_SIM_INTERVALS_H
#define TORUS_SIM_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

/* The intervals within some ranks in a row. */
typedef struct torus_stretch {
	uint32_t ranks, intervals, largest;
	uint32_t at_start, at_end; /* ranks of those that touch the two ends */
} torus_stretch_t;

typedef struct torus_intervals {
	uint32_t ranks;
	const uint64_t *free;  /* borrowed */
	size_t leaves;	       /* a power of two, at least the words */
	torus_stretch_t *node; /* [2 * leaves] the root is 1; leaf i is a word */
	uint64_t *changed; /* bits: nodes of the tree that are to be worked out anew */
} torus_intervals_t;

/*
 * For the bitmap [free] of [ranks] ranks, which must outlive it. NULL: out of memory.
 */
torus_intervals_t *torus_intervals_create(const uint64_t *free, uint32_t ranks);
/* NULL is accepted. */
void torus_intervals_destroy(torus_intervals_t *intervals);

/* Bits first .. first+count-1 have changed, count >= 1. O(words of these). */
void torus_intervals_note(torus_intervals_t *intervals, uint32_t first, uint32_t count);

/* All ranks. O(words changed since the last time * log words), at most O(words). */
torus_stretch_t torus_intervals_all(torus_intervals_t *intervals);

#endif
