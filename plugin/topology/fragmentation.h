/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How broken up sets of nodes are. */
#ifndef TORUS_TOPOLOGY_FRAGMENTATION_H
#define TORUS_TOPOLOGY_FRAGMENTATION_H

#include "slurm/compat.h"

/*
 * What Slurm's experimental bf_topopt_enable compares: for nodes that are all but those
 * of a job how scattered the job is, a hundred times the mean hops between two of its
 * nodes on a torus, summed over the tori. docs/from-torus3d.md has what that is worth.
 */
uint32_t topology_fragmentation(const bitstr_t *nodes);

#endif
