/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the subcommands that work beside a running Slurm find its torus.conf. */
#ifndef STORUS_CLI_CONF_H
#define STORUS_CLI_CONF_H

#include "base/error.h"
#include "machine/cluster.h"

/*
 * The torus.conf to read: [given] (--conf) if not NULL, else $STORUS_CONF, else the one
 * beside slurm.conf. malloc'ed; NULL with [err] filled when none was named and slurmctld
 * cannot be asked, or when the file that was not named cannot be read: then the text says
 * what to do about it.
 */
char *storus_conf_path(const char *given, torus_error_t *err);

/*
 * Put the nodes of tori by registration where slurmctld has them. Returns 0, or -1 with
 * [err] filled; does nothing where there is no such torus.
 */
int storus_conf_register(torus_cluster_t *cluster, torus_error_t *err);

#endif
