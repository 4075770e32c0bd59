/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's choice among nodes of Slurm's table: the translation between Slurm's
 * bitmaps over that table and machine/cluster_place.h. Knows nothing of jobs.
 */
#ifndef TORUS_CHOOSE_H
#define TORUS_CHOOSE_H

#include "slurm/machine.h"
#include "place/box.h"

typedef struct choice_request {
	uint32_t nodes;		    /* how many; ignored with a shape */
	bool contiguous;	    /* only one interval of the curve will do */
	const torus_shape_t *shape; /* only this box will do, or NULL */
	const bitstr_t *required;   /* nodes that must be among the chosen, or NULL */
	bool spread;		    /* over several places, if none alone will do */
	bool planned;		    /* for a start that may be later: see node_weight() */
} choice_request_t;

typedef struct choice {
	const torus_map_t *map; /* of a mix too; NULL when spread over several tori, and
				 * elsewhere */
	uint32_t candidates;	/* nodes there were to choose from, on the tori */
	uint32_t nodes;		/* in [chosen] */
	uint32_t span;		/* of the nodes on the tori; summed when spread */
	int64_t score;		/* of place/place.h; 0 when spread and elsewhere */
} choice_t;

/*
 * Choose among [candidates] by the rules of machine/cluster_place.h, the weights being
 * Slurm's. Returns true, and [chosen] (a bitmap of the same size, cleared first) holds
 * the nodes that *choice describes. Only elsewhere these may be more than the request
 * asks for: all nodes up to the highest weight that it needs, and which of them is
 * Slurm's to say. Returns false, and *choice has only the count of candidates, when there
 * is no choice by these rules; where nodes on several tori and elsewhere are needed
 * together, that is Slurm's to choose, too. Uses the machine's scratch memory: one call
 * at a time.
 */
bool choose_nodes(machine_t *machine, const bitstr_t *candidates,
		  const choice_request_t *request, bitstr_t *chosen, choice_t *choice);

/*
 * Ranks of the set bits of [nodes] on the tori: for each torus t,
 * machine->torus[t].chosen receives ranks in ascending order, counts[t] their number and
 * machine->torus[t].set[MACHINE_FREE] the same as a bitmap.
 * Returns how many nodes of the set are on no torus.
 */
uint32_t choose_ranks_of(machine_t *machine, const bitstr_t *nodes, uint32_t *counts);

#endif
