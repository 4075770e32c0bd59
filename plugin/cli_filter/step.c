/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What srun was asked for: see cli_filter/step.h. */
#include "cli_filter/step.h"

#include <stdlib.h>

#include "taskgrid/words.h"
#include "taskmap/step_options.h"

static bool is_given(uint32_t number)
{
	return number != NO_VAL;
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
	/* srun makes a step of each in turn, with a copy of the options that is out of
	 * our reach. */
	if (torus_line_has_components(opt->submit_line))
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

/* The number of tasks as srun will work it out. From 24.11 on only slurmctld knows what
 * follows from the CPUs. */
static int count_tasks(slurm_opt_t *opt, torus_step_t *step, torus_error_t *err)
{
	bool box = is_given((uint32_t)opt->sockets_per_node) &&
		   is_given((uint32_t)opt->cores_per_socket) &&
		   is_given((uint32_t)opt->threads_per_core);
	uint32_t per_node = (uint32_t)opt->ntasks_per_node;
	const torus_step_options_t options = {
		.nodes_given = opt->nodes_set,
		.nodes_by_variable = slurm_option_set_by_env(opt, 'N'),
		.least_nodes = opt->min_nodes,
		.most_nodes = opt->max_nodes,
		.tasks_given = opt->ntasks_set,
		.tasks_by_variable = slurm_option_set_by_env(opt, 'n'),
		.tasks = (uint32_t)opt->ntasks,
		.per_node = is_given(per_node) ? per_node : 0,
		.by_gpus = is_given((uint32_t)opt->ntasks_per_gpu) ||
			   is_given((uint32_t)opt->ntasks_per_tres),
		.by_cpus = box || opt->cpus_set || STEP_TRES_PER_TASK(opt),
	};

	step->asks.per_node = options.per_node;
	return torus_step_tasks(&options, &step->nodes, &step->asks.tasks, err);
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
