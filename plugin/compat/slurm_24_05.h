/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 24.05: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_24_05_H
#define TORUS_COMPAT_SLURM_24_05_H

#include "compat/since_24_05.h"
#include "compat/topology_until_24_11.h"
#include "compat/until_24_05.h"

#define EMPTY_ROWS_COUNT true

/* What Slurm's own plugins say of segments that a job can not have. */
#define SEGMENTS_UNAVAILABLE ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK) SELECT_SYMBOLS_OF_CLIENTS(FORWARD)

#define TOPOLOGY_SYMBOLS TOPOLOGY_SYMBOLS_SINCE_24_05

#endif
