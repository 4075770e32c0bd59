/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes to a workload: see transform.h. */
#include "sim/transform.h"

#include <math.h>

#include "base/random.h"
#include "sim/simulate.h"

/* The first power of ten above all numbers; 0: none is. */
static uint64_t find_stride(const torus_workload_t *workload)
{
	uint64_t stride = 1;

	for (size_t i = 0; i < workload->count; i++) {
		while (stride <= workload->job[i].number) {
			if (stride > UINT64_MAX / 10)
				return 0;
			stride *= 10;
		}
	}
	return stride;
}

/* Make room for [times] as many jobs, if that many can be simulated. */
static int reserve(torus_workload_t *workload, const torus_transform_t *transform,
		   torus_error_t *err)
{
	const double gib = 1024.0 * 1024 * 1024;
	uint64_t jobs, bytes;

	if (__builtin_mul_overflow(workload->count, (uint64_t)transform->replicate,
				   &jobs) ||
	    __builtin_mul_overflow(jobs, TORUS_SIM_BYTES_A_JOB, &bytes))
		return torus_fail(err, "%u times %zu jobs are more than can be counted",
				  transform->replicate, workload->count);
	if (transform->memory && bytes > transform->memory)
		return torus_fail(
			err,
			"%u times %zu jobs are %llu, and need about %.3g GiB of "
			"memory; there are %.3g GiB",
			transform->replicate, workload->count, (unsigned long long)jobs,
			(double)bytes / gib, (double)transform->memory / gib);
	if (jobs > TORUS_SIM_MOST_JOBS)
		return torus_fail(err,
				  "%u times %zu jobs are %llu; at most %lld can be "
				  "simulated",
				  transform->replicate, workload->count,
				  (unsigned long long)jobs,
				  (long long)TORUS_SIM_MOST_JOBS);
	return torus_workload_reserve(workload, jobs, err);
}

static int replicate(torus_workload_t *workload, uint32_t times, uint64_t seed,
		     torus_error_t *err)
{
	uint64_t stride = find_stride(workload), state = seed;
	size_t count = workload->count;

	for (uint32_t copy = 1; copy < times; copy++) {
		for (size_t i = 0; i < count; i++) {
			torus_sim_job_t job = workload->job[i];
			/* The interval is far below 2^64: the remainder favours nobody
			 * noticeably. */
			int64_t later = (int64_t)(torus_random_next(&state) %
						  (TORUS_REPLICATE_LATEST + 1));

			if (!stride ||
			    __builtin_mul_overflow(stride, (uint64_t)copy, &job.number) ||
			    __builtin_add_overflow(job.number, workload->job[i].number,
						   &job.number) ||
			    __builtin_add_overflow(job.submit, later, &job.submit))
				return torus_fail(
					err,
					"copy %u of job %llu: its number or its "
					"submission is too large",
					copy,
					(unsigned long long)workload->job[i].number);
			if (torus_workload_add(workload, &job, err) != 0)
				return -1;
		}
	}
	return torus_workload_sort(workload, err);
}

/* [time] times [multiple]; -1 when it is too long. */
static int64_t multiply(int64_t time, double multiple)
{
	double product = (double)time * multiple;

	/* 2^62: so that what is added to it stays a time. */
	return product < 4611686018427387904.0 ? (int64_t)llround(product) : -1;
}

static int multiply_work(torus_workload_t *workload, double multiple, torus_error_t *err)
{
	for (size_t i = 0; i < workload->count; i++) {
		torus_sim_job_t *job = &workload->job[i];

		job->run_time = multiply(job->run_time, multiple);
		job->estimate = multiply(job->estimate, multiple);
		if (job->run_time < 0 || job->estimate < 0)
			return torus_fail(err, "job %llu: times %g its time is too long",
					  (unsigned long long)job->number, multiple);
	}
	return 0;
}

int torus_workload_transform(torus_workload_t *workload,
			     const torus_transform_t *transform, torus_error_t *err)
{
	if (transform->max_jobs && workload->count > transform->max_jobs)
		workload->count = transform->max_jobs;
	if (transform->replicate > 1 && reserve(workload, transform, err) != 0)
		return -1;
	if (transform->replicate > 1 &&
	    replicate(workload, transform->replicate, transform->seed, err) != 0)
		return -1;
	if (transform->work_multiple == 1)
		return 0;
	return multiply_work(workload, transform->work_multiple, err);
}
