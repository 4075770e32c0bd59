/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 23.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_23_11_H
#define TORUS_COMPAT_SLURM_23_11_H

#include "compat/since_23_11.h"
#include "compat/until_23_11.h"

#define EMPTY_ROWS_COUNT true

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK) SELECT_SYMBOLS_OF_CLIENTS(FORWARD)

#define TOPOLOGY_HEADER "compat/topology_23_11.h"

#endif
