/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slots of Open MPI's rankfile: see storus/map/slots.h. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>

#include "storus/cli/slurm.h"
#include "storus/map/slots.h"
#include "storus/map/slurm.h"

static uint32_t rounded_up(uint32_t cpus, uint32_t per_core)
{
	return (cpus - 1) / per_core + 1;
}

storus_map_slots_t storus_map_slots_of(storus_map_cpus_t cpus, uint32_t per_task,
				       uint32_t tasks, uint32_t task)
{
	uint32_t share = cpus.held / tasks, cores;

	if (per_task == 0 || per_task > share)
		per_task = share;
	if (per_task == 0) { /* more tasks than CPUs */
		uint32_t core =
			(uint32_t)((uint64_t)task * cpus.held / tasks) / cpus.per_core;

		return (storus_map_slots_t){core, core};
	}
	cores = rounded_up(per_task, cpus.per_core);
	if (cores <= rounded_up(cpus.held, cpus.per_core) / tasks)
		return (storus_map_slots_t){task * cores, (task + 1) * cores - 1};
	return (storus_map_slots_t){task * per_task / cpus.per_core,
				    ((task + 1) * per_task - 1) / cpus.per_core};
}

/* Fill cpus[job->nodes] and *per_task. Returns 0, or -1 with [err] filled. */
static int ask(const storus_map_job_t *job, storus_map_cpus_t *cpus, uint32_t *per_task,
	       torus_error_t *err)
{
#ifdef HAVE_LIBSLURM
	storus_slurm_start();
	return storus_map_slurm_cpus(job->id, job->name, job->nodes, cpus, per_task, err);
#else
	(void)job, (void)cpus, (void)per_task;
	return torus_fail(err, "built without Slurm's library");
#endif
}

int storus_map_slots(const storus_map_job_t *job, const uint32_t *node_of_task,
		     storus_map_slots_t *slots, torus_error_t *err)
{
	storus_map_cpus_t *cpus = malloc(job->nodes * sizeof(*cpus));
	uint32_t *tasks = calloc(job->nodes, sizeof(*tasks)), per_task = 1;
	uint32_t *beyond = calloc(job->nodes, sizeof(*beyond)); /* what is used */
	torus_error_t reason;
	bool known, shared = false;
	int rc = -1;

	if (!cpus || !tasks || !beyond) {
		torus_fail(err, "out of memory");
		goto done;
	}
	known = job->id && ask(job, cpus, &per_task, &reason) == 0;
	if (job->id && !known)
		warnx("how many CPUs a task has is not known, one core is assumed: %s",
		      reason.text);
	for (uint32_t task = 0; task < job->tasks; task++) {
		uint32_t node = node_of_task[task], number = tasks[node]++;

		slots[task] =
			known ? storus_map_slots_of(cpus[node], per_task,
						    job->tasks_on_node[node], number)
			      : (storus_map_slots_t){number, number};
		shared = shared || slots[task].first < beyond[node];
		beyond[node] = slots[task].last + 1;
	}
	if (shared)
		warnx("tasks share cores: mpirun of Open MPI 5 takes that with "
		      "--bind-to :overload-allowed only");
	rc = 0;
done:
	free(beyond);
	free(cpus);
	free(tasks);
	return rc;
}
