/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What asking a running Slurm begins with. */
#ifndef STORUS_CLI_SLURM_H
#define STORUS_CLI_SLURM_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Make Slurm's library ready, before any other call of it; further calls do nothing.
 * Where there is no configuration of Slurm at all, the process ends with STORUS_BAD,
 * after Slurm's own message on standard error.
 */
void storus_slurm_start(void);

/*
 * The path of torus.conf: the directory of slurm.conf ($SLURM_CONF, else what slurmctld
 * says). malloc'ed; NULL with [err] filled when slurmctld cannot be asked.
 */
char *storus_slurm_torus_conf(torus_error_t *err);

/*
 * The path of a file in slurmctld's StateSaveLocation, whether it is there or not.
 * malloc'ed; NULL with [err] filled when slurmctld cannot be asked.
 */
char *storus_slurm_state_file(const char *name, torus_error_t *err);

/* Free what slurm_load_jobs() or slurm_load_job() has answered; NULL does nothing. */
struct job_info_msg;
void storus_slurm_free_jobs(struct job_info_msg *answer);

/* Whether jobs can run on a node, libslurm's node_info_t: it is up, and neither drained
 * nor failing nor silent. */
struct node_info;
bool storus_slurm_node_usable(const struct node_info *node);

#endif
