/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hosts of a step's tasks, in the order of the torus: see cli_filter/arrange.h. */
#include "cli_filter/arrange.h"

#include <stdlib.h>

#include "cli_filter/layout.h"
#include "cli_filter/places.h"
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

/*
 * What --network=torus: of the step, or else of its job, says of the tasks. A grid is for
 * steps of as many tasks; others have the order of a job that says nothing.
 */
static torus_task_words_t read_words(const torus_step_t *step,
				     const torus_step_job_t *job)
{
	const char *texts[] = {step->network, job->info->network};
	torus_network_request_t request;

	for (int i = 0; i < 2; i++) {
		if (torus_network_parse(texts[i], &request, NULL) == 0 &&
		    request.tasks.kind != TORUS_GRID_ANY &&
		    torus_task_words_check(&request.tasks, step->tasks, NULL) == 0)
			return request.tasks;
	}
	return (torus_task_words_t){0};
}

/* Which node has which task. */
static int order_tasks(const torus_step_t *step, const torus_step_job_t *job,
		       const uint32_t *tasks_on_node, uint32_t *node_of_task,
		       torus_error_t *err)
{
	torus_cluster_t *cluster = torus_filter_places(err);
	uint32_t *cell = xcalloc(job->nodes, sizeof(*cell));
	torus_geometry_t geometry;
	const torus_ordered_job_t ordered = {
		.geometry = &geometry,
		.nodes = job->nodes,
		.cell = cell,
		.tasks_on_node = tasks_on_node,
		.deal = step->deal,
		.words = read_words(step, job),
	};
	int rc = -1;

	if (cluster && find_cells(cluster, job, &geometry, cell, err) == 0)
		rc = torus_job_assign(&ordered, node_of_task, NULL, NULL, err);
	torus_cluster_destroy(cluster);
	xfree(cell);
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

char *torus_step_arrange(const torus_step_t *step, const torus_step_job_t *job,
			 torus_error_t *err)
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
		}
	}
	xfree(counts);
	xfree(tasks_on_node);
	xfree(node_of_task);
	return hosts;
}
