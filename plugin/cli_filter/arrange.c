/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts of a step's tasks, in the order of the torus: see cli_filter/arrange.h. */
#include "cli_filter/arrange.h"

#include <stdlib.h>

#include "cli_filter/layout.h"
#include "cli_filter/places.h"
#include "taskmap/step_order.h"

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
	uint16_t *counts;
	uint32_t *tasks_on_node, *node_of_task;
	torus_ordered_step_t ordered;
	char *hosts = NULL;

	if (job->nodes < 2) {
		torus_fail(err, "one node");
		return NULL;
	}
	if (step->tasks > TORUS_STEP_TASKS_MAX) {
		torus_fail(err, "more than %d tasks", TORUS_STEP_TASKS_MAX);
		return NULL;
	}
	/* That order is for tasks dealt out in blocks, which one a node are not. */
	if (step->tasks > step->nodes && step->deal == TORUS_DEAL_BLOCK &&
	    JOB_HAS_ORDER(job->info->job_resrcs)) {
		torus_fail(err, "slurmctld has an order of its own for this job");
		return NULL;
	}
	counts = xcalloc(job->nodes, sizeof(*counts));
	tasks_on_node = xcalloc(job->nodes, sizeof(*tasks_on_node));
	node_of_task = xcalloc(step->tasks, sizeof(*node_of_task));
	ordered = (torus_ordered_step_t){
		.nodes = job->nodes,
		.name = job->name,
		.tasks = step->tasks,
		.tasks_on_node = tasks_on_node,
		.deal = step->deal,
		.segment = JOB_SEGMENT_SIZE(job->info),
		.network = step->network,
		.job_network = job->info->network,
		.partition = job->info->partition,
	};
	if (torus_step_layout(step, job, counts, err) == 0) {
		for (uint32_t i = 0; i < job->nodes; i++)
			tasks_on_node[i] = counts[i];
		if (order_tasks(&ordered, step->verbose, node_of_task, err) == 0)
			hosts = list_hosts(&ordered, node_of_task, err);
		if (hosts)
			*nodes = list_nodes(&ordered, node_of_task);
	}
	xfree(counts);
	xfree(tasks_on_node);
	xfree(node_of_task);
	return hosts;
}
