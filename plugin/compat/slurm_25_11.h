/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 25.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_25_11_H
#define TORUS_COMPAT_SLURM_25_11_H

#include "compat/since_24_11.h"

#define EMPTY_ROWS_COUNT false

/* The job's record has what is left of hierarchical resources of mode 3. */
#define JOB_HAS_HRES
#include "src/slurmctld/licenses.h"

/* A limit of nodes in the job's record is one that was asked for. */
#define IMPLIED_MAX_NODES_FLAG 0

/*
 * Only the configured select plugin is loaded, and Slurm knows by this number that cores
 * and GRES are counted, as they are by select/cons_tres below.
 */
#define SELECT_PLUGIN_ID(own) SELECT_PLUGIN_CONS_TRES

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)

#include "compat/step_until_25_11.h"

#define READS_TOPOLOGY_YAML true

#define TOPOLOGY_HEADER "compat/topology_25_11.h"

/* The nodes of a segment of the job, as far as clients learn of it. */
#define JOB_SEGMENT_SIZE(info) ((uint32_t)(info)->segment_size)

#endif
