/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's patience: how long it waits for a better place although it could run, as
 * machine/patience.h says, and since when it does.
 *
 * The time is kept in the job's SystemComment (machine/waiting.h), which Slurm saves soon
 * after (slurm/record.h), so that neither a restart nor a takeover changes it,
 * nor a crash once it is saved. It is another one for each start of a job and each task
 * of an array.
 */
#ifndef TORUS_SLURM_PATIENCE_H
#define TORUS_SLURM_PATIENCE_H

#include "machine/network_option.h"
#include "slurm/tori.h"

typedef struct patience {
	torus_patience_t asked;
	time_t since; /* when the job could first run; 0: it could not yet */
} patience_t;

/*
 * That of [job], which asks for [network], [contiguous] being --contiguous for an
 * interval of the curve. There is none where all nodes of its partition are idle.
 */
patience_t patience_of_job(const tori_t *tori, const job_record_t *job,
			   const torus_network_request_t *network, bool contiguous);

/* When it ends; for a job that could not run yet: if it could at [start]. */
static inline time_t patience_end(const patience_t *patience, time_t start)
{
	return (patience->since ? patience->since : start) + patience->asked.within;
}

/* Whether the job waits for what it wishes, should it be able to run now. */
static inline bool patience_lasts(const patience_t *patience)
{
	time_t now = time(NULL);

	return patience->asked.wish && now < patience_end(patience, now);
}

/*
 * The job, whose patience lasts, could run now and waits: the time starts, unless it has.
 * Not for a job that is held or may not start yet. Its SystemComment says so.
 */
void patience_wait(patience_t *patience, job_record_t *job);

/* Take what patience_wait() has written out of the job's SystemComment. */
void patience_forget(job_record_t *job);

#endif
