/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The token in a job's SystemComment, which tells how compact its allocation is. */
#ifndef TORUS_COMMENT_H
#define TORUS_COMMENT_H

#include "slurm/tori.h"

/*
 * Describe the nodes that [job] has now in its SystemComment; without any on a torus, as
 * comment_remove(). What others wrote there stays, but for what it waited for.
 */
void comment_set(tori_t *tori, job_record_t *job);

/*
 * The token for the nodes of [job] on torus number [t], or, -1, on all tori: at least
 * one. [tori] and [counts] are as choose_ranks_of() has left them for its nodes.
 * malloc()ed; NULL, and the log has it: no memory.
 */
char *comment_token(tori_t *tori, const job_record_t *job, const uint32_t *counts, int t);

/* Take the token out again. */
void comment_remove(job_record_t *job);

/* Whether the job's SystemComment has a token. */
bool comment_present(const job_record_t *job);

/* Whether it has one that counts as many nodes as the job has on a torus now. */
bool comment_counts_right(tori_t *tori, const job_record_t *job);

#endif
