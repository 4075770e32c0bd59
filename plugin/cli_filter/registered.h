/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of tori by registration, as commands learn of them: from slurmctld. It
 * needs Slurm's public headers only: storus is compiled with it, too. */
#ifndef TORUS_CLI_FILTER_REGISTERED_H
#define TORUS_CLI_FILTER_REGISTERED_H

#include "machine/registration.h"

/*
 * Put the nodes where slurmctld has them, by one request for all of them; does nothing
 * where no torus of [cluster] is by registration. What they have said is in their features;
 * of two that say the same place slurmctld may have the other one there. Returns 0, or -1
 * with [err] filled: slurmctld does not answer, memory.
 */
int torus_register_from_slurm(torus_cluster_t *cluster, torus_error_t *err);

#endif
