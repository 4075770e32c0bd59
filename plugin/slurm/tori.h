/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tori as slurmctld knows them: those of torus.conf joined with Slurm's node table
 * (machine/tori.h).
 */
#ifndef TORUS_TORI_H
#define TORUS_TORI_H

#include "slurm/compat.h"

#include "machine/tori.h"

/* "select/torus" or "topology/torus": Slurm looks for this name in every plugin, and our
 * lines in the log begin with it. */
extern const char plugin_type[];

/* In joined_torus_t, [nodes] is a bitstr_t over Slurm's table. */
typedef torus_joined_torus_t joined_torus_t;
typedef torus_tori_t tori_t;

/* Slurm's table of nodes as it is now, for whoever has it locked. */
torus_node_table_t tori_node_table(void);

/*
 * Join the tori again with a node table that has changed, or whose nodes say that they
 * are elsewhere. Whether that was needed: what the caller has noted of ranks is then out
 * of date. Where it fails (memory, or records of another Slurm) slurmctld ends. O(1) but
 * for dynamic nodes, and O(nodes) where a torus is by registration.
 */
bool tori_keep_joined(tori_t *tori);

/*
 * Note that there may be a box for a job with --network=[network] of so many of [nodes];
 * whether that has been noted. Only the last such question is kept, which comes again and
 * again while plans are made, and only while [tori] are as they are.
 */
void tori_know_box(const tori_t *tori, const char *network, const bitstr_t *nodes,
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
