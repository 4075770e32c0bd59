/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus map asks a running Slurm. */
#include "torus_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "storus/map/slurm.h"

/* The record of the job that holds nodes, NULL if none does or several do. */
static const slurm_job_info_t *with_nodes(const job_info_msg_t *message, uint32_t job_id)
{
	const slurm_job_info_t *found = NULL;

	for (uint32_t i = 0; i < message->record_count; i++) {
		const slurm_job_info_t *info = &message->job_array[i];
		uint32_t state = info->job_state & JOB_STATE_BASE;

		if ((state != JOB_RUNNING && state != JOB_SUSPENDED) || !info->nodes ||
		    !*info->nodes)
			continue;
		if (info->job_id == job_id)
			return info;
		if (found)
			return NULL;
		found = info;
	}
	return found;
}

int storus_map_slurm_job(const char *id, char **nodelist, uint32_t *tasks,
			 torus_error_t *err)
{
	const slurm_job_info_t *info;
	job_info_msg_t *message = NULL;
	uint32_t job_id = 0;
	char *text = strdup(id);
	int rc = -1;

	if (!text)
		return torus_fail(err, "out of memory");
	if (*id && id[strspn(id, "0123456789_")] == '\0')
		job_id = slurm_xlate_job_id(text);
	free(text);
	if (!job_id)
		return torus_fail(err, "no job '%s'", id);
	if (slurm_load_job(&message, job_id, SHOW_ALL) != SLURM_SUCCESS)
		return torus_fail(err, "cannot ask slurmctld for job %s: %s", id,
				  slurm_strerror(errno));
	info = with_nodes(message, job_id);
	if (!info) {
		torus_fail(err,
			   message->record_count > 1
				   ? "job %s has several parts: name one of them"
				   : "job %s is not running: it holds no nodes",
			   id);
		goto done;
	}
	*nodelist = strdup(info->nodes);
	*tasks = info->num_tasks == NO_VAL ? 0 : info->num_tasks;
	rc = *nodelist ? 0 : torus_fail(err, "out of memory");
done:
	slurm_free_job_info_msg(message);
	return rc;
}
