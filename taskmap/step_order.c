/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which node has which task of a step: see taskmap/step_order.h. */
#include "taskmap/step_order.h"

#include <stdlib.h>
#include <string.h>

#include "machine/network_option.h"
#include "taskmap/segment_order.h"

/* Whether --network=torus: says something of the tasks. */
static bool says_of_tasks(const torus_network_request_t *request)
{
	return request->order_off || request->tasks.free_head ||
	       request->tasks.kind != TORUS_GRID_ANY;
}

int torus_step_words(const torus_ordered_step_t *step, torus_step_words_t *words,
		     torus_error_t *err)
{
	const char *texts[] = {step->network, step->job_network};
	uint32_t size = step->segment;
	bool found = false;

	*words = (torus_step_words_t){0};
	for (int i = 0; i < 2 && !found; i++) {
		torus_network_request_t request;
		torus_error_t why;

		if (torus_network_parse(texts[i], &request, NULL) ||
		    !says_of_tasks(&request))
			continue;
		if (request.order_off)
			return torus_fail(err, "--network=torus:order=off");
		found = torus_task_words_check(&request.tasks, step->tasks, &why) == 0;
		if (found) {
			words->tasks = request.tasks;
			continue;
		}
		/* A step without a word of its own has its job's, from a variable. */
		if (!i || !texts[0] || strcmp(texts[0], texts[1]) != 0)
			words->aside[i] = why;
		words->tasks.free_head = request.tasks.free_head;
	}
	if (words->tasks.kind == TORUS_GRID_ANY && size > 1 && size < step->nodes &&
	    step->nodes % size == 0)
		words->segment = size;
	return 0;
}

/* Whether the site wants the tasks of such jobs in order. */
static int check_site(const torus_ordered_step_t *step, const torus_cluster_t *cluster,
		      torus_error_t *err)
{
	const char *partition = step->partition ? step->partition : "";

	if (torus_order_scope_has(&cluster->task_order, partition))
		return 0;
	return torus_fail(err, "TaskOrder= in torus.conf is not for jobs in partition %s",
			  partition);
}

/* Which node has which task where the job's segments follow each other; order[nodes] is
 * room. */
static int order_segments(const torus_ordered_step_t *step, uint32_t size,
			  const torus_cluster_t *cluster, uint32_t *order,
			  uint32_t *node_of_task, torus_error_t *err)
{
	if (torus_segment_order(cluster, step->name, step->nodes, size, order, err))
		return -1;
	torus_any_deal(order, step->nodes, step->tasks_on_node, step->deal, node_of_task);
	return 0;
}

/* The same where they do not; number[nodes] and cell[nodes] are room. */
static int order_freely(const torus_ordered_step_t *step, const torus_task_words_t *words,
			const torus_cluster_t *cluster, uint32_t *number, uint32_t *cell,
			uint32_t *node_of_task, torus_error_t *err)
{
	torus_network_request_t request;
	torus_geometry_t geometry;
	const torus_ordered_job_t job = {
		.geometry = &geometry,
		.nodes = step->nodes,
		.cell = cell,
		.tasks_on_node = step->tasks_on_node,
		.deal = step->deal,
		.words = *words,
	};

	if (torus_cluster_numbers(cluster, step->name, step->nodes, number, err))
		return torus_fail_prefix(err, "torus.conf: ");
	if (torus_cluster_cells(cluster, number, step->nodes,
				torus_network_shapes(step->job_network, &request),
				&geometry, cell, err))
		return -1;
	return torus_job_assign(&job, node_of_task, NULL, NULL, err);
}

/* Whether Slurm deals the tasks out to the same nodes anyhow. Both arrays are room. */
static bool changes_nothing(const torus_ordered_step_t *step, uint32_t *names,
			    uint32_t *plain, const uint32_t *node_of_task)
{
	for (uint32_t i = 0; i < step->nodes; i++)
		names[i] = i;
	torus_any_deal(names, step->nodes, step->tasks_on_node, step->deal, plain);
	return !memcmp(plain, node_of_task, step->tasks * sizeof(*plain));
}

int torus_step_order(const torus_ordered_step_t *step, const torus_step_words_t *words,
		     const torus_cluster_t *cluster, uint32_t *node_of_task,
		     torus_error_t *err)
{
	uint32_t *number = malloc(step->nodes * sizeof(*number));
	uint32_t *cell = malloc(step->nodes * sizeof(*cell));
	uint32_t *plain = malloc(step->tasks * sizeof(*plain));
	int rc = -1;

	if (!number || !cell || !plain)
		torus_fail(err, "out of memory for %u tasks", step->tasks);
	else if (check_site(step, cluster, err) == 0)
		rc = words->segment ? order_segments(step, words->segment, cluster,
						     number, node_of_task, err)
				    : order_freely(step, &words->tasks, cluster, number,
						   cell, node_of_task, err);
	if (rc == 0 && changes_nothing(step, number, plain, node_of_task))
		rc = torus_fail(err, "it is that of the torus");
	free(number);
	free(cell);
	free(plain);
	return rc;
}

char *torus_step_hosts(const torus_ordered_step_t *step, const uint32_t *node_of_task,
		       torus_error_t *err)
{
	size_t size = 1;
	char *hosts, *end;

	for (uint32_t task = 0; task < step->tasks; task++)
		size += strlen(step->name[node_of_task[task]]) + 1;
	hosts = end = malloc(size);
	if (!hosts) {
		torus_fail(err, "out of memory for %u tasks", step->tasks);
		return NULL;
	}
	for (uint32_t task = 0; task < step->tasks; task++) {
		if (task)
			*end++ = ',';
		end = stpcpy(end, step->name[node_of_task[task]]);
	}
	return hosts;
}
