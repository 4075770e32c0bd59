/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 25.05: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_25_05_H
#define TORUS_COMPAT_SLURM_25_05_H

#include "compat/since_24_11.h"
#include "compat/until_25_05.h"

#define EMPTY_ROWS_COUNT true

/*
 * Only the configured select plugin is loaded, and Slurm knows by this number that cores
 * and GRES are counted, as they are by select/cons_tres below.
 */
#define SELECT_PLUGIN_ID(own) SELECT_PLUGIN_CONS_TRES

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)

#include "compat/step_until_25_11.h"

#define READS_TOPOLOGY_YAML true

#define TOPOLOGY_HEADER "compat/topology_25_05.h"

/* The nodes of a segment of the job, as far as clients learn of it. */
#define JOB_SEGMENT_SIZE(info) ((uint32_t)(info)->segment_size)

#endif
