/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many of a step's tasks Slurm gives each node: see cli_filter/layout.h. */
#include "cli_filter/layout.h"

#include "src/common/slurm_step_layout.h"

/* The CPUs of a node as slurmctld counts them for the step's tasks. */
static uint16_t usable_cpus(const torus_step_t *step, const job_resources_t *held,
			    uint32_t node)
{
	uint64_t cpus = held->cpus[node];

	if (step->mem_per_cpu && held->memory_allocated &&
	    held->memory_allocated[node] / step->mem_per_cpu < cpus)
		cpus = held->memory_allocated[node] / step->mem_per_cpu;
	return (uint16_t)cpus;
}

/*
 * Whether what other steps hold now may give the nodes other numbers of tasks. A step
 * that takes all CPUs of its nodes waits for them; so does one for which not enough are
 * free.
 */
static bool others_matter(const torus_step_t *step, const job_resources_t *held)
{
	uint32_t each = (step->tasks + step->nodes - 1) / step->nodes;
	bool same = true, enough = true;
	uint64_t room = 0;

	if (!step->exact || step->overlaps)
		return false;
	if (getenv("SLURM_STEPMGR")) /* which keeps it from slurmctld */
		return true;
	for (uint32_t i = 0; i < held->nhosts; i++) {
		uint32_t cpus = usable_cpus(step, held, i);
		uint32_t free_cpus =
			cpus > held->cpus_used[i] ? cpus - held->cpus_used[i] : 0;

		same = same && held->cpus_used[i] == held->cpus_used[0];
		enough = enough && free_cpus >= each * step->cpus_per_task;
		room += free_cpus / step->cpus_per_task;
	}
	return !same && (step->by_gres || (!enough && room >= step->tasks));
}

/* Whether all tasks find their CPUs, by counting nothing but CPUs. */
static int check_room(const torus_step_t *step, const job_resources_t *held,
		      torus_error_t *err)
{
	uint64_t room = 0, all = 0;

	if (step->by_gres)
		return torus_fail(err, "the nodes are not alike, and GRES, threads or "
				       "--overcommit may limit the tasks on each");
	if (step->per_node && (uint64_t)step->per_node * step->nodes != step->tasks)
		return torus_fail(err, "the nodes are not alike, and --ntasks-per-node "
				       "does not say how many tasks there are");
	for (uint32_t i = 0; i < held->nhosts; i++)
		all += held->cpus[i];
	if (!held->core_bitmap || (uint64_t)bit_set_count(held->core_bitmap) != all)
		return torus_fail(err, "the nodes are not alike, and have several CPUs a "
				       "core");
	for (uint32_t i = 0; i < held->nhosts; i++) {
		uint16_t cpus = usable_cpus(step, held, i);

		if (cpus < step->cpus_per_task)
			return torus_fail(err, "the nodes are not alike, and one has too "
					       "little for a task");
		room += cpus / step->cpus_per_task;
	}
	if (room < step->tasks)
		return torus_fail(err, "the nodes are not alike, and have too little for "
				       "all tasks at once");
	return 0;
}

/* Ask Slurm's own function, which slurmctld will call with the same numbers. */
static int ask_slurm(const torus_step_t *step, const torus_step_job_t *job,
		     uint16_t *tasks_on_node, torus_error_t *err)
{
	const job_resources_t *held = job->info->job_resrcs;
	uint16_t *cpus = xcalloc(job->nodes, sizeof(*cpus));
	uint16_t *each = xcalloc(job->nodes, sizeof(*each));
	uint32_t *once = xcalloc(job->nodes, sizeof(*once));
	slurm_step_layout_req_t request = {
		.node_list = job->info->nodes,
		.cpus_per_node = cpus,
		.cpus_per_task = each,
		.num_hosts = job->nodes,
		.num_tasks = step->tasks,
		.task_dist = step->deal == TORUS_DEAL_CYCLIC ? SLURM_DIST_CYCLIC
							     : SLURM_DIST_BLOCK,
		.plane_size = step->per_node ? (uint16_t)step->per_node : NO_VAL16,
	};
	slurm_step_layout_t *layout;
	int rc = -1;

	for (uint32_t i = 0; i < job->nodes; i++) {
		cpus[i] = usable_cpus(step, held, i);
		each[i] = (uint16_t)step->cpus_per_task;
		once[i] = 1;
	}
	LAYOUT_SET_REPETITIONS(request, once);
	layout = slurm_step_layout_create(&request);
	if (layout && layout->node_cnt == job->nodes) {
		memcpy(tasks_on_node, layout->tasks, job->nodes * sizeof(*tasks_on_node));
		rc = 0;
	} else {
		torus_fail(err, "Slurm cannot lay out the tasks");
	}
	slurm_step_layout_destroy(layout);
	xfree(cpus);
	xfree(each);
	xfree(once);
	return rc;
}

int torus_step_layout(const torus_step_t *step, const torus_step_job_t *job,
		      uint16_t *tasks_on_node, torus_error_t *err)
{
	const job_resources_t *held = job->info->job_resrcs;

	if (step->tasks / job->nodes >= UINT16_MAX)
		return torus_fail(err, "too many tasks");
	if (step->tasks > job->nodes) {
		if (others_matter(step, held))
			return torus_fail(err, "other steps hold CPUs");
		if (!job->alike) {
			if (check_room(step, held, err))
				return -1;
			return ask_slurm(step, job, tasks_on_node, err);
		}
	}
	/* Nodes that are alike get as many each, the first ones one more. */
	for (uint32_t i = 0; i < job->nodes; i++)
		tasks_on_node[i] = (uint16_t)(step->tasks / job->nodes +
					      (i < step->tasks % job->nodes));
	return 0;
}
