/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accounts of Slurm, from sacct or a file. */
#include "torus_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/logfile.h"
#include "storus/cli/progress.h"
#include "storus/cli/run_command.h"
#include "storus/cli/sacct.h"
#include "storus/cli/sacct_hides.h"

/*
 * Run the sacct in PATH: all runs of each job, without steps, times in seconds. On
 * success *text is malloc'ed.
 */
static int run(int64_t from, int64_t to, const char *format, char **text, size_t *length,
	       torus_error_t *err)
{
	char begin[32], end[32], columns[512];
	char *const arguments[] = {(char *)"sacct", (char *)"-a", (char *)"-X",
				   (char *)"-D",    (char *)"-P", (char *)"-S",
				   begin,	    (char *)"-E", end,
				   columns,	    NULL};

	/* "uts" is how Slurm reads such seconds, which no change of clocks confuses. */
	snprintf(begin, sizeof(begin), "uts%" PRId64, from);
	snprintf(end, sizeof(end), "uts%" PRId64, to);
	snprintf(columns, sizeof(columns), "--format=%s", format);
	if (setenv("SLURM_TIME_FORMAT", "%s", 1) != 0)
		return torus_fail(err, "cannot run sacct: %s", strerror(errno));
	return storus_run_command(arguments, text, length, err);
}

int storus_sacct_history(const char *path, int64_t from, int64_t to, char **text,
			 torus_history_t *history, torus_error_t *err)
{
	size_t length;
	int result;

	*history = (torus_history_t){0};
	storus_progress_begin(path ? "reading the accounts" : "asking sacct");
	result = path ? storus_logfile_read(path, text, &length, err)
		      : run(from, to, TORUS_HISTORY_FORMAT, text, &length, err);
	if (result != 0)
		*text = NULL;
	else
		result = torus_history_read(*text, length, path ? path : "sacct", history,
					    err);
	storus_progress_end();
	if (!path && result == 0)
		storus_sacct_warn_hidden();
	return result;
}
