/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the subcommands that work beside a running Slurm find its torus.conf. */
#include "torus_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_filter/registered.h"
#include "machine/registration.h"
#include "storus/cli/conf.h"
#include "storus/cli/slurm.h"

#ifdef HAVE_LIBSLURM
static char *beside_slurm_conf(torus_error_t *err)
{
	storus_slurm_start();
	return storus_slurm_torus_conf(err);
}

int storus_conf_register(torus_cluster_t *cluster, torus_error_t *err)
{
	if (!torus_cluster_is_open(cluster))
		return 0;
	storus_slurm_start();
	return torus_register_from_slurm(cluster, err);
}
#else
int storus_conf_register(torus_cluster_t *cluster, torus_error_t *err)
{
	return torus_cluster_is_open(cluster)
		       ? torus_fail(err, "built without Slurm's library: where the nodes of a "
					 "torus by registration are is not known")
		       : 0;
}

static char *beside_slurm_conf(torus_error_t *err)
{
	torus_fail(err, "built without Slurm's library: --conf is needed");
	return NULL;
}
#endif

char *storus_conf_path(const char *given, torus_error_t *err)
{
	const char *variable = getenv("STORUS_CONF");
	char *path;

	if (!given && variable && *variable)
		given = variable;
	if (given) {
		path = strdup(given);
		if (!path)
			torus_fail(err, "out of memory");
		return path;
	}
	path = beside_slurm_conf(err);
	if (path && access(path, R_OK) != 0) {
		/* Slurm itself needs the file on slurmctld's host only. */
		torus_fail(err,
			   "cannot read '%s': %s; copy torus.conf there, or to where all "
			   "nodes see it and name it in the environment variable "
			   "STORUS_CONF",
			   path, strerror(errno));
		free(path);
		path = NULL;
	}
	if (!path)
		torus_fail_prefix(err, "--conf not given: ");
	return path;
}
