/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens in a job's SystemComment: see slurm/system_comment.h. */
#include "slurm/system_comment.h"

#include <stdlib.h>

#include "machine/token.h"
#include "slurm/lock_order.h"

#include "src/slurmctld/state_save.h"

void system_comment_replace(job_record_t *job, const char *key, const char *token)
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
