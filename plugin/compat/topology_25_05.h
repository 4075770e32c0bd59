/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The topology plugin in Slurm 25.05. */
#ifndef TORUS_COMPAT_TOPOLOGY_25_05_H
#define TORUS_COMPAT_TOPOLOGY_25_05_H

#include "compat/topology_since_25_05.h"

#define TOPOLOGY_SYMBOLS(FORWARD, DECIDE, OWN)                                           \
	TOPOLOGY_SYMBOLS_SINCE_25_05(FORWARD, DECIDE, OWN, topology)

#endif
