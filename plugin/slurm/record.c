/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layout of Slurm's records: see record.h. */
#include "slurm/record.h"

#include "slurm/tori.h"

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
