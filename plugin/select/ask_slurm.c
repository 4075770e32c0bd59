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
static int ask(const job_decision_t *d, const job_test_call_t *call, bitstr_t *nodes,
	       slurm_list_t *preemptees)
{
	job_details_t *details = call->job->details;
	job_test_extra_t extra = call->extra;
	uint16_t contiguous = details->contiguous;
	int rc;

	if (preemptees)
		*preemptees = NULL;
	if (d->common.asks.contiguous)
		details->contiguous = 0;
	rc = delegate.select_p_job_test(call->job, nodes, call->min_nodes,
					call->max_nodes, call->req_nodes, call->mode,
					preemptees ? call->preemptee_candidates : NULL,
					preemptees, JOB_TEST_EXTRA_UNPACK(&extra));
	details->contiguous = contiguous;
	return rc;
}

/* ask_slurm() for [call], which may differ from the decision's own in mode and counts. Of
 * the nodes that are named Slurm's plugin may take some; it does not know which features
 * these are for. */
static int ask_slurm_as(const job_decision_t *d, const job_test_call_t *call,
			bitstr_t *nodes, slurm_list_t *preemptees)
{
	int rc = ask(d, call, nodes, preemptees);

	return rc != SLURM_SUCCESS || !d->common.features.count ||
			       features_suffice(&d->common.features, nodes)
		       ? rc
		       : SLURM_ERROR;
}

int ask_slurm(const job_decision_t *d, bitstr_t *nodes, slurm_list_t *preemptees)
{
	return ask_slurm_as(d, d->call, nodes, preemptees);
}

int ask_slurm_alone(const job_decision_t *d, bitstr_t *nodes, slurm_list_t *preemptees)
{
	job_details_t *details = d->call->job->details;
	bitstr_t *named = details->req_node_bitmap;
	int rc;

	if (d->common.picked)
		details->req_node_bitmap = d->common.picked;
	rc = ask(d, d->call, nodes, preemptees);
	details->req_node_bitmap = named;
	return rc;
}

/*
 * ask_slurm_as() for the first start only: asked to plan, Slurm's plugin would go on to
 * simulate the whole future, only for "later" to be refused here.
 */
static int ask_slurm_first(const job_decision_t *d, const job_test_call_t *call,
			   bitstr_t *nodes, slurm_list_t *preemptees)
{
	job_record_t *job = call->job;
	uint64_t test_now_only = job->bit_flags & TEST_NOW_ONLY;
	int rc;

	if (first_start(d)) {
		job_test_call_t then = *call;

		job_test_end_at_start(&then.extra);
		return ask_slurm_as(d, &then, nodes, preemptees);
	}
	job->bit_flags |= TEST_NOW_ONLY;
	rc = ask_slurm_as(d, call, nodes, preemptees);
	if (!test_now_only)
		job->bit_flags &= ~(uint64_t)TEST_NOW_ONLY;
	return rc;
}

/*
 * In the record the job is made one that needs a single processor and has no number of
 * tasks, for the time of the question: with its own numbers Slurm's plugin would stop
 * when it has enough nodes, or say no to all of them because they are too few.
 */
bool keep_accepted(const job_decision_t *d, bitstr_t *nodes, torus_at_t at)
{
	job_details_t *details = d->call->job->details;
	uint32_t min_cpus = details->min_cpus, num_tasks = details->num_tasks;
	bool soon = at == TORUS_AT_NOW || at == TORUS_AT_PREEMPTING;
	bitstr_t *accepted;
	int count = bit_set_count(nodes);
	job_test_call_t call = *d->call;
	slurm_list_t preemptees = NULL;
	aside_t *aside;
	bool found;

	if (job_counts_gres_in_all(call.job))
		return false; /* Slurm's plugin stops when there are enough of them */
	accepted = bit_copy(nodes);
	call.mode = soon ? SELECT_MODE_WILL_RUN : SELECT_MODE_TEST_ONLY;
	call.min_nodes = 1;
	call.req_nodes = call.max_nodes = count;
	details->min_cpus = 1;
	details->num_tasks = 0;
	aside = aside_begin(call.job, nodes);
	found = ask_slurm_first(d, &call, accepted,
				at == TORUS_AT_PREEMPTING ? &preemptees : NULL) ==
		SLURM_SUCCESS;
	aside_end(call.job, nodes, aside);
	details->min_cpus = min_cpus;
	details->num_tasks = num_tasks;
	FREE_NULL_LIST(preemptees);
	if (found) /* or else it has taught nothing */
		bit_and(nodes, accepted);
	bit_free(accepted);
	return bit_set_count(nodes) < count;
}

void forget_answer(const job_decision_t *d)
{
	free_job_resources(&d->call->job->job_resrcs);
}

void keep_preemptees(const job_decision_t *d, slurm_list_t preemptees)
{
	if (!preemptees)
		return;
	if (!d->call->preemptees) {
		FREE_NULL_LIST(preemptees);
	} else if (!*d->call->preemptees) {
		*d->call->preemptees = preemptees;
	} else {
		list_transfer(*d->call->preemptees, preemptees);
		FREE_NULL_LIST(preemptees);
	}
}

time_t soonest(const job_decision_t *d)
{
	time_t start = first_start(d);

	return start ? start : time(NULL) + 1;
}

bool verify_choice(const job_decision_t *d, const bitstr_t *nodes, uint32_t count,
		   time_t when, bitstr_t *bitmap)
{
	bitstr_t *cut = bit_copy((bitstr_t *)nodes);
	bool good;

	if (plans(d) && when <= soonest(d))
		good = ask_slurm_first(d, d->call, cut, NULL) == SLURM_SUCCESS;
	else
		good = ask_slurm(d, cut, NULL) == SLURM_SUCCESS;
	if (good && plans(d) && d->call->job->start_time > when)
		good = false;
	good = good && (uint32_t)bit_set_count(cut) >= count;
	if (good)
		bit_copybits(bitmap, cut);
	else
		forget_answer(d);
	bit_free(cut);
	return good;
}

/* How many nodes of [place] Slurm's plugin has to take: of a box or an interval all. */
static uint32_t count_of_place(const job_decision_t *d, const bitstr_t *place)
{
	return torus_job_is_strict(&d->common.asks)
		       ? (uint32_t)bit_set_count((bitstr_t *)place)
		       : d->count;
}

/* Whether Slurm's plugin agrees to [place] at the cost of jobs that may be preempted. */
static bool agrees_preempting(job_decision_t *d, const bitstr_t *place)
{
	bitstr_t *cut = bit_copy((bitstr_t *)place);
	slurm_list_t preemptees = NULL;
	bool agrees = ask_slurm(d, cut, &preemptees) == SLURM_SUCCESS &&
		      (uint32_t)bit_set_count(cut) >= count_of_place(d, place);

	if (agrees) {
		bit_copybits(d->answer, cut);
		keep_preemptees(d, preemptees);
	} else {
		FREE_NULL_LIST(preemptees);
		forget_answer(d);
	}
	bit_free(cut);
	return agrees;
}

static bool agrees_once(job_decision_t *d, const bitstr_t *place)
{
	uint32_t count = count_of_place(d, place);

	switch (d->at) {
	case TORUS_AT_PREEMPTING:
		return agrees_preempting(d, place);
	case TORUS_AT_NOW:
		return verify_choice(d, place, count, soonest(d), d->answer);
	default:
		return verify_choice(d, place, count, INT64_MAX, d->answer);
	}
}

/* A place, and who is asked about it. */
typedef struct agreeing {
	job_decision_t *d;
	const bitstr_t *place;
} agreeing_t;

static bool agrees_as(void *context, bool by_name, bool all)
{
	const agreeing_t *a = context;
	job_details_t *details = a->d->call->job->details;
	const job_test_call_t *asked = a->d->call;
	bitstr_t *named = details->req_node_bitmap;
	job_test_call_t call = *asked;
	bool agrees;

	if (all)
		call.min_nodes = call.req_nodes = bit_set_count((bitstr_t *)a->place);
	if (by_name)
		details->req_node_bitmap = bit_copy((bitstr_t *)a->place);
	a->d->call = &call;
	agrees = agrees_once(a->d, a->place);
	a->d->call = asked;
	if (by_name)
		bit_free(details->req_node_bitmap);
	details->req_node_bitmap = named;
	return agrees;
}

/*
 * Whether it is all the same how Slurm's plugin is asked about a place: of a check only
 * whether it accepts the place counts; and a job that takes whole nodes can have those of
 * a place at the end of the last job on them, and has then all that they have. Asked for
 * fewer nodes Slurm's plugin would plan it on the first of them that become free, in
 * vain.
 */
static bool ways_are_alike(const job_decision_t *d)
{
	if (d->common.asks.asked == TORUS_ASKED_EVER)
		return true;
	return plans(d) && (d->at == TORUS_AT_TIME || d->at == TORUS_AT_LAST) &&
	       job_takes_whole_nodes(d->call->job) && !d->call->job->gres_list_req;
}

static bool agrees(void *context, const void *nodes)
{
	job_decision_t *d = context;
	agreeing_t agreeing = {d, nodes};
	const torus_job_place_t place = {
		.nodes = (uint32_t)bit_set_count((bitstr_t *)nodes),
		.min_nodes = d->call->min_nodes,
		.by_name =
			torus_job_is_strict(&d->common.asks) || d->common.features.count,
		.whole = torus_job_is_strict(&d->common.asks),
		.tasks = need_tasks(d->call->job),
		.alike = ways_are_alike(d),
	};

	return (!d->common.features.count ||
		features_suffice(&d->common.features, nodes)) &&
	       torus_job_verify(&place, agrees_as, &agreeing);
}

static bool narrow(void *context, void *candidates)
{
	const job_decision_t *d = context;

	return keep_accepted(d, candidates, d->at);
}

torus_outcome_t choose_verified(job_decision_t *d, bitstr_t *candidates, uint32_t count,
				torus_at_t at, bitstr_t *bitmap)
{
	choice_request_t request = engine_request(d, count);

	d->at = at;
	d->count = count;
	d->answer = bitmap;
	request.verify = agrees;
	request.narrow = narrow;
	return choose_nodes(&d->common.chooser, &request, candidates, NULL,
			    &d->common.choice);
}

/* Whether Slurm's plugin says that the job could run on [nodes] if they were all free. */
static bool could_run_on(void *context, const bitstr_t *nodes)
{
	const job_decision_t *d = context;
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

bool could_run_on_torus(void *context, int t)
{
	job_decision_t *d = context;

	return confine_suits(&d->common.confine, d->common.chooser.tori, d->call->job,
			     d->call->min_nodes, t, could_run_on, d);
}
