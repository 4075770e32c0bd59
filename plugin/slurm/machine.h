/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine as slurmctld knows it: torus.conf's tori joined with Slurm's node table.
 *
 * Slurm numbers nodes in the order of its own table and speaks of sets of nodes as
 * bitmaps over it; the engine speaks of ranks. This is the translation, both ways.
 */
#ifndef TORUS_MACHINE_H
#define TORUS_MACHINE_H

#include "slurm/compat.h"

#include "machine/cluster.h"
#include "machine/cluster_place.h"

#define MACHINE_NO_NODE (-1)

/* "select/torus" or "topology/torus", as Slurm asks every plugin for it: how lines in the
 * log begin. */
extern const char plugin_type[];

/* The sets of ranks that a decision works on. */
typedef enum machine_set {
	MACHINE_FREE,
	MACHINE_REQUIRED,
	MACHINE_SETS,
} machine_set_t;

/* One torus: its map, and the node index in Slurm's table of each rank. */
typedef struct machine_torus {
	const torus_map_t *map;
	int *node_of_rank; /* [map->nodes] index in Slurm's table, or MACHINE_NO_NODE when
			    * slurm.conf does not have the node */
	/* Scratch memory for one decision. */
	uint64_t *set[MACHINE_SETS]; /* bitmaps of ranks */
	uint64_t *weights;	     /* [map->nodes] */
	uint32_t *chosen;	     /* [map->nodes] ranks; the placer's */
} machine_torus_t;

typedef struct machine {
	torus_cluster_t *cluster;
	int tori;
	machine_torus_t *torus; /* [tori] */
	torus_cluster_placer_t *placer;
	torus_candidates_t *candidates; /* [tori] for the placer */
	int nodes;			/* size of Slurm's node table */
	int16_t *torus_of_node; /* [nodes] index of the torus (below TORUS_MAX_TORI), or
				 * -1: not in torus.conf */
	uint32_t *rank_of_node; /* [nodes] or, on no torus, the place in node_of_elsewhere
				 */
	/* The nodes that are on no torus: as many as elsewhere_nodes. */
	int elsewhere_nodes;
	int *node_of_elsewhere;		       /* [elsewhere_nodes] index in the table */
	uint64_t *elsewhere_set[MACHINE_SETS]; /* scratch memory, as for a torus */
	uint64_t *elsewhere_weights;
	/* Places of the table where nodes come and go while slurmctld runs. */
	int loose;
	int *loose_index;  /* [loose] index in the table */
	char **loose_name; /* [loose] the node there, or NULL: none */
} machine_t;

/*
 * Read torus.conf beside slurm.conf and join it with the present node table. NULL with
 * [err] filled when that fails. Nodes of either side that the other does not have are
 * not an error: they are logged, once for the life of the daemon.
 */
machine_t *machine_load(torus_error_t *err);

/*
 * Whether machine_load() would make the same machine again, but for the node table:
 * torus.conf and the files it names are as they were.
 */
bool machine_is_current(const machine_t *machine);

/*
 * Join the machine again with a node table that has changed. 0, or -1 with [err] filled
 * (memory, or records of another Slurm): the machine can then only be freed.
 */
int machine_join(machine_t *machine, torus_error_t *err);

/* Whether the node table still has the nodes that it had when the machine was joined.
 * O(1) but for dynamic nodes.
 */
bool machine_is_joined(const machine_t *machine);

/*
 * The machine that is in force after slurmctld has read its configuration: at the start
 * ([machine] is NULL) a new one, and a bad torus.conf ends slurmctld; later [machine]
 * itself, joined again, if torus.conf is unchanged or cannot be read now, or else a new
 * one in its place. Planning a curve takes time, and slurmctld waits meanwhile.
 */
machine_t *machine_renew(machine_t *machine);

/* Free a machine. NULL is accepted. */
void machine_free(machine_t *machine);

#endif
