/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus map --grid any: see storus/map/any.h. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/chips.h"
#include "storus/map/any.h"
#include "storus/map/chips.h"
#include "taskmap/chips.h"
#include "taskmap/hops.h"
#include "taskmap/job_order.h"

int storus_map_deal_parse(const char *text, torus_deal_t *deal, torus_error_t *err)
{
	if (strcasecmp(text, "block") == 0)
		*deal = TORUS_DEAL_BLOCK;
	else if (strcasecmp(text, "cyclic") == 0)
		*deal = TORUS_DEAL_CYCLIC;
	else
		return torus_fail(err, "--distribution: '%s' is neither block nor cyclic",
				  text);
	return 0;
}

int storus_map_any(const storus_map_job_t *job, torus_deal_t deal, bool free_head,
		   uint32_t *node_of_task, uint32_t *baseline, torus_error_t *err)
{
	const torus_ordered_job_t ordered = {
		.geometry = &job->geometry,
		.nodes = job->nodes,
		.cell = job->cell,
		.tasks_on_node = job->tasks_on_node,
		.deal = deal,
		.words = {.free_head = free_head},
	};
	uint32_t *order = malloc(job->nodes * sizeof(*order));

	if (!order)
		return torus_fail(err, "out of memory");
	for (uint32_t node = 0; node < job->nodes; node++)
		order[node] = node;
	torus_any_deal(order, job->nodes, job->tasks_on_node, deal, baseline);
	free(order);
	return torus_job_assign(&ordered, node_of_task, NULL, NULL, err);
}

/* Where tasks are for a report: on their nodes, or on chips where each has one. */
typedef struct places {
	storus_map_job_t chips;
	torus_task_job_t tasks;
	uint32_t *before, *after; /* [tasks] */
} places_t;

static void forget(places_t *places)
{
	storus_map_job_clear(&places->chips);
	free(places->before);
	free(places->after);
}

static uint32_t *copy(const uint32_t *node_of_task, uint32_t tasks)
{
	uint32_t *copied = malloc(tasks * sizeof(*copied));

	if (copied)
		memcpy(copied, node_of_task, tasks * sizeof(*copied));
	return copied;
}

/* Task i of a node is on its chip i. */
static int go_to_chips(const storus_map_job_t *job, uint32_t *place_of_task,
		       torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(&job->geometry);

	for (uint32_t task = 0; task < job->tasks; task++)
		place_of_task[task] *= of_node;
	return torus_chips_in_order(place_of_task, job->tasks, of_node, err);
}

static int find_places(const storus_map_job_t *job, const uint32_t *node_of_task,
		       const uint32_t *baseline, places_t *places, torus_error_t *err)
{
	const storus_map_job_t *machine = job;

	places->before = copy(baseline, job->tasks);
	places->after = copy(node_of_task, job->tasks);
	if (!places->before || !places->after)
		return torus_fail(err, "out of memory");
	if (storus_map_on_chips(job)) {
		if (storus_map_chips_of(job, &places->chips, err) ||
		    go_to_chips(job, places->before, err) ||
		    go_to_chips(job, places->after, err))
			return -1;
		machine = &places->chips;
		warnx("a task a chip: hops are between chips, and task i of a node is on "
		      "its chip i");
	}
	places->tasks = (torus_task_job_t){
		.geometry = &machine->geometry,
		.nodes = machine->nodes,
		.cell = machine->cell,
		.tasks_on_node = machine->tasks_on_node,
	};
	return 0;
}

int storus_map_any_report(const storus_map_job_t *job, const uint32_t *node_of_task,
			  const uint32_t *baseline, torus_error_t *err)
{
	static const char *const names[] = {"ring", "2D grid", "3D grid"};
	places_t places = {0};
	int rc = find_places(job, node_of_task, baseline, &places, err);

	for (int dims = 1; !rc && dims <= 3; dims++) {
		torus_task_grid_t grid = {.periodic = {dims == 1}};
		torus_hop_stats_t before, after;

		torus_task_grid_mpi(job->tasks, dims, &grid);
		places.tasks.grid = &grid;
		rc = torus_hop_stats(&places.tasks, places.before, &before, err);
		if (!rc)
			rc = torus_hop_stats(&places.tasks, places.after, &after, err);
		if (!rc)
			warnx("%s: average %.6f hops; in the nodes' order %.6f",
			      names[dims - 1], after.average, before.average);
	}
	forget(&places);
	return rc;
}
