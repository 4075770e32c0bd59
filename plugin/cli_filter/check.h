/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job can have what it asks for, before slurmctld is asked. */
#ifndef TORUS_CLI_FILTER_CHECK_H
#define TORUS_CLI_FILTER_CHECK_H

#include "slurm/compat.h"

#include "src/common/slurm_opt.h"

/*
 * Tell the user of a new job why what --network=torus: says cannot be read, or that no
 * torus ever has such a box, and which it has. slurmctld refuses such a job, and only its
 * log says why. Whether the job is submitted is not changed: torus.conf may be another
 * there. Nothing is said of jobs for other clusters.
 */
void torus_filter_check(const slurm_opt_t *opt);

#endif
