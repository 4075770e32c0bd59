/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 26.05: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_26_05_H
#define TORUS_COMPAT_SLURM_26_05_H

#include "compat/since_25_11.h"

/* Marks jobs that asked for no number of nodes, and must not get more than tasks. */
#define IMPLIED_MAX_NODES_FLAG JOB_IMPLICIT_MAX_NODES

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)                                         \
	FORWARD(void, select_p_job_mem_reduce, (job_record_t * job_ptr), (job_ptr))

/* A kind of step that there is from 26.05 on. */
#define STEP_IS_ASYNCHRONOUS(srun) ((srun)->async)

/* Whether the topology plugin has given the job's nodes an order for its tasks. */
#define JOB_HAS_ORDER(resources) ((resources)->node_ranks != NULL)

/* How slurm_load_job() is told which job. */
#define JOB_TO_LOAD(id)                                                                  \
	((slurm_step_id_t){.job_id = (id), .step_het_comp = NO_VAL, .step_id = NO_VAL})

/* A request for a layout has an entry a node. */
#define LAYOUT_SET_REPETITIONS(request, once) ((void)(once))

/* What a job waits for that could have as many nodes: squeue's reason says so. */
#define WAITS_FOR_PLACE ESLURM_TOPO_NO_FIT
#define WAITS_FOR_SEGMENTS ESLURM_TOPO_SEGMENT_NO_FIT

/* "scontrol show topoconf" has words for a torus. */
#define TOPOLOGY_SHOWS_TORUS3D

/* A slurmd's place is looked at after a boot only, so that an update is told from it. */
#define TOPOLOGY_TELLS_UPDATES

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
