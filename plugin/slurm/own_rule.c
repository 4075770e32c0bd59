/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules of Slurm's own for which nodes a job gets: see own_rule.h. */
#include "slurm/own_rule.h"

bool own_rule_decides(const job_record_t *job, uint32_t select_params, uint32_t req_nodes,
		      bool busy)
{
	if (job->bit_flags & SPREAD_JOB)
		return true;
	if (!job->part_ptr || job_takes_whole_nodes(job))
		return false;
	return busy || (select_params & SELECT_LLN) ||
	       (job->part_ptr->flags & PART_FLAG_LLN) ||
	       (job->details->min_cpus == 1 && req_nodes == 1 &&
		xstrcasestr(slurm_conf.sched_params, "pack_serial_at_end"));
}
