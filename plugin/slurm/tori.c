/* SPDX-License-Identifier: GPL-2.0-or-later */
/* torus.conf joined with Slurm's node table: see tori.h. */
#include "slurm/tori.h"

#include "conf/torus_conf.h"

/* The last question for which it is known that there may be a box; under the lock of the
 * tori. */
static struct {
	const tori_t *tori; /* NULL: nothing is known */
	char *network;
	bitstr_t *nodes;
	uint32_t min_nodes, max_nodes;
} known_box;

static torus_listed_node_t node_at(const void *table, int i)
{
	const node_record_t *node = ((node_record_t *const *)table)[i];

	if (!node)
		return (torus_listed_node_t){0};
	return (torus_listed_node_t){
		.name = node->name,
		.features = node->features,
		.passing = IS_NODE_DYNAMIC_NORM(node),
		.has_jobs = node_has_jobs(node),
		.away = IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node),
	};
}

static int find_node(const void *table, const char *name)
{
	const node_record_t *node = find_node_record((char *)name);

	(void)table;
	return node ? (int)node->index : -1;
}

static void log_error(const char *text)
{
	error("%s: %s", plugin_type, text);
}

torus_node_table_t tori_node_table(void)
{
	return (torus_node_table_t){
		.nodes = node_record_count,
		.at = node_at,
		.find = find_node,
		.tell = log_error,
		.context = node_record_table_ptr,
	};
}

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

/* Nodes that only one of the two files has. */
typedef struct strangers {
	slurm_hostlist_t unknown, missing;
} strangers_t;

static void add_unknown(void *context, const char *name)
{
	hostlist_push_host(((strangers_t *)context)->unknown, name);
}

static void add_missing(void *context, const char *name)
{
	hostlist_push_host(((strangers_t *)context)->missing, name);
}

/* Log them. Reconfiguring says so again only when the list has changed. */
static void log_strangers(const tori_t *tori, const torus_node_table_t *table)
{
	static char *last_unknown, *last_missing;
	strangers_t nodes = {hostlist_create(NULL), hostlist_create(NULL)};

	torus_tori_each_stranger(tori, table, add_unknown, add_missing, &nodes);
	log_nodes_once(
		"nodes that torus.conf does not name are left to Slurm's own rules",
		nodes.unknown, &last_unknown);
	log_nodes_once("nodes that only torus.conf names are holes in the torus",
		       nodes.missing, &last_missing);
	hostlist_destroy(nodes.unknown);
	hostlist_destroy(nodes.missing);
}

/* Free what join() makes. */
static void part(tori_t *tori)
{
	for (int t = 0; t < tori->count; t++) {
		bitstr_t *nodes = tori->torus[t].nodes;

		FREE_NULL_BITMAP(nodes);
		tori->torus[t].nodes = NULL;
	}
	if (known_box.tori == tori) {
		xfree(known_box.network);
		FREE_NULL_BITMAP(known_box.nodes);
		known_box.tori = NULL;
	}
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
	torus_node_table_t table = tori_node_table();

	part(tori);
	if (check_records(err) || torus_tori_join(tori, &table, err))
		return -1;
	for (int t = 0; t < tori->count; t++)
		tori->torus[t].nodes = bit_alloc(tori->nodes ? tori->nodes : 1);
	for (int i = 0; i < tori->nodes; i++) {
		if (tori->torus_of_node[i] >= 0)
			bit_set(tori->torus[tori->torus_of_node[i]].nodes, i);
	}
	log_strangers(tori, &table);
	return 0;
}

bool tori_keep_joined(tori_t *tori)
{
	torus_node_table_t table = tori_node_table();
	torus_error_t err;

	if (torus_tori_are_joined(tori, &table))
		return false;
	if (join(tori, &err))
		fatal("%s: %s", plugin_type, err.text);
	return true;
}

void tori_know_box(const tori_t *tori, const char *network, const bitstr_t *nodes,
		   uint32_t min_nodes, uint32_t max_nodes)
{
	xfree(known_box.network);
	FREE_NULL_BITMAP(known_box.nodes);
	known_box.tori = tori;
	known_box.network = xstrdup(network);
	known_box.nodes = bit_copy((bitstr_t *)nodes);
	known_box.min_nodes = min_nodes;
	known_box.max_nodes = max_nodes;
}

bool tori_knows_box(const tori_t *tori, const char *network, const bitstr_t *nodes,
		    uint32_t min_nodes, uint32_t max_nodes)
{
	return known_box.tori == tori && known_box.min_nodes == min_nodes &&
	       known_box.max_nodes == max_nodes && !xstrcmp(known_box.network, network) &&
	       bit_size(known_box.nodes) == bit_size((bitstr_t *)nodes) &&
	       bit_equal(known_box.nodes, (bitstr_t *)nodes);
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

/* Read torus.conf beside slurm.conf and join it with the present node table. NULL with
 * [err] filled when that fails. */
static tori_t *load(torus_error_t *err)
{
	char *path = get_extra_conf_path("torus.conf");
	torus_cluster_t *cluster = torus_conf_read(path, err);
	tori_t *tori = cluster ? torus_tori_create(cluster, err) : NULL;

	xfree(path);
	if (tori && join(tori, err)) {
		tori_free(tori);
		return NULL;
	}
	return tori;
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
	if (tori)
		part(tori);
	torus_tori_destroy(tori);
}
