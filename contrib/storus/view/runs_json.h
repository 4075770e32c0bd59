/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of a history as data for the page, packed: docs/view.md describes the form. */
#ifndef STORUS_VIEW_RUNS_JSON_H
#define STORUS_VIEW_RUNS_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "machine/cluster.h"
#include "storus/cli/jobs.h"

/*
 * The listed jobs of [jobs] by their start, with what each has on each torus of
 * [cluster]. The caller releases it with json_decref(). NULL with [err] filled: a
 * nodelist that cannot be read, memory.
 */
json_t *storus_runs_json(const torus_cluster_t *cluster, const storus_jobs_t *jobs,
			 torus_error_t *err);

#endif
