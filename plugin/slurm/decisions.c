/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting decisions: see decisions.h. */
#include "slurm/decisions.h"

#include "base/monotonic.h"
#include "decide/tally_file.h"
#include "slurm/lock_order.h"

static ordered_lock_t lock = ORDERED_LOCK(LOCK_DECISIONS);
static torus_tally_file_t file;

void decisions_count(torus_tally_mode_t mode, torus_tally_by_t by, int64_t begin)
{
	int64_t end = torus_monotonic_ns();
	const char *directory = slurm_conf.state_save_location;
	torus_error_t err;

	lock_in_order(&lock);
	switch (torus_tally_file_count(&file, directory, mode, by,
				       (uint64_t)(end - begin), end / TORUS_NS_PER_SECOND,
				       &err)) {
	case TORUS_TALLY_NO_NEWS:
		break;
	case TORUS_TALLY_BEGUN:
		info("%s: decisions are counted in %s/%s", plugin_type, directory,
		     TORUS_TALLY_FILE);
		break;
	case TORUS_TALLY_FAILED:
		error("%s: %s", plugin_type, err.text);
		break;
	}
	unlock_in_order(&lock);
}

void decisions_end(void)
{
	lock_in_order(&lock);
	torus_tally_file_close(&file);
	unlock_in_order(&lock);
}
