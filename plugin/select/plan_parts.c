/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Backfill's plans for jobs that count features: see plan_parts.h. */
#include "select/plan_parts.h"

/* The parts asked about so far, one job at a time: backfill asks for all in a row. */
static struct {
	uint32_t job_id;
	int next;	   /* part that is to come */
	bitstr_t *offered; /* for those before it */
} noted;

plan_part_t plan_parts_note(const job_record_t *job, bitstr_t *offered)
{
	int expected = noted.offered && noted.job_id == job->job_id &&
				       bit_size(noted.offered) == bit_size(offered)
			       ? noted.next
			       : 0;
	int count, part = features_part(job, expected, &count);
	bitstr_t *before = noted.offered;

	noted.offered = NULL;
	if (part < 0 || (part && part != expected)) {
		FREE_NULL_BITMAP(before);
		return PLAN_PART_UNKNOWN;
	}
	if (part)
		bit_or(before, offered);
	else
		FREE_NULL_BITMAP(before);
	if (part + 1 == count) {
		if (before)
			bit_copybits(offered, before);
		FREE_NULL_BITMAP(before);
		return PLAN_PART_LAST;
	}
	noted.offered = before ? before : bit_copy(offered);
	noted.job_id = job->job_id;
	noted.next = part + 1;
	return PLAN_PART_FIRST;
}

void plan_parts_free(void)
{
	FREE_NULL_BITMAP(noted.offered);
}
