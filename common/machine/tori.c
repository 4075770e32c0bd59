/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori joined with a table of nodes: see machine/tori.h. */
#include "machine/tori.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

static int add_torus(torus_joined_torus_t *torus, const torus_map_t *map,
		     uint32_t *chosen)
{
	torus->map = map;
	torus->chosen = chosen;
	torus->node_of_rank = calloc(map->nodes, sizeof(*torus->node_of_rank));
	torus->weights = calloc(map->nodes, sizeof(*torus->weights));
	if (!torus->node_of_rank || !torus->weights)
		return -1;
	for (int set = 0; set < TORUS_TORI_SETS; set++) {
		torus->set[set] = torus_bitmap_create(map->nodes);
		if (!torus->set[set])
			return -1;
	}
	return 0;
}

static int fill(torus_tori_t *tori)
{
	const torus_cluster_t *cluster = tori->cluster;

	tori->count = cluster->maps;
	tori->open = torus_cluster_is_open(cluster);
	tori->torus = calloc((size_t)tori->count, sizeof(*tori->torus));
	tori->candidates = calloc((size_t)tori->count, sizeof(*tori->candidates));
	tori->placer = torus_cluster_placer_create(
		(const torus_map_t *const *)cluster->map, tori->count);
	if (!tori->torus || !tori->candidates || !tori->placer)
		return -1;
	for (int t = 0; t < tori->count; t++) {
		if (add_torus(&tori->torus[t], cluster->map[t],
			      tori->placer->part[t].rank))
			return -1;
	}
	return 0;
}

torus_tori_t *torus_tori_create(torus_cluster_t *cluster, torus_error_t *err)
{
	torus_tori_t *tori = calloc(1, sizeof(*tori));

	if (!tori)
		torus_cluster_destroy(cluster);
	else
		tori->cluster = cluster;
	if (tori && fill(tori) == 0)
		return tori;
	torus_fail(err, "out of memory");
	torus_tori_destroy(tori);
	return NULL;
}

/* Free what torus_tori_join() makes, but for the claims. */
static void part(torus_tori_t *tori)
{
	free(tori->torus_of_node);
	free(tori->rank_of_node);
	free(tori->node_of_elsewhere);
	free(tori->elsewhere_weights);
	tori->torus_of_node = NULL;
	tori->rank_of_node = NULL;
	tori->node_of_elsewhere = NULL;
	tori->elsewhere_weights = NULL;
	for (int set = 0; set < TORUS_TORI_SETS; set++) {
		free(tori->elsewhere_set[set]);
		tori->elsewhere_set[set] = NULL;
	}
	for (int i = 0; i < tori->loose; i++)
		free(tori->loose_name[i]);
	free(tori->loose_index);
	free(tori->loose_name);
	tori->loose_index = NULL;
	tori->loose_name = NULL;
	tori->nodes = tori->elsewhere_nodes = tori->loose = 0;
}

/* Memory for a table of [nodes] nodes, whichever of them are on a torus. */
static int make_room(torus_tori_t *tori, int nodes)
{
	size_t room = (size_t)nodes + 1;

	tori->torus_of_node = calloc(room, sizeof(*tori->torus_of_node));
	tori->rank_of_node = calloc(room, sizeof(*tori->rank_of_node));
	tori->node_of_elsewhere = calloc(room, sizeof(*tori->node_of_elsewhere));
	tori->elsewhere_weights = calloc(room, sizeof(*tori->elsewhere_weights));
	tori->loose_index = calloc(room, sizeof(*tori->loose_index));
	tori->loose_name = calloc(room, sizeof(*tori->loose_name));
	if (!tori->torus_of_node || !tori->rank_of_node || !tori->node_of_elsewhere ||
	    !tori->elsewhere_weights || !tori->loose_index || !tori->loose_name)
		return -1;
	for (int set = 0; set < TORUS_TORI_SETS; set++) {
		tori->elsewhere_set[set] = torus_bitmap_create((uint32_t)room);
		if (!tori->elsewhere_set[set])
			return -1;
	}
	tori->nodes = nodes;
	return 0;
}

static void join_node(torus_tori_t *tori, int i, const char *name)
{
	uint32_t number;
	int t;

	if (torus_cluster_find(tori->cluster, name ? name : "", &t, &number)) {
		tori->torus_of_node[i] = (int16_t)t;
		tori->rank_of_node[i] = tori->torus[t].map->rank_of_node[number];
		tori->torus[t].node_of_rank[tori->rank_of_node[i]] = i;
	} else {
		tori->torus_of_node[i] = -1;
		tori->rank_of_node[i] = (uint32_t)tori->elsewhere_nodes;
		tori->node_of_elsewhere[tori->elsewhere_nodes++] = i;
	}
}

/* Note an index of the table at which the node may be another one later. */
static int note_loose(torus_tori_t *tori, int i, const torus_listed_node_t *node)
{
	if (node->name && !node->passing)
		return 0;
	if (node->name) {
		tori->loose_name[tori->loose] = strdup(node->name);
		if (!tori->loose_name[tori->loose])
			return -1;
	}
	tori->loose_index[tori->loose++] = i;
	return 0;
}

bool torus_tori_are_joined(const torus_tori_t *tori, const torus_node_table_t *table)
{
	if (tori->nodes != table->nodes ||
	    (tori->open && torus_claims_are_old(&tori->claims, table)))
		return false;
	for (int i = 0; i < tori->loose; i++) {
		const char *had = tori->loose_name[i];
		const char *has = table->at(table->context, tori->loose_index[i]).name;

		if (had && has ? strcmp(had, has) != 0 : had != has)
			return false;
	}
	return true;
}

int torus_tori_join(torus_tori_t *tori, const torus_node_table_t *table,
		    torus_error_t *err)
{
	part(tori);
	if (make_room(tori, table->nodes))
		return torus_fail(err, "out of memory");
	if (tori->open && torus_claims_register(&tori->claims, tori->cluster, table, err))
		return -1;
	tori->grows = false;
	for (int t = 0; t < tori->count; t++) {
		torus_joined_torus_t *torus = &tori->torus[t];
		uint32_t on_router = torus_map_nodes_per_router(torus->map);

		torus->on_router = on_router ? on_router : 1;
		tori->grows = tori->grows || torus_map_vacancies(torus->map);
		for (uint32_t rank = 0; rank < torus->map->nodes; rank++)
			torus->node_of_rank[rank] = TORUS_TORI_NO_NODE;
	}
	for (int i = 0; i < tori->nodes; i++) {
		torus_listed_node_t node = table->at(table->context, i);

		join_node(tori, i, node.name);
		if (note_loose(tori, i, &node))
			return torus_fail(err, "out of memory");
	}
	return 0;
}

void torus_tori_each_stranger(const torus_tori_t *tori, const torus_node_table_t *table,
			      void (*unknown)(void *context, const char *name),
			      void (*missing)(void *context, const char *name),
			      void *context)
{
	for (int i = 0; i < tori->elsewhere_nodes; i++) {
		const char *name =
			table->at(table->context, tori->node_of_elsewhere[i]).name;

		if (name)
			unknown(context, name);
	}
	for (int t = 0; t < tori->count; t++) {
		const torus_joined_torus_t *torus = &tori->torus[t];

		for (uint32_t rank = 0; rank < torus->map->nodes; rank++) {
			uint32_t node = torus->map->node_of_rank[rank];

			if (torus->node_of_rank[rank] == TORUS_TORI_NO_NODE &&
			    !torus_map_is_vacant(torus->map, node))
				missing(context, torus->map->node_name[node]);
		}
	}
}

void torus_tori_destroy(torus_tori_t *tori)
{
	if (!tori)
		return;
	for (int t = 0; tori->torus && t < tori->count; t++) {
		torus_joined_torus_t *torus = &tori->torus[t];

		free(torus->node_of_rank);
		for (int set = 0; set < TORUS_TORI_SETS; set++)
			free(torus->set[set]);
		free(torus->weights);
	}
	part(tori);
	torus_claims_clear(&tori->claims);
	free(tori->torus);
	free(tori->candidates);
	torus_cluster_placer_destroy(tori->placer);
	torus_cluster_destroy(tori->cluster);
	free(tori);
}
