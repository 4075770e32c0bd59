/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's choice among nodes of Slurm's table: decide/choice.h for Slurm's bitmaps.
 */
#ifndef TORUS_CHOOSE_H
#define TORUS_CHOOSE_H

#include "slurm/tori.h"

#include "decide/choice.h"
#include "decide/job.h"
#include "decide/tally.h"

/* Sets of nodes are Slurm's bitmaps (bitstr_t) over its table, the weights its own:
 * node_weight(). */
typedef torus_chooser_t chooser_t;
typedef torus_choice_request_t choice_request_t;
typedef torus_choice_t choice_t;

/* Whether one of [nodes] weighs more than one of the [others]. */
bool choose_some_are_heavier(const bitstr_t *nodes, const bitstr_t *others, bool planned);

/* What the [count] lightest of [nodes] weigh together; UINT64_MAX: there are fewer. */
uint64_t choose_lightest(const bitstr_t *nodes, uint32_t count, bool planned);

/*
 * The request for [nodes] nodes of [job] and for the place that it [asks] for, without a
 * need and a verifier, which the caller adds.
 */
choice_request_t choose_request(const job_record_t *job, const torus_job_t *asks,
				uint32_t nodes, bool planned);

/* torus_choose(), an error being logged. [chosen] is of the size of [candidates], or
 * NULL.
 */
torus_outcome_t choose_nodes(chooser_t *chooser, const choice_request_t *request,
			     bitstr_t *candidates, bitstr_t *chosen, choice_t *choice);

/*
 * Whether there may be such a place among [nodes], whatever these have that the job
 * needs. If there is one, *choice describes it, as with choose_nodes().
 */
bool choose_is_possible(chooser_t *chooser, choice_request_t request, bitstr_t *nodes,
			choice_t *choice);

/* Log, for debugging, that [job] gets [nodes], whose choice that was, and what the engine
 * chose last; [question] is what is asked about the job, followed by a space, or "". */
void choose_log(const job_record_t *job, const char *question, const choice_t *choice,
		const bitstr_t *nodes, torus_tally_by_t by);

/* torus_choice_ranks(). */
uint32_t choose_ranks_of(tori_t *tori, const bitstr_t *nodes, uint32_t *counts);

/* torus_choice_is_near(). An error is logged, and they are. */
bool choose_is_near(tori_t *tori, const bitstr_t *nodes, uint32_t near);

#endif
