/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tori as Slurm's topology/torus3d would be told of them: "scontrol show topoconf".
 */
#ifndef TORUS_TOPOLOGY_AS_TORUS3D_H
#define TORUS_TOPOLOGY_AS_TORUS3D_H

#include "slurm/compat.h"

#ifdef TOPOLOGY_SHOWS_TORUS3D

/*
 * Fill in what Slurm prints of [context], the topology of TopologyPlugin=: the tori of up
 * to three dimensions with at most a node a router, in the words of topology.yaml, a
 * torus with holes by regions. The others are left out; without any left nothing is
 * filled in. Slurm frees it.
 */
void topology_show_as_torus3d(topology_ctx_t *context);

#endif
#endif
