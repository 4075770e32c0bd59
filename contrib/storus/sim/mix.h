/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What logs do not say of their jobs: which ask for a box, and which may be requeued. */
#ifndef STORUS_SIM_MIX_H
#define STORUS_SIM_MIX_H

#include <stdint.h>

#include "machine/map.h"
#include "sim/workload.h"

/*
 * Make a share [boxes] (0 to 1) of the jobs with two nodes or more, that ask for no box,
 * ask for the most cube-like one of [map] with room for their nodes, and a share
 * [preemptible] of those without a box preemptible. A job's luck depends on [seed] and
 * its place in the workload only: a larger share takes in a smaller one. Jobs larger than
 * the torus stay as they are.
 */
void storus_mix(torus_workload_t *workload, const torus_map_t *map, double boxes,
		double preemptible, uint64_t seed);

#endif
