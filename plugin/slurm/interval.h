/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shortest interval of a curve that has enough processors, where its nodes have
 * different numbers of them free. The engine knows nothing of processors: it is asked
 * first, among nodes with room for an even share of the job.
 */
#ifndef TORUS_INTERVAL_H
#define TORUS_INTERVAL_H

#include "slurm/choose.h"

typedef struct interval_request {
	const bitstr_t *pool;	  /* nodes that the interval may consist of */
	const bitstr_t *required; /* nodes that it must have, or NULL */
	const uint32_t *free; /* processors, by node; in the pool at least one of each */
	uint32_t cpus;	      /* processors in all */
	uint32_t min_nodes, max_nodes;
} interval_request_t;

/*
 * Look for the shortest run of consecutive ranks of one torus, over the end of its curve
 * where spans are rings, that is what the [request] asks for; of several the one with the
 * fewest processors, of these the first. Returns its nodes in [chosen] (cleared first)
 * and *choice with its map, nodes and span, or false. O(ranks).
 */
bool interval_with_cpus(const machine_t *machine, const interval_request_t *request,
			bitstr_t *chosen, choice_t *choice);

#endif
