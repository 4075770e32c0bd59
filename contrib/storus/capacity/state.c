/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine and what is on it: see state.h. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "storus/capacity/state.h"
#include "storus/cli/conf.h"
#include "storus/cli/slurm.h"
#include "storus/cli/slurm_jobs.h"

bool storus_state_from_slurm(const storus_state_options_t *options)
{
	return !options->machine.conf && !options->machine.dims;
}

#ifdef HAVE_LIBSLURM
static int load_slurm(storus_state_t *state, torus_error_t *error)
{
	state->conf = storus_conf_path(NULL, error);
	if (!state->conf)
		return -1;
	storus_slurm_start();
	storus_slurm_warn_of_yaml();
	if (storus_slurm_jobs(&state->jobs, error) != 0)
		return -1;
	return storus_slurm_mark_preemptible(&state->jobs, error);
}
#else
static int load_slurm(storus_state_t *state, torus_error_t *error)
{
	(void)state;
	return torus_fail(error, "built without Slurm's library: give --conf, and --jobs "
				 "FILE, or --dims");
}
#endif

/* What can be said about the options without a machine. Returns 0, or -1. */
static int check_together(const storus_state_options_t *options)
{
	if (options->jobs && !options->machine.conf) {
		storus_misuse("--jobs needs --conf, which names the nodes");
		return -1;
	}
	if (options->free && storus_state_from_slurm(options)) {
		storus_misuse("--free needs --dims or --conf: without them the running "
			      "Slurm says what is free");
		return -1;
	}
	return 0;
}

static bool is_list(const char *free)
{
	return free && strcmp(free, "all") != 0 && strcmp(free, "none") != 0;
}

int storus_state_open(storus_state_t *state, const storus_state_options_t *options)
{
	storus_machine_options_t machine = options->machine;
	torus_error_t error;
	int rc = 0;

	*state = (storus_state_t){.options = options};
	if (check_together(options) != 0)
		return -1;
	if (storus_state_from_slurm(options))
		rc = load_slurm(state, &error);
	else if (options->jobs)
		rc = storus_jobs_read(options->jobs, &state->jobs, &error);
	if (rc != 0) {
		warnx("%s", error.text);
		return -1;
	}
	if (state->conf)
		machine.conf = state->conf;
	state->cluster = storus_cluster_open(&machine);
	if (!state->cluster)
		return -1;
	if (storus_state_from_slurm(options) &&
	    storus_conf_register(state->cluster, &error)) {
		warnx("%s", error.text);
		return -1;
	}
	if (state->cluster->maps > 1 && is_list(options->free)) {
		storus_misuse("--free lists ranks of one torus: choose it with --torus");
		return -1;
	}
	return 0;
}

void storus_state_close(storus_state_t *state)
{
	storus_jobs_clear(&state->jobs);
	torus_cluster_destroy(state->cluster);
	free(state->conf);
	*state = (storus_state_t){0};
}
