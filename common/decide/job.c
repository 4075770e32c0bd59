/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is tried for a job: see decide/job.h. */
#include "decide/job.h"

/* Times of a plan at which places are looked for, before the last one. */
#define TIMES_TRIED 3

torus_never_t torus_job_never(const torus_job_t *job, const torus_job_source_t *source)
{
	if (source->is_possible(source->context, false))
		return TORUS_NEVER_NOT;
	if (!job->network.has_shape)
		return job->contiguous ? TORUS_NEVER_INTERVAL : TORUS_NEVER_SEGMENTS;
	if (job->segment && source->is_possible(source->context, true))
		return TORUS_NEVER_BOX_IN_SEGMENTS;
	return TORUS_NEVER_BOX;
}

/* There is none among the nodes looked at, [ever]: all that there are. */
static int refuse_or_wait(const torus_job_t *job, const torus_job_source_t *source,
			  bool ever)
{
	torus_never_t why = torus_job_never(job, source);

	if (!why && ever)
		why = TORUS_NEVER_HAS;
	return why ? source->refuse(source->context, why) : TORUS_JOB_WAITS;
}

/* At the one time that is asked about, or with [ever] when all nodes are free. */
static int place_once(const torus_job_t *job, const torus_job_source_t *source, bool ever)
{
	torus_outcome_t outcome =
		source->find(source->context, ever ? TORUS_AT_LAST : TORUS_AT_NOW, 0);

	if (outcome == TORUS_PLACE_FOUND)
		return TORUS_JOB_PLACED;
	ever = ever || source->was_ever(source->context);
	if (outcome == TORUS_NO_PLACE && !source->may_come(source->context))
		return refuse_or_wait(job, source, ever);
	if (ever)
		return source->leave(source->context);
	return source->postpone ? source->postpone(source->context) : TORUS_JOB_WAITS;
}

/*
 * Later: at the first time at which there is a place that is accepted; if all were
 * refused for some times, at the last one.
 */
static bool plan(const torus_job_source_t *source)
{
	for (int tries = 0; tries < TIMES_TRIED; tries++) {
		int64_t when = source->next_time(source->context);

		if (!when)
			break;
		if (source->find(source->context, TORUS_AT_TIME, when) ==
		    TORUS_PLACE_FOUND)
			return true;
		if (!source->narrow(source->context))
			break;
	}
	return source->find(source->context, TORUS_AT_LAST, 0) == TORUS_PLACE_FOUND;
}

int torus_job_strictly(const torus_job_t *job, const torus_job_source_t *source,
		       bool now_only)
{
	if (job->asked == TORUS_ASKED_EVER || job->asked == TORUS_ASKED_ONCE)
		return place_once(job, source, job->asked == TORUS_ASKED_EVER);
	if (source->find(source->context, TORUS_AT_NOW, 0) == TORUS_PLACE_FOUND)
		return TORUS_JOB_PLACED;
	if (now_only)
		return TORUS_JOB_WAITS;
	if (source->find(source->context, TORUS_AT_PREEMPTING, 0) == TORUS_PLACE_FOUND)
		return TORUS_JOB_PLACED;
	return job->asked == TORUS_ASKED_PLAN && !job->at_once && plan(source)
		       ? TORUS_JOB_PLACED
		       : TORUS_JOB_WAITS;
}

/* What it wishes; when planning, now: a later place may be too late. */
static int place_as_wished(const torus_job_t *job, const torus_job_source_t *source)
{
	bool now_only = job->asked == TORUS_ASKED_PLAN || !job->lasts;

	if (torus_job_is_strict(job))
		return torus_job_strictly(job, source, now_only);
	return source->find(source->context, TORUS_AT_NOW, 0) == TORUS_PLACE_FOUND
		       ? TORUS_JOB_PLACED
		       : TORUS_JOB_WAITS;
}

int torus_job_patiently(const torus_job_t *job, const torus_job_source_t *source)
{
	bool plans = job->asked == TORUS_ASKED_PLAN, strict = torus_job_is_strict(job);
	int answer;

	if (!strict && !job->lasts)
		return source->ordinary(source->context);
	answer = place_as_wished(job, source);
	if (answer != TORUS_JOB_WAITS)
		return answer;
	if (job->asked == TORUS_ASKED_START && strict && job->lasts && job->has_waited)
		return source->wait_on(source->context);
	answer = source->look(source->context);
	if (answer == TORUS_JOB_PLACED) {
		if (!source->waits(source->context))
			return source->take(source->context);
		answer = TORUS_JOB_WAITS;
	}
	return plans ? source->plan_wish(source->context) : answer;
}

bool torus_job_verify(const torus_job_place_t *place,
		      bool (*verify)(void *context, bool by_name, bool all),
		      void *context)
{
	bool all = place->by_name && place->whole && place->nodes != place->min_nodes;
	bool some = !all || !place->tasks || place->tasks >= place->nodes;

	if (all && place->alike && verify(context, true, true))
		return true;
	if (some && verify(context, false, false))
		return true;
	if (!place->by_name)
		return false;
	if (some && verify(context, true, false))
		return true;
	if (!all)
		return false;
	return verify(context, false, true) ||
	       (!place->alike && verify(context, true, true));
}

int torus_job_torus(int tori, bool plans,
		    bool (*place)(void *context, int t, int64_t *start), void *context)
{
	int64_t start = 0, earliest = 0;
	int best = -1;

	for (int t = 0; t < tori && (plans || best < 0); t++) {
		if (place(context, t, &start) && (best < 0 || start < earliest)) {
			best = t;
			earliest = start;
		}
	}
	return best;
}
