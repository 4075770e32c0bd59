/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans beside those of Slurm's plugin: see plan_check.h. */
#include "select/plan_check.h"

#include "select/ask_engine.h"
#include "slurm/aside.h"

#include <stdlib.h>

bitstr_t *plan_check_begin(const job_test_call_t *call, const bitstr_t *nodes)
{
	static int wanted = -1;

	if (wanted < 0)
		wanted = getenv("TORUS_CHECK_PLANS") != NULL;
	if (!wanted || !SELECT_IS_MODE_WILL_RUN(call->mode) || !call->job->part_ptr)
		return NULL;
	return bit_copy((bitstr_t *)nodes);
}

/* An answer: what a plan says. */
typedef struct plan {
	int rc;
	time_t start; /* not before now; 0: never */
	bitstr_t *nodes;
} plan_t;

static plan_t make_plan(const job_record_t *job, int rc, const bitstr_t *nodes)
{
	time_t now = time(NULL);
	time_t start = job->start_time > now ? job->start_time : now;

	return (plan_t){
		.rc = rc,
		.start = rc == SLURM_SUCCESS ? start : 0,
		.nodes = bit_copy((bitstr_t *)nodes),
	};
}

/* The answer of Slurm's plugin alone, or with [tori] our own, made anew. */
static plan_t ask_again(tori_t *tori, const job_test_call_t *call,
			const bitstr_t *offered)
{
	bitstr_t *nodes = bit_copy((bitstr_t *)offered);
	job_test_call_t again = *call;
	slurm_list_t preemptees = NULL;
	aside_t *aside;
	plan_t plan;
	int rc;

	if (call->preemptees)
		again.preemptees = &preemptees;
	aside = aside_begin(call->job, offered);
	rc = tori ? job_decide(tori, &again, nodes) : job_pass(&again, nodes);
	plan = make_plan(call->job, rc, nodes);
	aside_end(call->job, offered, aside);
	FREE_NULL_LIST(preemptees);
	bit_free(nodes);
	return plan;
}

/* Whether [ours] is later than the group of ends of Slurm's plan. */
static bool is_later(const job_test_call_t *call, const bitstr_t *offered,
		     const plan_t *ours, const plan_t *slurm)
{
	time_t last = slurm->start;

	if (!last)
		return false;
	if (last > time(NULL))
		last = end_of_group(call, offered, last);
	return !ours->start || ours->start > last + 1;
}

/* A job that asks for a certain place waits for it: that is its purpose. */
static bool asks_for_place(const job_record_t *job)
{
	return job->network || job->details->contiguous || job_segment_size(job);
}

static void compare_kept(const job_test_call_t *call, const plan_t *kept,
			 const plan_t *anew)
{
	if (kept->rc == anew->rc && kept->start == anew->start &&
	    (!kept->start || bit_equal(kept->nodes, anew->nodes)))
		return;
	error("select/torus: plan: JobId=%u kept: rc=%d start=%ld, made anew: rc=%d start=%ld",
	      call->job->job_id, kept->rc, (long)kept->start, anew->rc,
	      (long)anew->start);
}

static void compare_slurm(const job_test_call_t *call, const bitstr_t *offered,
			  const plan_t *ours, const plan_t *slurm)
{
	if (!is_later(call, offered, ours, slurm) || asks_for_place(call->job))
		return;
	error("select/torus: plan: JobId=%u nodes=%u-%u would start at %ld, by Slurm at %ld",
	      call->job->job_id, call->min_nodes, call->max_nodes, (long)ours->start,
	      (long)slurm->start);
}

void plan_check_end(tori_t *tori, const job_test_call_t *call, bitstr_t *offered, int rc,
		    const bitstr_t *chosen, bool kept)
{
	plan_t ours, slurm, anew;
	time_t now = time(NULL);

	if (!offered)
		return;
	ours = make_plan(call->job, rc, chosen);
	slurm = ask_again(NULL, call, offered);
	compare_slurm(call, offered, &ours, &slurm);
	if (kept) {
		anew = ask_again(tori, call, offered);
		compare_kept(call, &ours, &anew);
		bit_free(anew.nodes);
	}
	info("select/torus: plan: JobId=%u %s wait=%ld by_slurm=%ld", call->job->job_id,
	     kept ? "kept" : "made", ours.start ? (long)(ours.start - now) : -1,
	     slurm.start ? (long)(slurm.start - now) : -1);
	bit_free(ours.nodes);
	bit_free(slurm.nodes);
	bit_free(offered);
}
