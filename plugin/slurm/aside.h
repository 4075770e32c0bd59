/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question to Slurm's plugin about a job that is being decided. The plugin answers as
 * if it were a decision of its own, and leaves its notes in the records of the job and of
 * the nodes; the decision that goes on must find these as they were.
 */
#ifndef TORUS_ASIDE_H
#define TORUS_ASIDE_H

#include "slurm/compat.h"

typedef struct aside aside_t;

/*
 * Before a question about [nodes]: note what the answer may overwrite. The job has no
 * resources (job_resrcs) during the question.
 */
aside_t *aside_begin(job_record_t *job, const bitstr_t *nodes);

/* After it, with the same job and nodes: put everything back, and free [aside]. */
void aside_end(job_record_t *job, const bitstr_t *nodes, aside_t *aside);

#endif
