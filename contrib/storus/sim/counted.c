/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a simulation has jobs that count. */
#include "torus_config.h"

#include <inttypes.h>
#include <string.h>

#include "storus/sim/counted.h"

/* The reason for which most jobs were skipped; NULL: none were. */
static const torus_skip_count_t *main_reason(const torus_skipped_t *skipped)
{
	const torus_skip_count_t *most = NULL;

	for (int i = 0; i < skipped->reasons; i++) {
		if (!most || skipped->by[i].count > most->count)
			most = &skipped->by[i];
	}
	return most;
}

/* No job was replayed. */
static int fail_skipped(const storus_counted_t *counted, const torus_skipped_t *skipped,
			torus_error_t *err)
{
	const torus_skip_count_t *most = main_reason(skipped);
	const char *format =
		counted->is_trace ? "a log in the Standard Workload Format has a line "
				    "of 18 numbers for each job"
				  : "sacct -P prints a line for each job that has ended";

	if (!most)
		return torus_fail(err, "'%s' has no job; %s", counted->source, format);
	if (strcmp(most->reason, TORUS_SKIP_LARGER) == 0)
		return torus_fail(
			err, "'%s': no job fits on the machine; give a larger one%s",
			counted->source,
			counted->is_trace ? ", or more processors per node" : "");
	return torus_fail(err,
			  "'%s' has no job that can be replayed: %" PRIu64
			  " %s (first on line %" PRIu64 "); %s",
			  counted->source, most->count, most->reason, most->first_line,
			  format);
}

int storus_counted_check_log(const storus_counted_t *counted,
			     const torus_workload_t *workload, torus_error_t *err)
{
	return workload->count ? 0 : fail_skipped(counted, &workload->skipped, err);
}

int storus_counted_check(const storus_counted_t *counted,
			 const torus_sim_result_t *result, torus_error_t *err)
{
	if (!result->count)
		return fail_skipped(counted, &result->skipped, err);
	if (result->summary.jobs)
		return 0;
	return torus_fail(err,
			  "'%s': %s%" PRIu64
			  " leaves none of the %zu jobs to be counted; give a smaller "
			  "number",
			  counted->source, counted->warmup_option, counted->warmup,
			  result->count);
}
