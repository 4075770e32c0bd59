/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm asks about sets of nodes: those of a torus, and how broken up others are. */
#ifndef TORUS_TOPOLOGY_GROUPS_H
#define TORUS_TOPOLOGY_GROUPS_H

#include "slurm/compat.h"

/*
 * The nodes of the torus called [name], for lists of nodes such as torus{main}; NULL:
 * there is none. It stays the plugin's, and is valid while the caller has the nodes
 * locked.
 */
bitstr_t *topology_nodes_of(const char *name);

/*
 * Add to [nodes], a bitmap over Slurm's table, all nodes of the tori that have one of
 * them: for lists such as toruswith{n001}, and for jobs that want a torus for themselves.
 * Nodes on no torus stay alone. SLURM_SUCCESS.
 */
int topology_add_whole_tori(bitstr_t *nodes);

/*
 * What Slurm's experimental bf_topopt_enable compares: for nodes that are all but those
 * of a job how scattered the job is, a hundred times the mean hops between two of its
 * nodes on a torus, summed over the tori. docs/from-torus3d.md has what that is worth.
 */
uint32_t topology_fragmentation(const bitstr_t *nodes);

#endif
