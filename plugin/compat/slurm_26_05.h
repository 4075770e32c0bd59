/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 26.05: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_26_05_H
#define TORUS_COMPAT_SLURM_26_05_H

#include "compat/since_24_11.h"

#define EMPTY_ROWS_COUNT false

/* The job's record has what is left of hierarchical resources of mode 3. */
#define JOB_HAS_HRES
#include "src/slurmctld/licenses.h"

/* Marks jobs that asked for no number of nodes, and must not get more than tasks. */
#define IMPLIED_MAX_NODES_FLAG JOB_IMPLICIT_MAX_NODES

/*
 * Only the configured select plugin is loaded, and Slurm knows by this number that cores
 * and GRES are counted, as they are by select/cons_tres below.
 */
#define SELECT_PLUGIN_ID(own) SELECT_PLUGIN_CONS_TRES

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

#define READS_TOPOLOGY_YAML true

#define TOPOLOGY_HEADER "compat/topology_26_05.h"

/* The nodes of a segment of the job, as far as clients learn of it. */
#define JOB_SEGMENT_SIZE(info) ((uint32_t)(info)->segment_size)

#endif
