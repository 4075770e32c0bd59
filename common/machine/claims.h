/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the nodes of a table say that they are, for tori by registration
 * (machine/registration.h).
 *
 * A node says it in one form, whatever the door: the feature "torus=main:1:0:0". Slurm
 * keeps features in every release, saves them with the node, shows them to everybody, and
 * no other plugin of it minds them.
 */
#ifndef TORUS_MACHINE_CLAIMS_H
#define TORUS_MACHINE_CLAIMS_H

#include <time.h>

#include "machine/node_table.h"
#include "machine/registration.h"

/* What is seen of the nodes when they are put on the tori. {0} at first. */
typedef struct torus_claims {
	int nodes;
	char **features;    /* [nodes] of each node, as they were */
	int deferred;	    /* nodes that go elsewhere when their jobs have ended */
	int *deferred_node; /* [deferred] */
	bool refused; /* some node may get its place when another one is powered down; */
	time_t when;  /* that is looked for once a second */
	bool *promised; /* by number in the cluster: a place that a node has said since */
	int told_nodes;
	char **told; /* [told_nodes] what has been told of each node */
} torus_claims_t;

/*
 * Put the nodes of [table] where they say. One that cannot be there is on no torus, and
 * the table is told why, once. [claims] may be NULL: then nothing is kept or told.
 * Returns 0, or -1 with [err] filled (memory); the claims can then only be cleared.
 */
int torus_claims_register(torus_claims_t *claims, torus_cluster_t *cluster,
			  const torus_node_table_t *table, torus_error_t *err);

/*
 * Tell [table] the reason [why] node number [index] of it is not where it says, unless
 * that is what was told of it last; "": it is.
 */
void torus_claims_tell(torus_claims_t *claims, const torus_node_table_t *table, int index,
		       const char *why);

/*
 * Whether the node can be at the place of [claim], one by registration; fills the result.
 * If so, nobody else can from then on until torus_claims_register(), which has to be
 * called, and this again, if the place seems to be taken: somebody may have left it.
 */
bool torus_claims_ask(torus_claims_t *claims, const torus_cluster_t *cluster,
		      const torus_node_table_t *table, torus_claim_t *claim);

/* Whether torus_claims_register() would come to something else now. O(nodes). */
bool torus_claims_are_old(const torus_claims_t *claims, const torus_node_table_t *table);

/* Free what is in it; {0} is left. */
void torus_claims_clear(torus_claims_t *claims);

/*
 * Write the list of features [features] (NULL: none) into [text] with [place] instead of
 * what they say now; NULL: without a place. The text takes as many bytes as both have
 * characters and sizeof(TORUS_PLACE_FEATURE) + 1 more. Returns whether there are any.
 */
bool torus_features_place(const char *features, const char *place, char *text);

#endif
