/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a node is, in the texts that Slurm hands to jobs and shows. */
#ifndef TORUS_TOPOLOGY_ADDRESS_H
#define TORUS_TOPOLOGY_ADDRESS_H

#include "slurm/tori.h"

/*
 * The values of SLURM_TOPOLOGY_ADDR and SLURM_TOPOLOGY_ADDR_PATTERN for the tasks on a
 * node, "main:1:2:3.n000" and "torus:x:y:z.node", as xmalloc()ed texts; of a node on no
 * torus its name and "node", as without this plugin. It is slurmd that asks, of itself
 * and once, and it takes the answer from its own torus.conf: without one the node is on
 * no torus, and nothing is said about it. SLURM_ERROR: Slurm does not know the node.
 */
int topology_address(const char *node_name, char **address, char **pattern);

/*
 * The texts of nodes that Slurm prints as Topology= stay as slurm.conf has them. Slurm
 * saves them, and hands them to whichever topology plugin is there at its next start,
 * which ends slurmctld if it cannot read them: so none of ours is put there. Called at
 * the start of slurmctld, by the thread that reads its configuration, this takes those
 * away that earlier versions have left in the saved state.
 */
void topology_forget_texts(const tori_t *tori);

/*
 * Slurm puts the node at the place [unit], "main:1:2:3", of a topology; NULL: it takes it
 * away. Nodes are where torus.conf says: SLURM_SUCCESS, and the text does not stay with
 * the node, if that is there in the map in force, or in torus.conf as it is now and no
 * job is on the node: then the map of torus.conf comes into force, as by a
 * reconfiguration. SLURM_ERROR, with the reason in the log, for any other place, unless
 * it comes from slurm.conf or, of another topology plugin, from the saved state, and then
 * it is of no consequence. The caller has locked the nodes for writing.
 */
int topology_move_node(node_record_t *node, const char *unit);

#endif
