/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugins' tokens in a job's SystemComment: what they remember of a job, and all that
 * they ever write into its record for good.
 */
#ifndef TORUS_SLURM_SYSTEM_COMMENT_H
#define TORUS_SLURM_SYSTEM_COMMENT_H

#include "slurm/compat.h"

/*
 * Put [token] in place of the one that begins with [key], as torus_comment_replace()
 * does; NULL takes that out. The caller has the jobs locked for writing.
 *
 * Where that changes the text, slurmctld learns of it as of a change of its own: clients
 * are told, and the jobs are saved within the seconds that slurmctld takes for that (5
 * since it last began to, in all releases), so that a crash later than that does not take
 * it back. It saves all jobs at once, however many have changed.
 */
void system_comment_replace(job_record_t *job, const char *key, const char *token);

#endif
