/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that say which machine a subcommand works on, and the map they lead to. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "conf/coords.h"
#include "storus/cli/machine_options.h"
#include "storus/cli/progress.h"
#include "strategies/strategies.h"
#include "torus/cubes.h"

static torus_map_t *open_dims(const storus_machine_options_t *options)
{
	torus_error_t error;
	torus_geometry_t geometry;
	torus_curve_t curve = TORUS_CURVE_HILBERT;
	const char *path = NULL;
	uint32_t nodes_per_router =
		options->nodes_per_router ? (uint32_t)options->nodes_per_router : 1;

	if (torus_geometry_parse(options->dims, options->wrap, &geometry, &error) != 0 ||
	    (options->cube && torus_cubes_parse(options->cube, &geometry, &error) != 0) ||
	    (options->curve &&
	     torus_curve_parse(options->curve, &curve, &path, &error) != 0)) {
		warnx("%s", error.text);
		return NULL;
	}
	if (path) {
		warnx("--curve %s orders nodes by name: it needs --conf", options->curve);
		return NULL;
	}

	storus_progress_begin("numbering the nodes");
	torus_map_t *map =
		torus_map_create("dims", &geometry, curve, nodes_per_router, &error);

	storus_progress_end();
	if (!map)
		warnx("%s", error.text);
	return map;
}

static void list_tori(const torus_cluster_t *cluster)
{
	for (int i = 0; i < cluster->maps; i++)
		fprintf(stderr, "%s%s", i ? ", " : "", cluster->map[i]->name);
	fputc('\n', stderr);
}

/*
 * Make a cluster of this one map, which belongs to the cluster then. NULL (message
 * printed) on error, also if [map] is NULL.
 */
static torus_cluster_t *cluster_of_one(torus_map_t *map)
{
	torus_error_t error = {"out of memory"};
	torus_map_t **maps = map ? malloc(sizeof(torus_map_t *)) : NULL;
	torus_cluster_t *cluster = NULL;

	if (!map)
		return NULL;
	if (maps) {
		*maps = map;
		cluster = torus_cluster_create(maps, 1, NULL, &error);
	} else {
		torus_map_destroy(map);
	}
	if (!cluster)
		warnx("%s", error.text);
	return cluster;
}

/* Take torus [t] out of the cluster, which is freed. */
static torus_map_t *take_torus(torus_cluster_t *cluster, int t)
{
	torus_map_t *map = cluster->map[t];

	cluster->map[t] = NULL;
	torus_cluster_destroy(cluster);
	return map;
}

/* Leave in the cluster only the torus called [name]. NULL (message printed): no such. */
static torus_cluster_t *only_torus(torus_cluster_t *cluster, const char *name,
				   const char *conf)
{
	for (int t = 0; t < cluster->maps; t++) {
		if (strcmp(cluster->map[t]->name, name) == 0)
			return cluster_of_one(take_torus(cluster, t));
	}
	fprintf(stderr, "%s: %s has no torus '%s', but: ", program_invocation_name, conf,
		name);
	list_tori(cluster);
	torus_cluster_destroy(cluster);
	return NULL;
}

/* Read the node order in [path] for the nodes of [map]; malloc'ed, NULL on error. */
static uint32_t *read_order(const torus_map_t *map, const char *path,
			    torus_error_t *error)
{
	char *text = NULL;
	size_t length;
	uint32_t *order = malloc(map->nodes * sizeof(*order));

	if (!order) {
		torus_fail(error, "out of memory");
		return NULL;
	}
	if (torus_textfile_read(path, &text, &length, error) != 0 ||
	    torus_order_parse(text, length, path, map->node_name, map->nodes, order,
			      error)) {
		free(order);
		order = NULL;
	}
	free(text);
	return order;
}

/*
 * Number the machine of [map] along another curve. Returns a new map, NULL on error;
 * [map] is freed.
 */
static torus_map_t *renumber(torus_map_t *map, const char *curve_text)
{
	torus_error_t error;
	torus_curve_t curve;
	const char *path;
	torus_map_t *result = NULL;
	uint32_t *order = NULL;
	uint32_t *cell_of_node = malloc(map->nodes * sizeof(*cell_of_node));

	if (!cell_of_node) {
		torus_fail(&error, "out of memory");
		goto done;
	}
	for (uint32_t rank = 0; rank < map->nodes; rank++)
		cell_of_node[map->node_of_rank[rank]] = map->cell_of_rank[rank];
	if (torus_curve_parse(curve_text, &curve, &path, &error) != 0)
		goto done;
	if (path) {
		order = read_order(map, path, &error);
		if (!order)
			goto done;
	}
	result = torus_map_create_nodes(map->name, &map->geometry, curve, cell_of_node,
					map->nodes, map->node_name, order, &error);
	map->node_name = NULL; /* the new map has taken it over */
	if (result) {
		result->allocator = map->allocator;
		result->span = map->span;
		result->isolation = map->isolation;
	}
done:
	if (!result)
		warnx("%s", error.text);
	free(order);
	free(cell_of_node);
	torus_map_destroy(map);
	return result;
}

static torus_cluster_t *open_conf(const storus_machine_options_t *options)
{
	torus_error_t error;

	storus_progress_begin("reading torus.conf");
	torus_cluster_t *cluster = torus_conf_read(options->conf, &error);

	storus_progress_end();
	if (!cluster) {
		warnx("%s", error.text);
		return NULL;
	}
	if (options->torus)
		cluster = only_torus(cluster, options->torus, options->conf);
	for (int t = 0; cluster && options->curve && t < cluster->maps; t++) {
		cluster->map[t] = renumber(cluster->map[t], options->curve);
		if (!cluster->map[t]) {
			torus_cluster_destroy(cluster);
			cluster = NULL;
		}
	}
	return cluster;
}

torus_cluster_t *storus_cluster_open(const storus_machine_options_t *options)
{
	if (!options->conf == !options->dims) {
		storus_misuse(options->conf ? "--conf and --dims exclude each other"
					    : "which machine? Give --conf or --dims");
		return NULL;
	}
	if (options->conf &&
	    (options->wrap || options->cube || options->nodes_per_router)) {
		storus_misuse("--%s goes with --dims, not with --conf",
			      options->wrap   ? "wrap"
			      : options->cube ? "cube"
					      : "nodes-per-router");
		return NULL;
	}
	if (options->dims && options->torus) {
		storus_misuse("--torus goes with --conf, not with --dims");
		return NULL;
	}
	return options->conf ? open_conf(options) : cluster_of_one(open_dims(options));
}

int storus_cluster_set_rules(const torus_cluster_t *cluster, const char *allocator,
			     const char *span, const char *isolation)
{
	torus_error_t error;

	for (int t = 0; t < cluster->maps; t++) {
		torus_map_t *map = cluster->map[t];

		if ((allocator && torus_allocator_parse(allocator, torus_strategies,
							&map->allocator, &error) != 0) ||
		    (span && torus_span_parse(span, &map->span, &error) != 0)) {
			warnx("%s", error.text);
			return -1;
		}
		if (isolation && torus_isolation_weight_parse(isolation, &map->isolation,
							      &error) != 0) {
			warnx("--isolation-weight: %s", error.text);
			return -1;
		}
	}
	return 0;
}

torus_map_t *storus_machine_open(const storus_machine_options_t *options)
{
	torus_cluster_t *cluster = storus_cluster_open(options);

	if (!cluster)
		return NULL;
	if (cluster->maps == 1)
		return take_torus(cluster, 0);
	fprintf(stderr, "%s: %s has several tori, choose one with --torus: ",
		program_invocation_name, options->conf);
	list_tori(cluster);
	torus_cluster_destroy(cluster);
	return NULL;
}
