/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 24.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_24_11_H
#define TORUS_COMPAT_SLURM_24_11_H

#include "compat/since_24_11.h"
#include "compat/until_25_05.h"

#define EMPTY_ROWS_COUNT true

/*
 * A number that no plugin of Slurm's own has: clients find by it the plugin that unpacks
 * the node information of a message, and all select plugins are loaded side by side.
 */
#define SELECT_PLUGIN_ID(own) (own)

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK) SELECT_SYMBOLS_OF_CLIENTS(FORWARD)

#include "compat/step_until_25_11.h"

#define READS_TOPOLOGY_YAML false

#define TOPOLOGY_HEADER "compat/topology_24_11.h"

/* The nodes of a segment of the job, as far as clients learn of it. */
#define JOB_SEGMENT_SIZE(info) ((void)(info), 0)

#endif
