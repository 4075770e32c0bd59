/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that can not run, and what the log says of them. */
#ifndef TORUS_REFUSE_H
#define TORUS_REFUSE_H

#include "slurm/tori.h"

/*
 * Refuse the job; the reason goes into the log, once a job, however often Slurm asks.
 * [nodes] are those that Slurm has offered: if others of its partition are missing only
 * today, the log says "now". NULL: the reason has nothing to do with nodes. Returns
 * what Slurm is to be told. To be called with the tori locked.
 */
int refuse_job(const job_record_t *job, const bitstr_t *nodes, const char *reason);

/* Whether from now on the log says nothing of jobs that are refused: another way is tried
 * after that. */
void refuse_silently(bool silently);

#endif
