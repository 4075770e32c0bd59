/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for by --network=torus:. */
#ifndef TORUS_NETWORK_H
#define TORUS_NETWORK_H

#include "machine/network_option.h"
#include "slurm/compat.h"

/*
 * Read the job's --network, and hold a grid to the number of tasks where the job says
 * how many, else to the CPUs that it could have, unless it is to overcommit them.
 * Returns 0, or -1 with [err] saying why the job cannot run.
 */
int network_of_job(const job_record_t *job, torus_network_request_t *request,
		   torus_error_t *err);

#endif
