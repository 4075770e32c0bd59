/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus sim: replays a workload on a machine. */
#include "torus_config.h"

#include <string.h>

#include "storus/commands.h"
#include "storus/sim/compare.h"
#include "storus/sim/directory.h"
#include "storus/sim/replay.h"
#include "storus/sim/summary.h"

int storus_sim(int argc, char **argv)
{
	storus_sim_options_t options;
	storus_directory_t directory;
	storus_replay_t replay;
	int status;

	if (argc > 1 && strcmp(argv[1], "compare") == 0)
		return storus_sim_compare(argc - 1, argv + 1);
	if (storus_sim_options_read(argc, argv, &options, &status) != 0)
		return status;
	status = STORUS_BAD;
	replay = (storus_replay_t){.options = &options};
	if (storus_directory_open(&options, &directory) == 0) {
		replay.jobs = storus_directory_jobs(&directory);
		if (storus_replay_run(&replay) == 0 &&
		    storus_directory_write(&directory, &replay) == 0) {
			storus_summary_print(&replay);
			status = STORUS_OK;
		}
	}
	storus_directory_close(&directory);
	storus_replay_clear(&replay);
	return status;
}
