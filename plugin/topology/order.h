/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which a job's nodes get its tasks, and how broken up sets of nodes are. */
#ifndef TORUS_TOPOLOGY_ORDER_H
#define TORUS_TOPOLOGY_ORDER_H

#include "slurm/compat.h"

/*
 * Slurm's plugin is about to have nodes chosen for [job] (NULL: for nobody known) in this
 * thread, and may then ask for the order of its tasks.
 */
void topology_order_expect(const job_record_t *job);

/*
 * The order in which the nodes of a job get its tasks: torus by torus, nodes on no torus
 * last. On a torus it is that of torus_job_node_order() for what the job says by
 * --network=torus:grid=, if all of its nodes are on one torus, or else for a job that
 * says nothing.
 *
 * *node_rank receives an xmalloc()ed array with a number for each set bit of [nodes] in
 * ascending order, and *size how many they are; the tasks go by ascending numbers. Their
 * upper 16 bits say which torus it is. NULL and 0, Slurm's own order: for no nodes, for
 * more than 65536 of them, for jobs that are only planned, and where tasks are to be
 * packed onto the first nodes.
 */
int topology_order_tasks(const bitstr_t *nodes, uint32_t **node_rank, uint32_t *size);

/*
 * What Slurm's experimental bf_topopt_enable compares: for nodes that are all but those
 * of a job how scattered the job is, a hundred times the mean hops between two of its
 * nodes on a torus, summed over the tori. docs/from-torus3d.md has what that is worth.
 */
uint32_t topology_fragmentation(const bitstr_t *nodes);

#endif
