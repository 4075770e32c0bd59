/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans beside those of Slurm's plugin. In the select/torus that is linked with this
 * file, each plan is compared with what Slurm's plugin alone would plan for the job,
 * among the same nodes and in the same moment, and one that was kept (asked_twice.h) with
 * one made anew. A line "select/torus: plan: ..." is logged for each, and an error where
 * the job would start later than by Slurm's plan, or the kept plan is another than the
 * new one. From 26.05 on Slurm's plan is for the last end on the nodes that it would
 * give, and other nodes of the same group of ends (end_of_group()) may have a later one.
 *
 * The linker puts the functions __wrap_* here in the places of those that they are named
 * after, which are then called __real_*.
 */
#include "select/ask_engine.h"
#include "select/asked_twice.h"
#include "slurm/aside.h"

bool __real_asked_twice_answer(asked_twice_t *asked, const job_test_call_t *call,
			       bitstr_t *bitmap, int *rc);
void __real_asked_twice_end(asked_twice_t *asked, int rc, const bitstr_t *bitmap);
int __real_job_decide(tori_t *tori, const job_test_call_t *call, bitstr_t *bitmap);
bool __wrap_asked_twice_answer(asked_twice_t *asked, const job_test_call_t *call,
			       bitstr_t *bitmap, int *rc);
void __wrap_asked_twice_end(asked_twice_t *asked, int rc, const bitstr_t *bitmap);
int __wrap_job_decide(tori_t *tori, const job_test_call_t *call, bitstr_t *bitmap);

/* The question that is being answered; the plugin answers one at a time. */
static struct {
	const job_test_call_t *call;
	bitstr_t *offered; /* NULL: it is none for a plan */
	tori_t *tori;
} asked_now;

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
	rc = tori ? __real_job_decide(tori, &again, nodes) : job_pass(&again, nodes);
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

/* Compare the answer [rc] and [chosen], which was [kept], with others. */
static void check_plan(int rc, const bitstr_t *chosen, bool kept)
{
	const job_test_call_t *call = asked_now.call;
	bitstr_t *offered = asked_now.offered;
	plan_t ours, slurm, anew;
	time_t now = time(NULL);

	if (!offered)
		return;
	ours = make_plan(call->job, rc, chosen);
	slurm = ask_again(NULL, call, offered);
	compare_slurm(call, offered, &ours, &slurm);
	if (kept) {
		anew = ask_again(asked_now.tori, call, offered);
		compare_kept(call, &ours, &anew);
		bit_free(anew.nodes);
	}
	info("select/torus: plan: JobId=%u %s wait=%ld by_slurm=%ld", call->job->job_id,
	     kept ? "kept" : "made", ours.start ? (long)(ours.start - now) : -1,
	     slurm.start ? (long)(slurm.start - now) : -1);
	bit_free(ours.nodes);
	bit_free(slurm.nodes);
	FREE_NULL_BITMAP(asked_now.offered);
}

bool __wrap_asked_twice_answer(asked_twice_t *asked, const job_test_call_t *call,
			       bitstr_t *bitmap, int *rc)
{
	asked_now.call = call;
	if (SELECT_IS_MODE_WILL_RUN(call->mode) && call->job->part_ptr)
		asked_now.offered = bit_copy(bitmap);
	if (!__real_asked_twice_answer(asked, call, bitmap, rc))
		return false;
	check_plan(*rc, bitmap, true);
	return true;
}

int __wrap_job_decide(tori_t *tori, const job_test_call_t *call, bitstr_t *bitmap)
{
	asked_now.tori = tori;
	return __real_job_decide(tori, call, bitmap);
}

void __wrap_asked_twice_end(asked_twice_t *asked, int rc, const bitstr_t *bitmap)
{
	__real_asked_twice_end(asked, rc, bitmap);
	check_plan(rc, bitmap, false);
}
