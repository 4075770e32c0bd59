/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld says of a step's job: see cli_filter/job.h. */
#include "cli_filter/job.h"

#include <errno.h>
#include <stdlib.h>

#include "src/common/strnatcmp.h"

#include "base/hostlist.h"

static const slurm_job_info_t *find_component(const job_info_msg_t *answer,
					      const torus_step_t *step)
{
	for (uint32_t i = 0; i < answer->record_count; i++) {
		const slurm_job_info_t *info = &answer->job_array[i];

		if (info->het_job_id ? info->het_job_id == step->job_id &&
					       info->het_job_offset == step->component
				     : info->job_id == step->job_id)
			return info;
	}
	return NULL;
}

/*
 * Whether slurmctld's table of nodes has them in the same order for sure. The table is
 * sorted by name, and so are lists of nodes, but each in its own way ("x10n1" and
 * "x2n1"), and nodes that are created later come last in the table. Where they differ
 * Slurm takes what an arbitrary step has on one node for what it has on another.
 */
static bool names_are_in_order(const torus_step_job_t *job)
{
	slurm_hostlist_t list;
	char *sorted;
	bool same;

	if (slurm_conf.max_node_cnt && slurm_conf.max_node_cnt != NO_VAL)
		return false;
	for (uint32_t i = 1; i < job->nodes; i++) {
		if (strnatcmp(job->name[i - 1], job->name[i]) >= 0)
			return false;
	}
	list = hostlist_create(job->info->nodes);
	hostlist_uniq(list);
	sorted = hostlist_ranged_string_xmalloc(list);
	same = !xstrcmp(sorted, job->info->nodes);
	xfree(sorted);
	hostlist_destroy(list);
	return same;
}

static torus_held_t read_held(const slurm_job_info_t *info)
{
	const job_resources_t *held = info->job_resrcs;

	return (torus_held_t){
		.nodes = held->nhosts,
		.cpus = held->cpus,
		.cpus_used = held->cpus_used,
		.memory = held->memory_allocated,
		.same_cores = !held->sock_core_rep_count ||
			      held->sock_core_rep_count[0] >= held->nhosts,
		.cores = held->core_bitmap ? (uint64_t)bit_set_count(held->core_bitmap)
					   : 0,
		.gres_nodes = info->gres_detail_cnt,
		.gres = info->gres_detail_str,
	};
}

static int read_answer(const torus_step_t *step, torus_step_job_t *job,
		       torus_error_t *err)
{
	const job_resources_t *held;

	job->info = find_component(job->answer, step);
	if (!job->info || !job->info->nodes || !job->info->job_resrcs)
		return torus_fail(err, "slurmctld does not say what job %u holds",
				  step->job_id);
	held = job->info->job_resrcs;
	if (step->nodelist && xstrcmp(step->nodelist, job->info->nodes))
		return torus_fail(err,
				  "the job holds %s, its environment says %s: was it "
				  "changed?",
				  job->info->nodes, step->nodelist);
	if (torus_hostlist_expand(job->info->nodes, &job->name, &job->nodes, err))
		return -1;
	if (held->nhosts != job->nodes || !held->cpus || !held->cpus_used)
		return torus_fail(err, "slurmctld does not say what job %u holds",
				  step->job_id);
	if (job->nodes != step->nodes)
		return torus_fail(err, "the step uses %u of the job's %u nodes",
				  step->nodes, job->nodes);
	if (!names_are_in_order(job))
		return torus_fail(err, "whether slurmctld has the nodes in the order of "
				       "their names is not known");
	job->held = read_held(job->info);
	return 0;
}

int torus_step_job_load(const torus_step_t *step, torus_step_job_t *job,
			torus_error_t *err)
{
	*job = (torus_step_job_t){0};
	if (slurm_load_job(&job->answer, JOB_TO_LOAD(step->job_id),
			   SHOW_ALL | SHOW_DETAIL | SHOW_LOCAL) != SLURM_SUCCESS)
		return torus_fail(err, "slurmctld cannot be asked for job %u: %s",
				  step->job_id, slurm_strerror(errno));
	if (read_answer(step, job, err) == 0)
		return 0;
	torus_step_job_clear(job);
	return -1;
}

void torus_step_job_clear(torus_step_job_t *job)
{
	/* Slurm 22.05 itself forgets these. */
	for (uint32_t i = 0; job->answer && i < job->answer->record_count; i++) {
		xfree(job->answer->job_array[i].admin_comment);
		xfree(job->answer->job_array[i].system_comment);
	}
	slurm_free_job_info_msg(job->answer);
	free(job->name);
	*job = (torus_step_job_t){0};
}
