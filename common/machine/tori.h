/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tori of a cluster joined with a table of nodes (machine/node_table.h).
 *
 * Slurm numbers nodes in the order of its own table, the engine speaks of ranks. This is
 * the translation, both ways, with the memory in which decisions are made.
 */
#ifndef TORUS_MACHINE_TORI_H
#define TORUS_MACHINE_TORI_H

#include "machine/claims.h"
#include "machine/cluster.h"
#include "machine/cluster_place.h"
#include "machine/node_table.h"

#define TORUS_TORI_NO_NODE (-1)

/* The sets of ranks that a decision works on. */
typedef enum torus_tori_set {
	TORUS_TORI_FREE,
	TORUS_TORI_REQUIRED,
	TORUS_TORI_SETS,
} torus_tori_set_t;

/* One torus: its map, and the index in the table of each rank. */
typedef struct torus_joined {
	const torus_map_t *map;
	int *node_of_rank;  /* [map->nodes] index in the table, or TORUS_TORI_NO_NODE when
			     * it  does not have the node */
	uint32_t on_router; /* nodes of each router that has any, at least */
	void *nodes; /* of whoever keeps the table, who makes and frees it: the set of
		      * nodes that it has */
	/* Scratch memory for one decision. */
	uint64_t *set[TORUS_TORI_SETS]; /* bitmaps of ranks */
	uint64_t *weights;		/* [map->nodes] */
	uint32_t *chosen;		/* [map->nodes] ranks; the placer's */
} torus_joined_torus_t;

typedef struct torus_tori {
	torus_cluster_t *cluster;
	int count;
	torus_joined_torus_t *torus; /* [count] */
	torus_cluster_placer_t *placer;
	torus_candidates_t *candidates; /* [count] for the placer */
	uint32_t turn;			/* decisions so far, for torus_decide_request_t */
	int nodes;			/* size of the table */
	int16_t *torus_of_node; /* [nodes] index of the torus (below TORUS_MAX_TORI), or
				 * -1: not in torus.conf */
	uint32_t *rank_of_node; /* [nodes] or, on no torus, the place in node_of_elsewhere
				 */
	/* The nodes that are on no torus: as many as elsewhere_nodes. */
	int elsewhere_nodes;
	int *node_of_elsewhere; /* [elsewhere_nodes] index in the table */
	uint64_t *elsewhere_set[TORUS_TORI_SETS]; /* scratch memory, as for a torus */
	uint64_t *elsewhere_weights;
	/* Indices at which nodes come and go. */
	int loose;
	int *loose_index;  /* [loose] index in the table */
	char **loose_name; /* [loose] the node there, or NULL: none */
	/* Where some torus is by registration. */
	bool open;
	torus_claims_t claims; /* what its nodes have said */
	bool grows;	       /* it has vacant places */
} torus_tori_t;

/*
 * The tori of [cluster], which are to be joined. It takes the cluster over, also on
 * error: NULL with [err] filled (memory).
 */
torus_tori_t *torus_tori_create(torus_cluster_t *cluster, torus_error_t *err);

/*
 * Join the tori, perhaps again, with a table of nodes that has changed; nodes of tori by
 * registration are put where they say. Returns 0, or -1 with [err] filled (memory): they
 * can then only be freed.
 */
int torus_tori_join(torus_tori_t *tori, const torus_node_table_t *table,
		    torus_error_t *err);

/*
 * Whether the table still has the nodes that it had when the tori were joined with it,
 * and they say that they are where they were. O(1) but for nodes that come and go, and
 * O(nodes) where a torus is by registration.
 */
bool torus_tori_are_joined(const torus_tori_t *tori, const torus_node_table_t *table);

/*
 * Call [unknown] with the name of each node of the table that is on no torus, and
 * [missing] with that of each node on a torus that the table does not have; places where
 * nobody has said to be are not missing. [context] is given along.
 */
void torus_tori_each_stranger(const torus_tori_t *tori, const torus_node_table_t *table,
			      void (*unknown)(void *context, const char *name),
			      void (*missing)(void *context, const char *name),
			      void *context);

/* Free the tori and the cluster. NULL is accepted. */
void torus_tori_destroy(torus_tori_t *tori);

#endif
