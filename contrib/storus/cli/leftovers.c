/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files and directories that must not stay behind. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "storus/cli/leftovers.h"

typedef struct leftover {
	struct leftover *next;
	int directory;
	char path[];
} leftover_t;

/* Changed only while the signals are held back. */
static leftover_t *first;
static pid_t owner; /* processes that it forks leave its files alone */

static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

/* Only what a signal handler may call. */
static void remove_all(int number)
{
	int saved = errno;

	for (const leftover_t *at = first; getpid() == owner && at; at = at->next) {
		if (unlinkat(at->directory, at->path, 0) != 0)
			unlinkat(at->directory, at->path, AT_REMOVEDIR);
	}
	/* Its action is the default again: it ends storus when this returns. */
	raise(number);
	errno = saved;
}

static void fill(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaddset(set, signals[i]);
}

static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = remove_all,
				   .sa_flags = (int)SA_RESETHAND},
			 before;

	owner = getpid();
	fill(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++) {
		if (sigaction(signals[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
	}
}

void storus_leftovers_hold(sigset_t *before)
{
	sigset_t held;

	fill(&held);
	sigprocmask(SIG_BLOCK, &held, before);
}

void storus_leftovers_release(const sigset_t *before)
{
	int saved = errno;

	sigprocmask(SIG_SETMASK, before, NULL);
	errno = saved;
}

int storus_leftovers_add(int directory, const char *path)
{
	size_t size = strlen(path) + 1;
	leftover_t *more = malloc(sizeof(*more) + size);
	sigset_t before;

	if (!more)
		return -1;
	more->directory = directory;
	memcpy(more->path, path, size);
	storus_leftovers_hold(&before);
	if (!owner)
		catch_signals();
	more->next = first;
	first = more;
	storus_leftovers_release(&before);
	return 0;
}

void storus_leftovers_drop(int directory, const char *path)
{
	leftover_t **link = &first, *gone;
	sigset_t before;

	while (*link &&
	       ((*link)->directory != directory || strcmp((*link)->path, path) != 0))
		link = &(*link)->next;
	if (!*link)
		return;
	storus_leftovers_hold(&before);
	gone = *link;
	*link = gone->next;
	storus_leftovers_release(&before);
	free(gone);
}
