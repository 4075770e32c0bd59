/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All tori of a cluster, and which of them has a node. Read-only once built. */
#ifndef TORUS_MACHINE_CLUSTER_H
#define TORUS_MACHINE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/name_index.h"
#include "machine/map.h"

/* All tori of a cluster, with an index of their node names. */
typedef struct torus_cluster {
	int maps;
	torus_map_t **map;	   /* [maps] in the order of the file, owned */
	bool contiguous_by_nodes;  /* --contiguous means neighbours in Slurm's list of
				    * nodes and not on the curve; false unless the owner
				    * sets it */
	uint32_t *node_base;	   /* private: [maps + 1] running sum of nodes */
	torus_name_index_t *index; /* private: names to node_base[map] + node */
} torus_cluster_t;

/*
 * Make a cluster of map[0 .. maps-1], maps >= 1; it takes over the maps and the malloc'ed
 * array, also on error. Maps without node names have no nodes to be found. Error (NULL,
 * [err] filled): a node name in two places, in which case *offender (may be NULL) is the
 * index of the later map of the two; memory, *offender 0.
 */
torus_cluster_t *torus_cluster_create(torus_map_t **map, int maps, int *offender,
				      torus_error_t *err);

/* Free a cluster and its maps. NULL is accepted. */
void torus_cluster_destroy(torus_cluster_t *cluster);

/*
 * Find the node called [name]: fills *map (index of the torus) and *node (number in it).
 * O(1). Returns false when no torus has it.
 */
bool torus_cluster_find(const torus_cluster_t *cluster, const char *name, int *map,
			uint32_t *node);

/* Bytes of memory that the index of names takes. */
size_t torus_cluster_index_bytes(const torus_cluster_t *cluster);

#endif
