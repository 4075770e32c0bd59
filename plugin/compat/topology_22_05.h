/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The topology plugin in Slurm 22.05, which asks for three functions only. */
#ifndef TORUS_COMPAT_TOPOLOGY_22_05_H
#define TORUS_COMPAT_TOPOLOGY_22_05_H

#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	OWN(int, topo_build_config, (void), topology_build(NULL))                        \
	OWN(bool, topo_generate_node_ranking, (void), topology_rank_nodes())             \
	OWN(int, topo_get_node_addr, (char *node_name, char **addr, char **pattern),     \
	    topology_address(node_name, addr, pattern))

#define TOPOLOGY_VARIABLES

/* Where the text is that "scontrol show node" prints of the node's place; NULL: this
 * release prints none. */
static inline char **node_place_text(const node_record_t *node)
{
	(void)node;
	return NULL;
}

#endif
