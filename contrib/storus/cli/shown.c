/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the subcommands that draw the machine have it and its jobs from. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "conf/torus_conf.h"
#include "storus/cli/conf.h"
#include "storus/cli/shown.h"
#include "storus/cli/slurm.h"
#include "storus/cli/slurm_jobs.h"

/* Read torus.conf again, unless *cluster is what it still says. */
static int renew(const char *path, torus_cluster_t **cluster, torus_error_t *error)
{
	if (*cluster && torus_conf_unchanged(*cluster, path))
		return 0;
	torus_cluster_destroy(*cluster);
	*cluster = torus_conf_read(path, error);
	return *cluster ? 0 : -1;
}

#ifdef HAVE_LIBSLURM
static int load_slurm(const char *conf, storus_jobs_t *jobs, torus_cluster_t **cluster,
		      torus_error_t *error)
{
	char *path = storus_conf_path(conf, error);
	int rc;

	if (!path)
		return -1;
	rc = renew(path, cluster, error);
	free(path);
	if (rc != 0)
		return -1;
	storus_slurm_start();
	storus_slurm_warn_of_yaml();
	if (storus_conf_register(*cluster, error))
		return -1;
	return storus_slurm_jobs(jobs, error);
}

int storus_shown_hide_private(storus_jobs_t *jobs, bool hide, bool *hides,
			      torus_error_t *err)
{
	return storus_slurm_private(jobs, hide, hides, err);
}

char *storus_shown_partition_nodes(const char *names, torus_error_t *err)
{
	return storus_slurm_partition_nodes(names, err);
}
#else
static int load_slurm(const char *conf, storus_jobs_t *jobs, torus_cluster_t **cluster,
		      torus_error_t *error)
{
	(void)conf;
	(void)jobs;
	(void)cluster;
	return torus_fail(error,
			  "built without Slurm's library: only --jobs FILE can be shown");
}

int storus_shown_hide_private(storus_jobs_t *jobs, bool hide, bool *hides,
			      torus_error_t *err)
{
	(void)jobs;
	(void)hide;
	(void)err;
	*hides = false;
	return 0;
}

char *storus_shown_partition_nodes(const char *names, torus_error_t *err)
{
	(void)names;
	torus_fail(err, "built without Slurm's library");
	return NULL;
}
#endif

static int load_file(const char *conf, const char *path, storus_jobs_t *jobs,
		     torus_cluster_t **cluster, torus_error_t *error)
{
	return storus_jobs_read(path, jobs, error) == 0 ? renew(conf, cluster, error)
							: -1;
}

int storus_shown_again(const char *conf, const char *path, storus_jobs_t *jobs,
		       torus_cluster_t **cluster, torus_error_t *err)
{
	int rc;

	memset(jobs, 0, sizeof(*jobs));
	rc = path ? load_file(conf, path, jobs, cluster, err)
		  : load_slurm(conf, jobs, cluster, err);
	if (rc != 0)
		storus_jobs_clear(jobs);
	return rc;
}

int storus_shown_load(const char *conf, const char *path, storus_jobs_t *jobs,
		      torus_cluster_t **cluster, torus_error_t *err)
{
	int rc;

	*cluster = NULL;
	rc = storus_shown_again(conf, path, jobs, cluster, err);
	if (rc != 0) {
		torus_cluster_destroy(*cluster);
		*cluster = NULL;
	}
	return rc;
}
