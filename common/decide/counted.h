/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features of which a job counts its nodes: how many it takes, and whether nodes have as
 * many of each. */
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
 * has[node] says that it has feature i; has[] is sorted. Without memory the answer is
 * false.
 *
 * With [apart] this is the question for a flow from features to kinds of nodes, those
 * that have the same features (Edmonds and Karp, 1972: along shortest paths): the work
 * depends on features and kinds, not on the numbers.
 */
bool torus_counted_suffice(int features, const uint32_t *number, bool apart,
			   uint64_t *has, size_t count);

/* The fewest nodes with which a job has all that it counts. */
uint32_t torus_counted_least(int features, const uint32_t *number, bool apart);

/* Of subsets there are bits for so many of the features, the first ones. */
#define TORUS_COUNTED_SUBSET 32

/* How many nodes with features of [subset], bit i being the i-th, are counted together.
 */
uint64_t torus_counted_sum(int features, const uint32_t *number, uint32_t subset);

/*
 * Whether the nodes with some of the [subset] have to be looked at together, where a node
 * counts for one feature only: each of these features is on a node with another one of
 * them, so that a node may be missing although there are enough of each. Bit j of
 * overlap[i], i < TORUS_COUNTED_SUBSET, says that some node has features i and j.
 */
bool torus_counted_overlap(const uint32_t *overlap, uint32_t subset);

#endif
