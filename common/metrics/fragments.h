/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fragmented the free ranks of a machine are. */
#ifndef TORUS_METRICS_FRAGMENTS_H
#define TORUS_METRICS_FRAGMENTS_H

#include <stdint.h>

#include "metrics/span.h"

/*
 * The free intervals, which are maximal runs of free ranks; on a ring, the run that
 * touches the end and the one that touches the start are one.
 */
typedef struct torus_fragments {
	uint32_t free;	    /* ranks */
	uint32_t intervals; /* how many */
	uint32_t largest;   /* ranks in the longest; 0: there is none */
	uint64_t squares;   /* sum over the intervals of their length squared */
} torus_fragments_t;

/* Measure the bitmap [free] of [ranks] >= 1 ranks. O(words + intervals). */
torus_fragments_t torus_fragments(const uint64_t *free, uint32_t ranks,
				  torus_span_t span);

#endif
