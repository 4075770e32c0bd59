/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job needs besides nodes: resources of some kinds (processors, GPUs of a type,
 * memory), of each node and in all, and so many nodes with a feature. What a kind is only
 * the caller knows.
 */
#ifndef TORUS_DECIDE_NEED_H
#define TORUS_DECIDE_NEED_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of resources that one decision can look at. */
#define TORUS_MAX_KINDS 16

/* Features of which a job can count its nodes. */
#define TORUS_MAX_FEATURES 6

/*
 * What a place must have, at least: the verifier may know further conditions. Of each
 * kind all nodes of the machine together must have less than 2^63, the limit of every sum
 * here.
 */
typedef struct torus_need {
	int kinds;			/* 0 .. TORUS_MAX_KINDS */
	uint64_t each[TORUS_MAX_KINDS]; /* what each node of the place must have */
	uint64_t
		sum[TORUS_MAX_KINDS]; /* what all nodes of the place must have together */
	/*
	 * The kinds from first_feature on, if there are [features], count nodes: a node
	 * has 1 or 0 of such a kind, and [sum] nodes must have it. The first ones are the
	 * features themselves; a node counts for one feature only. The kinds after them
	 * are what follows where nodes have several features: a set of features needs as
	 * many nodes, with any of them, as its features need together.
	 */
	int first_feature, features; /* 0 .. TORUS_MAX_FEATURES */
} torus_need_t;

/* Whether a kind is nodes, of which there is no even share. */
static inline bool torus_need_is_feature(const torus_need_t *need, int kind)
{
	return need->features && kind >= need->first_feature;
}

/* Whether something is needed in all, so that it matters which nodes are together. */
static inline bool torus_need_sums(const torus_need_t *need)
{
	for (int kind = 0; kind < need->kinds; kind++) {
		if (need->sum[kind])
			return true;
	}
	return false;
}

/* An even share of what is needed in all, when there are [nodes] (at least 1); 0: of
 * nodes with a feature. */
static inline uint64_t torus_need_share(const torus_need_t *need, int kind,
					uint32_t nodes)
{
	if (torus_need_is_feature(need, kind))
		return 0;
	return (need->sum[kind] + nodes - 1) / nodes;
}

#endif
