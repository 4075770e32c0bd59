/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What topology plugins have in the same form from release 23.11 up to 24.11. */
#ifndef TORUS_COMPAT_TOPOLOGY_UNTIL_24_11_H
#define TORUS_COMPAT_TOPOLOGY_UNTIL_24_11_H

#include "src/interfaces/topology.h"

#define TOPOLOGY_DELEGATE "topology/default"
#define TOPOLOGY_VARIABLES

#define TOPOLOGY_SYMBOLS_SINCE_23_11(FORWARD, OWN)                                       \
	OWN(int, topology_p_build_config, (void), topology_build())                      \
	OWN(bool, topology_p_generate_node_ranking, (void), NODES_ARE_RANKED)            \
	OWN(int, topology_p_get_node_addr,                                               \
	    (char *node_name, char **addr, char **pattern),                              \
	    topology_address(node_name, addr, pattern))                                  \
	FORWARD(int, topology_p_split_hostlist,                                          \
		(hostlist_t * hl, hostlist_t * **sp_hl, int *count,                      \
		 uint16_t tree_width),                                                   \
		(hl, sp_hl, count, tree_width))

/* From 24.05 on, where the plugin also chooses nodes and is shown by scontrol. */
#define TOPOLOGY_SYMBOLS_SINCE_24_05(FORWARD, DECIDE, OWN)                               \
	TOPOLOGY_SYMBOLS_SINCE_23_11(FORWARD, OWN)                                       \
	DECIDE(int, topology_p_eval_nodes, (topology_eval_t * topo_eval), (topo_eval))   \
	OWN(int, topology_p_whole_topo, (bitstr_t * node_mask),                          \
	    topology_add_whole_tori(node_mask))                                          \
	OWN(int, topology_p_topology_free, (void *topoinfo),                             \
	    topology_info_free(topoinfo))                                                \
	OWN(int, topology_p_get, (topology_data_t type, void *data),                     \
	    topology_get_data(type, data))                                               \
	OWN(int, topology_p_topology_pack,                                               \
	    (void *topoinfo, buf_t *buffer, uint16_t protocol_version),                  \
	    topology_info_pack(topoinfo, buffer, protocol_version))                      \
	OWN(int, topology_p_topology_print,                                              \
	    (void *topoinfo, char *nodes_list, char **out),                              \
	    topology_info_print(topoinfo, nodes_list, NULL, out))                        \
	OWN(int, topology_p_topology_unpack,                                             \
	    (void **topoinfo, buf_t *buffer, uint16_t protocol_version),                 \
	    topology_info_unpack(topoinfo, buffer, protocol_version))

#endif
