/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Communication patterns: which rank of a job sends to which, step by step.
 *
 * A round of a pattern is a number of steps. In a step each rank sends at most one
 * message on each of its lanes, all at the same time; a step is over when its last
 * message has arrived. All messages have the same length. n is the number of ranks, p the
 * largest power of two that is not above n; a grid is the one that MPI would choose for n
 * ranks in three dimensions, as for `storus map --grid auto`: of torus_task_grid_mpi(), rank
 * t at (t mod A, t/A mod B, t/(AB)), not periodic.
 *
 * halo        One step: each rank sends to its up to six neighbours in the grid, as a
 *             stencil code does (contrib/studies/programs/halo.c).
 * ring        One step: rank r sends to r+1 mod n. Leung et al., "Processor Allocation on
 *             Cplant: Achieving General Processor Locality Using One-Dimensional
 *             Allocation Strategies" (2002), name it as a part of their test.
 * all_to_all  n-1 steps: in step s = 1 .. n-1 rank r sends to r+s mod n (the usual
 *             schedule of pairwise exchange). There, too; and in Mache and Lo, "Dispersal
 *             Metrics for Non-Contiguous Processor Allocation" (1996), whose five
 *             patterns are this and the following but ping_pong.
 * ping_pong   All pairs, each once, as in a tournament in which everybody plays everybody
 *             (the circle method): a set of disjoint pairs in two steps, the lower rank
 *             sends, then the higher one answers. 2(n-1) steps for even n, 2n for odd n,
 *             where one rank at a time has no partner. Leung et al. as above.
 * one_to_all  n-1 steps: in step s rank 0 sends to rank s. (A node injects one message
 *             after the other.)
 * fft         log2 p steps: in step s ranks r and r xor 2^s exchange, r < p: the
 * butterfly of the fast Fourier transform. multigrid   A V cycle on the grid,
 * agglomerating: on level l the ranks take part whose coordinates are all multiples of
 * 2^l, each sends to its up to six neighbours among these. Levels 0, 1 .. L, .. 1, 0, a
 * step each; L is the last on which some rank has a neighbour. cg          An iteration
 * of NAS CG (Bailey et al., "The NAS Parallel Benchmarks", 1991) as its program does it,
 * on p ranks in rows of 2^ceil(log2 p / 2): the sum over each row by exchange at
 * distances of half a row, a quarter, ... 1; then the exchange with the transposed rank.
 * The sums of single numbers are left out. A rank that is its own transposed one does not
 * send.
 */
#ifndef CONTEND_PATTERN_H
#define CONTEND_PATTERN_H

#include <stdint.h>

#include "base/error.h"
#include "taskgrid/grid.h"

#define CONTEND_NOBODY UINT32_MAX
/* Ranks that a job may have: what steps can be counted for. */
#define CONTEND_MAX_RANKS (UINT32_C(1) << 28)

typedef struct contend_pattern contend_pattern_t;

typedef struct contend_pattern_kind {
	const char *name;
	uint32_t lanes;
	/* Fill the members below `ranks`, which is at least 1. */
	void (*prepare)(contend_pattern_t *pattern);
	/* As contend_pattern_target(). */
	uint32_t (*target)(const contend_pattern_t *pattern, uint32_t step, uint32_t rank,
			   uint32_t lane);
} contend_pattern_kind_t;

struct contend_pattern {
	const contend_pattern_kind_t *kind;
	uint32_t ranks;		/* n */
	uint32_t steps;		/* of a round; 0 with one rank */
	uint32_t senders;	/* ranks 0 .. senders-1 may send, the others never do */
	torus_task_grid_t grid; /* of halo and multigrid; .dims is 0 in the others */
};

/* The patterns there are, in the order above; NULL beyond the last. */
const contend_pattern_kind_t *contend_pattern_kind(int index);

/*
 * Make the pattern called [name] for [ranks], 1 .. CONTEND_MAX_RANKS, ranks. Returns 0,
 * or -1 with [err] naming all patterns.
 */
int contend_pattern_make(const char *name, uint32_t ranks, contend_pattern_t *pattern,
			 torus_error_t *err);

/*
 * Give halo or multigrid another [grid], of up to three dimensions, not periodic, and of
 * as many tasks as there are ranks. Other patterns have none and stay as they are.
 */
void contend_pattern_set_grid(contend_pattern_t *pattern, const torus_task_grid_t *grid);

/*
 * To whom [rank], below pattern->senders, sends on [lane], below kind->lanes, in [step],
 * below pattern->steps; CONTEND_NOBODY if to nobody. Never to itself. O(1).
 */
uint32_t contend_pattern_target(const contend_pattern_t *pattern, uint32_t step,
				uint32_t rank, uint32_t lane);

#endif
