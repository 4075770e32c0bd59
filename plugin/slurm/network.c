/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job asks for by --network=torus:, see slurm/network.h. */
#include "slurm/network.h"

int network_of_job(const job_record_t *job, torus_network_request_t *request,
		   torus_error_t *err)
{
	if (torus_network_parse(job->network, request, err))
		return -1;
	/* Without --ntasks the record may have a guess. */
	if (!(job->bit_flags & JOB_NTASKS_SET))
		return 0;
	if (torus_task_words_check(&request->tasks, job->details->num_tasks, err))
		return torus_fail_prefix(err, "--network=torus: ");
	return 0;
}
