/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form from release 25.05 on: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SINCE_25_05_H
#define TORUS_COMPAT_SINCE_25_05_H

#include "src/interfaces/topology.h"

#include "compat/since_24_11.h"

/*
 * Only the configured select plugin is loaded, and Slurm knows by this number that cores
 * and GRES are counted, as they are by select/cons_tres below.
 */
#define SELECT_PLUGIN_ID(own) SELECT_PLUGIN_CONS_TRES

#define READS_TOPOLOGY_YAML true

/* The nodes of a segment of the job, as far as clients learn of it. */
#define JOB_SEGMENT_SIZE(info) ((uint32_t)(info)->segment_size)

/*
 * There may be several topologies side by side, each with a context. Ours is the only one
 * of its cluster and keeps nothing there.
 */
#define TOPOLOGY_DELEGATE "topology/flat"

/* Nodes have a place in a topology by their own configuration, and may be moved. */
#define TOPOLOGY_MOVES_NODES

/* The context is handed to every function, whatever it does. */
#define TOPOLOGY_UNUSED __attribute__((unused))

/* [info] is what "scontrol show topology" is about, in the names of its functions. */
#define TOPOLOGY_SYMBOLS_SINCE_25_05(FORWARD, DECIDE, OWN, info)                         \
	OWN(int, topology_p_add_rm_node,                                                 \
	    (node_record_t * node_ptr, char *unit,                                       \
	     TOPOLOGY_UNUSED topology_ctx_t *tctx),                                      \
	    topology_move_node(node_ptr, unit))                                          \
	OWN(int, topology_p_build_config, (topology_ctx_t * tctx),                       \
	    topology_build_context(tctx))                                                \
	FORWARD(int, topology_p_destroy_config, (topology_ctx_t * tctx), (tctx))         \
	DECIDE(int, topology_p_eval_nodes, (topology_eval_t * topo_eval), (topo_eval))   \
	OWN(int, topology_p_whole_topo,                                                  \
	    (bitstr_t * node_mask, TOPOLOGY_UNUSED void *tctx),                          \
	    topology_add_whole_tori(node_mask))                                          \
	OWN(bitstr_t *, topology_p_get_bitmap, (char *name, TOPOLOGY_UNUSED void *tctx), \
	    topology_nodes_of(name))                                                     \
	OWN(bool, topology_p_generate_node_ranking,                                      \
	    (TOPOLOGY_UNUSED topology_ctx_t * tctx), NODES_ARE_RANKED)                   \
	OWN(int, topology_p_get_node_addr,                                               \
	    (char *node_name, char **addr, char **pattern, TOPOLOGY_UNUSED void *tctx),  \
	    topology_address(node_name, addr, pattern))                                  \
	FORWARD(int, topology_p_split_hostlist,                                          \
		(hostlist_t * hl, hostlist_t * **sp_hl, int *count, uint16_t tree_width, \
		 void *tctx),                                                            \
		(hl, sp_hl, count, tree_width, tctx))                                    \
	OWN(int, topology_p_get,                                                         \
	    (topology_data_t type, void *data, TOPOLOGY_UNUSED void *tctx),              \
	    topology_get_data(type, data))                                               \
	OWN(int, topology_p_##info##_free, (void *topoinfo),                             \
	    topology_info_free(topoinfo))                                                \
	OWN(int, topology_p_##info##_pack,                                               \
	    (void *topoinfo, buf_t *buffer, uint16_t protocol_version),                  \
	    topology_info_pack(topoinfo, buffer, protocol_version))                      \
	OWN(int, topology_p_##info##_print,                                              \
	    (void *topoinfo, char *nodes_list, char *unit, char **out),                  \
	    topology_info_print(topoinfo, nodes_list, unit, out))                        \
	OWN(int, topology_p_##info##_unpack,                                             \
	    (void **topoinfo, buf_t *buffer, uint16_t protocol_version),                 \
	    topology_info_unpack(topoinfo, buffer, protocol_version))                    \
	OWN(uint32_t, topology_p_get_fragmentation,                                      \
	    (bitstr_t * node_mask, TOPOLOGY_UNUSED void *tctx),                          \
	    topology_fragmentation(node_mask))

/* A job can have a whole torus for itself: --exclusive=topo. */
#define TOPOLOGY_VARIABLES                                                               \
	extern const bool supports_exclusive_topo;                                       \
	const bool supports_exclusive_topo = true;

#endif
