/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a node is: see topology/address.h. */
#include "topology/address.h"

#include <pthread.h>
#include <unistd.h>

#include "conf/torus_conf.h"
#include "topology/tori.h"

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
 * slurmd of the cluster reads it when it starts, and plans no curve for that.
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

#ifdef TOPOLOGY_MOVES_NODES

/* The thread that reads slurm.conf and the saved state. */
static pthread_t reader;

/* Forget [*text] if it is of the kind "default:main:1:2:3" and names a torus of ours. */
static void forget_text(const tori_t *tori, char **text)
{
	const char *unit = *text ? strchr(*text, ':') : NULL;

	for (int t = 0; unit && t < tori->count; t++) {
		const char *name = tori->torus[t].map->name;
		size_t length = strlen(name);

		if (!strncmp(unit + 1, name, length) && unit[1 + length] == ':') {
			xfree(*text);
			return;
		}
	}
}

void topology_forget_texts(const tori_t *tori)
{
	reader = pthread_self();
	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = node_record_table_ptr[i];

		if (!node)
			continue;
		/* A dynamic node has no line in slurm.conf, but one made of its state. */
		if (IS_NODE_DYNAMIC_NORM(node))
			forget_text(tori, &node->config_ptr->topology_str);
		if (!node->config_ptr->topology_str)
			forget_text(tori, &node->topology_str);
	}
}

int topology_move_node(const node_record_t *node, const char *unit)
{
	if (!unit || pthread_equal(reader, pthread_self()))
		return SLURM_SUCCESS;
	error("%s: node %s can not be moved to %s: torus.conf says where nodes are",
	      plugin_type, node->name, unit);
	return SLURM_ERROR;
}

#else

void topology_forget_texts(const tori_t *tori)
{
	(void)tori;
}

#endif
