/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The integer program, solved by the program cbc. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/textfile.h"
#include "storus/order/solver.h"

extern char **environ;

/* The files in the private directory. */
enum { MODEL, SOLUTION, LOG, FILES };
static const char *const file_names[FILES] = {"model.mps", "solution", "log"};

typedef struct workplace {
	char *directory;
	char *path[FILES];
} workplace_t;

bool storus_cbc_is_there(void)
{
	const char *path = getenv("PATH");
	char *copy = strdup(path ? path : ""), *rest = copy, *directory;
	bool found = false;

	while (!found && (directory = strsep(&rest, ":"))) {
		char *program;

		if (asprintf(&program, "%s/cbc", *directory ? directory : ".") < 0)
			break;
		found = access(program, X_OK) == 0;
		free(program);
	}
	free(copy);
	return found;
}

static void workplace_remove(workplace_t *workplace)
{
	for (int i = 0; i < FILES; i++) {
		if (workplace->path[i])
			unlink(workplace->path[i]);
		free(workplace->path[i]);
	}
	if (workplace->directory)
		rmdir(workplace->directory);
	free(workplace->directory);
}

/* workplace_remove() follows in any case. */
static int workplace_make(workplace_t *workplace, torus_error_t *err)
{
	const char *parent = getenv("TMPDIR");
	char *name;

	memset(workplace, 0, sizeof(*workplace));
	if (!parent || !*parent)
		parent = "/tmp";
	if (asprintf(&name, "%s/storus-order.XXXXXX", parent) < 0)
		return torus_fail(err, "out of memory");
	if (!mkdtemp(name)) {
		torus_fail(err, "cannot make a directory in '%s' for cbc: %s", parent,
			   strerror(errno));
		free(name);
		return -1;
	}
	workplace->directory = name;
	for (int i = 0; i < FILES; i++) {
		if (asprintf(&workplace->path[i], "%s/%s", name, file_names[i]) < 0) {
			workplace->path[i] = NULL;
			return torus_fail(err, "out of memory");
		}
	}
	return 0;
}

static int write_model(const torus_order_model_t *model, const char *path,
		       torus_error_t *err)
{
	FILE *file = fopen(path, "w");
	int rc;

	if (!file)
		return torus_fail(err, "cannot write '%s': %s", path, strerror(errno));
	rc = torus_order_model_write(model, file, err);
	bool lost = ferror(file);

	errno = 0;
	if ((fclose(file) != 0 || lost) && rc == 0)
		rc = torus_fail(err, "cannot write '%s': %s", path,
				strerror(errno ? errno : EIO));
	return rc;
}

/* Start cbc; its process, or -1 with [err] filled. [mask] is its signal mask. */
static pid_t start(const workplace_t *workplace, double seconds, const sigset_t *mask,
		   torus_error_t *err)
{
	char limit[32];
	char *arguments[] = {(char *)"cbc",
			     workplace->path[MODEL],
			     (char *)"-seconds",
			     limit,
			     (char *)"-timeMode",
			     (char *)"elapsed",
			     (char *)"-solve",
			     (char *)"-solution",
			     workplace->path[SOLUTION],
			     NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	pid_t process;
	int failed;

	snprintf(limit, sizeof(limit), "%.3f", seconds);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY,
					 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, workplace->path[LOG],
					 O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, mask);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	failed = posix_spawnp(&process, "cbc", &actions, &attributes, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (!failed)
		return process;
	torus_fail(err, "cannot start cbc: %s", strerror(failed));
	return -1;
}

/*
 * Wait for the end of [process], [signals] being blocked. Fills *status as waitpid()
 * does. Returns 0, -1 with [err] filled, or - the number of a signal that was to end
 * storus - 1: then the process is ended.
 */
static int await(pid_t process, const sigset_t *signals, int *status, torus_error_t *err)
{
	pid_t ended;

	while ((ended = waitpid(process, status, WNOHANG)) == 0) {
		int number = sigwaitinfo(signals, NULL);

		if (number > 0 && number != SIGCHLD) {
			kill(process, SIGKILL);
			waitpid(process, NULL, 0);
			return -number - 1;
		}
	}
	return ended > 0 ? 0
			 : torus_fail(err, "cannot wait for cbc: %s", strerror(errno));
}

/* The number behind [key] at the beginning of a line of [text]. */
static bool number_behind(const char *text, const char *key, double *number)
{
	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, strlen(key)) == 0) {
			char *end;

			*number = strtod(at + strlen(key), &end);
			return end != at + strlen(key);
		}
		if (!*at)
			break;
	}
	return false;
}

/* Lines "index Cnumber value reduced-cost", perhaps with ** before, behind the first. */
static void read_values(const char *text, const torus_order_model_t *model, double *value)
{
	uint32_t whole = model->nodes * model->nodes;

	memset(value, 0, whole * sizeof(*value));
	while ((text = strchr(text, '\n')) != NULL) {
		uint32_t column;
		double number;

		text++;
		text += strspn(text, " *");
		if (sscanf(text, "%*u C%" SCNu32 " %lf", &column, &number) == 2 &&
		    column < whole)
			value[column] = number;
	}
}

/* From what cbc has written. cbc minimises, so its values have the other sign. */
static int read_solution(const workplace_t *workplace, const torus_order_model_t *model,
			 storus_solution_t *solution, torus_error_t *err)
{
	char *text = NULL, *log = NULL;
	double *value = malloc((size_t)model->nodes * model->nodes * sizeof(*value));
	double number;
	size_t length;
	int rc = -1;

	if (!value) {
		torus_fail(err, "out of memory for the integer program");
		goto done;
	}
	if (torus_textfile_read(workplace->path[LOG], &log, &length, err) != 0)
		goto done;
	rc = 0;
	if (number_behind(log, "Lower bound:", &number))
		solution->bound = -number;
	/* Without a solution it may write no file. */
	if (torus_textfile_read(workplace->path[SOLUTION], &text, &length, NULL) != 0)
		goto done;
	read_values(text, model, value);
	solution->found = torus_order_model_order(model, value, solution->order) == 0;
	if (solution->found &&
	    number_behind(text, "Optimal - objective value", &number)) {
		solution->optimal = true;
		solution->bound = -number;
	}
done:
	free(text);
	free(log);
	free(value);
	return rc;
}

/* Run cbc in [workplace]. Returns 0, -1 with [err] filled, or - a signal's number - 1. */
static int run(const workplace_t *workplace, const torus_order_model_t *model,
	       double seconds, const sigset_t *signals, const sigset_t *before,
	       torus_error_t *err)
{
	pid_t process;
	int status, rc;

	if (write_model(model, workplace->path[MODEL], err) != 0)
		return -1;
	process = start(workplace, seconds, before, err);
	if (process < 0)
		return -1;
	rc = await(process, signals, &status, err);
	if (rc != 0)
		return rc;
	if (WIFSIGNALED(status))
		return torus_fail(err, "cbc was ended by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) != 0)
		return torus_fail(err, "cbc failed with status %d", WEXITSTATUS(status));
	return 0;
}

int storus_cbc_solve(const torus_order_objective_t *objective,
		     const torus_order_model_t *model, const uint32_t *order,
		     double seconds, storus_solution_t *solution, torus_error_t *err)
{
	sigset_t signals, before;
	workplace_t workplace;
	int rc;

	(void)objective;
	(void)order; /* its own search for a solution is quick */
	solution->found = solution->optimal = false;
	solution->bound = INFINITY;
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &before);
	rc = workplace_make(&workplace, err);
	if (rc == 0)
		rc = run(&workplace, model, seconds, &signals, &before, err);
	if (rc == 0)
		rc = read_solution(&workplace, model, solution, err);
	workplace_remove(&workplace);
	/* Nothing is left behind now, and the signal may do what it does. */
	if (rc < -1)
		raise(-rc - 1);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (rc < -1)
		return torus_fail(err, "interrupted");
	return rc;
}
