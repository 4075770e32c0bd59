/* SPDX-License-Identifier: GPL-2.0-or-later */
/* torus.conf joined with Slurm's node table: see machine.h. */
#include "slurm/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "conf/torus_conf.h"

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
static void log_strangers(const machine_t *machine)
{
	static char *last_unknown, *last_missing;
	slurm_hostlist_t unknown = hostlist_create(NULL), missing = hostlist_create(NULL);

	for (int i = 0; i < machine->nodes; i++) {
		if (node_record_table_ptr[i] && machine->torus_of_node[i] < 0)
			hostlist_push_host(unknown, node_record_table_ptr[i]->name);
	}
	for (int t = 0; t < machine->tori; t++) {
		const machine_torus_t *torus = &machine->torus[t];

		for (uint32_t rank = 0; rank < torus->map->nodes; rank++) {
			if (torus->node_of_rank[rank] == MACHINE_NO_NODE)
				hostlist_push_host(
					missing,
					torus->map->node_name
						[torus->map->node_of_rank[rank]]);
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

static int add_torus(machine_torus_t *torus, const torus_map_t *map, uint32_t *chosen,
		     torus_error_t *err)
{
	torus->map = map;
	torus->chosen = chosen;
	torus->node_of_rank = calloc(map->nodes, sizeof(*torus->node_of_rank));
	torus->weights = calloc(map->nodes, sizeof(*torus->weights));
	if (!torus->node_of_rank || !torus->weights)
		return torus_fail(err, "out of memory");
	for (int set = 0; set < MACHINE_SETS; set++) {
		torus->set[set] = torus_bitmap_create(map->nodes);
		if (!torus->set[set])
			return torus_fail(err, "out of memory");
	}
	return 0;
}

/* Free what machine_join() makes. */
static void part(machine_t *machine)
{
	free(machine->torus_of_node);
	free(machine->rank_of_node);
	free(machine->node_of_elsewhere);
	free(machine->elsewhere_weights);
	machine->torus_of_node = NULL;
	machine->rank_of_node = NULL;
	machine->node_of_elsewhere = NULL;
	machine->elsewhere_weights = NULL;
	for (int set = 0; set < MACHINE_SETS; set++) {
		free(machine->elsewhere_set[set]);
		machine->elsewhere_set[set] = NULL;
	}
	for (int i = 0; i < machine->loose; i++)
		free(machine->loose_name[i]);
	free(machine->loose_index);
	free(machine->loose_name);
	machine->loose_index = NULL;
	machine->loose_name = NULL;
	machine->nodes = machine->elsewhere_nodes = machine->loose = 0;
}

/* Memory for a table of [nodes] nodes, whichever of them are on a torus. */
static int make_room(machine_t *machine, int nodes, torus_error_t *err)
{
	size_t room = (size_t)nodes + 1;

	machine->torus_of_node = calloc(room, sizeof(*machine->torus_of_node));
	machine->rank_of_node = calloc(room, sizeof(*machine->rank_of_node));
	machine->node_of_elsewhere = calloc(room, sizeof(*machine->node_of_elsewhere));
	machine->elsewhere_weights = calloc(room, sizeof(*machine->elsewhere_weights));
	machine->loose_index = calloc(room, sizeof(*machine->loose_index));
	machine->loose_name = calloc(room, sizeof(*machine->loose_name));
	if (!machine->torus_of_node || !machine->rank_of_node ||
	    !machine->node_of_elsewhere || !machine->elsewhere_weights ||
	    !machine->loose_index || !machine->loose_name)
		return torus_fail(err, "out of memory");
	for (int set = 0; set < MACHINE_SETS; set++) {
		machine->elsewhere_set[set] = torus_bitmap_create((uint32_t)room);
		if (!machine->elsewhere_set[set])
			return torus_fail(err, "out of memory");
	}
	return 0;
}

static void join_node(machine_t *machine, int i)
{
	const char *name = node_record_table_ptr[i] ? node_record_table_ptr[i]->name : "";
	uint32_t number;
	int t;

	if (torus_cluster_find(machine->cluster, name, &t, &number)) {
		machine->torus_of_node[i] = (int16_t)t;
		machine->rank_of_node[i] = machine->torus[t].map->rank_of_node[number];
		machine->torus[t].node_of_rank[machine->rank_of_node[i]] = i;
	} else {
		machine->torus_of_node[i] = -1;
		machine->rank_of_node[i] = (uint32_t)machine->elsewhere_nodes;
		machine->node_of_elsewhere[machine->elsewhere_nodes++] = i;
	}
}

/* Note a place of the table where the node may be another one later. */
static int note_loose(machine_t *machine, int i, torus_error_t *err)
{
	const node_record_t *node = node_record_table_ptr[i];

	if (node && !IS_NODE_DYNAMIC_NORM(node))
		return 0;
	if (node) {
		machine->loose_name[machine->loose] = strdup(node->name);
		if (!machine->loose_name[machine->loose])
			return torus_fail(err, "out of memory");
	}
	machine->loose_index[machine->loose++] = i;
	return 0;
}

bool machine_is_joined(const machine_t *machine)
{
	if (machine->nodes != node_record_count)
		return false;
	for (int i = 0; i < machine->loose; i++) {
		const node_record_t *node =
			node_record_table_ptr[machine->loose_index[i]];

		if (xstrcmp(node ? node->name : NULL, machine->loose_name[i]))
			return false;
	}
	return true;
}

int machine_join(machine_t *machine, torus_error_t *err)
{
	part(machine);
	if (make_room(machine, node_record_count, err))
		return -1;
	machine->nodes = node_record_count;
	for (int t = 0; t < machine->tori; t++) {
		for (uint32_t rank = 0; rank < machine->torus[t].map->nodes; rank++)
			machine->torus[t].node_of_rank[rank] = MACHINE_NO_NODE;
	}
	for (int i = 0; i < machine->nodes; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && node->magic != NODE_MAGIC)
			return torus_fail(
				err, "Slurm's node records are not laid out as in the "
				     "headers that this plugin was built with: build it "
				     "again for the installed Slurm");
		join_node(machine, i);
		if (note_loose(machine, i, err))
			return -1;
	}
	log_strangers(machine);
	return 0;
}

bool machine_is_current(const machine_t *machine)
{
	char *path = get_extra_conf_path("torus.conf");
	bool unchanged = torus_conf_unchanged(machine->cluster, path);

	xfree(path);
	return unchanged;
}

machine_t *machine_load(torus_error_t *err)
{
	machine_t *machine = calloc(1, sizeof(*machine));
	char *path = get_extra_conf_path("torus.conf");

	if (!machine) {
		torus_fail(err, "out of memory");
		goto fail;
	}
	machine->cluster = torus_conf_read(path, err);
	if (!machine->cluster)
		goto fail;
	machine->tori = machine->cluster->maps;
	machine->torus = calloc((size_t)machine->tori, sizeof(*machine->torus));
	machine->candidates = calloc((size_t)machine->tori, sizeof(*machine->candidates));
	machine->placer = torus_cluster_placer_create(
		(const torus_map_t *const *)machine->cluster->map, machine->tori);
	if (!machine->torus || !machine->candidates || !machine->placer) {
		torus_fail(err, "out of memory");
		goto fail;
	}
	for (int t = 0; t < machine->tori; t++) {
		if (add_torus(&machine->torus[t], machine->cluster->map[t],
			      machine->placer->part[t].rank, err))
			goto fail;
	}
	if (machine_join(machine, err))
		goto fail;
	xfree(path);
	return machine;

fail:
	machine_free(machine);
	xfree(path);
	return NULL;
}

/* The map in force stays, joined with what is now the node table. */
static machine_t *keep(machine_t *machine)
{
	torus_error_t err;

	if (machine_join(machine, &err))
		fatal("%s: %s", plugin_type, err.text);
	return machine;
}

machine_t *machine_renew(machine_t *machine)
{
	torus_error_t err;
	machine_t *fresh;

	if (machine && machine_is_current(machine)) {
		info("%s: torus.conf is unchanged; the map in force stays", plugin_type);
		return keep(machine);
	}
	fresh = machine_load(&err);
	if (fresh) {
		machine_free(machine);
		return fresh;
	}
	if (!machine)
		fatal("%s: %s", plugin_type, err.text);
	error("%s: %s; the map in force stays", plugin_type, err.text);
	return keep(machine);
}

void machine_free(machine_t *machine)
{
	if (!machine)
		return;
	for (int t = 0; machine->torus && t < machine->tori; t++) {
		machine_torus_t *torus = &machine->torus[t];

		free(torus->node_of_rank);
		for (int set = 0; set < MACHINE_SETS; set++)
			free(torus->set[set]);
		free(torus->weights);
	}
	part(machine);
	free(machine->torus);
	free(machine->candidates);
	torus_cluster_placer_destroy(machine->placer);
	torus_cluster_destroy(machine->cluster);
	free(machine);
}
