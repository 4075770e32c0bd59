/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partner: on a binary hypercube of 2^d nodes, a subcube of 2^k nodes is one of 2^(k-1)
 * at a multiple of its size with a partner, whose address differs in one of the d - k + 1
 * higher bits: (d - k + 1) * 2^(d - k) subcubes are recognised, more than by the buddy
 * strategy (2^(d - k)) and the Gray code (twice that). "A New Strategy for Processors
 * Allocation in an N-Cube Multiprocessor" (Al-Dhelaan, Bose, 1989).
 *
 * In the paper jobs have 2^k nodes. Here one of n nodes gets n of the smallest subcube
 * that holds it, those with the lowest addresses.
 */
#include "place/subcube.h"

/* The low k - 1 dimensions and one more. */
static bool recognised(uint32_t across, int size)
{
	uint32_t block = size ? (UINT32_C(1) << (size - 1)) - 1 : 0;

	return (across & block) == block;
}

int torus_partner(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	(void)score;
	return torus_subcube_place(ask, recognised, err);
}
