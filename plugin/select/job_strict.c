/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strict jobs: a box (a shape), one interval of the curve (--contiguous), or segments
 * (--segment) are all that will do. Places for them are looked for among the nodes that
 * could be used now, among those that preemptees leave, and at the ends of running jobs;
 * decide/decide.h is how.
 */
#include "select/job_strict.h"

#include "select/ask_engine.h"
#include "select/ask_slurm.h"

/* Times of a plan at which places are looked for, before the last one. */
#define TIMES_TRIED 3

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

	if (!d->call->preemptees)
		return false;
	candidates = bit_copy(bitmap);
	d->gres_now = false;
	usable_filter_without(candidates, d->call->job, 0, timeline_of(d),
			      d->call->preemptees, d->cpus);
	found = choose_verified(d, candidates, 0, FIT_PREEMPTING, bitmap) ==
		TORUS_PLACE_FOUND;
	if (found)
		note_decision(d, bitmap, TORUS_BY_ENGINE_PREEMPTING);
	bit_free(candidates);
	return found;
}

/* Whether there is a place among the nodes of [scope] that are free at [when]. */
static bool find_then(job_decision_t *d, const bitstr_t *scope, time_t when,
		      bitstr_t *bitmap)
{
	bitstr_t *candidates = bit_copy((bitstr_t *)scope);
	bool found;

	keep_usable(d, candidates, 0, when);
	found = choose_verified(d, candidates, 0, FIT_EVER, bitmap) == TORUS_PLACE_FOUND;
	bit_free(candidates);
	return found;
}

/*
 * Later: at the first time at which the engine finds a place that Slurm agrees to; if it
 * has refused all for some times, at any time when nothing runs.
 */
static bool plan(job_decision_t *d, bitstr_t *bitmap)
{
	bitstr_t *scope, *place;
	bool found = false, more = true;
	time_t end;

	if (!plans(d) || (d->call->job->bit_flags & TEST_NOW_ONLY))
		return false;
	scope = bit_copy(bitmap);
	place = bit_alloc(bit_size(bitmap));
	for (int tries = 0; !found && more && tries < TIMES_TRIED; tries++) {
		if (!ask_engine_when(d, scope, 0, place, &end))
			break;
		found = find_then(d, scope, end, bitmap);
		more = !found && keep_fit(d, scope, FIT_EVER);
	}
	if (!found)
		found = find_strict_place_ever(d, bitmap) == TORUS_PLACE_FOUND;
	if (found)
		note_decision(d, bitmap, TORUS_BY_ENGINE);
	bit_free(scope);
	bit_free(place);
	return found;
}

torus_outcome_t find_strict_place_ever(job_decision_t *d, bitstr_t *nodes)
{
	bitstr_t *candidates = bit_copy(nodes);
	torus_outcome_t outcome;

	d->gres_now = false;
	usable_when_idle(candidates, d->call->job, d->cpus);
	outcome = choose_verified(d, candidates, 0, FIT_EVER, nodes);
	bit_free(candidates);
	return outcome;
}

int job_start_strictly(job_decision_t *d, bitstr_t *bitmap)
{
	return start_now(d, bitmap) || start_preempting(d, bitmap) || plan(d, bitmap)
		       ? SLURM_SUCCESS
		       : SLURM_ERROR;
}

int job_start_strictly_now(job_decision_t *d, bitstr_t *bitmap)
{
	return start_now(d, bitmap) ? SLURM_SUCCESS : SLURM_ERROR;
}
