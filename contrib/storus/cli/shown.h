/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the subcommands that draw the machine have it and its jobs from. */
#ifndef STORUS_CLI_SHOWN_H
#define STORUS_CLI_SHOWN_H

#include <stdbool.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "storus/cli/jobs.h"

/* The option --jobs, of a text. */
#define STORUS_JOBS_OPTION(text_)                                                        \
	{                                                                                \
		"jobs", "FILE",                                                          \
			"jobs from a file instead of Slurm, `JOB HOSTLIST "              \
			"[NAME=VALUE...]` a line; -: the standard input; needs --conf",  \
			.text = (text_)                                                  \
	}

/*
 * Read the machine from [conf] (--conf; NULL: as storus_conf_path() finds it) and the
 * jobs from the file [path] (--jobs), or with NULL both from the running Slurm. On
 * success *jobs is to be cleared with storus_jobs_clear() and *cluster to be destroyed.
 * Returns 0, or -1 with [err] filled; then *jobs is empty and *cluster is NULL.
 */
int storus_shown_load(const char *conf, const char *path, storus_jobs_t *jobs,
		      torus_cluster_t **cluster, torus_error_t *err);

/*
 * The same for those who look again and again: *cluster is NULL at the first look, and
 * then stays what it is as long as torus.conf and the files it names do, since making the
 * curves takes longer than all else. It is the caller's, to be destroyed at the end,
 * whatever this returns; NULL if torus.conf can no longer be read.
 */
int storus_shown_again(const char *conf, const char *path, storus_jobs_t *jobs,
		       torus_cluster_t **cluster, torus_error_t *err);

/*
 * After storus_shown_load() from the running Slurm: as storus_slurm_private() does. In a
 * build without Slurm's library, *hides is false.
 */
int storus_shown_hide_private(storus_jobs_t *jobs, bool hide, bool *hides,
			      torus_error_t *err);

/* The same: as storus_slurm_partition_nodes() does. */
char *storus_shown_partition_nodes(const char *names, torus_error_t *err);

#endif
