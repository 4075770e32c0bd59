/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A look at the machine for those who look on from a browser. */
#ifndef STORUS_VIEW_SERVE_LOOK_H
#define STORUS_VIEW_SERVE_LOOK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "machine/cluster.h"

/* Where to look, all borrowed. */
typedef struct storus_sight {
	const char *conf;     /* the torus.conf, as storus_shown_again() has it */
	const char *jobs;     /* --jobs; NULL: the running Slurm */
	const char *three_js; /* for pages */
	bool all;	      /* what PrivateData hides, too */
	bool guarded; /* only those get here who show a token or may use a socket */
} storus_sight_t;

typedef struct storus_text {
	char *text; /* malloc'ed */
	size_t size;
} storus_text_t;

/*
 * Look: the machine as machine_json.h has it, with time 0. What slurm.conf's PrivateData
 * hides from ordinary users stays out, unless sight->all: jobs of other users than that
 * of this process hold their nodes without a name, and where nodes are hidden nothing is
 * said of their states. NULL with [err] filled: no torus.conf, no Slurm, memory; or
 * PrivateData hides jobs or nodes and the sight is not guarded, as then every user of
 * this host would see what only this one may. *forbidden says that it was the latter.
 *
 * *cluster is NULL at the first look and for the next ones, as storus_shown_again() has
 * it; to be destroyed at the end.
 *
 * With [metrics] not NULL it is also filled with what storus metrics prints: sums and
 * means over all jobs that Slurm shows to the user of this process, hidden ones, too.
 */
json_t *storus_look(const storus_sight_t *sight, torus_cluster_t **cluster,
		    bool *forbidden, storus_text_t *metrics, torus_error_t *err);

#endif
