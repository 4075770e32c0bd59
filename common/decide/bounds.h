/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a decision may take while others wait for it: slurmctld, under its locks. Whatever
 * the job asks for, it is to cost at most 10 times what an ordinary job of as many nodes
 * costs in the same state, on up to 1,000 nodes 50 times (test/unit/test_cost.c).
 */
#ifndef TORUS_DECIDE_BOUNDS_H
#define TORUS_DECIDE_BOUNDS_H

#include <stdint.h>

/* Places verified: each is a question to Slurm's plugin, which looks at all nodes. */
static inline int torus_decide_most_verified(uint32_t nodes)
{
	return nodes <= 1000 ? 32 : 7;
}

/* Numbers looked at by searches. */
static inline uint64_t torus_decide_most_work(uint32_t nodes)
{
	return (uint64_t)nodes * (nodes <= 1000 ? 1024 : 96);
}

#endif
