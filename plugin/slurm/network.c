/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for by --network=torus:, see slurm/network.h. */
#include "slurm/network.h"

/* The most CPUs that the job could have: those of the largest nodes of its partition, as
 * many as it may have of them. */
static uint64_t most_cpus(const job_record_t *job)
{
	const bitstr_t *part = job->part_ptr ? job->part_ptr->node_bitmap : NULL;
	uint32_t max_nodes = job->details->max_nodes, largest = 0;
	uint64_t nodes = 0, cpus = 0;

	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || (part && !bit_test((bitstr_t *)part, i)))
			continue;
		if (node->cpus > largest)
			largest = node->cpus;
		cpus += node->cpus;
		nodes++;
	}
	if (!max_nodes || max_nodes == NO_VAL || max_nodes > nodes)
		return cpus;
	return (uint64_t)max_nodes * largest < cpus ? (uint64_t)max_nodes * largest
						    : cpus;
}

/* A job that does not say how many tasks it has gives a grid for those of its steps: not
 * more than it could have CPUs for. */
static int check_grid(const job_record_t *job, const torus_task_words_t *words,
		      torus_error_t *err)
{
	/* Counting CPUs takes a look at each node. */
	if (words->kind != TORUS_GRID_GIVEN || job->details->overcommit)
		return 0;
	return torus_task_words_check_cpus(words, most_cpus(job), err);
}

int network_of_job(const job_record_t *job, torus_network_request_t *request,
		   torus_error_t *err)
{
	if (torus_network_parse(job->network, request, err))
		return -1;
	/* Without --ntasks the record may have a guess. */
	if (job->bit_flags & JOB_NTASKS_SET
		    ? torus_task_words_check(&request->tasks, job->details->num_tasks,
					     err)
		    : check_grid(job, &request->tasks, err))
		return torus_fail_prefix(err, "--network=torus: ");
	return 0;
}
