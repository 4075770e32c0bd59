/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a node is, in the texts that Slurm hands to jobs and shows. */
#ifndef TORUS_TOPOLOGY_ADDRESS_H
#define TORUS_TOPOLOGY_ADDRESS_H

#include "slurm/machine.h"

/*
 * The values of SLURM_TOPOLOGY_ADDR and SLURM_TOPOLOGY_ADDR_PATTERN for the tasks on a
 * node, "main:1:2:3.n000" and "torus:x:y:z.node", as xmalloc()ed texts; of a node on no
 * torus its name and "node", as without this plugin. It is slurmd that asks, of itself
 * and once, and it takes the answer from its own torus.conf: without one the node is on
 * no torus, and nothing is said about it. SLURM_ERROR: Slurm does not know the node.
 */
int topology_address(const char *node_name, char **address, char **pattern);

/*
 * Append "name:main:1:2:3", which "scontrol show node" prints as Topology=, to the
 * xmalloc()ed list *text (NULL: empty); nothing for a node on no torus.
 */
void topology_describe_node(const node_record_t *node, char **text, const char *name);

/* Put these texts, for the topology called [name], where Slurm shows them. */
void topology_show_places(const char *name);

/*
 * Slurm puts the node at the place [unit] of a topology, such as "main:1:2:3"; NULL: it
 * takes it away. Nodes are where torus.conf says: SLURM_ERROR for anything else.
 */
int topology_move_node(const node_record_t *node, const char *unit);

#endif
