/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is different in Slurm 25.11: see slurm/compat.h. */
#ifndef TORUS_COMPAT_SLURM_25_11_H
#define TORUS_COMPAT_SLURM_25_11_H

#include "compat/since_25_11.h"
#include "compat/until_25_11.h"

#define SELECT_SYMBOLS_OF_RELEASE(FORWARD, HOOK)

#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	TOPOLOGY_SYMBOLS_SINCE_25_11(FORWARD, DECIDE, OWN)

#endif
