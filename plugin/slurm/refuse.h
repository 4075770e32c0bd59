/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that can not run, and what the log says of them. */
#ifndef TORUS_REFUSE_H
#define TORUS_REFUSE_H

#include "slurm/compat.h"

/* Why, where every place was looked at. */
#define NO_PLACE_HAS "no such place has the processors, memory or GRES that it asks for"

/*
 * Refuse the job; the reason goes into the log, once a job, however often Slurm asks.
 * [nodes] are those that Slurm has offered: if others of its partition are missing only
 * today, the log says "now". NULL: the reason has nothing to do with nodes. Returns
 * what Slurm is to be told. To be called with the tori locked.
 */
int refuse_job(const job_record_t *job, const bitstr_t *nodes, const char *reason);

#endif
