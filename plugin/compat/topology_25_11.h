/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The topology plugin in Slurm 25.11. */
#ifndef TORUS_COMPAT_TOPOLOGY_25_11_H
#define TORUS_COMPAT_TOPOLOGY_25_11_H

#include "compat/topology_since_25_11.h"

#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	TOPOLOGY_SYMBOLS_SINCE_25_11(FORWARD, DECIDE, OWN)

#endif
