/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin cli_filter/torus: plain srun in the order of the torus, on every release.
 *
 * Slurm deals a step's tasks out to nodes in the order of their names. For a step that
 * uses its whole job and says nothing of its nodes, this plugin changes the request
 * before srun sends it: --distribution=arbitrary, and a host for each task, so that each
 * node gets as many tasks as it would have had, in our order of the nodes. Local task
 * numbers, and with them CPUs and GPUs, are as they would have been. Any other step is
 * left alone, and so is every step for which something is not known for sure; srun -v
 * says why. No step fails because of what is missing here.
 *
 * Arbitrary is meant for slurmctld alone. Once the step is there the distribution that
 * srun would have had is put back, so that slurmd binds the tasks by it, and
 * SLURM_DISTRIBUTION, which an srun within a task would take for its own, says what it
 * would have said.
 *
 * Of a new job it says why slurmctld will not accept its --network=torus:.
 */
#include "slurm/compat.h"

#include "src/common/proc_args.h"
#include "src/common/slurm_opt.h"

#include "cli_filter/arrange.h"
#include "cli_filter/job.h"
#include "cli_filter/places.h"
#include "cli_filter/step.h"
#include "machine/network_option.h"
#include "machine/no_box.h"

const char plugin_name[] = "Order of a step's tasks on meshes and tori";
const char plugin_type[] = "cli_filter/torus";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

/* The step that is submitted, of which srun has one; NULL: none. */
static slurm_opt_t *submitted;
static bool is_ordered; /* and has got an arbitrary distribution in place of this: */
static enum task_dist_states distribution_before;
static bool is_said; /* somebody has said a distribution */

/*
 * Tasks learn the order of the nodes in TORUS_NODES, unless it is longer: Linux starts no
 * program with a variable of 128 KiB or more.
 */
#define NODES_TEXT_MOST 100000

int init(void);
int fini(void);
int cli_filter_p_setup_defaults(slurm_opt_t *opt, bool early);
int cli_filter_p_pre_submit(slurm_opt_t *opt, int offset);
void cli_filter_p_post_submit(int offset, uint32_t jobid, uint32_t stepid);

int init(void)
{
	return SLURM_SUCCESS;
}

int fini(void)
{
	return SLURM_SUCCESS;
}

int cli_filter_p_setup_defaults(slurm_opt_t *opt, bool early)
{
	(void)opt;
	(void)early;
	return SLURM_SUCCESS;
}

/*
 * What srun makes of an unknown distribution. One that is unknown to it, too, because no
 * memory is asked for, slurmctld takes for block.
 */
static enum task_dist_states plain_distribution(const torus_step_t *step,
						const slurm_opt_t *opt)
{
	if (opt->distribution != SLURM_DIST_UNKNOWN)
		return opt->distribution;
	if (!opt->mem_per_cpu || !opt->pn_min_memory)
		return SLURM_DIST_UNKNOWN;
	return step->asks.tasks <= step->nodes ? SLURM_DIST_CYCLIC : SLURM_DIST_BLOCK;
}

/* Order the step, or say in [err] why not. */
static int order_step(slurm_opt_t *opt, int offset, torus_error_t *err)
{
	torus_step_t step;
	torus_step_job_t job;
	char *hosts = NULL, *nodes = NULL;

	if (torus_step_read(opt, offset, &step, err) ||
	    torus_step_job_load(&step, &job, err))
		return -1;
	hosts = torus_step_arrange(&step, &job, &nodes, err);
	torus_step_job_clear(&job);
	if (!hosts)
		return -1;
	if (strlen(nodes) < NODES_TEXT_MOST)
		setenv("TORUS_NODES", nodes, 1);
	xfree(nodes);
	distribution_before = plain_distribution(&step, opt);
	is_ordered = true;
	xfree(opt->nodelist);
	opt->nodelist = hosts;
	opt->distribution = SLURM_DIST_ARBITRARY;
	/*
	 * srun counts nodes anew, and would refuse --nodes beside arbitrary. Tasks that the
	 * user has not counted it counts anew, too.
	 */
	opt->nodes_set = false;
	if (opt->verbose)
		info("%s: %u tasks in the order of the torus", plugin_type,
		     step.asks.tasks);
	return 0;
}

/* The numbers of nodes that the job asks for; 0: it does not say. */
static void read_nodes(const slurm_opt_t *opt, uint32_t *least, uint32_t *most)
{
	*least = *most = 0;
	if (!opt->nodes_set || opt->min_nodes < 1)
		return;
	*least = (uint32_t)opt->min_nodes;
	*most = opt->max_nodes > opt->min_nodes ? (uint32_t)opt->max_nodes : *least;
}

/* Whether no torus ever has the box; [reason] says why. */
static bool is_impossible(const slurm_opt_t *opt, const torus_shapes_t *shapes,
			  char *reason, size_t size)
{
	torus_error_t err;
	torus_cluster_t *cluster;
	uint32_t least, most;
	bool never;

	read_nodes(opt, &least, &most);
	if (shapes->any && !least)
		return false;
	cluster = torus_filter_tori(&err);
	never = cluster &&
		torus_explain_never(cluster, shapes, least, most, reason, size);
	torus_cluster_destroy(cluster);
	return never;
}

/*
 * Tell the user of a new job why what --network=torus: says cannot be read, or that no
 * torus ever has such a box, and which it has. slurmctld refuses such a job, and only its
 * log says why. Whether the job is submitted is not changed: torus.conf may be another
 * there. Nothing is said of jobs for other clusters.
 */
static void check_words(const slurm_opt_t *opt)
{
	torus_network_request_t request;
	char reason[TORUS_NO_BOX_TEXT];
	torus_error_t err;

	if (!opt->network || opt->clusters)
		return;
	if (torus_network_parse(opt->network, &request, &err))
		error("--network=%s: %s", opt->network, err.text);
	else if (request.has_shape &&
		 is_impossible(opt, &request.shapes, reason, sizeof(reason)))
		error("--network=%s: %s", opt->network, reason);
}

int cli_filter_p_pre_submit(slurm_opt_t *opt, int offset)
{
	torus_error_t err;

	if (!opt->srun_opt || !getenv("SLURM_JOB_ID"))
		check_words(opt);
	unsetenv("TORUS_NODES"); /* of the step that this one is within */
	is_said = torus_step_says_distribution(opt);
	if (is_said)
		unsetenv(TORUS_OWN_DISTRIBUTION);
	if (!opt->srun_opt) /* salloc, sbatch, scrontab */
		return SLURM_SUCCESS;
	submitted = opt;
	is_ordered = false;
	if (order_step(opt, offset, &err) && opt->verbose)
		info("%s: tasks in Slurm's own order: %s", plugin_type, err.text);
	return SLURM_SUCCESS;
}

/* Tasks are to know that nobody has said how they are distributed. */
static void note_own_distribution(enum task_dist_states distribution)
{
	char *text = NULL;

	set_distribution(distribution, &text);
	if (text)
		setenv(TORUS_OWN_DISTRIBUTION, text, 1);
	else
		unsetenv(TORUS_OWN_DISTRIBUTION);
	xfree(text);
}

void cli_filter_p_post_submit(int offset, uint32_t jobid, uint32_t stepid)
{
	(void)offset;
	(void)jobid;
	(void)stepid;
	if (!submitted)
		return;
	if (is_ordered)
		submitted->distribution = distribution_before;
	if (!is_said)
		note_own_distribution(submitted->distribution);
	submitted = NULL;
}
