/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The schedulers once more, slowly and obviously, for one torus and strategies that find
 * a place for every job that has enough nodes: only nodes are counted. Time is looked at
 * microsecond by microsecond, so it must be short.
 */
#ifndef TORUS_TEST_SIM_ORACLE_H
#define TORUS_TEST_SIM_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/simulate.h"

enum { ORACLE_JOBS = 40, ORACLE_OUTAGES = 8, ORACLE_NO_JOB = ORACLE_JOBS };

/*
 * A node that is down. As nodes are only counted, the oracle has to be told which job
 * runs on it: the one that is lost, or ORACLE_NO_JOB.
 */
typedef struct oracle_outage {
	int64_t from, until;
	uint32_t job;
	bool begun, ended;
} oracle_outage_t;

typedef struct oracle {
	const torus_sim_job_t *job;
	uint32_t jobs, nodes;
	oracle_outage_t outage[ORACLE_OUTAGES]; /* by .from */
	uint32_t outages;
	torus_scheduler_t scheduler;
	int64_t period;
	int64_t start[ORACLE_JOBS];    /* -1: not yet */
	int64_t reserved[ORACLE_JOBS]; /* conservative: -1: none */
	/* easy: the shadow time when the job first stood in front; conservative: its
	 * first reservation; since the last failure of a node; -1: none */
	int64_t promise[ORACLE_JOBS];
	bool arrived[ORACLE_JOBS], ended[ORACLE_JOBS];
} oracle_t;

/* Plans of no length would hold nothing. */
static int64_t oracle_estimate(const oracle_t *o, uint32_t i)
{
	return o->job[i].estimate > 0 ? o->job[i].estimate : 1;
}

static int64_t oracle_ready(const oracle_t *o, uint32_t i)
{
	if (o->scheduler == TORUS_RECORDED && o->job[i].wait > 0)
		return o->job[i].submit + o->job[i].wait;
	return o->job[i].submit;
}

static bool oracle_waits(const oracle_t *o, uint32_t i)
{
	return o->arrived[i] && o->start[i] < 0;
}

static bool oracle_runs(const oracle_t *o, uint32_t i)
{
	return o->start[i] >= 0 && !o->ended[i];
}

/* Nodes free at [time] if running jobs take their whole estimates. Outages are known from
 * their beginning on. */
static int64_t oracle_free(const oracle_t *o, int64_t time)
{
	int64_t free = o->nodes;

	for (uint32_t i = 0; i < o->outages; i++)
		free -= o->outage[i].begun && time < o->outage[i].until;
	for (uint32_t i = 0; i < o->jobs; i++) {
		if (oracle_runs(o, i) && time < o->start[i] + oracle_estimate(o, i))
			free -= o->job[i].nodes;
	}
	return free;
}

static int64_t oracle_idle(const oracle_t *o)
{
	int64_t free = o->nodes;

	for (uint32_t i = 0; i < o->outages; i++)
		free -= o->outage[i].begun && !o->outage[i].ended;
	for (uint32_t i = 0; i < o->jobs; i++)
		free -= oracle_runs(o, i) ? o->job[i].nodes : 0;
	return free;
}

/* Whether waiting job [a] stands before [b]. */
static bool oracle_before(const oracle_t *o, uint32_t a, uint32_t b)
{
	if (o->scheduler == TORUS_CPLANT) {
		if (o->job[a].nodes != o->job[b].nodes)
			return o->job[a].nodes < o->job[b].nodes;
		if (o->job[a].estimate != o->job[b].estimate)
			return o->job[a].estimate < o->job[b].estimate;
	}
	if (oracle_ready(o, a) != oracle_ready(o, b))
		return oracle_ready(o, a) < oracle_ready(o, b);
	return a < b;
}

/* The waiting jobs in order. */
static uint32_t oracle_queue(const oracle_t *o, uint32_t *queue)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < o->jobs; i++) {
		uint32_t at = count;

		if (!oracle_waits(o, i))
			continue;
		for (; at && oracle_before(o, i, queue[at - 1]); at--)
			queue[at] = queue[at - 1];
		queue[at] = i;
		count++;
	}
	return count;
}

static void oracle_easy(oracle_t *o, int64_t now, const uint32_t *queue, uint32_t count)
{
	uint32_t head = 0;
	int64_t shadow = now, extra;

	while (head < count && o->job[queue[head]].nodes <= oracle_idle(o))
		o->start[queue[head++]] = now;
	if (head == count)
		return;
	while (oracle_free(o, shadow) < o->job[queue[head]].nodes)
		shadow++;
	if (o->promise[queue[head]] < 0)
		o->promise[queue[head]] = shadow;
	extra = oracle_free(o, shadow) - o->job[queue[head]].nodes;
	for (uint32_t i = head + 1; i < count; i++) {
		const torus_sim_job_t *job = &o->job[queue[i]];
		bool beyond = now + oracle_estimate(o, queue[i]) > shadow;

		if (job->nodes > oracle_idle(o) || (beyond && job->nodes > extra))
			continue;
		o->start[queue[i]] = now;
		if (beyond)
			extra -= job->nodes;
	}
}

/* Nodes free at [time] beside the reservations of all but [except]. */
static int64_t oracle_unreserved(const oracle_t *o, int64_t time, uint32_t except)
{
	int64_t free = oracle_free(o, time);

	for (uint32_t i = 0; i < o->jobs; i++) {
		if (i != except && oracle_waits(o, i) && o->reserved[i] >= 0 &&
		    time >= o->reserved[i] &&
		    time < o->reserved[i] + oracle_estimate(o, i))
			free -= o->job[i].nodes;
	}
	return free;
}

static void oracle_reserve(oracle_t *o, int64_t now, uint32_t i)
{
	for (int64_t start = now;; start++) {
		bool fits = oracle_unreserved(o, start, i) >= o->job[i].nodes;

		for (int64_t t = start; fits && t < start + oracle_estimate(o, i); t++)
			fits = oracle_unreserved(o, t, i) >= o->job[i].nodes;
		if (!fits)
			continue;
		o->reserved[i] = start;
		if (o->promise[i] < 0)
			o->promise[i] = start;
		return;
	}
}

static void oracle_conservative(oracle_t *o, int64_t now, const uint32_t *queue,
				uint32_t count, bool early, bool failed)
{
	/* Reservations are made anew in order. */
	for (uint32_t i = 0; failed && i < count; i++)
		o->reserved[queue[i]] = -1;
	for (uint32_t i = 0; early && i < count; i++) {
		if (o->reserved[queue[i]] >= 0)
			oracle_reserve(o, now, queue[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (o->reserved[queue[i]] < 0)
			oracle_reserve(o, now, queue[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (o->reserved[queue[i]] > now)
			continue;
		if (o->job[queue[i]].nodes <= oracle_idle(o))
			o->start[queue[i]] = now;
	}
}

static void oracle_decide(oracle_t *o, int64_t now, bool early, bool failed)
{
	uint32_t queue[ORACLE_JOBS], count = oracle_queue(o, queue);

	if (o->scheduler == TORUS_EASY) {
		oracle_easy(o, now, queue, count);
	} else if (o->scheduler == TORUS_CONSERVATIVE) {
		oracle_conservative(o, now, queue, count, early, failed);
	} else if (o->scheduler != TORUS_CPLANT ||
		   (now - o->job[0].submit) % o->period == 0) {
		for (uint32_t i = 0; i < count; i++) {
			if (o->job[queue[i]].nodes <= oracle_idle(o))
				o->start[queue[i]] = now;
			else if (o->scheduler == TORUS_FCFS)
				break;
		}
	}
}

/* Jobs that end at [now]; whether there are such, *early one before its estimate. */
static bool oracle_end_jobs(oracle_t *o, int64_t now, uint32_t *left, bool *early)
{
	bool any = false;

	for (uint32_t i = 0; i < o->jobs; i++) {
		if (!oracle_runs(o, i) || o->start[i] + o->job[i].run_time > now)
			continue;
		o->ended[i] = any = true;
		*early = *early || o->job[i].run_time < oracle_estimate(o, i);
		--*left;
	}
	return any;
}

/* Nodes that return, then nodes that fail, at [now]; whether there are such. */
static bool oracle_outages(oracle_t *o, int64_t now, bool *failed)
{
	bool any = false;

	for (uint32_t i = 0; i < o->outages; i++) {
		oracle_outage_t *outage = &o->outage[i];

		if (outage->begun && !outage->ended && outage->until <= now)
			outage->ended = any = true;
	}
	for (uint32_t i = 0; i < o->outages; i++) {
		oracle_outage_t *outage = &o->outage[i];

		if (outage->begun || outage->from > now)
			continue;
		outage->begun = any = *failed = true;
		/* With fewer nodes nothing that was promised holds. */
		for (uint32_t job = 0; job < o->jobs; job++)
			o->promise[job] = -1;
		/* It waits again, from its old place in the queue. */
		if (outage->job != ORACLE_NO_JOB && oracle_runs(o, outage->job))
			o->start[outage->job] = o->reserved[outage->job] = -1;
	}
	return any;
}

static bool oracle_arrive(oracle_t *o, int64_t now)
{
	bool any = false;

	for (uint32_t i = 0; i < o->jobs; i++) {
		if (!o->arrived[i] && oracle_ready(o, i) <= now)
			any = o->arrived[i] = true;
	}
	return any;
}

/* Replay the sorted jobs; o->start[] and promise[] are filled. */
static void oracle_run(oracle_t *o)
{
	uint32_t left = o->jobs;

	for (uint32_t i = 0; i < o->jobs; i++) {
		o->start[i] = o->reserved[i] = o->promise[i] = -1;
		o->arrived[i] = o->ended[i] = false;
	}
	for (int64_t now = 0; left; now++) {
		bool again = true;

		while (again) {
			bool early = false, failed = false;

			again = oracle_end_jobs(o, now, &left, &early);
			again |= oracle_outages(o, now, &failed);
			again |= oracle_arrive(o, now);
			/* Though nothing happens, the time for a look, or a reservation,
			 * may have come. */
			if (again || o->scheduler == TORUS_CPLANT ||
			    o->scheduler == TORUS_CONSERVATIVE)
				oracle_decide(o, now, early, failed);
			for (uint32_t i = 0; i < o->jobs; i++)
				again = again ||
					(oracle_runs(o, i) &&
					 o->start[i] + o->job[i].run_time <= now);
		}
	}
}

#endif
