/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job_submit plugin for the tests, in the place of whatever else may write into a job's
 * SystemComment: setting the Comment of a job (scontrol update) sets its SystemComment
 * instead.
 */
#include "config.h"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "src/common/slurm_xlator.h"

#include "src/common/xmalloc.h"
#include "src/slurmctld/slurmctld.h"

const char plugin_name[] = "Notes in SystemComment, for tests";
const char plugin_type[] = "job_submit/note";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int job_submit(job_desc_msg_t *description, uint32_t user, char **message);
int job_modify(job_desc_msg_t *description, job_record_t *job, uint32_t user);

int job_submit(job_desc_msg_t *description, uint32_t user, char **message)
{
	(void)description, (void)user, (void)message;
	return SLURM_SUCCESS;
}

int job_modify(job_desc_msg_t *description, job_record_t *job, uint32_t user)
{
	(void)user;
	if (!description->comment)
		return SLURM_SUCCESS;
	xfree(job->system_comment);
	job->system_comment = description->comment;
	description->comment = NULL;
	return SLURM_SUCCESS;
}
