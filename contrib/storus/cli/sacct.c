/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accounts of Slurm, from sacct or a file. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storus/cli/logfile.h"
#include "storus/cli/progress.h"
#include "storus/cli/sacct.h"

extern char **environ;

/* Start it with [output] as its standard output. Returns 0 or an error number. */
static int start(char *const *arguments, int output, pid_t *process)
{
	posix_spawn_file_actions_t actions;
	int code = posix_spawn_file_actions_init(&actions);

	if (code)
		return code;
	code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
						O_RDONLY, 0);
	if (!code)
		code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!code)
		code = posix_spawnp(process, arguments[0], &actions, NULL, arguments,
				    environ);
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

/* Returns 0, or -1 with [err] filled unless that is NULL. */
static int await(pid_t process, torus_error_t *err)
{
	int status;

	while (waitpid(process, &status, 0) < 0) {
		if (errno != EINTR)
			return torus_fail(err, "cannot wait for sacct: %s",
					  strerror(errno));
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return WIFEXITED(status) ? torus_fail(err, "sacct failed with status %d",
					      WEXITSTATUS(status))
				 : torus_fail(err, "sacct was ended by signal %d",
					      WTERMSIG(status));
}

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
	pid_t process;
	int ends[2], code, result;

	/* "uts" is how Slurm reads such seconds, which no change of clocks confuses. */
	snprintf(begin, sizeof(begin), "uts%" PRId64, from);
	snprintf(end, sizeof(end), "uts%" PRId64, to);
	snprintf(columns, sizeof(columns), "--format=%s", format);
	if (setenv("SLURM_TIME_FORMAT", "%s", 1) != 0 || pipe2(ends, O_CLOEXEC) != 0)
		return torus_fail(err, "cannot run sacct: %s", strerror(errno));
	code = start(arguments, ends[1], &process);
	close(ends[1]);
	if (code) {
		close(ends[0]);
		return torus_fail(err, "cannot run sacct: %s", strerror(code));
	}
	result = storus_logfile_read_from(ends[0], "sacct", text, length, err);
	/* Its own failure is the reason of what else went wrong. */
	if (await(process, result == 0 ? err : NULL) != 0 && result == 0) {
		free(*text);
		return -1;
	}
	return result;
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
	return result;
}
