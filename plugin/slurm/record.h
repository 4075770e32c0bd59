/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's records of jobs: whether they are laid out as in the headers that we were built
 * with, and the plugins' tokens in SystemComment, which are what the plugins remember of
 * a job, and all that they ever write into its record for good.
 */
#ifndef TORUS_RECORD_H
#define TORUS_RECORD_H

#include "slurm/compat.h"

/*
 * Whether [job] (NULL: no) carries Slurm's marks where our headers have them. If not,
 * nothing in it can be trusted, and nothing must be written to it; the first time the log
 * says so.
 */
bool record_is_job(const job_record_t *job);

/*
 * At the plugin's start: warn in slurmctld's log if the plugin was built for a release of
 * Slurm that it was never tested with (configure --enable-untested-slurm).
 */
void record_warn_if_untested(void);

/*
 * Put [token] in place of the one that begins with [key], as torus_comment_replace()
 * does; NULL takes that out. The caller has the jobs locked for writing.
 *
 * Where that changes the text, slurmctld learns of it as of a change of its own: clients
 * are told, and the jobs are saved within the seconds that slurmctld takes for that (5
 * since it last began to, in all releases), so that a crash later than that does not take
 * it back. It saves all jobs at once, however many have changed.
 */
void record_replace_token(job_record_t *job, const char *key, const char *token);

#endif
