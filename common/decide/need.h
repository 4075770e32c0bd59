/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job needs besides nodes: resources of some kinds (processors, GPUs of a type,
 * memory), of each node and in all. What a kind is only the caller knows.
 */
#ifndef TORUS_DECIDE_NEED_H
#define TORUS_DECIDE_NEED_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of resources that one decision can look at. */
#define TORUS_MAX_KINDS 8

/*
 * Both are conditions that a place must meet, and need not be all of them: the verifier
 * knows the others. All numbers, and what nodes have, are below 2^32.
 */
typedef struct torus_need {
	int kinds;			/* 0 .. TORUS_MAX_KINDS */
	uint64_t each[TORUS_MAX_KINDS]; /* what each node of the place must have */
	uint64_t
		sum[TORUS_MAX_KINDS]; /* what all nodes of the place must have together */
} torus_need_t;

/* Whether something is needed in all, so that it matters which nodes are together. */
static inline bool torus_need_sums(const torus_need_t *need)
{
	for (int kind = 0; kind < need->kinds; kind++) {
		if (need->sum[kind])
			return true;
	}
	return false;
}

/* An even share of what is needed in all, when there are [nodes] (at least 1). */
static inline uint64_t torus_need_share(const torus_need_t *need, int kind,
					uint32_t nodes)
{
	return (need->sum[kind] + nodes - 1) / nodes;
}

#endif
