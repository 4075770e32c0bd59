/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's nodes in the order of the curve. slurmctld's table of nodes stays in the order
 * of their names.
 */
#ifndef TORUS_TOPOLOGY_ORDER_H
#define TORUS_TOPOLOGY_ORDER_H

#include "slurm/compat.h"

/*
 * The order in which the nodes of a job get its tasks: along the curve, on a ring from
 * the first node after the largest gap, torus by torus, nodes on no torus last.
 * *node_rank receives an xmalloc()ed array with a number for each set bit of [nodes] in
 * ascending order, and *size how many they are; the tasks go by ascending numbers. Their
 * upper 16 bits say which torus it is. NULL and 0, Slurm's own order, for no nodes and
 * for more than 65536 of them.
 */
int topology_order_tasks(const bitstr_t *nodes, uint32_t **node_rank, uint32_t *size);

/* How broken up the [nodes] are, see metrics/fragments.h, summed over the tori. */
uint32_t topology_fragmentation(const bitstr_t *nodes);

#endif
