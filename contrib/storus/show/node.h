/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One node: where it is, who has it, and what keeps it from jobs. */
#ifndef STORUS_SHOW_NODE_H
#define STORUS_SHOW_NODE_H

#include <stdio.h>

#include "machine/cluster.h"
#include "storus/cli/jobs.h"
#include "storus/cli/output.h"

/* Print the record of the node called [name], which a torus has. Returns 0, or -1 with
 * [err] filled. */
int storus_show_node(FILE *file, storus_format_t format, const torus_cluster_t *cluster,
		     const storus_jobs_t *jobs, const char *name, torus_error_t *err);

#endif
