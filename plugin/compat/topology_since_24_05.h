/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What topology plugins have in the same form from release 24.05 on. */
#ifndef TORUS_COMPAT_TOPOLOGY_SINCE_24_05_H
#define TORUS_COMPAT_TOPOLOGY_SINCE_24_05_H

#include "src/interfaces/topology.h"

/* Slurm asks the plugin which nodes a job gets. */
#define TOPOLOGY_CHOOSES

#endif
