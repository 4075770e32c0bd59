/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What srun was asked for: see cli_filter/step.h. */
#include "cli_filter/step.h"

#include <stdlib.h>
#include <string.h>

#include "taskgrid/words.h"

static bool is_given(uint32_t number)
{
	return number != NO_VAL;
}

/*
 * Whether the command line names several components of a heterogeneous job. srun makes a
 * step of each in turn, with a copy of the options that is out of our reach.
 */
static bool has_components(const char *line)
{
	static const char option[] = "--het-group";

	if (!line)
		return false;
	if (strstr(line, " : "))
		return true;
	for (line = strstr(line, option); line; line = strstr(line, option)) {
		line += strlen(option);
		if (*line)
			line++; /* what comes before the value */
		if (strcspn(line, ",-[") < strcspn(line, " "))
			return true;
	}
	return false;
}

/* Whether it is a step of a job that runs already, and of one component only. */
static int check_kind(const slurm_opt_t *opt, torus_error_t *err)
{
	const srun_opt_t *srun = opt->srun_opt;

	if (torus_task_order_is_off(getenv("TORUS_ORDER")))
		return torus_fail(err, "TORUS_ORDER=%s", getenv("TORUS_ORDER"));
	if (!is_given(srun->jobid))
		return torus_fail(err, "not within a job: the nodes are not known yet");
	if (srun->no_alloc || srun->test_only || srun->interactive || opt->clusters ||
	    STEP_IS_OF_ANOTHER_KIND(srun))
		return torus_fail(err, "not an ordinary step");
	if (has_components(opt->submit_line))
		return torus_fail(err, "a step over several components of a job");
	return 0;
}

/*
 * Whether the distribution that srun has is of its own making: it is that of the task
 * which srun runs in, or in whose environment its job was submitted, where nobody had
 * said one. Slurm tells tasks how they are distributed in the variable that also says how
 * a step is to be.
 */
static bool is_inherited_only(slurm_opt_t *opt)
{
	const char *own = getenv(TORUS_OWN_DISTRIBUTION);

	return own && slurm_option_set_by_env(opt, 'm') &&
	       !xstrcmp(own, getenv("SLURM_DISTRIBUTION"));
}

bool torus_step_says_distribution(slurm_opt_t *opt)
{
	return opt->distribution != SLURM_DIST_UNKNOWN && !is_inherited_only(opt);
}

/* Whether its nodes and their order are left to Slurm. */
static int check_freedom(slurm_opt_t *opt, torus_step_t *step, torus_error_t *err)
{
	if (opt->nodelist || opt->nodefile || opt->exclude || getenv("SLURM_HOSTFILE") ||
	    opt->srun_opt->relative != (int)NO_VAL)
		return torus_fail(err, "the step names its nodes");
	if (slurm_conf.select_type_param & SELECT_PACK_NODES)
		return torus_fail(err, "CR_Pack_Nodes is set");
	step->deal = opt->distribution == SLURM_DIST_CYCLIC ? TORUS_DEAL_CYCLIC
							    : TORUS_DEAL_BLOCK;
	if (torus_step_says_distribution(opt))
		return torus_fail(err, "%s names a distribution",
				  slurm_option_set_by_env(opt, 'm') ? "the job"
								    : "the step");
	return 0;
}

/*
 * Whether the number of tasks is one a node where neither it nor that of a node is given.
 * It may also follow from the CPUs of the nodes, and from 24.11 on only slurmctld knows.
 */
static bool is_one_a_node(const slurm_opt_t *opt)
{
	bool range = opt->max_nodes && opt->max_nodes != opt->min_nodes;
	bool box = is_given((uint32_t)opt->sockets_per_node) &&
		   is_given((uint32_t)opt->cores_per_socket) &&
		   is_given((uint32_t)opt->threads_per_core);

	return !range && !box && !opt->cpus_set && !STEP_TRES_PER_TASK(opt);
}

/* The number of tasks as srun will work it out. */
static int count_tasks(slurm_opt_t *opt, torus_step_t *step, torus_error_t *err)
{
	bool range = opt->max_nodes && opt->max_nodes != opt->min_nodes;

	if (!opt->nodes_set || opt->min_nodes < 1)
		return torus_fail(err, "the number of nodes is not given");
	step->nodes = (uint32_t)opt->min_nodes;
	step->asks.per_node = is_given((uint32_t)opt->ntasks_per_node)
				      ? (uint32_t)opt->ntasks_per_node
				      : 0;
	if (is_given((uint32_t)opt->ntasks_per_gpu) ||
	    is_given((uint32_t)opt->ntasks_per_tres))
		return torus_fail(err, "the number of tasks follows from the GPUs");
	if (opt->ntasks_set) {
		if (step->asks.per_node && slurm_option_set_by_env(opt, 'n') &&
		    !slurm_option_set_by_env(opt, 'N'))
			return torus_fail(err, "the number of tasks is not clear");
		step->asks.tasks = (uint32_t)opt->ntasks;
	} else if (step->asks.per_node && !range) {
		step->asks.tasks = step->nodes * step->asks.per_node;
	} else if (is_one_a_node(opt)) {
		step->asks.tasks = step->nodes;
	} else {
		return torus_fail(err, "the number of tasks is not given");
	}
	if (step->asks.tasks < step->nodes)
		return torus_fail(err, "fewer tasks than nodes");
	return 0;
}

int torus_step_read(slurm_opt_t *opt, int offset, torus_step_t *step, torus_error_t *err)
{
	const srun_opt_t *srun = opt->srun_opt;

	*step = (torus_step_t){0};
	if (check_kind(opt, err) || check_freedom(opt, step, err) ||
	    count_tasks(opt, step, err))
		return -1;
	step->job_id = srun->jobid;
	step->component = offset > 0 ? (uint32_t)offset : 0;
	step->nodelist = srun->alloc_nodelist;
	step->network = opt->network;
	step->verbose = opt->verbose > 0;
	step->asks.cpus_per_task = opt->cpus_set && opt->cpus_per_task > 0
					   ? (uint32_t)opt->cpus_per_task
					   : 1;
	step->asks.mem_per_cpu = opt->mem_per_cpu == NO_VAL64 ? 0 : opt->mem_per_cpu;
	step->asks.exact = srun->exact || opt->cpus_set || opt->cpus_per_gpu;
	step->asks.overlaps = srun->overlap_force;
	step->asks.by_gres = STEP_TRES_PER_TASK(opt) || opt->gpus_per_task ||
			     opt->cpus_per_gpu || opt->overcommit || opt->hint ||
			     is_given((uint32_t)opt->threads_per_core) ||
			     is_given((uint32_t)opt->ntasks_per_core) ||
			     is_given((uint32_t)opt->ntasks_per_socket);
	return 0;
}
