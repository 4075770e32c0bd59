/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that wait for a better place although they could run: see job_decision.h. */
#include "select/job_decision.h"

#include "select/ask_engine.h"
#include "select/ask_slurm.h"

/* Ends of running jobs at which a plan looks for a place that is near. */
#define ENDS_TRIED 16

/* What the job would get without its wish. */
typedef struct plain_choice {
	bitstr_t *nodes;
	slurm_list_t preemptees;
	time_t start; /* of a plan */
	uint32_t cpus;
	int rc; /* as select_p_job_test() */
} plain_choice_t;

static void free_plain(plain_choice_t *plain)
{
	FREE_NULL_LIST(plain->preemptees);
	FREE_NULL_BITMAP(plain->nodes);
}

static bool counts_as_box(const job_decision_t *d)
{
	return torus_job_counts_as_box(&d->common.asks, d->call->min_nodes,
				       d->call->max_nodes);
}

/* How many nodes its box has; 0: it says how many, or its partition has no such box. */
static uint32_t box_nodes(job_decision_t *d)
{
	uint32_t *count = &d->common.box_nodes;
	bitstr_t *nodes;

	if (!*count && counts_as_box(d)) {
		nodes = bit_copy(d->call->job->part_ptr->node_bitmap);
		*count = decision_place_nodes(&d->common, engine_request(d, 0), nodes);
		bit_free(nodes);
	}
	return *count;
}

/* Start or plan the job among [nodes] as one that wishes nothing. */
static plain_choice_t choose_plainly(job_decision_t *d, const bitstr_t *nodes)
{
	const job_test_call_t *asked = d->call;
	plain_choice_t plain = {.nodes = bit_copy((bitstr_t *)nodes)};
	job_test_call_t call = *asked;
	uint32_t box = box_nodes(d);

	if (box)
		call.min_nodes = call.req_nodes = call.max_nodes = box;
	if (call.preemptees)
		call.preemptees = &plain.preemptees;
	d->common.asks.gave_up = true;
	d->call = &call;
	plain.rc = job_start_or_plan(d, plain.nodes);
	d->call = asked;
	d->common.asks.gave_up = false;
	plain.start = plans(d) ? asked->job->start_time : time(NULL);
	plain.cpus = asked->job->total_cpus;
	return plain;
}

/* Whether that is as good as what the job wishes. */
static bool is_as_wished(const job_decision_t *d, const plain_choice_t *plain)
{
	const torus_patience_t *asked = &d->common.patience.asked;

	return asked->wish == TORUS_WISH_NEAR &&
	       choose_is_near(d->common.chooser.tori, plain->nodes, asked->near);
}

static int take_plain(const job_decision_t *d, plain_choice_t *plain, bitstr_t *bitmap)
{
	bit_copybits(bitmap, plain->nodes);
	keep_preemptees(d, plain->preemptees);
	plain->preemptees = NULL;
	return plain->rc;
}

/*
 * The first end of a running job, not after [latest], at which [count] of the nodes of
 * [bitmap] are free that are near.
 */
static int plan_near(job_decision_t *d, uint32_t count, time_t latest, bitstr_t *bitmap)
{
	const torus_ends_t *ends = &timeline_of(d)->active->ends;
	bitstr_t *scope = bit_copy(bitmap), *candidates = bit_copy(bitmap);
	time_t before = soonest(d);
	bool found = false;

	for (int i = 0, tried = 0; !found && i < ends->count && tried < ENDS_TRIED; i++) {
		time_t end = ends->end[i];

		if (end > latest)
			break;
		if (end <= before)
			continue;
		before = end;
		tried++;
		bit_copybits(candidates, scope);
		keep_usable(d, candidates, count, end);
		if (choose_verified(d, candidates, count, TORUS_AT_TIME, bitmap) !=
		    TORUS_PLACE_FOUND)
			continue;
		found = choose_is_near(d->common.chooser.tori, bitmap,
				       d->common.patience.asked.near);
		if (!found)
			forget_answer(d);
	}
	if (found)
		note_decision(d, bitmap, TORUS_BY_ENGINE);
	bit_free(candidates);
	bit_free(scope);
	return found ? SLURM_SUCCESS : SLURM_ERROR;
}

/* Whether a plan may be for [start]. */
static bool may_plan_for(const job_decision_t *d, time_t start)
{
	time_t last = job_test_end(&d->call->extra);

	if (start > soonest(d) && (d->call->job->bit_flags & TEST_NOW_ONLY))
		return false;
	return !last || start <= last;
}

/*
 * The plan of a job whose patience lasts and which would otherwise get [plain], or
 * nothing. In the end it takes that, as late as its patience ends.
 */
static int plan_wish(job_decision_t *d, plain_choice_t *plain, bitstr_t *bitmap)
{
	job_record_t *job = d->call->job;
	bool could = plain->rc == SLURM_SUCCESS;
	time_t now = time(NULL), latest = INT64_MAX;
	int rc;

	if (could && plain->start <= now)
		patience_wait(&d->common.patience, job);
	if (could) {
		latest = patience_end(&d->common.patience,
				      plain->start > now ? plain->start : now);
		if (latest < plain->start)
			latest = plain->start;
		forget_answer(d);
	}
	if (d->common.patience.asked.wish == TORUS_WISH_NEAR)
		rc = could ? plan_near(d, (uint32_t)bit_set_count(plain->nodes), latest,
				       bitmap)
			   : SLURM_ERROR;
	else
		rc = job_decide_strictly(d, bitmap);
	if (rc == SLURM_SUCCESS && job->start_time <= latest)
		return rc;
	if (!could)
		return rc;
	forget_answer(d);
	if (!may_plan_for(d, latest))
		return SLURM_ERROR;
	FREE_NULL_LIST(plain->preemptees); /* who they are then nobody knows */
	job->start_time = latest;
	job->total_cpus = plain->cpus;
	return take_plain(d, plain, bitmap);
}

/* The context of the source: as that of a strict job. */
typedef struct patient_question {
	strict_question_t strict;
	plain_choice_t plain;
	bitstr_t *offered;
} patient_question_t;

/* A near place is not looked for now: whether Slurm's choice is one is seen in waits().
 */
static torus_outcome_t find(void *context, torus_at_t at, int64_t when)
{
	patient_question_t *question = context;

	return torus_job_is_strict(&question->strict.d->common.asks)
		       ? strict_source.find(&question->strict, at, when)
		       : TORUS_UNDECIDED;
}

static int look(void *context)
{
	patient_question_t *question = context;

	question->plain = choose_plainly(question->strict.d, question->offered);
	return question->plain.rc;
}

static int take(void *context)
{
	patient_question_t *question = context;

	return take_plain(question->strict.d, &question->plain, question->strict.bitmap);
}

static int ordinary(void *context)
{
	const patient_question_t *question = context;
	int rc = look(context);

	if (rc == SLURM_SUCCESS)
		return take(context);
	return plans(question->strict.d) ? SLURM_ERROR : rc;
}

static bool waits(void *context)
{
	patient_question_t *question = context;
	job_decision_t *d = question->strict.d;

	if (!d->common.asks.lasts || is_as_wished(d, &question->plain))
		return false;
	if (!plans(d)) {
		forget_answer(d);
		patience_wait(&d->common.patience, d->call->job);
	}
	return true;
}

static int wait_on(void *context)
{
	const patient_question_t *question = context;

	patience_wait(&question->strict.d->common.patience,
		      question->strict.d->call->job);
	return SLURM_ERROR;
}

static int plan_wish_of(void *context)
{
	patient_question_t *question = context;

	bit_copybits(question->strict.bitmap, question->offered);
	return plan_wish(question->strict.d, &question->plain, question->strict.bitmap);
}

int job_start_patiently(job_decision_t *d, bitstr_t *bitmap)
{
	patient_question_t question = {
		.strict = {.d = d, .bitmap = bitmap},
	};
	torus_job_source_t source = strict_source;
	int rc;

	/* Before nodes come to vacant places it cannot be had, nor replaced. */
	if (d->common.chooser.tori->grows && counts_as_box(d) && !box_nodes(d))
		return job_decide_strictly(d, bitmap);
	question.strict.scope = bit_copy(bitmap);
	question.offered = bit_copy(bitmap);
	source.context = &question;
	source.find = find;
	source.ordinary = ordinary;
	source.look = look;
	source.take = take;
	source.waits = waits;
	source.wait_on = wait_on;
	source.plan_wish = plan_wish_of;
	d->common.asks.lasts = patience_lasts(&d->common.patience);
	d->common.asks.has_waited = d->common.patience.since != 0;
	rc = torus_job_patiently(&d->common.asks, &source);
	free_plain(&question.plain);
	bit_free(question.offered);
	bit_free(question.strict.scope);
	return rc;
}
