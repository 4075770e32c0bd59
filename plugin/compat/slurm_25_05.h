/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 25.05: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_25_05_H
#define TORUS_COMPAT_SLURM_25_05_H

#include "compat/since_25_05.h"
#include "compat/until_25_05.h"

#define EMPTY_ROWS_COUNT true

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)

#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	TOPOLOGY_SYMBOLS_SINCE_25_05(FORWARD, DECIDE, OWN, topology)

#endif
