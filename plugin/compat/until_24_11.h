/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm has in the same form up to release 24.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_UNTIL_24_11_H
#define TORUS_COMPAT_UNTIL_24_11_H

#include "compat/until_25_05.h"

/* Clients find by this number the plugin that unpacks the node information of a message,
 * and all select plugins are loaded side by side: one that no plugin of Slurm's has. */
#define SELECT_PLUGIN_ID(own) (own)

#define READS_TOPOLOGY_YAML false

/* The nodes of a segment of the job, as far as clients learn of it. */
#define JOB_SEGMENT_SIZE(info) ((void)(info), 0)

#endif
