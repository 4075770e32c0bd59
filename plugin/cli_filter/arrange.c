/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts of a step's tasks, in the order of the torus: see cli_filter/arrange.h. */
#include "cli_filter/arrange.h"

#include <stdlib.h>
#include <string.h>

#include "cli_filter/layout.h"
#include "cli_filter/places.h"
#include "cli_filter/segments.h"
#include "machine/network_option.h"
#include "taskmap/job_order.h"

static int find_cells(const torus_cluster_t *cluster, const torus_step_job_t *job,
		      torus_geometry_t *geometry, uint32_t *cell, torus_error_t *err)
{
	uint32_t *number = xcalloc(job->nodes, sizeof(*number));
	torus_network_request_t request;
	const torus_shapes_t *shapes = torus_network_shapes(job->info->network, &request);
	int rc;

	if (torus_cluster_numbers(cluster, job->name, job->nodes, number, err))
		rc = torus_fail_prefix(err, "torus.conf: ");
	else
		rc = torus_cluster_cells(cluster, number, job->nodes, shapes, geometry,
					 cell, err);
	xfree(number);
	return rc;
}

/* Whether --network=torus: says something of the tasks. */
static bool says_of_tasks(const torus_network_request_t *request)
{
	return request->order_off || request->tasks.free_head ||
	       request->tasks.kind != TORUS_GRID_ANY;
}

/*
 * What the step says of its tasks, or else its job. A grid is for steps of as many tasks;
 * others have the order of a job that says nothing. Returns 0, or -1 with [err]: no order
 * is wanted.
 */
static int read_words(const torus_step_t *step, const torus_step_job_t *job,
		      torus_task_words_t *words, torus_error_t *err)
{
	const char *texts[] = {step->network, job->info->network};
	torus_network_request_t request;
	torus_error_t other;

	*words = (torus_task_words_t){0};
	for (int i = 0; i < 2; i++) {
		if (torus_network_parse(texts[i], &request, NULL) ||
		    !says_of_tasks(&request))
			continue;
		if (request.order_off)
			return torus_fail(err, "--network=torus:order=off");
		if (torus_task_words_check(&request.tasks, step->tasks, &other) == 0) {
			*words = request.tasks;
			return 0;
		}
		/* A step without a word of its own has its job's, from a variable. */
		if (step->verbose && (!i || !texts[0] || strcmp(texts[0], texts[1])))
			info("cli_filter/torus: --network=%s is left aside: %s", texts[i],
			     other.text);
		words->free_head = request.tasks.free_head;
	}
	return 0;
}

/* Whether the site wants the tasks of such jobs in order. */
static int check_site(const torus_cluster_t *cluster, const torus_step_job_t *job,
		      torus_error_t *err)
{
	const char *partition = job->info->partition ? job->info->partition : "";

	if (torus_order_scope_has(&cluster->task_order, partition))
		return 0;
	return torus_fail(err, "TaskOrder= in torus.conf is not for jobs in partition %s",
			  partition);
}

/* Which node has which task, where the job's segments follow each other. */
static int order_segments(const torus_cluster_t *cluster, const torus_step_t *step,
			  const torus_step_job_t *job, uint32_t size,
			  const uint32_t *tasks_on_node, uint32_t *node_of_task,
			  torus_error_t *err)
{
	uint32_t *order = xcalloc(job->nodes, sizeof(*order));
	int rc = torus_step_order_segments(cluster, job, size, order, err);

	if (rc == 0)
		torus_any_deal(order, job->nodes, tasks_on_node, step->deal,
			       node_of_task);
	xfree(order);
	return rc;
}

/* The same where they do not. */
static int order_freely(const torus_cluster_t *cluster, const torus_step_t *step,
			const torus_step_job_t *job, const torus_task_words_t *words,
			const uint32_t *tasks_on_node, uint32_t *node_of_task,
			torus_error_t *err)
{
	uint32_t *cell = xcalloc(job->nodes, sizeof(*cell));
	torus_geometry_t geometry;
	const torus_ordered_job_t ordered = {
		.geometry = &geometry,
		.nodes = job->nodes,
		.cell = cell,
		.tasks_on_node = tasks_on_node,
		.deal = step->deal,
		.words = *words,
	};
	int rc = find_cells(cluster, job, &geometry, cell, err);

	if (rc == 0)
		rc = torus_job_assign(&ordered, node_of_task, NULL, NULL, err);
	xfree(cell);
	return rc;
}

/* Which node has which task. */
static int order_tasks(const torus_step_t *step, const torus_step_job_t *job,
		       const uint32_t *tasks_on_node, uint32_t *node_of_task,
		       torus_error_t *err)
{
	torus_cluster_t *cluster;
	torus_task_words_t words;
	uint32_t segment;
	int rc = -1;

	if (read_words(step, job, &words, err))
		return -1;
	segment = words.kind == TORUS_GRID_ANY ? torus_step_segment(job) : 0;
	cluster = segment ? torus_filter_curves(err) : torus_filter_places(err);
	if (!cluster)
		return -1;
	if (check_site(cluster, job, err) == 0)
		rc = segment ? order_segments(cluster, step, job, segment, tasks_on_node,
					      node_of_task, err)
			     : order_freely(cluster, step, job, &words, tasks_on_node,
					    node_of_task, err);
	torus_cluster_destroy(cluster);
	return rc;
}

/* Whether it is the order of the names anyhow. */
static bool changes_nothing(const torus_step_t *step, const torus_step_job_t *job,
			    const uint32_t *tasks_on_node, const uint32_t *node_of_task)
{
	uint32_t *names = xcalloc(job->nodes, sizeof(*names));
	uint32_t *plain = xcalloc(step->tasks, sizeof(*plain));
	bool same;

	for (uint32_t i = 0; i < job->nodes; i++)
		names[i] = i;
	torus_any_deal(names, job->nodes, tasks_on_node, step->deal, plain);
	same = !memcmp(plain, node_of_task, step->tasks * sizeof(*plain));
	xfree(names);
	xfree(plain);
	return same;
}

static char *list_hosts(const torus_step_t *step, const torus_step_job_t *job,
			const uint32_t *node_of_task)
{
	size_t size = 1;
	char *hosts, *end;

	for (uint32_t task = 0; task < step->tasks; task++)
		size += strlen(job->name[node_of_task[task]]) + 1;
	hosts = end = xmalloc(size);
	for (uint32_t task = 0; task < step->tasks; task++) {
		if (task)
			*end++ = ',';
		end = stpcpy(end, job->name[node_of_task[task]]);
	}
	return hosts;
}

/* The nodes as their first tasks come, as Slurm writes lists. */
static char *list_nodes(const torus_step_t *step, const torus_step_job_t *job,
			const uint32_t *node_of_task)
{
	slurm_hostlist_t list = hostlist_create(NULL);
	bool *had = xcalloc(job->nodes, sizeof(*had));
	char *nodes;

	for (uint32_t task = 0; task < step->tasks; task++) {
		if (!had[node_of_task[task]])
			hostlist_push_host(list, job->name[node_of_task[task]]);
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
	if (torus_step_layout(step, job, counts, err) == 0) {
		for (uint32_t i = 0; i < job->nodes; i++)
			tasks_on_node[i] = counts[i];
		if (order_tasks(step, job, tasks_on_node, node_of_task, err) == 0) {
			if (changes_nothing(step, job, tasks_on_node, node_of_task))
				torus_fail(err, "it is that of the torus");
			else
				hosts = list_hosts(step, job, node_of_task);
			if (hosts)
				*nodes = list_nodes(step, job, node_of_task);
		}
	}
	xfree(counts);
	xfree(tasks_on_node);
	xfree(node_of_task);
	return hosts;
}
