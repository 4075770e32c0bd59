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

#ifdef HAVE_LIBSLURM
static int load_slurm(const char *conf, storus_jobs_t *jobs, torus_cluster_t **cluster,
		      torus_error_t *error)
{
	char *path = storus_conf_path(conf, error);

	if (!path)
		return -1;
	*cluster = torus_conf_read(path, error);
	free(path);
	if (!*cluster)
		return -1;
	storus_slurm_start();
	storus_slurm_warn_of_yaml();
	return storus_slurm_jobs(jobs, error);
}

int storus_shown_hide_private(storus_jobs_t *jobs, bool hide, bool *hides,
			      torus_error_t *err)
{
	return storus_slurm_private(jobs, hide, hides, err);
}

int storus_shown_reservations(storus_jobs_t *jobs, torus_error_t *err)
{
	return storus_slurm_reservations(jobs, err);
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

int storus_shown_reservations(storus_jobs_t *jobs, torus_error_t *err)
{
	(void)jobs;
	(void)err;
	return 0;
}
#endif

static int load_file(const char *conf, const char *path, storus_jobs_t *jobs,
		     torus_cluster_t **cluster, torus_error_t *error)
{
	if (storus_jobs_read(path, jobs, error) != 0)
		return -1;
	*cluster = torus_conf_read(conf, error);
	return *cluster ? 0 : -1;
}

int storus_shown_load(const char *conf, const char *path, storus_jobs_t *jobs,
		      torus_cluster_t **cluster, torus_error_t *err)
{
	int rc;

	memset(jobs, 0, sizeof(*jobs));
	*cluster = NULL;
	rc = path ? load_file(conf, path, jobs, cluster, err)
		  : load_slurm(conf, jobs, cluster, err);
	if (rc != 0) {
		storus_jobs_clear(jobs);
		torus_cluster_destroy(*cluster);
		*cluster = NULL;
	}
	return rc;
}
