/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which chips of its nodes a job has, where nodes are boxes of chips (NodeShape=). */
#ifndef TORUS_SLURM_CHIPS_H
#define TORUS_SLURM_CHIPS_H

#include "place/shape.h"
#include "slurm/tori.h"

/*
 * Append the job's chips to its [token], malloc'ed, if it has some and not all chips of
 * its nodes: those whose numbers its GRES have, which Slurm gives it after its nodes.
 * [tori] and [counts] as choose_ranks_of() has left them for the job's nodes, [shapes]
 * what it asked for. Nothing is added for nodes on several tori, with more than
 * TORUS_TOKEN_CHIPS chips each, or where it is not plain which GRES are the chips: none
 * or several kinds have a number for each chip. Returns the text in place of [token], to
 * be freed, NULL included.
 */
char *chips_add(char *token, const tori_t *tori, const uint32_t *counts,
		const job_record_t *job, const torus_shapes_t *shapes);

/* Whether there may be chips to add for a job that has its GRES now. */
bool chips_may_be_known(const tori_t *tori, const job_record_t *job);

#endif
