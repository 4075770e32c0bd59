/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The topology plugin in Slurm 26.05. */
#ifndef TORUS_COMPAT_TOPOLOGY_26_05_H
#define TORUS_COMPAT_TOPOLOGY_26_05_H

#include "compat/topology_since_25_11.h"

/* "scontrol show topoconf" has words for a torus. */
#define TOPOLOGY_SHOWS_TORUS3D

#define TOPOLOGY_TEST_NODE(plugin) ((plugin).topology_p_eval_node)

/*
 * The ranks of a job's nodes stay Slurm's: by them it would also look for the nodes of
 * steps that take part of their job, where srun -r leaves out the first nodes by name.
 * cli_filter/torus orders the steps that use all nodes.
 *
 * For a job that may have a single node only Slurm asks eval_node() of one after the
 * other, unless the plugin wants to see them all: ours does, where it chooses.
 */
#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	TOPOLOGY_SYMBOLS_SINCE_25_11(FORWARD, DECIDE, OWN)                               \
	OWN(bool, topology_p_allow_one_node, (TOPOLOGY_UNUSED void *tctx),               \
	    select_torus_decides())                                                      \
	FORWARD(int, topology_p_eval_node, (topology_eval_t * topo_eval, int node_inx),  \
		(topo_eval, node_inx))                                                   \
	FORWARD(int, topology_p_get_rank,                                                \
		(bitstr_t * node_bitmap, uint32_t * *node_rank, uint32_t * size,         \
		 void *tctx),                                                            \
		(node_bitmap, node_rank, size, tctx))

#endif
