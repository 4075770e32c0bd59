/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads: see workload.h. */
#include "sim/workload.h"

#include <stdlib.h>

int torus_workload_reserve(torus_workload_t *workload, size_t jobs, torus_error_t *err)
{
	torus_sim_job_t *more;

	if (jobs <= workload->room)
		return 0;
	more = reallocarray(workload->job, jobs, sizeof(*workload->job));
	if (!more)
		return torus_fail(err, "out of memory for %zu jobs", jobs);
	workload->job = more;
	workload->room = jobs;
	return 0;
}

int torus_workload_add(torus_workload_t *workload, const torus_sim_job_t *job,
		       torus_error_t *err)
{
	if (workload->count == workload->room &&
	    torus_workload_reserve(workload, workload->room ? 2 * workload->room : 64,
				   err) != 0)
		return -1;
	workload->job[workload->count++] = *job;
	return 0;
}

/* Of jobs submitted at the same time, the one that stood before the other comes first. */
static int compare_jobs(const void *a, const void *b)
{
	const torus_sim_job_t *first = *(const torus_sim_job_t *const *)a;
	const torus_sim_job_t *second = *(const torus_sim_job_t *const *)b;

	if (first->submit != second->submit)
		return first->submit < second->submit ? -1 : 1;
	return first < second ? -1 : first > second;
}

static bool is_sorted(const torus_workload_t *workload)
{
	for (size_t i = 1; i < workload->count; i++) {
		if (workload->job[i - 1].submit > workload->job[i].submit)
			return false;
	}
	return true;
}

int torus_workload_sort(torus_workload_t *workload, torus_error_t *err)
{
	size_t count = workload->count;
	const torus_sim_job_t **order;
	torus_sim_job_t *sorted;

	if (is_sorted(workload))
		return 0;
	order = malloc(count * sizeof(*order));
	sorted = malloc(count * sizeof(*sorted));
	if (!order || !sorted) {
		free(order);
		free(sorted);
		return torus_fail(err, "out of memory for %zu jobs", count);
	}
	for (size_t i = 0; i < count; i++)
		order[i] = &workload->job[i];
	qsort(order, count, sizeof(*order), compare_jobs);
	for (size_t i = 0; i < count; i++)
		sorted[i] = *order[i];
	free(order);
	free(workload->job);
	workload->job = sorted;
	workload->room = count;
	return 0;
}

void torus_workload_clear(torus_workload_t *workload)
{
	free(workload->job);
	*workload = (torus_workload_t){0};
}
