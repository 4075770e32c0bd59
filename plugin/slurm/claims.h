/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where nodes say that they are, for tori by registration (machine/registration.h).
 *
 * A node says it in one form, whatever the door: the feature "torus=main:1:0:0". Slurm
 * keeps features in every release, saves them with the node, shows them to everybody, and
 * no other plugin of it minds them.
 */
#ifndef TORUS_SLURM_CLAIMS_H
#define TORUS_SLURM_CLAIMS_H

#include "slurm/tori.h"

#include "machine/registration.h"

/*
 * What the features [features], a list with commas or NULL, say, as an xmalloc()ed
 * "main:1:0:0"; NULL: nothing.
 */
char *claims_place(const char *features);

/* The same features, xmalloc()ed, with [place] instead of what they say now; NULL:
 * without a place. NULL: there are none. */
char *claims_features(const char *features, const char *place);

/* What is seen of the nodes of Slurm's table when they are put on the tori. */
typedef struct claims {
	int nodes;
	char **features;    /* [nodes] of each node, as they were */
	int deferred;	    /* nodes that go elsewhere when their jobs have ended */
	int *deferred_node; /* [deferred] */
	bool refused; /* some node may get its place when another one is powered down; */
	time_t when;  /* that is looked for once a second */
	bool *promised; /* by number in the cluster: a place that a node has said since */
	int told_nodes;
	char **told; /* [told_nodes] what the log has said of each node */
} claims_t;

/*
 * Put the nodes of Slurm's table where they say. One that cannot be there is on no torus,
 * and the log says why, once. 0, or -1 with [err] filled (memory).
 */
int claims_register(claims_t *claims, torus_cluster_t *cluster, torus_error_t *err);

/*
 * Say in the log [why] the node number [index] of Slurm's table is not where it says,
 * unless that is what was said of it last; "": it is.
 */
void claims_tell(claims_t *claims, int index, const char *why);

/*
 * Whether the node can be at the place of [claim], one by registration; fills the result.
 * If so, nobody else can from then on until claims_register(), which has to be called,
 * and this again, if the place seems to be taken: somebody may have left it.
 */
bool claims_ask(claims_t *claims, const torus_cluster_t *cluster, torus_claim_t *claim);

/* Whether claims_register() would come to something else now. O(nodes). */
bool claims_are_old(const claims_t *claims);

/* Free what is in it. */
void claims_clear(claims_t *claims);

#endif
