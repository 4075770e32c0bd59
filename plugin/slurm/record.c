/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's records of jobs: see slurm/record.h. */
#include "slurm/record.h"

#include <stdlib.h>

#include "machine/token.h"
#include "slurm/lock_order.h"
#include "slurm/tori.h"

#include "src/slurmctld/state_save.h"

bool record_is_job(const job_record_t *job)
{
	static bool said;

	if (job && job->magic == JOB_MAGIC && job->details &&
	    job->details->magic == DETAILS_MAGIC)
		return true;
	if (!said)
		error("%s: a job record without Slurm's mark: this plugin was built with "
		      "headers of another Slurm. It does not act until it is built again "
		      "for the one installed",
		      plugin_type);
	said = true;
	return false;
}

void record_warn_if_untested(void)
{
#ifdef TORUS_UNTESTED_SLURM
	if (running_in_slurmctld())
		warning("%s: built for Slurm %s, which this version of slurm-torus was never "
			"tested with (--enable-untested-slurm)",
			plugin_type, SLURM_VERSION_STRING);
#endif
}

void record_replace_token(job_record_t *job, const char *key, const char *token)
{
	bool failed = false;
	char *text;

	expect_jobs_locked();
	text = torus_comment_replace(job->system_comment, key, token, &failed);

	if (failed) {
		error("%s: JobId=%u: out of memory", plugin_type, job->job_id);
		return;
	}
	if (xstrcmp(job->system_comment, text)) {
		xfree(job->system_comment);
		job->system_comment = xstrdup(text);
		last_job_update = time(NULL);
		schedule_job_save();
	}
	free(text);
}
