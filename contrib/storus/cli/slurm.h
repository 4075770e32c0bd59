/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of every talk with a running Slurm. */
#ifndef STORUS_CLI_SLURM_H
#define STORUS_CLI_SLURM_H

#include "base/error.h"

/*
 * Make Slurm's library ready, before any other call of it; again does nothing. A Slurm
 * that has no configuration at all ends the process (Slurm's own message on standard
 * error), with STORUS_BAD.
 */
void storus_slurm_start(void);

/*
 * The path of torus.conf: the directory of slurm.conf ($SLURM_CONF, else what slurmctld
 * says). malloc'ed; NULL with [err] filled when slurmctld cannot be asked.
 */
char *storus_slurm_torus_conf(torus_error_t *err);

#endif
