/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strict jobs: a box (a shape), one interval of the curve (--contiguous), or segments
 * (--segment) are all that will do. What is tried decide/job.h says; here is what this
 * plugin knows of the nodes that are free then.
 */
#include "select/decision.h"

#include "select/ask_engine.h"
#include "select/ask_slurm.h"
#include "slurm/refuse.h"
#include "slurm/segments.h"

/*
 * Among the nodes that are free; and where the job may share them with others, row by
 * row of its partition, as Slurm's plugin does.
 */
static bool start_now(job_decision_t *d, bitstr_t *bitmap)
{
	const job_record_t *job = d->call->job;
	bitstr_t *candidates = bit_copy(bitmap);
	int rows = first_start(d) ? 0 : usable_rows(job);
	bool found;

	keep_usable(d, candidates, 0, first_start(d));
	found = choose_verified(d, candidates, 0, FIT_NOW, bitmap) == TORUS_PLACE_FOUND;
	d->gres_now = false; /* who holds them in which row is not known */
	for (int row = 0; !found && row < rows; row++) {
		bit_copybits(candidates, bitmap);
		usable_filter_row(candidates, job, 0, row, d->cpus);
		found = choose_verified(d, candidates, 0, FIT_NOW, bitmap) ==
			TORUS_PLACE_FOUND;
	}
	if (found)
		note_decision(d, bitmap, TORUS_BY_ENGINE);
	bit_free(candidates);
	return found;
}

/* Among the nodes that are free when the jobs that may be preempted are gone. */
static bool start_preempting(job_decision_t *d, bitstr_t *bitmap)
{
	bitstr_t *candidates;
	bool found;

	if (!d->call->preemptee_candidates)
		return false;
	candidates = bit_copy(bitmap);
	d->gres_now = false;
	usable_filter_without(candidates, d->call->job, 0, timeline_of(d),
			      d->call->preemptee_candidates, d->cpus);
	found = choose_verified(d, candidates, 0, FIT_PREEMPTING, bitmap) ==
		TORUS_PLACE_FOUND;
	if (found)
		note_decision(d, bitmap, TORUS_BY_ENGINE_PREEMPTING);
	bit_free(candidates);
	return found;
}

/* Among the nodes of [scope] that are free at [when]. */
static bool find_then(job_decision_t *d, const bitstr_t *scope, time_t when,
		      bitstr_t *bitmap)
{
	bitstr_t *candidates = bit_copy((bitstr_t *)scope);
	bool found;

	keep_usable(d, candidates, 0, when);
	found = choose_verified(d, candidates, 0, FIT_EVER, bitmap) == TORUS_PLACE_FOUND;
	if (found)
		note_decision(d, bitmap, TORUS_BY_ENGINE);
	bit_free(candidates);
	return found;
}

/* Among all nodes, as if they were free. */
static torus_outcome_t find_ever(job_decision_t *d, bitstr_t *nodes)
{
	bitstr_t *candidates = bit_copy(nodes);
	torus_outcome_t outcome;

	d->gres_now = false;
	usable_when_idle(candidates, d->call->job, d->cpus);
	outcome = choose_verified(d, candidates, 0, FIT_EVER, nodes);
	if (outcome == TORUS_PLACE_FOUND && plans(d))
		note_decision(d, nodes, TORUS_BY_ENGINE);
	bit_free(candidates);
	return outcome;
}

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

static torus_outcome_t find(void *context, torus_at_t at, int64_t when)
{
	const strict_question_t *question = context;
	job_decision_t *d = question->d;
	bitstr_t *bitmap = question->bitmap;
	bool found;

	switch (at) {
	case TORUS_AT_NOW:
		found = start_now(d, bitmap);
		break;
	case TORUS_AT_PREEMPTING:
		found = start_preempting(d, bitmap);
		break;
	case TORUS_AT_TIME:
		found = find_then(d, question->scope, when, bitmap);
		break;
	default:
		if (!plans(d) || !end_of_window(d))
			return find_ever(d, bitmap);
		found = find_then(d, bitmap, end_of_window(d), bitmap);
	}
	return found ? TORUS_PLACE_FOUND : TORUS_UNDECIDED;
}

static int64_t next_time(void *context)
{
	const strict_question_t *question = context;

	return ask_engine_group_end(question->d, question->scope);
}

static bool narrow(void *context)
{
	const strict_question_t *question = context;

	return keep_fit(question->d, question->scope, FIT_EVER);
}

static bool is_possible(void *context, bool whole)
{
	const strict_question_t *question = context;
	job_decision_t *d = question->d;
	choice_request_t request = engine_request(d, 0);

	if (whole)
		request.segment = 0;
	if (d->job.contiguous && !d->job.network.has_shape)
		request.min_nodes = request.nodes = request.max_nodes =
			segments_least_nodes(d->job.segment, d->call->min_nodes);
	return choose_is_possible(&d->chooser, request, question->bitmap, &d->choice);
}

/* The nodes of a box as the job asks for, whatever their number; 0: there is none. */
static uint32_t nodes_of_other_box(const strict_question_t *question)
{
	job_decision_t *d = question->d;
	choice_request_t request = engine_request(d, 0);

	request.segment = 0;
	request.min_nodes = request.max_nodes = 0;
	return !d->job.network.shapes.any &&
			       choose_is_possible(&d->chooser, request, question->bitmap,
						  &d->choice)
		       ? d->choice.nodes
		       : 0;
}

static int refuse(void *context, torus_never_t why)
{
	const strict_question_t *question = context;
	const job_decision_t *d = question->d;
	choice_request_t request = engine_request(d, 0);
	never_t never = {
		.tori = d->chooser.tori,
		.job = d->call->job,
		.asks = &d->job,
		.nodes = question->bitmap,
		.counts_features = d->features.count > 0,
		.min_nodes = d->call->min_nodes,
	};

	if (why == TORUS_NEVER_BOX) {
		never.min_nodes = request.min_nodes;
		never.max_nodes = request.max_nodes;
		never.box_nodes = nodes_of_other_box(question);
	}
	return refuse_never(&never, why);
}

static bool may_come(void *context)
{
	const strict_question_t *question = context;
	job_decision_t *d = question->d;
	choice_request_t request = engine_request(d, 0);

	return place_may_come(d->chooser.tori, &d->job, request.min_nodes,
			      request.max_nodes);
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
	strict_question_t question = {d, bitmap, bit_copy(bitmap)};
	torus_job_source_t source = strict_source;
	int rc;

	source.context = &question;
	if (d->job.asked == TORUS_ASKED_EVER && d->job.network.has_shape &&
	    d->call->job->details->req_node_bitmap)
		rc = refuse_job(d->call->job, NULL,
				"a shape and --nodelist exclude each other");
	else
		rc = torus_job_strictly(&d->job, &source, false);
	bit_free(question.scope);
	return rc;
}
