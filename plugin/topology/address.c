/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a node is: see topology/address.h. */
#include "topology/address.h"

#include <unistd.h>

#include "conf/torus_conf.h"
#include "topology/machine.h"

#include TOPOLOGY_HEADER

/* The xmalloc()ed text "main:1:2:3" for a rank. */
static char *place_text(const torus_map_t *map, uint32_t rank)
{
	int32_t coord[TORUS_MAX_DIMS];
	char *text = xstrdup(map->name);

	torus_cell_to_coord(&map->geometry, map->cell_of_rank[rank], coord);
	for (int axis = 0; axis < map->geometry.dims; axis++)
		xstrfmtcat(text, ":%d", coord[axis]);
	return text;
}

/* "torus:x:y:z.node", with as many letters as there are dimensions. */
static char *pattern_text(const torus_map_t *map)
{
	char *text = xstrdup("torus");

	for (int axis = 0; axis < map->geometry.dims; axis++)
		xstrfmtcat(text, ":%c", "xyzuvw"[axis]);
	xstrcat(text, ".node");
	return text;
}

/*
 * The cluster of the torus.conf of this node; NULL: it has none, or a bad one. Every
 * slurmd of the machine reads it when it starts, and plans no curve for that.
 */
static torus_cluster_t *read_own_conf(void)
{
	char *path = get_extra_conf_path("torus.conf");
	torus_cluster_t *cluster = NULL;
	torus_error_t err;

	if (!access(path, R_OK)) {
		cluster = torus_conf_read_places(path, &err);
		if (!cluster)
			error("%s: %s", plugin_type, err.text);
	}
	xfree(path);
	return cluster;
}

int topology_address(const char *node_name, char **address, char **pattern)
{
	torus_cluster_t *cluster;
	uint32_t number;
	int t;

	if (!find_node_record((char *)node_name))
		return SLURM_ERROR;
	cluster = read_own_conf();
	if (cluster && torus_cluster_find(cluster, node_name, &t, &number)) {
		const torus_map_t *map = cluster->map[t];

		*address = place_text(map, map->rank_of_node[number]);
		xstrfmtcat(*address, ".%s", node_name);
		*pattern = pattern_text(map);
	} else {
		*address = xstrdup(node_name);
		*pattern = xstrdup("node");
	}
	torus_cluster_destroy(cluster);
	return SLURM_SUCCESS;
}

/* The xmalloc()ed text for a node of slurmctld's table; NULL: it is on no torus. */
static char *place_of_node(const node_record_t *node)
{
	machine_t *machine = topology_machine_lock();
	char *text = NULL;
	uint32_t number;
	int t;

	if (!machine)
		return NULL;
	if (torus_cluster_find(machine->cluster, node->name, &t, &number)) {
		const torus_map_t *map = machine->torus[t].map;

		text = place_text(map, map->rank_of_node[number]);
	}
	topology_machine_unlock();
	return text;
}

void topology_describe_node(const node_record_t *node, char **text, const char *name)
{
	char *place = place_of_node(node);

	if (place)
		xstrfmtcat(*text, "%s%s:%s", *text ? "," : "", name, place);
	xfree(place);
}

void topology_show_places(const char *name)
{
	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = node_record_table_ptr[i];
		char **shown = node ? node_place_text(node) : NULL;

		if (!shown)
			continue;
		xfree(*shown);
		topology_describe_node(node, shown, name);
	}
}

int topology_move_node(const node_record_t *node, const char *unit)
{
	char *place;
	bool stays;

	if (!unit)
		return SLURM_SUCCESS;
	place = place_of_node(node);
	stays = !xstrcmp(unit, place);
	if (!stays)
		error("%s: node %s can not be moved to %s: torus.conf says where nodes are",
		      plugin_type, node->name, unit);
	xfree(place);
	return stays ? SLURM_SUCCESS : SLURM_ERROR;
}
