/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori as groups of nodes that Slurm knows by name. */
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

#endif
