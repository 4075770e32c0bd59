/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a log was skipped, and why. */
#include "torus_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "storus/cli/skipped.h"

void storus_skipped_report(const torus_skipped_t *skipped)
{
	if (!skipped->reasons)
		return;
	fprintf(stderr, "%s: skipped %" PRIu64 " of the jobs:", program_invocation_name,
		torus_skipped_total(skipped));
	for (int i = 0; i < skipped->reasons; i++) {
		const torus_skip_count_t *by = &skipped->by[i];

		fprintf(stderr, "%s %" PRIu64 " %s", i ? "," : "", by->count, by->reason);
		if (by->first_line)
			fprintf(stderr, " (first on line %" PRIu64 ")", by->first_line);
	}
	fputc('\n', stderr);
}
