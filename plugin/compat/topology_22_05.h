/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The topology plugin in Slurm 22.05 and 23.02, which ask for three functions only. */
#ifndef TORUS_COMPAT_TOPOLOGY_22_05_H
#define TORUS_COMPAT_TOPOLOGY_22_05_H

#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	OWN(int, topo_build_config, (void), topology_build())                            \
	OWN(bool, topo_generate_node_ranking, (void), NODES_ARE_RANKED)                  \
	OWN(int, topo_get_node_addr, (char *node_name, char **addr, char **pattern),     \
	    topology_address(node_name, addr, pattern))

#define TOPOLOGY_VARIABLES

#endif
