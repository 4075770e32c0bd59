/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All tori of a cluster, and which of them has a node. Read-only once built, but for the
 * nodes of tori by registration (machine/registration.h).
 */
#ifndef TORUS_MACHINE_CLUSTER_H
#define TORUS_MACHINE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_index.h"
#include "machine/map.h"
#include "machine/order_scope.h"
#include "place/shape.h"

/* The most tori of a cluster; the plugins keep arrays of this size on the stack. */
#define TORUS_MAX_TORI 4096

/* A file that a cluster was read from, with its content at that time. */
typedef struct torus_source {
	char *path;
	char *text; /* [length] bytes */
	size_t length;
} torus_source_t;

/* The files that a cluster was read from. */
typedef struct torus_sources {
	int count;
	torus_source_t *source; /* [count] */
} torus_sources_t;

/*
 * Append a file. It takes over the malloc'ed [path] and [text], also on error (-1, [err]
 * filled: memory).
 */
int torus_sources_add(torus_sources_t *sources, char *path, char *text, size_t length,
		      torus_error_t *err);

/* Free all files. An empty list ({0}) is left. */
void torus_sources_clear(torus_sources_t *sources);

/* All tori of a cluster, with an index of their node names. */
typedef struct torus_cluster {
	int maps;
	torus_map_t **map;	   /* [maps] in the order of the file, owned */
	bool contiguous_by_nodes;  /* --contiguous means consecutive nodes of Slurm's node
				    * table instead of the curve; false unless the owner
				    * sets it */
	bool spreads_at_once;	   /* a job may start on several tori although one could
				    * hold it another time; false unless the owner sets
				    * it */
	/* Whose tasks are put in order; those of all jobs unless the owner sets it. Owned. */
	torus_order_scope_t task_order;
	uint32_t *node_base;	   /* private: [maps + 1] running sum of nodes */
	torus_name_index_t *index; /* private: names to node_base[map] + node */
	torus_sources_t sources;   /* owned; empty if it was not read from files */
} torus_cluster_t;

/*
 * Make a cluster of map[0 .. maps-1], 1 <= maps <= TORUS_MAX_TORI. It takes over the maps
 * and the malloc'ed array, also on error. Nodes of maps without node names cannot be
 * found by name. NULL with [err] filled: a node name stands in two places (*offender,
 * which may be NULL, is the index of the later map), or memory is short (*offender is 0).
 */
torus_cluster_t *torus_cluster_create(torus_map_t **map, int maps, int *offender,
				      torus_error_t *err);

/*
 * Index the names of all nodes anew, after maps have got other names. As
 * torus_cluster_create(); -1: the old index stays.
 */
int torus_cluster_index(torus_cluster_t *cluster, int *offender, torus_error_t *err);

/* Free a cluster and its maps. NULL is accepted. */
void torus_cluster_destroy(torus_cluster_t *cluster);

/*
 * Find the node called [name]: fills *map (index of the torus) and *node (number in it).
 * O(1). Returns false when no torus has it.
 */
bool torus_cluster_find(const torus_cluster_t *cluster, const char *name, int *map,
			uint32_t *node);

/* Whether some torus is a machine of cubes. */
bool torus_cluster_has_cubes(const torus_cluster_t *cluster);

/*
 * Nodes by one number in the whole cluster, those of all tori one after the other: how
 * many there are, which one is number [number] (below that), and the inverse.
 */
uint32_t torus_cluster_nodes(const torus_cluster_t *cluster);
void torus_cluster_at(const torus_cluster_t *cluster, uint32_t number, int *map,
		      uint32_t *node);
uint32_t torus_cluster_number(const torus_cluster_t *cluster, int map, uint32_t node);

/*
 * What the site says of the patience of a job that may have nodes of the tori t with
 * may_use[t] (NULL: of all): as the least patient of them (torus_patience_least()). It
 * says nothing of a job that may have nodes of none.
 */
torus_patience_site_t torus_cluster_patience(const torus_cluster_t *cluster,
					     const bool *may_use);

/*
 * Fill number[0 .. count-1] with the numbers of the nodes called name[0 .. count-1].
 * Returns 0, or -1 with [err] naming the first that no torus has.
 */
int torus_cluster_numbers(const torus_cluster_t *cluster, char *const *name,
			  uint32_t count, uint32_t *number, torus_error_t *err);

/*
 * The torus that a job on the nodes number[0 .. count-1], count >= 1, has: *geometry,
 * with their cells in cell[0 .. count-1]. It is that of the machine that has them, and on
 * a machine of cubes the job's own (torus/joined.h), where [shapes] is what the job asked
 * for, or NULL. A number may be there twice. The chords of the geometry are the
 * machine's: who keeps it holds them. Returns 0, or -1 with [err] filled, and *geometry
 * as it was or complete: they are on several tori, there is no such number, memory.
 */
int torus_cluster_cells(const torus_cluster_t *cluster, const uint32_t *number,
			uint32_t count, const torus_shapes_t *shapes,
			torus_geometry_t *geometry, uint32_t *cell, torus_error_t *err);

#endif
