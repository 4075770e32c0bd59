/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether Slurm's records are laid out as in the headers that we were built with. */
#ifndef TORUS_RECORD_H
#define TORUS_RECORD_H

#include "slurm/compat.h"

/*
 * Whether [job] (NULL: no) carries Slurm's marks where our headers have them. If not,
 * nothing in it can be trusted, and nothing must be written to it; the first time the log
 * says so.
 */
bool record_is_job(const job_record_t *job);

/*
 * At the plugin's start: warn in slurmctld's log if the plugin was built for a release of
 * Slurm that it was never tested with (configure --enable-untested-slurm).
 */
void record_warn_if_untested(void);

#endif
