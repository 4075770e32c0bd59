/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether nodes have as many of each feature as a job counts. */
#ifndef TORUS_DECIDE_COUNTED_H
#define TORUS_DECIDE_COUNTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Features that one job can count. */
#define TORUS_COUNTED_MOST 64

/*
 * Whether of [count] nodes number[i] have the feature i, for each of the [features]
 * (0 .. TORUS_COUNTED_MOST); with [apart] a node counts for one feature only. Bit i of
 * has[node] says that it has feature i; has[] is ascending. Without memory the answer
 * is false.
 *
 * With [apart] this is the question for a flow from features to kinds of nodes, those
 * that have the same features (Edmonds and Karp, 1972: along shortest paths): the work
 * depends on features and kinds, not on the numbers.
 */
bool torus_counted_suffice(int features, const uint32_t *number, bool apart,
			   const uint64_t *has, size_t count);

#endif
