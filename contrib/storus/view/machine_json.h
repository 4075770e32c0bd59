/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine and its jobs as data for the page: docs/view.md describes the fields. */
#ifndef STORUS_VIEW_MACHINE_JSON_H
#define STORUS_VIEW_MACHINE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "storus/view/racks.h"
#include "storus/cli/view.h"

/*
 * The data of [view], seen at [time] (seconds since 1970), with [racks] where its nodes
 * stand ({0}: not known). The caller releases it with json_decref(). NULL with [err]
 * filled: the nodelist of a reservation or of a job that waits cannot be read, memory.
 */
json_t *storus_machine_json(const storus_view_t *view, const torus_racks_t *racks,
			    int64_t time, torus_error_t *err);

/*
 * The same of a history: the listed [jobs] ran at different times, each from its start to
 * its end, in the seconds of a log or, with [dates], in seconds since 1970. NULL with
 * [err] filled: a nodelist that cannot be read, memory.
 */
json_t *storus_history_json(const torus_cluster_t *cluster, const torus_racks_t *racks,
			    const storus_jobs_t *jobs, bool dates, torus_error_t *err);

#endif
