/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison as a job array of Slurm: see compare_slurm.h. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "storus/cli/progress.h"
#include "storus/sim/compare_slurm.h"

/* How often the results are counted, in seconds. */
enum { COUNT_INTERVAL = 2 };

/* A text as one word of a shell. malloc'ed, NULL: out of memory. */
static char *shell_word(const char *text)
{
	size_t length;
	char *word = NULL;
	FILE *file = open_memstream(&word, &length);

	if (!file)
		return NULL;
	fputc('\'', file);
	for (; *text; text++)
		fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, file);
	fputc('\'', file);
	if (fclose(file) == 0)
		return word;
	free(word);
	return NULL;
}

/* An existing file, from the root, as one word of a shell; NULL with [err] filled. */
static char *absolute_word(const char *path, torus_error_t *err)
{
	char *absolute = realpath(path, NULL), *word;

	if (!absolute) {
		torus_fail(err, "cannot find '%s': %s", path, strerror(errno));
		return NULL;
	}
	word = shell_word(absolute);
	free(absolute);
	if (!word)
		torus_fail(err, "out of memory");
	return word;
}

/* What each element of the array does. malloc'ed, NULL with [err] filled. */
static char *element_command(const storus_run_t *run, const char *matrix_path,
			     torus_error_t *err)
{
	char *program = absolute_word("/proc/self/exe", err);
	char *matrix = program ? absolute_word(matrix_path, err) : NULL;
	char *directory = matrix ? absolute_word(run->directory, err) : NULL;
	char *command = NULL;

	if (directory &&
	    asprintf(&command,
		     "exec %s sim compare %s --out %s --jobs %u "
		     "--slice \"$SLURM_ARRAY_TASK_ID/%zu\"",
		     program, matrix, directory, run->jobs, run->slices) < 0) {
		command = NULL;
		torus_fail(err, "out of memory");
	}
	free(program);
	free(matrix);
	free(directory);
	return command;
}

/* In the new process: never returns. */
static void run_sbatch(const storus_run_t *run, char *command, int output,
		       const sigset_t *mask)
{
	char array[64], cpus[64], log[PATH_MAX];
	char *arguments[] = {
		(char *)"sbatch",
		(char *)"--parsable",
		(char *)"--wait",
		(char *)"--job-name=storus-sim-compare",
		(char *)"--ntasks=1",
		array,
		cpus,
		log,
		(char *)"--wrap",
		command,
		NULL,
	};

	snprintf(array, sizeof(array), "--array=0-%zu", run->slices - 1);
	snprintf(cpus, sizeof(cpus), "--cpus-per-task=%u", run->jobs);
	snprintf(log, sizeof(log), "--output=%s/slurm-%%A_%%a.log", run->directory);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (dup2(output, STDOUT_FILENO) >= 0)
		execvp(arguments[0], arguments);
	warn("cannot run sbatch");
	_exit(127);
}

/* Show how many results are there. */
static int show_progress(const storus_run_t *run, storus_results_t *results, size_t total,
			 torus_error_t *err)
{
	storus_run_t all = *run;
	long left;

	all.slice = 0;
	all.slices = 1;
	left = storus_results_read(&all, results, err);
	if (left < 0)
		return -1;
	storus_progress(total - (size_t)left, total, NULL);
	return 0;
}

/*
 * Wait until sbatch, told to wait, ends, and report the array's number. As
 * storus_compare_slurm() returns.
 */
static int wait_for(const storus_run_t *run, pid_t process, const char *job,
		    const sigset_t *signals, torus_error_t *err)
{
	static const struct timespec interval = {.tv_sec = COUNT_INTERVAL};
	storus_results_t results = {0};
	int status, rc = 0;
	long total;

	if (storus_results_create(run->plan, &results, err))
		return -1;
	total = storus_results_read(&(storus_run_t){.plan = run->plan,
						    .directory = run->directory,
						    .slices = 1},
				    &results, err);
	if (total < 0)
		rc = -1;
	while (!rc && waitpid(process, &status, WNOHANG) == 0) {
		int signal_number = sigtimedwait(signals, NULL, &interval);

		if (signal_number > 0 && signal_number != SIGCHLD) {
			warnx("array job %s goes on: `scancel %s` ends it, --merge "
			      "prints the table when it has ended",
			      job, job);
			rc = -1 - signal_number;
		} else {
			rc = show_progress(run, &results, (size_t)total, err);
		}
	}
	storus_results_free(&results);
	if (rc) {
		kill(process, SIGTERM);
		waitpid(process, &status, 0);
		return rc;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) == 127)
		return torus_fail(err, "sbatch did not end as it should");
	return WEXITSTATUS(status) != 0;
}

/* Submit and wait; the signals are blocked. */
static int submit(const storus_run_t *run, char *command, const sigset_t *signals,
		  const sigset_t *before, torus_error_t *err)
{
	int ends[2], rc;
	char job[64] = "";
	char what[128];
	pid_t process;
	FILE *output;

	if (pipe(ends) != 0)
		return torus_fail(err, "cannot make a pipe: %s", strerror(errno));
	process = fork();
	if (!process)
		run_sbatch(run, command, ends[1], before);
	close(ends[1]);
	output = fdopen(ends[0], "r");
	if (process < 0 || !output) {
		close(ends[0]);
		return torus_fail(err, "cannot start a process: %s", strerror(errno));
	}
	/* NUMBER or NUMBER;CLUSTER, at once; no line if the job was refused. */
	if (fgets(job, sizeof(job), output))
		job[strcspn(job, ";\n")] = '\0';
	snprintf(what, sizeof(what), "array job %s", job);
	storus_progress_begin(what);
	rc = wait_for(run, process, job, signals, err);
	storus_progress_end();
	fclose(output);
	if (rc == 1 && !*job)
		return torus_fail(err, "sbatch refused the array job");
	return rc;
}

int storus_compare_slurm(const storus_run_t *run, const char *matrix_path,
			 torus_error_t *err)
{
	char *command = element_command(run, matrix_path, err);
	sigset_t signals, before;
	int rc;

	if (!command)
		return -1;
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &before);
	rc = submit(run, command, &signals, &before, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(command);
	return rc;
}
