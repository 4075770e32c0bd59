/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that wait for a better place although they could run: see topology/placing.h. */
#include "topology/placing.h"

#ifdef TOPOLOGY_CHOOSES

/* What the running jobs are at the time in question, which Slurm does not tell. */
typedef struct outlook {
	time_t now;	 /* the time, as far as the nodes offered show it: the end of the
			  * last job that is over by then */
	bool is_present; /* none is over */
	time_t next_end; /* of a job that runs on; 0: none does */
} outlook_t;

/* Whether a running job is over at that time: one of its nodes is offered, all of it. */
static bool is_over(const placing_t *p, const job_record_t *running)
{
	avail_res_t *const *resources = p->asking.eval->avail_res_array;
	const bitstr_t *nodes = running->node_bitmap;

	for (int i = next_set_bit(nodes, 0); i >= 0; i = next_set_bit(nodes, i + 1)) {
		if (bit_test(p->asking.offered, i) && resources[i] &&
		    (job_takes_whole_nodes(p->common.job) ||
		     resources[i]->avail_cpus >= node_cpus(node_record_table_ptr[i])))
			return true;
	}
	return false;
}

static outlook_t look_out(const placing_t *p)
{
	slurm_list_iterator_t jobs = list_iterator_create(job_list);
	outlook_t outlook = {.now = time(NULL), .is_present = true};
	const job_record_t *job;

	while ((job = list_next(jobs))) {
		if (!job_holds_nodes(job))
			continue;
		if (is_over(p, job)) {
			outlook.is_present = false;
			if (job->end_time > outlook.now)
				outlook.now = job->end_time;
		} else if (bit_overlap_any(job->node_bitmap,
					   p->common.job->part_ptr->node_bitmap) &&
			   (!outlook.next_end || job->end_time < outlook.next_end)) {
			outlook.next_end = job->end_time;
		}
	}
	list_iterator_destroy(jobs);
	return outlook;
}

/*
 * Whether the job, which could get other nodes than it wishes, waits.
 *
 * Slurm plans by asking at the ends of running jobs, but for "now" too, and takes the
 * first time at which the answer is yes. If no job ends before the patience does, there
 * will be no better place, and the answer is yes a little early. Slurm then asks to start
 * the job, and learns when that will be.
 */
static bool waits(void *context)
{
	placing_t *p = context;
	job_record_t *job = p->asking.eval->job_ptr;
	outlook_t outlook = look_out(p);
	time_t end;

	/* Slurm asks what could ever run, or whom the job would have to preempt. */
	if (!patience_lasts(&p->common.patience) || (!p->planned && !outlook.is_present))
		return false;
	if (outlook.is_present)
		patience_wait(&p->common.patience, job);
	end = patience_end(&p->common.patience, outlook.now);
	if (!p->planned) {
		job->start_time = end;
		return true;
	}
	return outlook.now < end && outlook.next_end && outlook.next_end <= end;
}

static bool counts_as_box(const placing_t *p)
{
	return torus_job_counts_as_box(&p->common.asks, p->asking.asked.min_nodes,
				       p->common.max_nodes);
}

/* How many nodes its box has; 0: it says how many, or there is no such box. */
static uint32_t box_nodes(placing_t *p)
{
	if (!p->common.box_nodes && counts_as_box(p))
		p->common.box_nodes = placing_place_nodes(p);
	return p->common.box_nodes;
}

/* The same decision for the job as one that wishes nothing, on the nodes of its box if
 * it does not say how many. */
static void begin_plainly(const placing_t *p, placing_t *plain)
{
	topology_eval_t *eval = p->asking.eval;

	*eval = p->asking.asked;
	if (p->common.box_nodes)
		eval->min_nodes = eval->req_nodes = eval->max_nodes = p->common.box_nodes;
	*plain = (placing_t){
		.common = {.chooser = {.tori = p->common.chooser.tori,
				       .context = plain,
				       .could_run = placing_could_run},
			   .job = p->common.job,
			   .max_nodes = eval->max_nodes,
			   .asks = p->common.asks,
			   .need = p->common.need,
			   .features = p->common.features,
			   .picked = p->common.picked},
		.asking = {.slurm = p->asking.slurm,
			   .eval = eval,
			   .asked = *eval,
			   .offered = p->asking.offered,
			   .hide_contiguous = p->asking.hide_contiguous},
		.could_run = p->could_run,
		.planned = p->planned,
	};
	plain->common.asks.segment = 0;
	plain->common.asks.gave_up = true;
}

static int look_plainly(void *context)
{
	placing_t *p = context, plain;
	bool could;

	box_nodes(p);
	begin_plainly(p, &plain);
	could = topology_try(&plain.asking, plain.asking.offered, TOPOLOGY_SOME, true,
			     NULL);
	placing_end(&plain);
	return could ? SLURM_SUCCESS : SLURM_ERROR;
}

static int take_plainly(void *context)
{
	placing_t *p = context, plain;
	int rc;

	begin_plainly(p, &plain);
	rc = place_ordinary(&plain);
	p->common.by = plain.common.by;
	placing_end(&plain);
	return rc;
}

static int take_any(void *context)
{
	return place_ordinary(context);
}

static torus_outcome_t find_wish(void *context, torus_at_t at, int64_t when)
{
	placing_t *p = context;
	choice_request_t request;
	torus_outcome_t outcome;

	if (torus_job_is_strict(&p->common.asks))
		return placing_strict_source.find(context, at, when);
	p->near = p->common.patience.asked.near;
	request = placing_request_range(p);
	p->near = 0;
	outcome = placing_choose(p, &request);
	if (outcome == TORUS_PLACE_FOUND)
		placing_note(p, TORUS_BY_ENGINE);
	return outcome;
}

int place_patiently(placing_t *p)
{
	torus_job_source_t source = placing_strict_source;

	/* Before nodes come to vacant places it cannot be had, nor replaced. */
	if (p->common.chooser.tori->grows && counts_as_box(p) && !box_nodes(p))
		return place_strictly(p);
	source.context = p;
	source.postpone = NULL; /* it may do without */
	source.find = find_wish;
	source.ordinary = take_any;
	source.look = look_plainly;
	source.take = take_plainly;
	source.waits = waits;
	p->common.asks.lasts = patience_lasts(&p->common.patience);
	return torus_job_patiently(&p->common.asks, &source);
}

#endif
