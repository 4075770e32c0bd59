/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other commands: see run_command.h. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storus/cli/logfile.h"
#include "storus/cli/run_command.h"

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
static int await(const char *name, pid_t process, torus_error_t *err)
{
	int status;

	while (waitpid(process, &status, 0) < 0) {
		if (errno != EINTR)
			return torus_fail(err, "cannot wait for %s: %s", name,
					  strerror(errno));
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return WIFEXITED(status) ? torus_fail(err, "%s failed with status %d", name,
					      WEXITSTATUS(status))
				 : torus_fail(err, "%s was ended by signal %d", name,
					      WTERMSIG(status));
}

int storus_run_command(char *const *arguments, char **text, size_t *length,
		       torus_error_t *err)
{
	const char *name = arguments[0];
	pid_t process;
	int ends[2], code, result;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return torus_fail(err, "cannot run %s: %s", name, strerror(errno));
	code = start(arguments, ends[1], &process);
	close(ends[1]);
	if (code) {
		close(ends[0]);
		return torus_fail(err, "cannot run %s: %s", name, strerror(code));
	}
	result = storus_logfile_read_from(ends[0], name, text, length, err);
	/* Its own failure is the reason of what else went wrong. */
	if (await(name, process, result == 0 ? err : NULL) != 0 && result == 0) {
		free(*text);
		return -1;
	}
	return result;
}
