/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tori as slurmctld knows them: those of torus.conf joined with Slurm's node table.
 *
 * Slurm numbers nodes in the order of its own table and speaks of sets of nodes as
 * bitmaps over it; the engine speaks of ranks. This is the translation, both ways.
 */
#ifndef TORUS_TORI_H
#define TORUS_TORI_H

#include "slurm/compat.h"

#include "machine/cluster.h"
#include "machine/cluster_place.h"

#define TORI_NO_NODE (-1)

/* "select/torus" or "topology/torus": Slurm looks for this name in every plugin, and our
 * lines in the log begin with it. */
extern const char plugin_type[];

/* The sets of ranks that a decision works on. */
typedef enum tori_set {
	TORI_FREE,
	TORI_REQUIRED,
	TORI_SETS,
} tori_set_t;

/* A question for which it is known that there may be a box: the last one with that
 * answer, which comes again and again while plans are made. */
typedef struct known_box {
	char *network; /* what the job asks for; NULL: nothing is known */
	bitstr_t *nodes;
	uint32_t min_nodes, max_nodes;
} known_box_t;

/* One torus: its map, and the node index in Slurm's table of each rank. */
typedef struct joined_torus {
	const torus_map_t *map;
	int *node_of_rank;  /* [map->nodes] index in Slurm's table, or TORI_NO_NODE when
			     * slurm.conf does not have the node */
	bitstr_t *nodes;    /* those that it has, over Slurm's table */
	uint32_t on_router; /* nodes of each router that has any, at least */
	/* Scratch memory for one decision. */
	uint64_t *set[TORI_SETS]; /* bitmaps of ranks */
	uint64_t *weights;	  /* [map->nodes] */
	uint32_t *chosen;	  /* [map->nodes] ranks; the placer's */
} joined_torus_t;

typedef struct tori {
	torus_cluster_t *cluster;
	int count;
	joined_torus_t *torus; /* [count] */
	torus_cluster_placer_t *placer;
	torus_candidates_t *candidates; /* [count] for the placer */
	uint32_t turn;			/* decisions so far, for torus_decide_request_t */
	int nodes;			/* size of Slurm's node table */
	int16_t *torus_of_node; /* [nodes] index of the torus (below TORUS_MAX_TORI), or
				 * -1: not in torus.conf */
	uint32_t *rank_of_node; /* [nodes] or, on no torus, the place in node_of_elsewhere
				 */
	/* The nodes that are on no torus: as many as elsewhere_nodes. */
	int elsewhere_nodes;
	int *node_of_elsewhere;		    /* [elsewhere_nodes] index in the table */
	uint64_t *elsewhere_set[TORI_SETS]; /* scratch memory, as for a torus */
	uint64_t *elsewhere_weights;
	/* Places of the table where nodes come and go while slurmctld runs. */
	int loose;
	int *loose_index;  /* [loose] index in the table */
	char **loose_name; /* [loose] the node there, or NULL: none */
	known_box_t known_box;
	/* Where some torus is by registration. */
	struct claims *claims; /* what its nodes have said; NULL: there is none */
	bool grows;	       /* it has vacant places */
} tori_t;

/*
 * Join the tori again with a node table that has changed, or whose nodes say that they
 * are elsewhere. Whether that was needed: what the caller has noted of ranks is then out
 * of date. Where it fails (memory, or records of another Slurm) slurmctld ends. O(1) but
 * for dynamic nodes, and O(nodes) where a torus is by registration.
 */
bool tori_keep_joined(tori_t *tori);

/* Note that there may be a box for a job with --network=[network] of so many of [nodes];
 * whether that has been noted. */
void tori_know_box(tori_t *tori, const char *network, const bitstr_t *nodes,
		   uint32_t min_nodes, uint32_t max_nodes);
bool tori_knows_box(const tori_t *tori, const char *network, const bitstr_t *nodes,
		    uint32_t min_nodes, uint32_t max_nodes);

/* Whether one of the [nodes], a bitmap over the node table, is on a torus. */
bool tori_have_any(const tori_t *tori, const bitstr_t *nodes);

/*
 * The tori that are in force after slurmctld has read its configuration: at the start
 * ([tori] is NULL) new ones, and a bad torus.conf ends slurmctld; later [tori]
 * itself, joined again, if torus.conf is unchanged or cannot be read now, or else new
 * ones in their place. Planning a curve takes time, and slurmctld waits meanwhile.
 */
tori_t *tori_renew(tori_t *tori);

/* Free the tori. NULL is accepted. */
void tori_free(tori_t *tori);

#endif
