/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that communicate. Input: a file of jobs, on 64 nodes. Whatever is read has nodes
 * that are there and patterns whose messages have receivers.
 */
#include "fuzz.h"

#include <float.h>

#include "contend/job.h"

#define NODES 64

/* A step of each pattern: the first, the last or one between. */
static void check_targets(const contend_pattern_t *pattern)
{
	const uint32_t steps[] = {0, pattern->steps / 2, pattern->steps - 1};

	for (int i = 0; pattern->steps && i < 3; i++) {
		for (uint32_t rank = 0; rank < pattern->senders; rank++) {
			for (uint32_t lane = 0; lane < pattern->kind->lanes; lane++) {
				uint32_t to = contend_pattern_target(pattern, steps[i],
								     rank, lane);

				CHECK(to == CONTEND_NOBODY ||
				      (to < pattern->ranks && to != rank));
			}
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	contend_jobs_t jobs;

	if (contend_jobs_read((const char *)data, size, "jobs", NODES, &jobs, NULL))
		return 0;
	for (size_t i = 0; i < jobs.count; i++) {
		const contend_job_t *job = &jobs.job[i];

		CHECK(job->name && job->word && job->ranks && job->rounds);
		CHECK(job->bytes >= 1 && job->bytes <= DBL_MAX);
		CHECK(job->patterns >= 1 && job->patterns <= CONTEND_PATTERNS);
		CHECK((job->ranks == 1) == !contend_job_steps(job));
		CHECK((job->ranks == 1) == !contend_job_lanes(job));
		for (uint32_t rank = 0; rank < job->ranks; rank++)
			CHECK(job->node[rank] < NODES);
		for (int p = 0; p < job->patterns; p++)
			check_targets(&job->pattern[p]);
	}
	contend_jobs_clear(&jobs);
	return 0;
}
