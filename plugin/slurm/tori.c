/* SPDX-License-Identifier: GPL-2.0-or-later */
/* torus.conf joined with Slurm's node table: see tori.h. */
#include "slurm/tori.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "conf/torus_conf.h"
#include "machine/registration.h"
#include "slurm/claims.h"

static void log_nodes_once(const char *what, slurm_hostlist_t nodes, char **last)
{
	char *names;

	if (!hostlist_count(nodes))
		return;
	names = hostlist_ranged_string_xmalloc(nodes);
	if (xstrcmp(*last, names)) {
		info("%s: %s: %s", plugin_type, what, names);
		xfree(*last);
		*last = names;
	} else {
		xfree(names);
	}
}

/*
 * Say which nodes only one of the two files has. Reconfiguring says so again only when
 * the list has changed.
 */
static void log_strangers(const tori_t *tori)
{
	static char *last_unknown, *last_missing;
	slurm_hostlist_t unknown = hostlist_create(NULL), missing = hostlist_create(NULL);

	for (int i = 0; i < tori->nodes; i++) {
		if (node_record_table_ptr[i] && tori->torus_of_node[i] < 0)
			hostlist_push_host(unknown, node_record_table_ptr[i]->name);
	}
	for (int t = 0; t < tori->count; t++) {
		const joined_torus_t *torus = &tori->torus[t];

		for (uint32_t rank = 0; rank < torus->map->nodes; rank++) {
			uint32_t node = torus->map->node_of_rank[rank];

			if (torus->node_of_rank[rank] == TORI_NO_NODE &&
			    !torus_map_is_vacant(torus->map, node))
				hostlist_push_host(missing, torus->map->node_name[node]);
		}
	}
	log_nodes_once(
		"nodes that torus.conf does not name are left to Slurm's own rules",
		unknown, &last_unknown);
	log_nodes_once("nodes that only torus.conf names are holes in the torus", missing,
		       &last_missing);
	hostlist_destroy(unknown);
	hostlist_destroy(missing);
}

static int add_torus(joined_torus_t *torus, const torus_map_t *map, uint32_t *chosen,
		     torus_error_t *err)
{
	torus->map = map;
	torus->chosen = chosen;
	torus->node_of_rank = calloc(map->nodes, sizeof(*torus->node_of_rank));
	torus->weights = calloc(map->nodes, sizeof(*torus->weights));
	if (!torus->node_of_rank || !torus->weights)
		return torus_fail(err, "out of memory");
	for (int set = 0; set < TORI_SETS; set++) {
		torus->set[set] = torus_bitmap_create(map->nodes);
		if (!torus->set[set])
			return torus_fail(err, "out of memory");
	}
	return 0;
}

static void forget_box(tori_t *tori)
{
	xfree(tori->known_box.network);
	FREE_NULL_BITMAP(tori->known_box.nodes);
}

/* Free what join() makes. */
static void part(tori_t *tori)
{
	free(tori->torus_of_node);
	free(tori->rank_of_node);
	free(tori->node_of_elsewhere);
	free(tori->elsewhere_weights);
	tori->torus_of_node = NULL;
	tori->rank_of_node = NULL;
	tori->node_of_elsewhere = NULL;
	tori->elsewhere_weights = NULL;
	for (int set = 0; set < TORI_SETS; set++) {
		free(tori->elsewhere_set[set]);
		tori->elsewhere_set[set] = NULL;
	}
	for (int t = 0; tori->torus && t < tori->count; t++)
		FREE_NULL_BITMAP(tori->torus[t].nodes);
	for (int i = 0; i < tori->loose; i++)
		free(tori->loose_name[i]);
	free(tori->loose_index);
	free(tori->loose_name);
	tori->loose_index = NULL;
	tori->loose_name = NULL;
	tori->nodes = tori->elsewhere_nodes = tori->loose = 0;
	forget_box(tori);
}

/* Memory for a table of [nodes] nodes, whichever of them are on a torus. */
static int make_room(tori_t *tori, int nodes, torus_error_t *err)
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
		return torus_fail(err, "out of memory");
	for (int set = 0; set < TORI_SETS; set++) {
		tori->elsewhere_set[set] = torus_bitmap_create((uint32_t)room);
		if (!tori->elsewhere_set[set])
			return torus_fail(err, "out of memory");
	}
	return 0;
}

static void join_node(tori_t *tori, int i)
{
	const char *name = node_record_table_ptr[i] ? node_record_table_ptr[i]->name : "";
	uint32_t number;
	int t;

	if (torus_cluster_find(tori->cluster, name, &t, &number)) {
		tori->torus_of_node[i] = (int16_t)t;
		tori->rank_of_node[i] = tori->torus[t].map->rank_of_node[number];
		tori->torus[t].node_of_rank[tori->rank_of_node[i]] = i;
		bit_set(tori->torus[t].nodes, i);
	} else {
		tori->torus_of_node[i] = -1;
		tori->rank_of_node[i] = (uint32_t)tori->elsewhere_nodes;
		tori->node_of_elsewhere[tori->elsewhere_nodes++] = i;
	}
}

/* Note a place of the table where the node may be another one later. */
static int note_loose(tori_t *tori, int i, torus_error_t *err)
{
	const node_record_t *node = node_record_table_ptr[i];

	if (node && !IS_NODE_DYNAMIC_NORM(node))
		return 0;
	if (node) {
		tori->loose_name[tori->loose] = strdup(node->name);
		if (!tori->loose_name[tori->loose])
			return torus_fail(err, "out of memory");
	}
	tori->loose_index[tori->loose++] = i;
	return 0;
}

/*
 * Whether the node table still has the nodes that it had when the tori were joined, and
 * they say that they are where they were. O(1) but for dynamic nodes, and O(nodes) where
 * a torus is by registration.
 */
static bool is_joined(const tori_t *tori)
{
	if (tori->nodes != node_record_count)
		return false;
	if (tori->claims && claims_are_old(tori->claims))
		return false;
	for (int i = 0; i < tori->loose; i++) {
		const node_record_t *node = node_record_table_ptr[tori->loose_index[i]];

		if (xstrcmp(node ? node->name : NULL, tori->loose_name[i]))
			return false;
	}
	return true;
}

static int check_records(torus_error_t *err)
{
	for (int i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && node->magic != NODE_MAGIC)
			return torus_fail(
				err, "Slurm's node records are not laid out as in the "
				     "headers that this plugin was built with: build it "
				     "again for the installed Slurm");
	}
	return 0;
}

/*
 * Join the tori again with a node table that has changed. 0, or -1 with [err] filled
 * (memory, or records of another Slurm): they can then only be freed.
 */
static int join(tori_t *tori, torus_error_t *err)
{
	part(tori);
	if (check_records(err))
		return -1;
	if (make_room(tori, node_record_count, err))
		return -1;
	tori->nodes = node_record_count;
	if (tori->claims && claims_register(tori->claims, tori->cluster, err))
		return -1;
	tori->grows = false;
	for (int t = 0; t < tori->count; t++) {
		uint32_t on_router = torus_map_nodes_per_router(tori->torus[t].map);

		tori->torus[t].on_router = on_router ? on_router : 1;
		tori->grows = tori->grows || torus_map_vacancies(tori->torus[t].map);
		tori->torus[t].nodes = bit_alloc(tori->nodes ? tori->nodes : 1);
		for (uint32_t rank = 0; rank < tori->torus[t].map->nodes; rank++)
			tori->torus[t].node_of_rank[rank] = TORI_NO_NODE;
	}
	for (int i = 0; i < tori->nodes; i++) {
		join_node(tori, i);
		if (note_loose(tori, i, err))
			return -1;
	}
	log_strangers(tori);
	return 0;
}

bool tori_keep_joined(tori_t *tori)
{
	torus_error_t err;

	if (is_joined(tori))
		return false;
	if (join(tori, &err))
		fatal("%s: %s", plugin_type, err.text);
	return true;
}

void tori_know_box(tori_t *tori, const char *network, const bitstr_t *nodes,
		   uint32_t min_nodes, uint32_t max_nodes)
{
	forget_box(tori);
	tori->known_box = (known_box_t){
		.network = xstrdup(network),
		.nodes = bit_copy((bitstr_t *)nodes),
		.min_nodes = min_nodes,
		.max_nodes = max_nodes,
	};
}

bool tori_knows_box(const tori_t *tori, const char *network, const bitstr_t *nodes,
		    uint32_t min_nodes, uint32_t max_nodes)
{
	const known_box_t *known = &tori->known_box;

	return known->network && known->min_nodes == min_nodes &&
	       known->max_nodes == max_nodes && !xstrcmp(known->network, network) &&
	       bit_size(known->nodes) == bit_size((bitstr_t *)nodes) &&
	       bit_equal(known->nodes, (bitstr_t *)nodes);
}

bool tori_have_any(const tori_t *tori, const bitstr_t *nodes)
{
	for (int i = next_set_bit(nodes, 0); i >= 0 && i < tori->nodes;
	     i = next_set_bit(nodes, i + 1)) {
		if (tori->torus_of_node[i] >= 0)
			return true;
	}
	return false;
}

/*
 * Whether load() would make the same again, but for the node table:
 * torus.conf and the files it names are as they were.
 */
static bool is_current(const tori_t *tori)
{
	char *path = get_extra_conf_path("torus.conf");
	bool unchanged = torus_conf_unchanged(tori->cluster, path);

	xfree(path);
	return unchanged;
}

/*
 * Read torus.conf beside slurm.conf and join it with the present node table. NULL with
 * [err] filled when that fails. Nodes of either side that the other does not have are
 * not an error: they are logged, once for the life of the daemon.
 */
static tori_t *load(torus_error_t *err)
{
	tori_t *tori = calloc(1, sizeof(*tori));
	char *path = get_extra_conf_path("torus.conf");
	bool open;

	if (!tori) {
		torus_fail(err, "out of memory");
		goto fail;
	}
	tori->cluster = torus_conf_read(path, err);
	if (!tori->cluster)
		goto fail;
	tori->count = tori->cluster->maps;
	tori->torus = calloc((size_t)tori->count, sizeof(*tori->torus));
	tori->candidates = calloc((size_t)tori->count, sizeof(*tori->candidates));
	tori->placer = torus_cluster_placer_create(
		(const torus_map_t *const *)tori->cluster->map, tori->count);
	open = torus_cluster_is_open(tori->cluster);
	if (open)
		tori->claims = calloc(1, sizeof(*tori->claims));
	if (!tori->torus || !tori->candidates || !tori->placer ||
	    (open && !tori->claims)) {
		torus_fail(err, "out of memory");
		goto fail;
	}
	for (int t = 0; t < tori->count; t++) {
		if (add_torus(&tori->torus[t], tori->cluster->map[t],
			      tori->placer->part[t].rank, err))
			goto fail;
	}
	if (join(tori, err))
		goto fail;
	xfree(path);
	return tori;

fail:
	tori_free(tori);
	xfree(path);
	return NULL;
}

/* The map in force stays, joined with what is now the node table. */
static tori_t *keep(tori_t *tori)
{
	torus_error_t err;

	if (join(tori, &err))
		fatal("%s: %s", plugin_type, err.text);
	return tori;
}

tori_t *tori_renew(tori_t *tori)
{
	torus_error_t err;
	tori_t *fresh;

	if (tori && is_current(tori)) {
		info("%s: torus.conf is unchanged; the map in force stays", plugin_type);
		return keep(tori);
	}
	fresh = load(&err);
	if (fresh) {
		tori_free(tori);
		return fresh;
	}
	if (!tori)
		fatal("%s: %s", plugin_type, err.text);
	error("%s: %s; the map in force stays", plugin_type, err.text);
	return keep(tori);
}

void tori_free(tori_t *tori)
{
	if (!tori)
		return;
	for (int t = 0; tori->torus && t < tori->count; t++) {
		joined_torus_t *torus = &tori->torus[t];

		free(torus->node_of_rank);
		for (int set = 0; set < TORI_SETS; set++)
			free(torus->set[set]);
		free(torus->weights);
	}
	part(tori);
	if (tori->claims)
		claims_clear(tori->claims);
	free(tori->claims);
	free(tori->torus);
	free(tori->candidates);
	torus_cluster_placer_destroy(tori->placer);
	torus_cluster_destroy(tori->cluster);
	free(tori);
}
