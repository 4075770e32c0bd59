/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running the simulations of a comparison: see compare_run.h. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storus/cli/progress.h"
#include "storus/sim/compare_run.h"
#include "storus/sim/compare_store.h"

/* What a process returns, through a file without a name. */
typedef struct answer {
	bool simulated;
	double value[STORUS_MEASURES];
	torus_error_t err;
} answer_t;

typedef struct worker {
	pid_t process; /* 0: none */
	size_t cell;
	FILE *answer;
} worker_t;

/* All that the loop below works on. */
typedef struct pool {
	const storus_run_t *run;
	storus_inputs_t inputs;
	storus_results_t *results;
	worker_t *worker;	     /* [run->jobs] */
	sigset_t signals;	     /* that the loop waits for, blocked meanwhile */
	size_t total, ended, failed; /* simulations of this run */
} pool_t;

int storus_results_create(const storus_plan_t *plan, storus_results_t *results,
			  torus_error_t *err)
{
	results->value = calloc(plan->count, sizeof(*results->value));
	results->done = calloc(plan->count, sizeof(*results->done));
	if (results->value && results->done)
		return 0;
	storus_results_free(results);
	return torus_fail(err, "out of memory");
}

void storus_results_free(storus_results_t *results)
{
	free(results->value);
	free(results->done);
	*results = (storus_results_t){0};
}

/* Whether the cell belongs to this run's slice. */
static bool is_ours(const storus_run_t *run, size_t cell)
{
	return run->plan->cell[cell].first == cell && cell % run->slices == run->slice;
}

long storus_results_read(const storus_run_t *run, storus_results_t *results,
			 torus_error_t *err)
{
	const storus_plan_t *plan = run->plan;
	long left = 0;

	for (size_t i = 0; i < plan->count; i++) {
		size_t first = plan->cell[i].first;

		if (first != i) {
			results->done[i] = results->done[first];
			memcpy(results->value[i], results->value[first],
			       sizeof(results->value[i]));
			continue;
		}
		if (run->directory && !results->done[i]) {
			int found = storus_store_read(run->directory, &plan->cell[i],
						      results->value[i], err);

			if (found < 0)
				return -1;
			results->done[i] = found;
		}
		left += is_ours(run, i) && !results->done[i];
	}
	return left;
}

/* The cell in a line, for messages: what differs between cells. */
static void describe(const pool_t *pool, size_t number, char text[256])
{
	const storus_cell_t *cell = &pool->run->plan->cell[number];
	size_t length = 0;

	text[0] = '\0';
	for (int axis = 0; axis < STORUS_AXES && length < 255; axis++) {
		const char *item =
			storus_cell_item(pool->run->plan, cell, (storus_axis_t)axis);
		int written =
			!item ? 0
			      : snprintf(text + length, 256 - length, "%s%s%s",
					 length ? " " : "",
					 axis == STORUS_AXIS_SEED ? "seed " : "", item);

		length += (size_t)written;
	}
}

/*
 * In the new process: never returns. Signals stay blocked: an interrupt, which a terminal
 * sends to all processes, is the parent's to answer.
 */
static void work(pool_t *pool, const worker_t *worker, pid_t parent)
{
	answer_t answer = {0};

	/* End with the parent if it is killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	answer.simulated =
		storus_cell_simulate(&pool->inputs, &pool->run->plan->cell[worker->cell],
				     answer.value, &answer.err) == 0;
	if (fwrite(&answer, sizeof(answer), 1, worker->answer) != 1 ||
	    fflush(worker->answer) != 0)
		_exit(1);
	_exit(0);
}

/* Begin to simulate [cell]. Returns 0, or -1 with [err] filled. */
static int start(pool_t *pool, size_t cell, torus_error_t *err)
{
	worker_t *worker = pool->worker;
	pid_t parent = getpid();

	while (worker->process)
		worker++;
	worker->cell = cell;
	worker->answer = tmpfile();
	if (!worker->answer)
		return torus_fail(err, "cannot make a temporary file: %s",
				  strerror(errno));
	worker->process = fork();
	if (!worker->process)
		work(pool, worker, parent);
	if (worker->process > 0)
		return 0;
	torus_fail(err, "cannot start a process: %s", strerror(errno));
	fclose(worker->answer);
	worker->process = 0;
	return -1;
}

/* Take the answer of a process that has ended. -1 with [err] filled: cannot be kept. */
static int finish(pool_t *pool, worker_t *worker, int status, torus_error_t *err)
{
	const storus_run_t *run = pool->run;
	size_t cell = worker->cell;
	char text[256];
	answer_t answer;
	int rc = 0;

	rewind(worker->answer);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
	    fread(&answer, sizeof(answer), 1, worker->answer) != 1) {
		answer.simulated = false;
		if (WIFSIGNALED(status))
			torus_fail(&answer.err, "its process was ended by signal %d (%s)",
				   WTERMSIG(status), strsignal(WTERMSIG(status)));
		else
			torus_fail(&answer.err, "its process failed");
	}
	fclose(worker->answer);
	worker->process = 0;
	pool->ended++;
	if (answer.simulated) {
		memcpy(pool->results->value[cell], answer.value, sizeof(answer.value));
		pool->results->done[cell] = true;
		if (run->directory)
			rc = storus_store_write(run->directory, &run->plan->cell[cell],
						answer.value, err);
	} else {
		pool->failed++;
		describe(pool, cell, text);
		warnx("%s: %s", text, answer.err.text);
	}
	storus_progress(pool->ended, pool->total, NULL);
	return rc;
}

/* Take the answers of the processes that have ended. */
static int reap(pool_t *pool, torus_error_t *err)
{
	int rc = 0;

	for (unsigned i = 0; i < pool->run->jobs; i++) {
		worker_t *worker = &pool->worker[i];
		int status;

		if (worker->process &&
		    waitpid(worker->process, &status, WNOHANG) == worker->process &&
		    finish(pool, worker, status, err))
			rc = -1;
	}
	return rc;
}

static unsigned busy(const pool_t *pool)
{
	unsigned count = 0;

	for (unsigned i = 0; i < pool->run->jobs; i++)
		count += pool->worker[i].process != 0;
	return count;
}

/* End the processes that still run; their answers are lost. */
static void give_up(pool_t *pool)
{
	for (unsigned i = 0; i < pool->run->jobs; i++) {
		worker_t *worker = &pool->worker[i];

		if (!worker->process)
			continue;
		kill(worker->process, SIGKILL);
		waitpid(worker->process, NULL, 0);
		fclose(worker->answer);
		worker->process = 0;
	}
}

/* Returns 0, -1 with [err] filled, or -1 - SIGNAL. */
static int run_all(pool_t *pool, torus_error_t *err)
{
	const storus_run_t *run = pool->run;
	size_t next = 0;

	for (;;) {
		while (next < run->plan->count &&
		       (!is_ours(run, next) || pool->results->done[next]))
			next++;
		if (next < run->plan->count && busy(pool) < run->jobs &&
		    start(pool, next, err) == 0) {
			next++;
			continue;
		}
		/* If no process can be started now, one may be when another has ended. */
		if (!busy(pool))
			return next < run->plan->count ? -1 : 0;
		/* The timer of the progress line also interrupts it. */
		int signal_number = sigwaitinfo(&pool->signals, NULL);

		if (signal_number == SIGCHLD && reap(pool, err))
			return -1;
		if (signal_number > 0 && signal_number != SIGCHLD)
			return -1 - signal_number;
	}
}

/* Machines and traces are made once, before the first process that uses them. */
static int prepare(pool_t *pool, torus_error_t *err)
{
	const storus_run_t *run = pool->run;

	if (storus_inputs_create(run->plan, &pool->inputs, err))
		return -1;
	for (size_t i = 0; i < run->plan->count; i++) {
		if (!is_ours(run, i) || pool->results->done[i])
			continue;
		pool->total++;
		if (storus_inputs_prepare(&pool->inputs, &run->plan->cell[i], err)) {
			storus_inputs_free(&pool->inputs);
			return -1;
		}
	}
	return 0;
}

int storus_run(const storus_run_t *run, storus_results_t *results, torus_error_t *err)
{
	pool_t pool = {.run = run, .results = results};
	sigset_t before;
	char what[64];
	int rc;

	if (prepare(&pool, err))
		return -1;
	pool.worker = calloc(run->jobs, sizeof(*pool.worker));
	if (!pool.worker) {
		storus_inputs_free(&pool.inputs);
		return torus_fail(err, "out of memory");
	}
	sigemptyset(&pool.signals);
	sigaddset(&pool.signals, SIGCHLD);
	sigaddset(&pool.signals, SIGINT);
	sigaddset(&pool.signals, SIGTERM);
	sigaddset(&pool.signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &pool.signals, &before);
	snprintf(what, sizeof(what), "%zu simulations", pool.total);
	storus_progress_begin(what);
	rc = run_all(&pool, err);
	give_up(&pool);
	storus_progress_end();
	sigprocmask(SIG_SETMASK, &before, NULL);
	storus_inputs_free(&pool.inputs);
	free(pool.worker);
	if (!rc && storus_results_read(run, results, err) < 0)
		return -1;
	return rc ? rc : pool.failed > 0;
}
