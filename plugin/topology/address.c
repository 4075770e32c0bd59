/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a node is: see topology/address.h. */
#include "topology/address.h"

#include <pthread.h>
#include <unistd.h>

#include "conf/torus_conf.h"
#include "machine/registration.h"
#include "topology/tori.h"
#include "topology/watch.h"

#ifdef TOPOLOGY_MOVES_NODES
#include "src/common/node_features.h" /* 23.02 to 24.05 have no such header */
#endif

/* The xmalloc()ed text "main:1:2:3" for a rank. */
static char *place_text(const torus_map_t *map, uint32_t rank)
{
	char coord[TORUS_COORD_TEXT];

	torus_coord_format(&map->geometry, map->cell_of_rank[rank], coord);
	return xstrdup_printf("%s%s", map->name, coord);
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

/* What the features [features] (NULL: none) say, xmalloc()ed; NULL: nothing. */
static char *place_in(const char *features)
{
	size_t length;
	const char *place = torus_place_said(features, &length);

	return place ? xstrndup(place, length) : NULL;
}

/* What this node's own configuration says of where it is, xmalloc()ed; NULL: nothing. */
static char *said_place(const node_record_t *node)
{
	const config_record_t *config = node->config_ptr;
	char *place = place_in(node->features ? node->features
			       : config	      ? config->feature
					      : NULL);

#ifdef TOPOLOGY_MOVES_NODES
	/* "default:main:1:0:0" */
	const char *text = node->topology_str ? node->topology_str
			   : config	      ? config->topology_str
					      : NULL;
	const char *unit = text ? strchr(text, ':') : NULL;

	if (!place && unit)
		place = xstrndup(unit + 1, strcspn(unit + 1, ","));
#endif
	return place;
}

/* Put a node that says where it is there, on a torus by registration. */
static void register_alone(torus_cluster_t *cluster, const node_record_t *node)
{
	char *place = said_place(node);
	torus_claim_t claim = {.node = node->name, .place = place};
	torus_error_t err;

	if (torus_cluster_register(cluster, &claim, 1, &err))
		error("%s: %s", plugin_type, err.text);
	xfree(place);
}

int topology_address(const char *node_name, char **address, char **pattern)
{
	node_record_t *node = find_node_record((char *)node_name);
	torus_cluster_t *cluster;
	uint32_t number;
	int t;

	if (!node)
		return SLURM_ERROR;
	cluster = read_own_conf();
	if (cluster && torus_cluster_is_open(cluster))
		register_alone(cluster, node);
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

void topology_begin_reading(void)
{
	static bool noted;

	if (!noted)
		reader = pthread_self();
	noted = true;
}

/* Whether the [cluster] has the node where [unit] says, in *place what it says itself,
 * xmalloc()ed; NULL: the node is on no torus. */
static bool is_at(const torus_cluster_t *cluster, const char *name, const char *unit,
		  char **place)
{
	uint32_t number;
	int t;

	*place = NULL;
	if (cluster && torus_cluster_find(cluster, name, &t, &number))
		*place = place_text(cluster->map[t],
				    cluster->map[t]->rank_of_node[number]);
	return !xstrcmp(*place, unit);
}

/* Whether the map in force has the node at [unit]. */
static bool is_in_force(const char *name, const char *unit)
{
	tori_t *tori = topology_tori_lock();
	char *place = NULL;
	bool there = false;

	if (tori) {
		there = is_at(tori->cluster, name, unit, &place);
		topology_tori_unlock();
	}
	xfree(place);
	return there;
}

/* Whether torus.conf, as it is now, has the node at [unit]; otherwise the log says so. */
static bool is_written(const char *name, const char *unit)
{
	torus_cluster_t *cluster = read_own_conf();
	char *place;
	bool there = is_at(cluster, name, unit, &place);

	if (!cluster)
		error("%s: node %s can not be moved to %s without a torus.conf that can be "
		      "read",
		      plugin_type, name, unit);
	else if (!there)
		error("%s: node %s can not be moved to %s: torus.conf has it %s%s; change "
		      "torus.conf, or the file that its Coords= names, and try again",
		      plugin_type, name, unit, place ? "at " : "nowhere",
		      place ? place : "");
	xfree(place);
	torus_cluster_destroy(cluster);
	return there;
}

/* Whether the node may go where torus.conf now has it; otherwise the log says why not. */
static bool is_movable(const node_record_t *node, const char *unit)
{
	const char *why = NULL;

	if (node_has_jobs(node))
		why = "jobs run on it; drain it, and try again when it has none";
	else if (IS_NODE_BLOCKED(node))
		why = "a job has its torus for itself; try again when that has ended";
	else if (select_torus_decides())
		why = "select/torus has a map as well; use scontrol reconfigure";
	if (why)
		error("%s: node %s can not be moved to %s: %s", plugin_type, node->name,
		      unit, why);
	return !why;
}

/* What Slurm would save, and another topology plugin could not read. */
static void forget_move(node_record_t *node)
{
	xfree(node->topology_str);
	if (IS_NODE_DYNAMIC_NORM(node))
		xfree(node->config_ptr->topology_str);
}

/*
 * Give a node's configuration other features, and Slurm's list of features the node. A
 * dynamic node has a record of its own; Slurm's function, which looks through the records
 * of all nodes, is for those that share one.
 */
static void set_available(node_record_t *node, char *features)
{
	config_record_t *config = node->config_ptr;

	if (bit_set_count(config->node_bitmap) != 1) {
		update_node_avail_features(node->name, features, FEATURE_MODE_IND);
		return;
	}
	xfree(config->feature);
	config->feature = xstrdup(features);
	if (avail_feature_list) /* not while slurmctld starts, as below */
		node_features_update_list(avail_feature_list, features,
					  config->node_bitmap);
}

/* The same features, xmalloc()ed, as torus_features_place() has them; NULL: none. */
static char *with_place(const char *features, const char *place)
{
	char *text =
		xmalloc((features ? strlen(features) : 0) + (place ? strlen(place) : 0) +
			sizeof(TORUS_PLACE_FEATURE) + 1);

	if (!torus_features_place(features, place, text))
		xfree(text);
	return text;
}

/* Give a node other features, wherever Slurm has them. */
static void set_features(node_record_t *node, const char *place)
{
	char *available = with_place(node->features, place);
	char *active = with_place(node->features_act, place);

	xfree(node->features);
	node->features = available;
	xfree(node->features_act);
	node->features_act = active;
	set_available(node, available);
	if (active_feature_list)
		update_node_active_features(node->name, active, FEATURE_MODE_IND);
	last_node_update = time(NULL);
}

/* Whether the node can be at [unit]; otherwise the log says why not. */
static bool can_be_at(tori_t *tori, const node_record_t *node, const char *unit)
{
	torus_claim_t claim = {.node = node->name, .place = unit};
	torus_node_table_t table = tori_node_table();
	bool can = torus_claims_ask(&tori->claims, tori->cluster, &table, &claim);
	torus_error_t why;

	if (claim.result == TORUS_CLAIM_TAKEN) {
		topology_tori_join();
		can = torus_claims_ask(&tori->claims, tori->cluster, &table, &claim);
	}
	torus_claim_explain(tori->cluster, &claim, &why);
	torus_claims_tell(&tori->claims, &table, (int)node->index, why.text);
	return can;
}

/*
 * Whether it is by "scontrol update" that the node is moved, not by a slurmd that starts,
 * whose node Slurm would drain if it could not be there, and before 26.05 end the jobs
 * for which it was powered up: it has heard of that node before, and of no boot since.
 */
static bool is_updated(const node_record_t *node)
{
#ifdef TOPOLOGY_TELLS_UPDATES
	return node->last_response && node->boot_time <= node->last_response;
#else
	(void)node;
	return false;
#endif
}

/*
 * Where some torus is by registration: note that the node says that it is at [unit], or,
 * NULL, that it says nothing. What it cannot say is not noted, and it stays what it was.
 * *rc: SLURM_SUCCESS, or the update is refused. Whether there is such a torus.
 */
static bool note_place(node_record_t *node, const char *unit, int *rc)
{
	static const node_record_t *refused; /* by the last call */
	bool restored = refused == node && !unit;
	tori_t *tori = topology_tori_lock_as_joined();
	bool open = tori && tori->open;
	char *said = open ? place_in(node->features) : NULL;

	*rc = SLURM_SUCCESS;
	refused = NULL;
	/* Slurm knows no place of it, by which it could put it back after a refusal. */
	if (open && !unit && said && !restored) {
		set_features(node, NULL);
	} else if (open && unit && xstrcmp(said, unit)) {
		if (can_be_at(tori, node, unit)) {
			set_features(node, unit);
		} else if (is_updated(node)) {
			refused = node;
			*rc = SLURM_ERROR;
		}
	}
	xfree(said);
	if (tori)
		topology_tori_unlock();
	return open;
}

int topology_move_node(node_record_t *node, const char *unit)
{
	bool reads = pthread_equal(reader, pthread_self());
	int rc;

	if ((unit || !reads) && note_place(node, unit, &rc)) {
		forget_move(node);
		return rc;
	}
	if (!unit || reads)
		return SLURM_SUCCESS;
	if (!is_in_force(node->name, unit)) {
		if (!is_written(node->name, unit) || !is_movable(node, unit))
			return SLURM_ERROR;
		topology_tori_renew();
		topology_watch_forget();
		if (!is_in_force(node->name, unit))
			return SLURM_ERROR;
		info("%s: node %s is now at %s: the map of torus.conf is in force",
		     plugin_type, node->name, unit);
	}
	forget_move(node);
	return SLURM_SUCCESS;
}

#else

void topology_begin_reading(void)
{
}

#endif
