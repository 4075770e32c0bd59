/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus metrics: the state of the machine for a monitoring system. */
#include "torus_config.h"

#include <err.h>
#include <time.h>

#include "storus/capacity/state.h"
#include "storus/cli/options.h"
#include "storus/cli/replace_file.h"
#include "storus/commands.h"
#include "storus/metrics/decisions.h"
#include "storus/metrics/write.h"

typedef struct metrics_options {
	storus_state_options_t state;
	const char *decisions;
	const char *output;
} metrics_options_t;

typedef struct decisions {
	bool known;
	torus_tally_t tally;
} decisions_t;

static int read_options(int argc, char **argv, metrics_options_t *options, int *status)
{
	const storus_option_t table[] = {
		STORUS_STATE_OPTIONS(&options->state),
		{"decisions", "FILE",
		 "the plugin's decisions; default: with the running Slurm, " TORUS_TALLY_FILE
		 " in its StateSaveLocation, if it is there",
		 .text = &options->decisions},
		{.help = "\nOutput:"},
		{"output", "FILE",
		 "replaced as a whole, such as torus.prom in the directory of "
		 "node_exporter's --collector.textfile.directory; default: the standard "
		 "output",
		 .text = &options->output},
		{0},
	};
	const storus_usage_t usage = {
		.begin =
			"Usage: storus metrics [--conf FILE [--jobs FILE] | --dims AxBxC] "
			"[OPTION]...\n"
			"Print the state of the machine and its jobs as OpenMetrics text, for "
			"Prometheus:\n"
			"what is free, in how large boxes, how compact the jobs are, and what "
			"the plugin decided.\n\n",
		.options = table,
		.end = "The man page describes the metrics.\n",
	};

	*options = (metrics_options_t){.output = NULL};
	if (storus_options_read(argc, argv, &usage, status) != 0)
		return -1;
	*status = STORUS_BAD;
	return storus_no_arguments(argc, argv);
}

/* Find out what the plugin has decided. Returns 0, or -1 with [error] filled. */
static int read_decisions(const metrics_options_t *options, decisions_t *decisions,
			  torus_error_t *error)
{
	int found = 0;

	if (options->decisions || storus_state_from_slurm(&options->state))
		found = storus_decisions_read(options->decisions, &decisions->tally,
					      error);
	decisions->known = found > 0;
	return found < 0 ? -1 : 0;
}

static int write_text(FILE *file, const storus_state_t *state,
		      const decisions_t *decisions, torus_error_t *error)
{
	return storus_metrics_write(file, state->cluster, &state->jobs,
				    state->options->free, (int64_t)time(NULL),
				    decisions->known ? &decisions->tally : NULL, error);
}

static int write_output(const char *path, const storus_state_t *state,
			const decisions_t *decisions, torus_error_t *error)
{
	storus_replacement_t replacement;

	if (!path)
		return write_text(stdout, state, decisions, error);
	if (storus_replacement_begin(&replacement, path, error) != 0)
		return -1;
	if (write_text(replacement.file, state, decisions, error) != 0) {
		storus_replacement_abandon(&replacement);
		return -1;
	}
	return storus_replacement_commit(&replacement, error);
}

int storus_metrics(int argc, char **argv)
{
	metrics_options_t options;
	storus_state_t state = {0};
	decisions_t decisions;
	torus_error_t error;
	int status, rc;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	rc = storus_state_open(&state, &options.state);
	if (rc == 0) {
		rc = read_decisions(&options, &decisions, &error);
		if (rc == 0)
			rc = write_output(options.output, &state, &decisions, &error);
		if (rc != 0)
			warnx("%s", error.text);
	}
	storus_state_close(&state);
	return rc == 0 ? STORUS_OK : STORUS_BAD;
}
