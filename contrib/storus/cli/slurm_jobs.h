/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs and the nodes of a running Slurm. */
#ifndef STORUS_CLI_SLURM_JOBS_H
#define STORUS_CLI_SLURM_JOBS_H

#include <stdbool.h>

#include "base/error.h"
#include "storus/cli/jobs.h"

/*
 * After storus_slurm_start(), load all jobs that hold nodes (running and suspended jobs
 * are listed, completing ones are not), those that wait, the nodes, the reservations, and
 * what storus_jobs_add_hidden() adds. On success *jobs is to be cleared with
 * storus_jobs_clear(). Returns 0, or -1 with [err] filled; then *jobs is empty.
 */
int storus_slurm_jobs(storus_jobs_t *jobs, torus_error_t *err);

/*
 * After storus_slurm_jobs(), mark the jobs that Slurm may preempt for others: with
 * PreemptType=preempt/partition_prio those in a partition that does not switch it off and
 * is not of the highest PriorityTier. With other PreemptTypes none is marked: what
 * preempt/qos would do stands in slurmdbd. Returns 0, or -1 with [err] filled.
 */
int storus_slurm_mark_preemptible(storus_jobs_t *jobs, torus_error_t *err);

/*
 * After storus_slurm_start(), add the reservations of nodes, also those that lie ahead.
 * Those of weekdays and weekends count as daily, so that no day is missed. Returns 0, or
 * -1 with [err] filled.
 */
int storus_slurm_reservations(storus_jobs_t *jobs, torus_error_t *err);

/*
 * After storus_slurm_start(), the nodes of the partitions in the list [names], as a
 * hostlist, malloc'ed. NULL with [err] filled.
 */
char *storus_slurm_partition_nodes(const char *names, torus_error_t *err);

/*
 * After storus_slurm_jobs(), ask whether slurm.conf's PrivateData hides jobs or nodes
 * from ordinary users: *hides. With [hide] take out of *jobs what it hides: jobs of
 * others than the user of this process are listed no longer, and keep their nodes, and
 * those of them that wait are gone; where nodes are hidden none is known any more, and
 * where reservations are, they have no names. Returns 0, or -1 with [err] filled.
 */
int storus_slurm_private(storus_jobs_t *jobs, bool hide, bool *hides, torus_error_t *err);

/*
 * After storus_slurm_start(), say on standard error that slurm.conf names topology/torus
 * in vain, if it does, once in a process: where there is a topology.yaml Slurm does not
 * look at TopologyPlugin=.
 */
void storus_slurm_warn_of_yaml(void);

#endif
