/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strict jobs: a box (a shape), one interval of the curve (--contiguous), or segments
 * (--segment) are all that will do. What is tried decide/job.h says; here is what this
 * plugin knows of the nodes that are free then.
 */
#include "select/job_decision.h"

#include "select/ask_engine.h"
#include "select/ask_slurm.h"
#include "slurm/segments.h"

/*
 * The end of the window of time that backfill asks about, after which Slurm's plugin does
 * not look; 0: none. With soft limits it expects jobs to end sooner than we know.
 */
static time_t end_of_window(const job_decision_t *d)
{
	return xstrcasestr(slurm_conf.sched_params, "time_min_as_soft_limit")
		       ? 0
		       : job_test_end(&d->call->extra);
}

/* Keep of [nodes] those that are free [at] that time. */
static void keep_free(job_decision_t *d, bitstr_t *nodes, torus_at_t at, time_t when)
{
	const job_record_t *job = d->call->job;

	if (at == TORUS_AT_LAST && plans(d))
		when = end_of_window(d);
	if (at == TORUS_AT_NOW) {
		keep_usable(d, nodes, 0, first_start(d));
	} else if (at == TORUS_AT_PREEMPTING) {
		d->gres_now = false;
		usable_filter_without(nodes, job, 0, timeline_of(d),
				      d->call->preemptee_candidates, d->cpus);
	} else if (when) {
		keep_usable(d, nodes, 0, when);
	} else {
		d->gres_now = false;
		usable_when_idle(nodes, job, d->cpus);
	}
}

/* Where the job may share its nodes with others: row by row of its partition, as Slurm's
 * plugin does. */
static torus_outcome_t find_in_rows(job_decision_t *d, bitstr_t *candidates,
				    bitstr_t *bitmap)
{
	const job_record_t *job = d->call->job;
	int rows = first_start(d) ? 0 : usable_rows(job);
	torus_outcome_t outcome = TORUS_UNDECIDED;

	d->gres_now = false; /* who holds them in which row is not known */
	for (int row = 0; outcome != TORUS_PLACE_FOUND && row < rows; row++) {
		bit_copybits(candidates, bitmap);
		usable_filter_row(candidates, job, 0, row, d->cpus);
		outcome = choose_verified(d, candidates, 0, TORUS_AT_NOW, bitmap);
	}
	return outcome;
}

static torus_outcome_t find(void *context, torus_at_t at, int64_t when)
{
	const strict_question_t *question = context;
	job_decision_t *d = question->d;
	bitstr_t *bitmap = question->bitmap, *candidates;
	torus_outcome_t outcome;

	if (at == TORUS_AT_PREEMPTING && !d->call->preemptee_candidates)
		return TORUS_UNDECIDED;
	if (at == TORUS_AT_LAST && question->never && end_of_window(d))
		return TORUS_NO_PLACE;
	candidates = bit_copy(at == TORUS_AT_TIME ? question->scope : bitmap);
	keep_free(d, candidates, at, when);
	outcome = choose_verified(d, candidates, 0, at, bitmap);
	if (outcome != TORUS_PLACE_FOUND && at == TORUS_AT_NOW)
		outcome = find_in_rows(d, candidates, bitmap);
	if (outcome == TORUS_PLACE_FOUND && (at != TORUS_AT_LAST || plans(d)))
		note_decision(d, bitmap,
			      at == TORUS_AT_PREEMPTING ? TORUS_BY_ENGINE_PREEMPTING
							: TORUS_BY_ENGINE);
	bit_free(candidates);
	return outcome;
}

static int64_t next_time(void *context)
{
	strict_question_t *question = context;
	bool never;
	time_t end = ask_engine_group_end(question->d, question->scope, &never);

	question->never = never && bit_equal(question->scope, question->bitmap);
	return end;
}

static bool narrow(void *context)
{
	const strict_question_t *question = context;

	return keep_accepted(question->d, question->scope, TORUS_AT_TIME);
}

static bool is_possible(void *context, bool whole)
{
	const strict_question_t *question = context;
	job_decision_t *d = question->d;
	choice_request_t request = engine_request(d, 0);

	if (whole)
		request.segment = 0;
	if (d->common.asks.contiguous && !d->common.asks.network.has_shape)
		request.min_nodes = request.nodes = request.max_nodes =
			segments_least_nodes(d->common.asks.segment, d->call->min_nodes);
	return choose_is_possible(&d->common.chooser, request, question->bitmap,
				  &d->common.choice);
}

static int refuse(void *context, torus_never_t why)
{
	const strict_question_t *question = context;
	job_decision_t *d = question->d;
	choice_request_t request = engine_request(d, 0);

	return decision_refuse(&d->common, why, &request, question->bitmap,
			       question->bitmap);
}

static bool may_come(void *context)
{
	const strict_question_t *question = context;
	choice_request_t request = engine_request(question->d, 0);

	return decision_place_may_come(&question->d->common, &request);
}

static int leave(void *context)
{
	const strict_question_t *question = context;

	return ask_slurm_alone(question->d, question->bitmap, NULL);
}

const torus_job_source_t strict_source = {
	.find = find,
	.next_time = next_time,
	.narrow = narrow,
	.is_possible = is_possible,
	.may_come = may_come,
	.refuse = refuse,
	.leave = leave,
};

int job_decide_strictly(job_decision_t *d, bitstr_t *bitmap)
{
	strict_question_t question = {.d = d, .bitmap = bitmap};
	torus_job_source_t source = strict_source;
	int rc;

	/* Backfill asks for windows of time in which only few nodes are left. */
	if (d->common.asks.asked != TORUS_ASKED_EVER &&
	    (uint32_t)bit_set_count(bitmap) < ask_engine_fewest(d, 0))
		return TORUS_JOB_WAITS;
	question.scope = bit_copy(bitmap);
	source.context = &question;
	rc = torus_job_strictly(&d->common.asks, &source, false);
	bit_free(question.scope);
	return rc;
}
