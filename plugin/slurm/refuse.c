/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that can never run: see refuse.h. */
#include "slurm/refuse.h"

#include "slurm/machine.h"

/*
 * Slurm asks several times for one submission, and again at every attempt to start the
 * job; the log needs to say it once.
 */
int refuse_job(const job_record_t *job, const char *reason)
{
	static char *last;
	char *text = xstrdup_printf("%s: JobId=%u can not run: %s", plugin_type,
				    job->job_id, reason);

	if (xstrcmp(text, last)) {
		info("%s", text);
		xfree(last);
		last = text;
	} else {
		xfree(text);
	}
	return ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
}
