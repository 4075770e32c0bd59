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
 * Called first at the start of slurmctld, by the thread that reads slurm.conf and the
 * saved state: topology_move_node() ignores the places that these give nodes.
 */
void topology_begin_reading(void);

/*
 * Slurm puts the node at [unit], such as "main:1:2:3"; NULL: it takes the node off its
 * topology. Where some torus is by registration, that is what the node says of itself,
 * and is kept as a feature of it (machine/claims.h). If it cannot be there, it stays what
 * it was, and the log says why: SLURM_ERROR to who updates the node, SLURM_SUCCESS to a
 * slurmd that starts.
 * Otherwise a node's place is the one in torus.conf, so this changes nothing:
 * - [unit] is the node's place in the map in force: SLURM_SUCCESS.
 * - It is its place in torus.conf as that file is now, and no job is on the node:
 *   SLURM_SUCCESS, and the map of that file comes into force, as by a reconfiguration.
 * - Any other place is SLURM_ERROR with the reason in the log; but one in slurm.conf, or
 *   one of another topology plugin in the saved state, is ignored.
 * The node keeps no text of it: Slurm would save that, and hand it to whichever topology
 * plugin is there at its next start, which ends slurmctld if it cannot read it. The
 * caller has locked the nodes for writing.
 */
int topology_move_node(node_record_t *node, const char *unit);

#endif
