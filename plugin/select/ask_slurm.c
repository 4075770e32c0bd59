/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision asks Slurm's plugin: see ask_slurm.h. */
#include "select/ask_slurm.h"

#include "select/ask_engine.h"
#include "select/delegate.h"
#include "slurm/aside.h"

/*
 * Slurm's plugin never sees --contiguous: it would take it to mean neighbours in Slurm's
 * node table, not an interval of the curve.
 */
int ask_slurm_as(const job_decision_t *d, const job_test_call_t *call, bitstr_t *nodes,
		 slurm_list_t *victims)
{
	job_details_t *details = call->job->details;
	job_test_extra_t extra = call->extra;
	uint16_t contiguous = details->contiguous;
	int rc;

	if (victims)
		*victims = NULL;
	if (d->contiguous)
		details->contiguous = 0;
	rc = delegate.select_p_job_test(call->job, nodes, call->min_nodes,
					call->max_nodes, call->req_nodes, call->mode,
					victims ? call->preemptees : NULL, victims,
					JOB_TEST_EXTRA_UNPACK(&extra));
	details->contiguous = contiguous;
	return rc;
}

/* The call for a choice of [nodes]: of a box or an interval all of it, also if the tasks
 * need less. */
static job_test_call_t call_for(const job_decision_t *d, const bitstr_t *nodes)
{
	job_test_call_t call = *d->call;

	if (is_strict(d))
		call.min_nodes = call.req_nodes = bit_set_count((bitstr_t *)nodes);
	return call;
}

int ask_slurm(const job_decision_t *d, bitstr_t *nodes, slurm_list_t *victims)
{
	job_test_call_t call = call_for(d, nodes);

	return ask_slurm_as(d, &call, nodes, victims);
}

bool could_ever_run(const job_decision_t *d, const bitstr_t *nodes)
{
	bitstr_t *copy = bit_copy((bitstr_t *)nodes);
	job_test_call_t call = *d->call;
	aside_t *aside = aside_begin(call.job, nodes);
	bool can;

	call.mode = SELECT_MODE_TEST_ONLY;
	can = ask_slurm_as(d, &call, copy, NULL) == SLURM_SUCCESS;
	aside_end(call.job, nodes, aside);
	bit_free(copy);
	return can;
}

/*
 * ask_slurm_as() for the first start only: asked to plan, Slurm's plugin would go on to
 * simulate the whole future, only for "later" to be refused here.
 */
static int ask_slurm_first(const job_decision_t *d, const job_test_call_t *call,
			   bitstr_t *nodes, slurm_list_t *victims)
{
	job_record_t *job = call->job;
	uint64_t test_now_only = job->bit_flags & TEST_NOW_ONLY;
	int rc;

	if (first_start(d)) {
		job_test_call_t then = *call;

		job_test_end_at_start(&then.extra);
		return ask_slurm_as(d, &then, nodes, victims);
	}
	job->bit_flags |= TEST_NOW_ONLY;
	rc = ask_slurm_as(d, call, nodes, victims);
	if (!test_now_only)
		job->bit_flags &= ~(uint64_t)TEST_NOW_ONLY;
	return rc;
}

/*
 * In the record the job is made one that needs a single processor and has no number of
 * tasks, for the time of the question: with its own numbers Slurm's plugin would stop
 * when it has enough nodes, or say no to all of them because they are too few.
 */
bool keep_fit(const job_decision_t *d, bitstr_t *nodes, fitness_t when)
{
	job_details_t *details = d->call->job->details;
	uint32_t min_cpus = details->min_cpus, num_tasks = details->num_tasks;
	bitstr_t *fit;
	int count = bit_set_count(nodes);
	job_test_call_t call = *d->call;
	slurm_list_t victims = NULL;
	aside_t *aside;
	bool found;

	if (job_counts_gres_in_all(call.job))
		return false; /* Slurm's plugin stops when there are enough of them */
	fit = bit_copy(nodes);
	call.mode = when == FIT_EVER ? SELECT_MODE_TEST_ONLY : SELECT_MODE_WILL_RUN;
	call.min_nodes = 1;
	call.req_nodes = call.max_nodes = count;
	details->min_cpus = 1;
	details->num_tasks = 0;
	aside = aside_begin(call.job, nodes);
	found = ask_slurm_first(d, &call, fit,
				when == FIT_PREEMPTING ? &victims : NULL) ==
		SLURM_SUCCESS;
	aside_end(call.job, nodes, aside);
	details->min_cpus = min_cpus;
	details->num_tasks = num_tasks;
	FREE_NULL_LIST(victims);
	if (found) /* or else it has taught nothing */
		bit_and(nodes, fit);
	bit_free(fit);
	return bit_set_count(nodes) < count;
}

void forget_answer(const job_decision_t *d)
{
	free_job_resources(&d->call->job->job_resrcs);
}

void keep_victims(const job_decision_t *d, slurm_list_t victims)
{
	if (!victims)
		return;
	if (!d->call->victims) {
		FREE_NULL_LIST(victims);
	} else if (!*d->call->victims) {
		*d->call->victims = victims;
	} else {
		list_transfer(*d->call->victims, victims);
		FREE_NULL_LIST(victims);
	}
}

time_t soonest(const job_decision_t *d)
{
	time_t start = first_start(d);

	return start ? start : time(NULL) + 1;
}

bool verify_choice(const job_decision_t *d, const bitstr_t *nodes, time_t when,
		   bitstr_t *bitmap)
{
	bitstr_t *cut = bit_copy((bitstr_t *)nodes);
	job_test_call_t call = call_for(d, nodes);
	bool good;

	if (plans(d) && when <= soonest(d))
		good = ask_slurm_first(d, &call, cut, NULL) == SLURM_SUCCESS;
	else
		good = ask_slurm_as(d, &call, cut, NULL) == SLURM_SUCCESS;
	if (good && plans(d) && d->call->job->start_time > when)
		good = false;
	if (good)
		bit_copybits(bitmap, cut);
	else
		forget_answer(d);
	bit_free(cut);
	return good;
}

/* Whether Slurm's plugin agrees to [place] at the cost of jobs that may be preempted. */
static bool agrees_preempting(job_decision_t *d, const bitstr_t *place)
{
	bitstr_t *cut = bit_copy((bitstr_t *)place);
	slurm_list_t victims = NULL;
	bool agrees = ask_slurm(d, cut, &victims) == SLURM_SUCCESS;

	if (agrees) {
		bit_copybits(d->answer, cut);
		keep_victims(d, victims);
	} else {
		FREE_NULL_LIST(victims);
		forget_answer(d);
	}
	bit_free(cut);
	return agrees;
}

static bool agrees_once(job_decision_t *d, const bitstr_t *place)
{
	switch (d->fitness) {
	case FIT_PREEMPTING:
		return agrees_preempting(d, place);
	case FIT_NOW:
		return verify_choice(d, place, soonest(d), d->answer);
	default:
		return verify_choice(d, place, INT64_MAX, d->answer);
	}
}

/*
 * Where nodes have different numbers of processors, Slurm's plugin may give up on a set
 * all of which it would take for a job that names these nodes.
 */
static bool agrees(void *context, const bitstr_t *place)
{
	job_decision_t *d = context;
	job_details_t *details = d->call->job->details;
	bool by_name;

	if (agrees_once(d, place))
		return true;
	if (!is_strict(d) || details->req_node_bitmap)
		return false;
	details->req_node_bitmap = bit_copy((bitstr_t *)place);
	by_name = agrees_once(d, place);
	FREE_NULL_BITMAP(details->req_node_bitmap);
	return by_name;
}

static bool keep_candidates_fit(void *context, bitstr_t *candidates)
{
	const job_decision_t *d = context;

	return keep_fit(d, candidates, d->fitness);
}

torus_outcome_t choose_verified(job_decision_t *d, bitstr_t *candidates, uint32_t count,
				fitness_t when, bitstr_t *bitmap)
{
	choice_request_t request = engine_request(d, count);
	bitstr_t *chosen = bit_alloc(bit_size(bitmap));
	torus_outcome_t outcome;

	d->fitness = when;
	d->answer = bitmap;
	request.verify = agrees;
	request.narrow = keep_candidates_fit;
	outcome = choose_nodes(&d->chooser, &request, candidates, chosen, &d->choice);
	bit_free(chosen);
	return outcome;
}

static bool could_run_on(void *context, const bitstr_t *nodes)
{
	return could_ever_run(context, nodes);
}

bool could_run_on_torus(void *context, int t)
{
	job_decision_t *d = context;

	return confine_suits(&d->confine, d->chooser.tori, d->call->job,
			     d->call->min_nodes, t, could_run_on, d);
}
