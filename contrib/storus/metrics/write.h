/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All metrics of a machine and its jobs as OpenMetrics text; storus-metrics(1) describes
 * them. */
#ifndef STORUS_METRICS_WRITE_H
#define STORUS_METRICS_WRITE_H

#include <stdio.h>

#include "machine/cluster.h"
#include "decide/tally.h"
#include "storus/cli/jobs.h"

/* What a server of the text has to call it. */
#define STORUS_METRICS_CONTENT_TYPE                                                      \
	"application/openmetrics-text; version=1.0.0; charset=utf-8"

/*
 * Write the metrics of [cluster] with [jobs] on it at the time [now] (seconds since
 * 1970), [free_list] being that of storus_room_open() and [decisions] what the plugin
 * has decided (NULL: not known; see decisions.h). Returns 0, with the whole text
 * written, whose errors are in the state of [file]; or -1 with [err] filled (memory, a
 * list that cannot be read) and nothing written.
 */
int storus_metrics_write(FILE *file, const torus_cluster_t *cluster,
			 const storus_jobs_t *jobs, const char *free_list, int64_t now,
			 const torus_tally_t *decisions, torus_error_t *err);

#endif
