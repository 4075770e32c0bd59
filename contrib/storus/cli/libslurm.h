/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To be included in place of <slurm/slurm.h>: it gives the names of the newest release
 * with every release.
 */
#ifndef STORUS_CLI_LIBSLURM_H
#define STORUS_CLI_LIBSLURM_H

/* Lets functions that take a step from 26.05 on take the number of a job, as before. */
#define SLURM_BACKWARD_COMPAT

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
#define slurm_free_conf slurm_free_ctl_conf
#endif

/* Whether a topology.yaml beside slurm.conf is read, and then TopologyPlugin= is not. */
#define SLURM_READS_TOPOLOGY_YAML (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0))

/*
 * How Slurm lays out the tasks of a step. The header has the types, and the library the
 * function, but no installed header declares it; hence weak.
 */
extern slurm_step_layout_t *slurm_step_layout_create(slurm_step_layout_req_t *request)
	__attribute__((weak));

/* Why a job waits, as squeue prints it; it has the first name before 23.02. The same. */
extern const char *slurm_job_reason_string(enum job_state_reason reason)
	__attribute__((weak));
extern const char *slurm_job_state_reason_string(enum job_state_reason reason)
	__attribute__((weak));

#endif
