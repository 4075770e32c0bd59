/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine and its jobs as data for the page: docs/view.md describes the fields. */
#ifndef STORUS_VIEW_MACHINE_JSON_H
#define STORUS_VIEW_MACHINE_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "conf/racks.h"
#include "storus/cli/view.h"

typedef enum storus_times {
	STORUS_NOW,   /* the jobs run at one moment */
	STORUS_LOG,   /* each from its start to its end, in the seconds of a log */
	STORUS_DATES, /* the same in seconds since 1970 */
} storus_times_t;

/*
 * The data of [view], seen at [time] (seconds since 1970), with [racks] where its nodes
 * stand ({0}: not known). The caller releases it with json_decref(). [times] says what
 * the times of jobs are. NULL with [err] filled: memory.
 */
json_t *storus_machine_json(const storus_view_t *view, const torus_racks_t *racks,
			    int64_t time, storus_times_t times, torus_error_t *err);

#endif
