/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The network that storus order works on: see storus/order/subject.h. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/textfile.h"
#include "conf/coords.h"
#include "measures/score.h"
#include "order/search.h"
#include "storus/cli/progress.h"
#include "storus/order/subject.h"

/* Names for the nodes of --dims: those of --nodelist, or n0, n1 and on. */
static int name_nodes(const char *nodelist, storus_order_subject_t *subject,
		      torus_error_t *err)
{
	uint32_t nodes = subject->network.nodes, count;
	char all[32];

	snprintf(all, sizeof(all), "n[0-%" PRIu32 "]", nodes - 1);
	if (torus_hostlist_expand(nodelist ? nodelist : all, &subject->names_made, &count,
				  err) != 0)
		return nodelist ? torus_fail_prefix(err, "--nodelist: ") : -1;
	if (count != nodes)
		return torus_fail(err,
				  "--nodelist: %" PRIu32 " nodes for a machine of "
				  "%" PRIu32 "; one with holes is given with --conf",
				  count, nodes);
	subject->name = subject->names_made;
	return 0;
}

static int machine_network(const storus_order_options_t *options,
			   storus_order_subject_t *subject, torus_error_t *err)
{
	const torus_map_t *map = subject->map;

	subject->routers = torus_network_routers(&map->geometry, err);
	if (!subject->routers)
		return -1;
	subject->cell_of_node = malloc(map->nodes * sizeof(*subject->cell_of_node));
	if (!subject->cell_of_node)
		return torus_fail(err, "out of memory for %" PRIu32 " nodes", map->nodes);
	for (uint32_t rank = 0; rank < map->nodes; rank++)
		subject->cell_of_node[map->node_of_rank[rank]] = map->cell_of_rank[rank];
	subject->network = (torus_network_t){.routers = subject->routers,
					     .nodes = map->nodes,
					     .router = subject->cell_of_node};
	subject->name = map->node_name;
	return subject->name ? 0 : name_nodes(options->nodelist, subject, err);
}

/* What is allowed in a list of links, and yet may be meant otherwise. */
static int remark(const char *path, const storus_order_subject_t *subject,
		  torus_error_t *err)
{
	uint32_t parts = torus_network_parts(&subject->network, err);

	if (!parts)
		return -1;
	if (subject->links.repeated)
		warnx("%s: lines that join nodes which an earlier line joins: %" PRIu64
		      "; the weights are added up",
		      path, subject->links.repeated);
	if (subject->links.loops)
		warnx("%s: links from a node to itself, which earn nothing: %" PRIu64,
		      path, subject->links.loops);
	if (parts > 1)
		warnx("%s: no link leads between the %" PRIu32 " parts of this network; "
		      "each is ordered by itself",
		      path, parts);
	return 0;
}

static int links_network(const char *path, storus_order_subject_t *subject,
			 torus_error_t *err)
{
	char *text;
	size_t length;
	int rc;

	if (torus_textfile_read(path, &text, &length, err) != 0)
		return -1;
	rc = torus_linklist_parse(text, length, path, &subject->links, err);
	free(text);
	if (rc != 0)
		return -1;
	subject->network = (torus_network_t){.routers = subject->links.graph,
					     .nodes = subject->links.nodes};
	subject->name = subject->links.name;
	return remark(path, subject, err);
}

int storus_order_subject_open(const storus_order_options_t *options,
			      storus_order_subject_t *subject)
{
	torus_error_t error;
	int rc;

	*subject = (storus_order_subject_t){.source = options->graph};
	if (options->graph) {
		rc = links_network(options->graph, subject, &error);
	} else {
		subject->source = options->machine.conf ? options->machine.conf
							: options->machine.dims;
		subject->map = storus_machine_open(&options->machine);
		if (!subject->map)
			return -1;
		rc = machine_network(options, subject, &error);
	}
	if (rc != 0)
		warnx("%s", error.text);
	return rc;
}

void storus_order_subject_clear(storus_order_subject_t *subject)
{
	torus_map_destroy(subject->map);
	torus_task_graph_destroy(subject->routers);
	torus_linklist_clear(&subject->links);
	free(subject->cell_of_node);
	free(subject->names_made);
}

/* Fill order[] with the nodes along [curve]; nodes that share a router in their order. */
static int along_curve(const storus_order_subject_t *subject, torus_curve_t curve,
		       uint32_t *order, torus_error_t *err)
{
	torus_map_t *map = torus_map_create_nodes(
		"order", &subject->map->geometry, curve, subject->cell_of_node,
		subject->network.nodes, NULL, NULL, err);

	if (!map)
		return -1;
	memcpy(order, map->node_of_rank, map->nodes * sizeof(*order));
	torus_map_destroy(map);
	return 0;
}

static int from_file(const storus_order_subject_t *subject, const char *path,
		     uint32_t *order, torus_error_t *err)
{
	char *text;
	size_t length;
	int rc;

	if (torus_textfile_read(path, &text, &length, err) != 0)
		return -1;
	rc = torus_order_parse(text, length, path, subject->name, subject->network.nodes,
			       order, err);
	free(text);
	return rc;
}

/* The next of start[], with room for an order; NULL with [err] filled: memory. */
static uint32_t *next_start(storus_order_start_t *start, int *count, const char *name,
			    uint32_t nodes, torus_error_t *err)
{
	uint32_t *order = malloc(nodes * sizeof(*order));

	if (!order)
		torus_fail(err, "out of memory for an order of %" PRIu32 " nodes", nodes);
	else
		start[(*count)++] = (storus_order_start_t){name, order};
	return order;
}

static int curve_starts(const storus_order_subject_t *subject,
			storus_order_start_t *start, int *count, torus_error_t *err)
{
	static const torus_curve_t curves[] = {TORUS_CURVE_HILBERT, TORUS_CURVE_SNAKE,
					       TORUS_CURVE_Z_ORDER, TORUS_CURVE_ROW_MAJOR,
					       TORUS_CURVE_COLUMN_MAJOR};
	const torus_map_t *map = subject->map;
	uint32_t *order;

	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
		order = next_start(start, count, torus_curve_name(curves[i]), map->nodes,
				   err);
		if (!order || along_curve(subject, curves[i], order, err) != 0)
			return -1;
	}
	if (map->curve != TORUS_CURVE_FILE)
		return 0;
	order = next_start(start, count, torus_curve_name(map->curve), map->nodes, err);
	if (!order)
		return -1;
	memcpy(order, map->node_of_rank, map->nodes * sizeof(*order));
	return 0;
}

static int link_starts(const storus_order_subject_t *subject,
		       const torus_order_objective_t *objective, bool (*stop)(void *),
		       void *argument, storus_order_start_t *start, int *count,
		       torus_error_t *err)
{
	uint32_t nodes = subject->network.nodes, *order;
	int rc;

	order = next_start(start, count, "bisection", nodes, err);
	if (!order || torus_order_halves(objective->near, order, err) != 0)
		return -1;
	order = next_start(start, count, "breadth", nodes, err);
	if (!order || torus_network_breadth(&subject->network, order, err) != 0)
		return -1;
	order = next_start(start, count, "greedy", nodes, err);
	if (!order)
		return -1;
	rc = torus_order_greedy(objective, stop, argument, order, err);
	if (rc > 0) /* given up */
		free(start[--*count].order);
	return rc < 0 ? -1 : 0;
}

/* Leave only the one called [name]. Whether there is one. */
static bool only_start(const char *name, storus_order_start_t *start, int *count)
{
	for (int i = 0; i < *count; i++) {
		storus_order_start_t chosen = start[i];

		if (strcmp(chosen.name, name) != 0)
			continue;
		start[i] = start[0];
		start[0] = chosen;
		while (*count > 1)
			free(start[--*count].order);
		return true;
	}
	return false;
}

/* See storus_order_starts(). */
static int make_starts(const storus_order_options_t *options,
		       const storus_order_subject_t *subject,
		       const torus_order_objective_t *objective, bool (*stop)(void *),
		       void *argument, storus_order_start_t *start, int *count,
		       torus_error_t *err)
{
	/*
	 * No greedy order for machines: where many nodes are missing its objective may
	 * be higher than the curves', but the search does not improve it further, and
	 * its jobs are far less compact.
	 */
	if ((subject->map ? curve_starts(subject, start, count, err)
			  : link_starts(subject, objective, options->start ? NULL : stop,
					argument, start, count, err)) != 0)
		return -1;
	if (!options->start || only_start(options->start, start, count))
		return 0;
	/* Not a name: a file, whose order takes the place of all of them. */
	start[0].name = "start";
	only_start("start", start, count);
	return from_file(subject, options->start, start[0].order, err);
}

int storus_order_starts(const storus_order_options_t *options,
			const storus_order_subject_t *subject,
			const torus_order_objective_t *objective,
			bool (*stop)(void *argument), void *argument,
			storus_order_start_t start[STORUS_ORDER_STARTS], int *count)
{
	torus_error_t error;
	int rc;

	*count = 0;
	storus_progress_begin("orders to begin with");
	rc = make_starts(options, subject, objective, stop, argument, start, count,
			 &error);
	storus_progress_end();
	if (rc != 0)
		warnx("%s", error.text);
	return rc;
}

/* The mean of the scores of all window lengths, 0 for one node. */
static int mean_by_coordinates(const storus_order_subject_t *subject,
			       const uint32_t *order, double *mean, torus_error_t *err)
{
	uint32_t nodes = subject->network.nodes;
	uint32_t *cells = malloc(nodes * sizeof(*cells));
	torus_curve_score_t score;
	int rc;

	if (!cells)
		return torus_fail(err, "out of memory for an order of %" PRIu32 " nodes",
				  nodes);
	for (uint32_t p = 0; p < nodes; p++)
		cells[p] = subject->cell_of_node[order[p]];
	rc = torus_curve_score(&subject->map->geometry, cells, nodes, storus_progress,
			       NULL, &score, err);
	free(cells);
	*mean = 0;
	for (int i = 0; rc == 0 && i < score.windows; i++)
		*mean += score.window[i].average_distance / score.windows;
	return rc;
}

int storus_order_mean_distance(const storus_order_subject_t *subject,
			       const uint32_t *order, double *mean)
{
	torus_error_t error;
	int rc;

	storus_progress_begin("measuring");
	rc = subject->map
		     ? mean_by_coordinates(subject, order, mean, &error)
		     : torus_network_mean_distance(&subject->network, order,
						   storus_progress, NULL, mean, &error);
	storus_progress_end();
	if (rc != 0)
		warnx("%s", error.text);
	return rc;
}
