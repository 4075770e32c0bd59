/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that hold nodes now: see active_jobs.h. */
#include "select/active_jobs.h"

#include "base/radix.h"

#include <stdatomic.h>

static active_jobs_t active;
static int64_t *ends;	 /* active.ends */
static atomic_bool kept; /* no function of the plugin has been called since */

bool job_is_active(const job_record_t *job)
{
	return job_holds_nodes(job) && job->job_resrcs;
}

/*
 * A job that a user or administrator has suspended gives its cores to others and keeps
 * its memory; slurmctld marks it by its priority. One that is suspended to let another
 * have its turn keeps both.
 */
bool job_holds_cores(const job_record_t *job)
{
	return IS_JOB_RUNNING(job) || job->priority != 0;
}

static void note_resumed(const job_record_t *job)
{
	active.resumed |= IS_JOB_RUNNING(job) && job->suspend_time;
}

/* Whether the kept list is that of now. */
static bool is_unchanged(void)
{
	if (!atomic_load(&kept))
		return false;
	active.resumed = false;
	for (int i = 0; i < active.count; i++) {
		const job_record_t *job = active.job[i];

		if (!job_is_active(job) || job->end_time != ends[i])
			return false;
		note_resumed(job);
	}
	return true;
}

static void free_list(void)
{
	xfree(active.job);
	xfree(ends);
	active = (active_jobs_t){0};
}

static void collect(void)
{
	uint32_t most = (uint32_t)list_count(job_list), count = 0;
	const job_record_t **found = xcalloc(most + 1, sizeof(*found));
	torus_keyed_t *by_end = xcalloc(2 * (size_t)most + 1, sizeof(*by_end));
	slurm_list_iterator_t jobs = list_iterator_create(job_list);
	const job_record_t *job;

	free_list();
	while ((job = list_next(jobs))) {
		if (!job_is_active(job))
			continue;
		note_resumed(job);
		by_end[count] = (torus_keyed_t){(uint64_t)job->end_time, count};
		found[count++] = job;
	}
	list_iterator_destroy(jobs);
	torus_radix_sort(by_end, by_end + count, count);
	active.count = (int)count;
	active.job = xcalloc(count + 1, sizeof(*active.job));
	ends = xcalloc(count + 1, sizeof(*ends));
	active.ends = (torus_ends_t){active.count, ends};
	for (uint32_t i = 0; i < count; i++) {
		active.job[i] = found[by_end[i].value];
		ends[i] = active.job[i]->end_time;
	}
	xfree(found);
	xfree(by_end);
}

const active_jobs_t *active_jobs_now(void)
{
	if (!is_unchanged()) {
		atomic_store(&kept, true);
		collect();
	}
	return &active;
}

void active_jobs_forget(void)
{
	atomic_store(&kept, false);
}

void active_jobs_clear(void)
{
	active_jobs_forget();
	free_list();
}

/* Whether nobody gets a node that the job holds. */
static bool holds_alone(const job_record_t *job)
{
	return job_holds_cores(job) && job->job_resrcs->node_req >= NODE_CR_RESERVED;
}

int active_jobs_leave(const active_jobs_t *list, const bitstr_t *nodes, uint32_t fewest)
{
	bitstr_t *left = bit_copy((bitstr_t *)nodes);
	int first = list->count;

	/* What is [left] after the end before [first]. */
	while (first > 0 && (uint32_t)bit_set_count(left) >= fewest) {
		const job_record_t *job = list->job[--first];

		if (holds_alone(job))
			bit_and_not(left, job->node_bitmap);
	}
	bit_free(left);
	return first;
}
