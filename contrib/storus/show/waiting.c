/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pending job that waits for a better place. */
#include "torus_config.h"

#include <stdio.h>

#include "storus/show/waiting.h"

#ifdef HAVE_LIBSLURM
#include "machine/waiting.h"
#include "storus/cli/slurm.h"
#include "storus/cli/slurm_job.h"
#include "storus/cli/times.h"

bool storus_show_waiting(const char *id, storus_format_t format)
{
	storus_slurm_job_t job;
	torus_waiting_t waiting;
	torus_error_t error;
	bool waits;

	storus_slurm_start();
	if (storus_slurm_job_load(id, false, &job, &error) != 0)
		return false;
	waits = (job.info->job_state & JOB_STATE_BASE) == JOB_PENDING &&
		torus_waiting_read(job.info->system_comment, &waiting);
	if (waits) {
		char since[STORUS_TIME_TEXT], until[STORUS_TIME_TEXT];
		const storus_field_t fields[] = {
			storus_text("job", id),
			storus_text("waits_for", torus_wish_name(waiting.wish)),
			storus_text("network", job.info->network),
			storus_text("since",
				    storus_time_format((time_t)waiting.since, since)),
			storus_text("until",
				    storus_time_format((time_t)waiting.until, until)),
		};

		storus_record_print(stdout, format, fields,
				    sizeof(fields) / sizeof(fields[0]));
	}
	storus_slurm_job_clear(&job);
	return waits;
}
#else
bool storus_show_waiting(const char *id, storus_format_t format)
{
	(void)id;
	(void)format;
	return false;
}
#endif
