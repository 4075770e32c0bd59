/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question to the engine as a user could cause it, from the text of --network on,
 * made of numbers: what a search for the costliest one changes.
 *
 * Of a job the engine is asked what slurmctld asks: to read its words, to choose nodes,
 * to say why there are none, and to write its token. (The order of tasks is srun's to
 * find.) The same numbers also give the ordinary job that it is compared with: one that
 * wants as many nodes in the same state, and says nothing else.
 */
#ifndef TORUS_TEST_QUESTION_H
#define TORUS_TEST_QUESTION_H

#include <stdbool.h>
#include <stdio.h>

#include "counted.h"

/* What the numbers of a question mean; each is reduced to what makes sense. */
enum {
	GENE_MACHINE,
	GENE_STATE, /* which pattern of free nodes, */
	GENE_BUSY,  /* how many are not, */
	GENE_SEED,  /* and which */
	GENE_WEIGHTS,
	GENE_NODES, /* the least, */
	GENE_MORE,  /* and how many more */
	GENE_REQUIRED,
	GENE_KIND, /* shape=, chips=, --contiguous or none of them */
	GENE_ALTERNATIVES,
	GENE_CLOSED,
	GENE_TWIST,
	GENE_ISOLATE,
	GENE_NEAR,
	GENE_SEGMENT,
	GENE_FEATURES, /* counted ones */
	GENE_OTHERS,   /* words that choose no nodes */
	GENE_GRID,
	GENE_GRID_DIMS,
	GENE_PERIODIC,
	GENE_STENCIL,
	GENE_NEED,
	GENE_HAS,
	GENE_VERIFIER,
	GENE_JUNK,		       /* words of others in the text */
	GENE_LENGTHS,		       /* six of the grid */
	GENE_SIDES = GENE_LENGTHS + 6, /* six of each shape */
	GENES = GENE_SIDES + 8 * 6,
};

typedef struct question {
	uint32_t gene[GENES];
} question_t;

/* Which doors, and what one was found to cost. */
typedef enum cost_door {
	DOOR_WORDS,  /* reading --network */
	DOOR_CHOICE, /* nodes */
	DOOR_REASON, /* why there are none */
	DOOR_TOKEN,
	DOORS,
} cost_door_t;

typedef struct answer {
	counted_t door[DOORS];
	counted_t all; /* the blocks together, the most bytes */
	int verified;  /* places that Slurm would have been asked about */
	bool placed;
} answer_t;

/* The cost of the question, and of the ordinary job beside it. */
void question_ask(const question_t *question, answer_t *hostile, answer_t *ordinary);

/* The first machines, which are quickly built: GENE_MACHINE below this. */
#define QUICK_MACHINES 6

/* How many nodes the machine of the question has. */
uint32_t question_machine_nodes(const question_t *question);

/* How often [hostile] costs what [ordinary] does: work, and memory. */
double question_work_ratio(const answer_t *hostile, const answer_t *ordinary);
double question_memory_ratio(const answer_t *hostile, const answer_t *ordinary);

/* Write the question as a job that somebody could submit, on one line. */
void question_print(const question_t *question, FILE *to);

/* Free what all questions share. */
void question_end(void);

#endif
