/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a job waits for a better place: see slurm/patience.h. */
#include "slurm/patience.h"

#include "machine/token.h"
#include "slurm/record.h"

/* The task of an array that starts next. */
static uint32_t task_of(const job_record_t *job)
{
	const job_array_struct_t *array = job->array_recs;

	if (array && array->task_id_bitmap)
		return (uint32_t)bit_ffs(array->task_id_bitmap);
	return job->array_task_id == NO_VAL ? TORUS_WAITING_NO_TASK : job->array_task_id;
}

/*
 * Since when the job has been waiting; 0: it has not. What another task of its array, or
 * the job before it was requeued or put off, has left there does not count.
 */
static time_t since_of(const job_record_t *job)
{
	const job_details_t *details = job->details;
	torus_waiting_t waiting;

	if (!torus_waiting_read(job->system_comment, &waiting) ||
	    waiting.task != task_of(job) || waiting.since < details->submit_time ||
	    waiting.since < details->begin_time || waiting.since > time(NULL))
		return 0;
	return waiting.since;
}

/*
 * Whether some node of the job's partition is in use, or about to be free. If none is, no
 * better place will come.
 */
static bool some_are_busy(const job_record_t *job)
{
	bitstr_t *busy;
	bool any;

	if (!job->part_ptr || !job->part_ptr->node_bitmap)
		return true;
	busy = bit_copy(job->part_ptr->node_bitmap);
	bit_and(busy, avail_node_bitmap);
	bit_and_not(busy, idle_node_bitmap);
	any = bit_ffs(busy) >= 0 ||
	      bit_overlap_any(job->part_ptr->node_bitmap, cg_node_bitmap);
	bit_free(busy);
	return any;
}

/* What the site says: of the tori that the job's partition has nodes of. */
static torus_patience_site_t site_of_job(const tori_t *tori, const job_record_t *job)
{
	const bitstr_t *nodes = job->part_ptr ? job->part_ptr->node_bitmap : NULL;
	bool may_use[tori->count];

	if (tori->count == 1 || !nodes)
		return torus_cluster_patience(tori->cluster, NULL);
	memset(may_use, 0, sizeof(may_use));
	for (int i = next_set_bit(nodes, 0); i >= 0 && i < tori->nodes;
	     i = next_set_bit(nodes, i + 1)) {
		if (tori->torus_of_node[i] >= 0)
			may_use[tori->torus_of_node[i]] = true;
	}
	return torus_cluster_patience(tori->cluster, may_use);
}

patience_t patience_of_job(const tori_t *tori, const job_record_t *job,
			   const torus_network_request_t *network, bool contiguous)
{
	torus_patience_site_t site = site_of_job(tori, job);
	patience_t patience = {.asked = torus_patience_of(network, contiguous, &site)};

	/* Other nodes than these will not come. */
	if (patience.asked.wish == TORUS_WISH_NEAR && job->details->req_node_bitmap)
		patience.asked.wish = TORUS_WISH_NONE;
	if (patience.asked.wish)
		patience.since = since_of(job);
	if (patience.asked.wish && !some_are_busy(job))
		patience.asked.within = 0;
	return patience;
}

void patience_wait(patience_t *patience, job_record_t *job)
{
	time_t now = time(NULL);
	torus_waiting_t waiting = {.wish = patience->asked.wish, .task = task_of(job)};
	char token[TORUS_WAITING_TEXT];

	if (!IS_JOB_PENDING(job) || !job->priority || job->details->begin_time > now)
		return;
	if (!patience->since)
		patience->since = now;
	waiting.since = patience->since;
	waiting.until = patience_end(patience, now);
	record_replace_token(job, TORUS_WAITING_KEY,
			     torus_waiting_format(&waiting, token));
}

void patience_forget(job_record_t *job)
{
	size_t length;

	if (torus_comment_find(job->system_comment, TORUS_WAITING_KEY, &length))
		record_replace_token(job, TORUS_WAITING_KEY, NULL);
}
