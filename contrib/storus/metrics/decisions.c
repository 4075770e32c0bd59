/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin's decisions: see decisions.h. */
#include "torus_config.h"

#include <errno.h>
#include <stdlib.h>

#include "storus/cli/slurm.h"
#include "storus/metrics/decisions.h"
#include "storus/metrics/openmetrics.h"

#define SECOND 1000000000

static int read_of_slurm(torus_tally_t *tally, torus_error_t *err)
{
#ifdef HAVE_LIBSLURM
	char *path = storus_slurm_state_file(TORUS_TALLY_FILE, err);
	int rc;

	if (!path)
		return -1;
	rc = torus_tally_read(path, tally, err);
	free(path);
	if (rc == 0)
		return 1;
	return errno == ENOENT ? 0 : -1;
#else
	(void)tally;
	(void)err;
	return 0;
#endif
}

int storus_decisions_read(const char *path, torus_tally_t *tally, torus_error_t *err)
{
	if (!path)
		return read_of_slurm(tally, err);
	return torus_tally_read(path, tally, err) == 0 ? 1 : -1;
}

static void write_kind(FILE *file, const storus_om_family_t *family,
		       const torus_tally_t *tally, torus_tally_mode_t mode,
		       torus_tally_by_t by)
{
	const torus_tally_count_t *count = &tally->count[mode][by];
	char bound[32];
	const storus_om_label_t labels[] = {{"mode", torus_tally_mode_name(mode)},
					    {"by", torus_tally_by_name(by)},
					    {"le", bound},
					    {NULL, NULL}};
	const storus_om_label_t without_le[] = {labels[0], labels[1], {NULL, NULL}};
	uint64_t below = 0;

	for (int bucket = 0; bucket < TORUS_TALLY_BUCKETS; bucket++) {
		uint64_t limit = torus_tally_bound(bucket);

		if (limit == UINT64_MAX)
			snprintf(bound, sizeof(bound), "+Inf");
		else
			snprintf(bound, sizeof(bound), "%g%s", (double)limit / SECOND,
				 limit < SECOND ? "" : ".0");
		below += count->bucket[bucket];
		storus_om_count(file, family, "_bucket", labels, below);
	}
	storus_om_count(file, family, "_count", without_le, below);
	storus_om_number(file, family, "_sum", without_le,
			 (double)count->nanoseconds / SECOND);
}

void storus_decisions_write(FILE *file, const torus_tally_t *tally)
{
	static const storus_om_family_t family = {
		"slurm_torus_decision_seconds", "histogram", "seconds",
		"Time of the plugin's decisions since slurmctld's start, with what it asked "
		"of Slurm's own plugins."};

	storus_om_family(file, &family);
	for (int mode = 0; mode < TORUS_TALLY_MODES; mode++) {
		for (int by = 0; by < TORUS_TALLY_BYS; by++) {
			if (torus_tally_total(&tally->count[mode][by]))
				write_kind(file, &family, tally, (torus_tally_mode_t)mode,
					   (torus_tally_by_t)by);
		}
	}
}
