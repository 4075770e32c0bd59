/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The topology plugin in Slurm 24.05. */
#ifndef TORUS_COMPAT_TOPOLOGY_24_05_H
#define TORUS_COMPAT_TOPOLOGY_24_05_H

#include "compat/topology_since_24_05.h"
#include "compat/topology_until_24_11.h"

#define TOPOLOGY_SYMBOLS TOPOLOGY_SYMBOLS_SINCE_24_05

#endif
