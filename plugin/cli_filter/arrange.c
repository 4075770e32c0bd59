/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts of a step's tasks, in the order of the torus: see cli_filter/arrange.h. */
#include "cli_filter/arrange.h"

#include <stdlib.h>

#include "src/common/slurm_step_layout.h"

#include "cli_filter/places.h"
#include "taskmap/step_order.h"

/* Ask Slurm's own function, which slurmctld will call with the same numbers. */
static int ask_slurm(const torus_step_t *step, const torus_step_job_t *job,
		     uint32_t *tasks_on_node, torus_error_t *err)
{
	uint16_t *cpus = xcalloc(job->nodes, sizeof(*cpus));
	uint16_t *each = xcalloc(job->nodes, sizeof(*each));
	uint32_t *once = xcalloc(job->nodes, sizeof(*once));
	slurm_step_layout_req_t request = {
		.node_list = job->info->nodes,
		.cpus_per_node = cpus,
		.cpus_per_task = each,
		.num_hosts = job->nodes,
		.num_tasks = step->asks.tasks,
		.task_dist = step->deal == TORUS_DEAL_CYCLIC ? SLURM_DIST_CYCLIC
							     : SLURM_DIST_BLOCK,
		.plane_size =
			step->asks.per_node ? (uint16_t)step->asks.per_node : NO_VAL16,
	};
	slurm_step_layout_t *layout;
	int rc = -1;

	for (uint32_t i = 0; i < job->nodes; i++) {
		cpus[i] = torus_held_cpus(&job->held, &step->asks, i);
		each[i] = (uint16_t)step->asks.cpus_per_task;
		once[i] = 1;
	}
	LAYOUT_SET_REPETITIONS(request, once);
	layout = slurm_step_layout_create(&request);
	if (layout && layout->node_cnt == job->nodes) {
		for (uint32_t i = 0; i < job->nodes; i++)
			tasks_on_node[i] = layout->tasks[i];
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

/* How many of its tasks Slurm gives each node. */
static int count_tasks(const torus_step_t *step, const torus_step_job_t *job,
		       uint32_t *tasks_on_node, torus_error_t *err)
{
	/* The job's own slurmstepd may be who starts steps. */
	const bool hidden = getenv("SLURM_STEPMGR") != NULL;

	switch (torus_step_counts(&job->held, &step->asks, hidden, err)) {
	case TORUS_COUNTS_EVEN:
		torus_even_counts(step->asks.tasks, job->nodes, tasks_on_node);
		return 0;
	case TORUS_COUNTS_SLURM:
		return ask_slurm(step, job, tasks_on_node, err);
	case TORUS_COUNTS_UNKNOWN:
		break;
	}
	return -1;
}

/* Say which words were left aside. */
static void say_aside(const torus_ordered_step_t *ordered,
		      const torus_step_words_t *words)
{
	const char *texts[] = {ordered->network, ordered->job_network};

	for (int i = 0; i < 2; i++) {
		if (*words->aside[i].text)
			info("cli_filter/torus: --network=%s is left aside: %s", texts[i],
			     words->aside[i].text);
	}
}

/* Which node has which task. */
static int order_tasks(const torus_ordered_step_t *ordered, bool verbose,
		       uint32_t *node_of_task, torus_error_t *err)
{
	torus_cluster_t *cluster;
	torus_step_words_t words;
	int rc = torus_step_words(ordered, &words, err);

	if (verbose)
		say_aside(ordered, &words);
	if (rc)
		return -1;
	cluster = words.segment ? torus_filter_curves(err) : torus_filter_places(err);
	rc = cluster ? torus_step_order(ordered, &words, cluster, node_of_task, err) : -1;
	torus_cluster_destroy(cluster);
	return rc;
}

/* As torus_step_hosts(), in Slurm's memory. */
static char *list_hosts(const torus_ordered_step_t *ordered, const uint32_t *node_of_task,
			torus_error_t *err)
{
	char *hosts = torus_step_hosts(ordered, node_of_task, err);
	char *copy = xstrdup(hosts);

	free(hosts);
	return copy;
}

/* The nodes as their first tasks come, as Slurm writes lists. */
static char *list_nodes(const torus_ordered_step_t *ordered, const uint32_t *node_of_task)
{
	slurm_hostlist_t list = hostlist_create(NULL);
	bool *had = xcalloc(ordered->nodes, sizeof(*had));
	char *nodes;

	for (uint32_t task = 0; task < ordered->tasks; task++) {
		if (!had[node_of_task[task]])
			hostlist_push_host(list, ordered->name[node_of_task[task]]);
		had[node_of_task[task]] = true;
	}
	nodes = hostlist_ranged_string_xmalloc(list);
	hostlist_destroy(list);
	xfree(had);
	return nodes;
}

char *torus_step_arrange(const torus_step_t *step, const torus_step_job_t *job,
			 char **nodes, torus_error_t *err)
{
	uint32_t *tasks_on_node, *node_of_task;
	torus_ordered_step_t ordered;
	char *hosts = NULL;

	if (job->nodes < 2) {
		torus_fail(err, "one node");
		return NULL;
	}
	if (step->asks.tasks > TORUS_STEP_TASKS_MAX) {
		torus_fail(err, "more than %d tasks", TORUS_STEP_TASKS_MAX);
		return NULL;
	}
	/* That order is for tasks dealt out in blocks, which one a node are not. */
	if (step->asks.tasks > step->nodes && step->deal == TORUS_DEAL_BLOCK &&
	    JOB_HAS_ORDER(job->info->job_resrcs)) {
		torus_fail(err, "slurmctld has an order of its own for this job");
		return NULL;
	}
	tasks_on_node = xcalloc(job->nodes, sizeof(*tasks_on_node));
	node_of_task = xcalloc(step->asks.tasks, sizeof(*node_of_task));
	ordered = (torus_ordered_step_t){
		.nodes = job->nodes,
		.name = job->name,
		.tasks = step->asks.tasks,
		.tasks_on_node = tasks_on_node,
		.deal = step->deal,
		.segment = JOB_SEGMENT_SIZE(job->info),
		.network = step->network,
		.job_network = job->info->network,
		.partition = job->info->partition,
	};
	if (count_tasks(step, job, tasks_on_node, err) == 0 &&
	    order_tasks(&ordered, step->verbose, node_of_task, err) == 0)
		hosts = list_hosts(&ordered, node_of_task, err);
	if (hosts)
		*nodes = list_nodes(&ordered, node_of_task);
	xfree(tasks_on_node);
	xfree(node_of_task);
	return hosts;
}
