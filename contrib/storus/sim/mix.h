/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What logs do not say of their jobs: which ask for a box, which may be requeued, and so
 * on.
 */
#ifndef STORUS_SIM_MIX_H
#define STORUS_SIM_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/map.h"
#include "sim/workload.h"

/* Shares of the jobs, each 0 to 1. */
typedef struct storus_shares {
	double boxes;	    /* of those with two nodes or more that ask for no box */
	double preemptible; /* of those without a box, then */
	double isolate;	    /* the same */
	double loose;	    /* of those that are not isolated either */
	bool cubes;	    /* the boxes are cubes */
	uint32_t whole;	    /* jobs without a box get whole blocks: see storus_mix() */
} storus_shares_t;

/* Of storus_shares_t.whole: a block of each job's own. */
#define STORUS_WHOLE_BUDDY UINT32_MAX

/*
 * Read "buddy", or the side of a block, at least 1. Returns 0, or -1 with [err] filled.
 */
int storus_whole_parse(const char *text, uint32_t *whole, torus_error_t *err);

/*
 * Make a share of the jobs ask for the most cube-like box of [map] with room for their
 * nodes, or for the smallest cube that has it, and shares of those without a box
 * preemptible, isolated and loose. A job's luck
 * depends on [seed] and its place in the workload only: a larger share takes in a smaller
 * one. Jobs larger than the torus, or than its largest cube, stay as they are.
 *
 * With shares->whole jobs without a box get as many nodes as the fewest blocks with this
 * side have that hold them, as pages are given; or as the smallest block has whose side
 * is a power of two. A block ends where the machine does. Jobs for which these are more
 * than the torus has stay as they are.
 */
void storus_mix(torus_workload_t *workload, const torus_map_t *map,
		const storus_shares_t *shares, uint64_t seed);

/* A share [wishes] of the jobs has the wish of the simulation; their luck likewise. */
void storus_mix_wishes(torus_workload_t *workload, double wishes, uint64_t seed);

#endif
