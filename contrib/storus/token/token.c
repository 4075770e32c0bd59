/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus token: what the plugin wrote into a job's SystemComment. */
#include "torus_config.h"

#include <err.h>
#include <stdio.h>

#include "machine/token.h"
#include "storus/cli/options.h"
#include "storus/commands.h"

#ifdef HAVE_LIBSLURM
#include "storus/cli/slurm.h"
#include "storus/cli/slurm_job.h"

/* Print the token of the job. Returns the exit status, or -1 with [err] filled. */
static int print_token(const char *id, torus_error_t *err)
{
	storus_slurm_job_t job;
	const char *token;
	size_t length;

	storus_slurm_start();
	if (storus_slurm_job_load(id, false, &job, err) != 0)
		return -1;
	token = torus_token_find(job.info->system_comment, &length);
	if (token)
		printf("%.*s\n", (int)length, token);
	storus_slurm_job_clear(&job);
	return token ? STORUS_OK : STORUS_NO;
}
#else
static int print_token(const char *id, torus_error_t *err)
{
	return torus_fail(
		err, "built without Slurm's library: job %s cannot be looked up", id);
}
#endif

int storus_token(int argc, char **argv)
{
	static const storus_option_t none[] = {{0}};
	static const storus_usage_t usage = {
		.begin =
			"Usage: storus token JOBID\n"
			"Print the token that the plugin wrote into the SystemComment of "
			"this job alone.\n"
			"\n"
			"JOBID is 12, 12_3 for a task of an array, or 12+1 for a component "
			"of a\n"
			"heterogeneous job.\n\n",
		.options = none,
		.end = "Exit status: 0 printed, 1 the job has no token, 2 bad usage, or no "
		       "such job.\n",
	};
	const char *id;
	torus_error_t error;
	int status;

	if (storus_options_read(argc, argv, &usage, &status) != 0)
		return status;
	if (optind == argc)
		return storus_misuse("which job? Give its number");
	id = argv[optind++];
	if (storus_no_arguments(argc, argv) != 0)
		return STORUS_BAD;
	status = print_token(id, &error);
	if (status < 0)
		warnx("%s", error.text);
	return status < 0 ? STORUS_BAD : status;
}
