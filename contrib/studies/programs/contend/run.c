/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run.h"

#include <stddef.h>

static void send_step(contend_run_t *run, contend_send_t *send, void *network)
{
	const contend_pattern_t *pattern = &run->job->pattern[run->pattern];

	for (uint32_t rank = 0; rank < pattern->senders; rank++) {
		for (uint32_t lane = 0; lane < pattern->kind->lanes; lane++) {
			uint32_t to =
				contend_pattern_target(pattern, run->step, rank, lane);

			if (to == CONTEND_NOBODY)
				continue;
			run->alive++;
			run->messages += !run->ended;
			send(network, run, rank, lane, to);
		}
	}
}

static bool is_done(const contend_run_t *run)
{
	const contend_job_t *job = run->job;

	return !run->ended && (run->round >= job->rounds ||
			       (job->steps && run->steps == job->steps));
}

bool contend_run_begin_step(contend_run_t *run, contend_send_t *send, void *network)
{
	const contend_job_t *job = run->job;

	while (!run->alive && !is_done(run)) {
		if (run->pattern == job->patterns) {
			run->pattern = 0;
			run->round++;
		} else if (run->step == job->pattern[run->pattern].steps) {
			run->step = 0;
			run->pattern++;
		} else {
			send_step(run, send, network);
			run->step++;
			run->steps++;
		}
	}
	return run->alive > 0;
}

void contend_run_end(contend_run_t *run, double now, contend_ends_t *ends)
{
	run->ended = true;
	run->end = now;
	if (ends->last)
		ends->last->next = run;
	else
		ends->first = run;
	ends->last = run;
}

contend_run_t *contend_ends_take(contend_ends_t *ends)
{
	contend_run_t *run = ends->first;

	if (!run)
		return NULL;
	ends->first = run->next;
	if (!ends->first)
		ends->last = NULL;
	return run;
}
