/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests: with the environment variable TORUS_CHECK_USABLE set in slurmctld, each
 * answer of usable_filter() is compared with that of the slow, obvious way, a walk over
 * all jobs. For a job of one node that may start now it is also compared, together with
 * that of usable_filter_row(), with what Slurm's plugin says to each node alone. A line
 * "select/torus: usable: ..." is logged for each answer, and an error for each node that
 * differs.
 */
#ifndef TORUS_USABLE_CHECK_H
#define TORUS_USABLE_CHECK_H

#include "slurm/compat.h"

/* A copy of [nodes] for usable_check_end(); NULL when nothing is to be checked. */
bitstr_t *usable_check_begin(const bitstr_t *nodes);

/*
 * Compare [kept], what usable_filter() has left of [offered] for a start at [when] (0:
 * now), and free [offered]. Nothing when that is NULL.
 */
void usable_check_end(bitstr_t *offered, const bitstr_t *kept, const job_record_t *job,
		      uint32_t count, time_t when);

#endif
