/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site's own program, which prints where the node is: started without a shell, with
 * nothing on its standard input, and ended with all that it started if it takes too long
 * or prints too much.
 */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "storus/locate/place.h"

extern char **environ;

/* How long its end is waited for after that of its output, before looking again. */
#define LOOK_AGAIN_NS 5000000L

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Start it with [output] as its standard output. Returns 0 or an error number. */
static int start(const char *program, int output, pid_t *process)
{
	char *arguments[] = {(char *)program, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t signals;
	int code = posix_spawn_file_actions_init(&actions);

	if (code)
		return code;
	code = posix_spawnattr_init(&attributes);
	if (code)
		goto no_attributes;
	/* storus ignores SIGPIPE; a group of its own can be ended as a whole. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	code = posix_spawnattr_setsigdefault(&attributes, &signals);
	if (!code)
		code = posix_spawnattr_setpgroup(&attributes, 0);
	if (!code)
		code = posix_spawnattr_setflags(
			&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
	if (!code)
		code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
							"/dev/null", O_RDONLY, 0);
	if (!code)
		code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!code)
		code = posix_spawn(process, program, &actions, &attributes, arguments,
				   environ);
	posix_spawnattr_destroy(&attributes);
no_attributes:
	posix_spawn_file_actions_destroy(&actions);
	return code;
}

/*
 * Read what it prints into text[0 .. room-1], and a 0 behind it. Returns 0, or -1: it
 * takes longer than until [end], prints more, or it cannot be read.
 */
static int read_output(int pipe, double end, char *text, size_t room, torus_error_t *err)
{
	size_t length = 0;

	for (;;) {
		double left = end - now();
		struct pollfd ready = {.fd = pipe, .events = POLLIN};
		ssize_t got;

		if (left <= 0)
			return torus_fail(err, "it took too long");
		if (poll(&ready, 1, left > 1000 ? 1000000 : (int)(left * 1000) + 1) <= 0)
			continue;
		got = read(pipe, text + length, room - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return torus_fail(err, "%s", strerror(errno));
		length += (size_t)got;
		if (length == room)
			return torus_fail(err, "it prints more than a place");
		text[length] = '\0';
		if (got == 0)
			return strlen(text) == length
				       ? 0
				       : torus_fail(err, "what it prints is no text");
	}
}

/* Wait for its end. Returns 0, or -1: a bad end, or none until [end]. */
static int await(pid_t process, double end, torus_error_t *err)
{
	for (;;) {
		struct timespec pause = {0, LOOK_AGAIN_NS};
		int status;
		pid_t ended = waitpid(process, &status, WNOHANG);

		if (ended == process && WIFSIGNALED(status))
			return torus_fail(err, "it was ended by signal %d",
					  WTERMSIG(status));
		if (ended == process)
			return WEXITSTATUS(status) == 0
				       ? 0
				       : torus_fail(err, "it failed with status %d",
						    WEXITSTATUS(status));
		if (ended < 0 && errno != EINTR)
			return torus_fail(err, "%s", strerror(errno));
		if (now() >= end)
			return torus_fail(err, "it took too long");
		nanosleep(&pause, NULL);
	}
}

/* Read the place from all that was printed, which is changed. Returns 0, or -1. */
static int read_place(char *text, storus_place_t *place, torus_error_t *err)
{
	static const char blanks[] = " \t\r\n";

	text += strspn(text, blanks);
	for (size_t end = strlen(text); end > 0 && strchr(blanks, text[end - 1]); end--)
		text[end - 1] = '\0';
	if (!*text)
		return torus_fail(err, "it prints nothing");
	return storus_place_parse(text, place, err);
}

storus_located_t storus_locate_program(const storus_locating_t *locating,
				       storus_place_t *place, torus_error_t *err)
{
	const char *program = locating->program;
	double end = now() + locating->time_limit;
	char text[1024];
	pid_t process;
	int ends[2], code, rc;

	if (!program) {
		torus_fail(err, "there is no --program");
		return STORUS_LOCATE_ABSENT;
	}
	if (pipe2(ends, O_CLOEXEC) != 0) {
		torus_fail(err, "cannot run '%s': %s", program, strerror(errno));
		return STORUS_LOCATE_BAD;
	}
	code = start(program, ends[1], &process);
	close(ends[1]);
	if (code) {
		close(ends[0]);
		torus_fail(err, "cannot run '%s': %s", program, strerror(code));
		return STORUS_LOCATE_BAD;
	}
	rc = read_output(ends[0], end, text, sizeof(text), err);
	close(ends[0]);
	if (rc != 0 || await(process, end, err) != 0) {
		/* Harmless where it has ended: the group is its own. */
		if (kill(-process, SIGKILL) == 0)
			waitpid(process, NULL, 0);
		rc = -1;
	}
	if (rc == 0)
		rc = read_place(text, place, err);
	if (rc == 0)
		return STORUS_LOCATED;
	torus_fail_prefix(err, "the program '%s': ", program);
	return STORUS_LOCATE_BAD;
}
