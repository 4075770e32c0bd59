/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking Slurm's own topology plugin to choose among some of the nodes offered. */
#ifndef TORUS_TOPOLOGY_TRY_H
#define TORUS_TOPOLOGY_TRY_H

#include "slurm/compat.h"

#ifdef TOPOLOGY_CHOOSES

/* Slurm's own plugin. */
typedef struct topology_slurm {
	int (*choose)(topology_eval_t *eval); /* topology_p_eval_nodes() */
#ifdef TOPOLOGY_TEST_NODE
	int (*test_node)(topology_eval_t *eval, int node); /* topology_p_eval_node() */
#endif
} topology_slurm_t;

typedef struct topology_try {
	const topology_slurm_t *slurm;
	topology_eval_t *eval;
	topology_eval_t asked; /* as it came */
	bitstr_t *offered;	     /* the nodes as they came */
	/*
	 * Slurm's plugin does not see --contiguous: it would take it to mean neighbours
	 * in Slurm's node table, not an interval of the curve.
	 */
	bool hide_contiguous;
} topology_try_t;

/* How many of the nodes Slurm's plugin is to take. */
typedef enum topology_extent {
	TOPOLOGY_SOME,	   /* as many as it needs */
	TOPOLOGY_ALL,	   /* all of them */
	TOPOLOGY_ALL_EVEN, /* the same, also if they are more than the job asks for */
} topology_extent_t;

/*
 * Ask Slurm's plugin to choose among [nodes] alone. If it can not, or [only_look],
 * everything is as it was before, and the answer in [taken] (or NULL).
 */
bool topology_try(const topology_try_t *asking, const bitstr_t *nodes,
		  topology_extent_t extent, bool only_look, bitstr_t *taken);

/*
 * Ask Slurm's plugin to choose among all nodes offered. From 26.05 on Slurm by itself
 * asks for a job of one node about one node after the other, by weight, and GRES counted
 * in all
 * (--gpus=7) add up over the nodes that were tried: a job with more than any node has is
 * not refused at submission, and waits. So that comes last. Nothing is put back if the
 * answer is no.
 */
bool topology_let_slurm(const topology_try_t *asking);

/*
 * Ask Slurm's plugin about a part of a job that counts features (slurm/features.h), of
 * the least number of nodes that is asked for: all the GRES that the job counts in all
 * (--gpus=) only the whole job must have. Where the part has not as many, its nodes are
 * chosen without, and select/cons_tres then takes no GRES of them for the part.
 *
 * Slurm adds to the nodes that a job [names] those that are chosen for parts: of the
 * former as many as can be are chosen, and [fewer] nodes less, but not none.
 */
bool topology_let_slurm_part(const topology_try_t *asking, bool names, uint32_t fewer);

/* Have Slurm's plugin take all of the [nodes] for a part, without GRES that they have
 * not.
 */
bool topology_try_part(const topology_try_t *asking, const bitstr_t *nodes);

#endif
#endif
