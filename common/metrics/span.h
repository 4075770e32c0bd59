/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of the line of ranks a set of them takes up.
 *
 * Source: "Processor Allocation on Cplant: Achieving General Processor Locality Using
 * One-Dimensional Allocation Strategies" (Leung et al., 2002).
 */
#ifndef TORUS_METRICS_SPAN_H
#define TORUS_METRICS_SPAN_H

#include <stdint.h>

#include "base/error.h"

typedef enum torus_span {
	TORUS_SPAN_LINEAR, /* the ranks are a line */
	TORUS_SPAN_RING,   /* the last rank is followed by the first */
} torus_span_t;

/*
 * The rule called [text] in torus.conf ("linear" or "ring"), read in any case. Returns 0,
 * or -1 with [err] naming the known ones.
 */
int torus_span_parse(const char *text, torus_span_t *span, torus_error_t *err);
/* The name as above. A constant string. */
const char *torus_span_name(torus_span_t span);

/*
 * Span of a set of [count] >= 1 distinct ranks in any order on a line of [ranks] ranks.
 * Linear: max - min + 1. Ring: ranks - (largest count of ranks strictly between
 * cyclically consecutive members). O(count log count). Returns 0 when memory is short (a
 * span is never 0).
 */
uint32_t torus_span_of(const uint32_t *list, uint32_t count, uint32_t ranks,
		       torus_span_t span);

/* torus_span_of() for ranks that are already in ascending order. */
uint32_t torus_ascending_span(const uint32_t *list, uint32_t count, uint32_t ranks,
			      torus_span_t span);

#endif
