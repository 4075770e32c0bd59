/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order that slurmctld's table of nodes had when its state was saved.
 *
 * Earlier versions of topology/torus had the table sorted along the curve. What a running
 * job holds of its nodes is saved in the order of the table, without the nodes' names:
 * Slurm reads it in the order of the names now, and takes it for that of others of the
 * same job's nodes. A plugin cannot mend that, but it can tell.
 */
#ifndef TORUS_TOPOLOGY_SAVED_ORDER_H
#define TORUS_TOPOLOGY_SAVED_ORDER_H

#include "slurm/tori.h"

/*
 * At the start of slurmctld, with the [tori] that are in force: compare the order of
 * the nodes in its saved state with that of its table, and log an error if it is another.
 */
void saved_order_read(const tori_t *tori);

/*
 * When the jobs have been restored: log those of which Slurm has what they hold of their
 * nodes in another order now. Nodes that a job has whole are counted right all the same.
 * The caller has locked jobs and nodes; only the first call does anything.
 */
void saved_order_log_jobs(void);

#endif
