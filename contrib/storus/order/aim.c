/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus order aims at: see storus/order/aim.h. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "storus/cli/progress.h"
#include "storus/order/aim.h"

static int open_cost(const storus_order_options_t *options,
		     const storus_order_subject_t *subject, storus_order_aim_t *aim,
		     torus_error_t *err)
{
	int rc = subject->map ? torus_distances_of_cells(
					&subject->map->geometry, subject->cell_of_node,
					subject->network.nodes, &aim->distances, err)
			      : torus_distances_of_links(&subject->network,
							 &aim->distances, err);

	if (rc)
		return -1;
	rc = options->decay > 0 ? torus_order_cost_decay(&aim->distances, options->ring,
							 options->decay, &aim->cost, err)
				: torus_order_cost_weights(&aim->distances, options->ring,
							   options->objective.k,
							   options->objective.weight,
							   &aim->cost, err);
	if (rc || subject->network.nodes > TORUS_ORDER_K_MAX + 1)
		return rc;
	return torus_order_cost_nearness(&aim->cost, &aim->program, &aim->constant, err);
}

static void describe(const storus_order_options_t *options, storus_order_aim_t *aim)
{
	const char *ring = options->ring ? ", span ring" : "";

	if (!aim->distance)
		snprintf(aim->text, sizeof(aim->text), "k %" PRIu32 ", reach %" PRIu64,
			 aim->nearness.k, options->reach);
	else if (options->decay > 0)
		snprintf(aim->text, sizeof(aim->text), "decay %g%s", options->decay,
			 ring);
	else
		snprintf(aim->text, sizeof(aim->text), "%" PRIu32 " weights%s",
			 options->objective.k, ring);
}

int storus_order_aim_open(const storus_order_options_t *options,
			  const storus_order_subject_t *subject,
			  bool (*stop)(void *argument), void *argument,
			  storus_order_aim_t *aim)
{
	torus_error_t error;
	int rc = 0;

	*aim = (storus_order_aim_t){.distance = options->distance,
				    .network = &subject->network};
	storus_progress_begin("looking for near nodes");
	aim->near = torus_network_near(&subject->network, (uint32_t)options->reach, stop,
				       argument, &error);
	if (!aim->near)
		rc = -1;
	else if (aim->distance)
		rc = open_cost(options, subject, aim, &error);
	storus_progress_end();
	if (rc)
		warnx("%s", error.text);
	aim->nearness = options->objective;
	if (aim->distance)
		torus_order_weights(&aim->nearness, 4);
	aim->nearness.near = aim->near;
	describe(options, aim);
	return rc;
}

void storus_order_aim_clear(storus_order_aim_t *aim)
{
	torus_task_graph_destroy(aim->near);
	torus_distances_clear(&aim->distances);
	torus_order_cost_clear(&aim->cost);
	torus_task_graph_destroy((torus_task_graph_t *)aim->program.near);
}

const char *storus_order_aim_text(const storus_order_aim_t *aim)
{
	return aim->text;
}

static int nearness_of(const storus_order_aim_t *aim, const uint32_t *order,
		       double *value, torus_error_t *err)
{
	uint32_t nodes = aim->network->nodes;
	uint32_t *position = malloc(nodes * sizeof(*position));

	if (!position)
		return torus_fail(err, "out of memory for an order of %" PRIu32 " nodes",
				  nodes);
	for (uint32_t p = 0; p < nodes; p++)
		position[order[p]] = p;
	*value = torus_order_value(&aim->nearness, position);
	free(position);
	return 0;
}

int storus_order_aim_value(const storus_order_aim_t *aim, const uint32_t *order,
			   double *value)
{
	torus_error_t error;
	int rc = aim->distance ? torus_order_cost_of(&aim->cost, order, value, &error)
			       : nearness_of(aim, order, value, &error);

	if (rc)
		warnx("%s", error.text);
	if (aim->distance)
		*value = -*value;
	return rc;
}

int storus_order_aim_bound(const storus_order_aim_t *aim, double *bound)
{
	torus_error_t error;
	int rc = aim->distance
			 ? torus_order_cost_bound(&aim->cost, aim->network, bound, &error)
			 : torus_order_bound(&aim->nearness, bound, &error);

	if (rc)
		warnx("%s", error.text);
	if (aim->distance)
		*bound = -*bound;
	return rc;
}

torus_order_goal_t storus_order_aim_goal(storus_order_aim_t *aim)
{
	return aim->distance
		       ? torus_order_cost_goal(&aim->cost, aim->near, &aim->searched)
		       : torus_order_nearness_goal(&aim->nearness);
}

const torus_order_objective_t *storus_order_aim_program(const storus_order_aim_t *aim,
							double *more)
{
	*more = aim->distance ? aim->constant : 0;
	if (!aim->distance)
		return &aim->nearness;
	return aim->program.near ? &aim->program : NULL;
}
