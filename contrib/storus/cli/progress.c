/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress on standard error. */
#include "torus_config.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "storus/cli/progress.h"

/* How often the line is written again, after a first second without it. */
enum { TICKS_A_SECOND = 4 };

/* What the timer reads. */
static bool running;
static char line[80];			     /* "\rstorus curve: scoring " ... */
static volatile sig_atomic_t line_length;    /* ... and its length */
static volatile sig_atomic_t ticks;	     /* since the begin */
static volatile sig_atomic_t percent;	     /* -1: not known */
static volatile sig_atomic_t longest_length; /* of what was written, to be erased */

/* Only what a signal handler may do: no printf(). */
static void write_line(int signal_number)
{
	char text[sizeof(line) + 16];
	int saved = errno, length = line_length, digits = 1;
	int number = percent >= 0 ? percent : ticks / TICKS_A_SECOND + 1;

	(void)signal_number;
	ticks++;
	memcpy(text, line, (size_t)length);
	for (int rest = number; rest >= 10; rest /= 10)
		digits++;
	length += digits;
	for (int at = length; digits > 0; digits--, number /= 10)
		text[--at] = (char)('0' + number % 10);
	memcpy(text + length, percent >= 0 ? "% " : " s", 2);
	length += 2;
	/* A terminal that is gone needs no progress. */
	if (write(STDERR_FILENO, text, (size_t)length) == length &&
	    length > longest_length)
		longest_length = length;
	errno = saved;
}

static void set_timer(time_t first_second, suseconds_t interval)
{
	struct itimerval timer = {.it_value = {.tv_sec = first_second},
				  .it_interval = {.tv_usec = interval}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

void storus_progress_begin(const char *what)
{
	struct sigaction action = {.sa_handler = write_line, .sa_flags = SA_RESTART};
	int length;

	if (!isatty(STDERR_FILENO))
		return;
	length = snprintf(line, sizeof(line), "\r%s: %s ", program_invocation_name, what);
	line_length = length < (int)sizeof(line) ? length : (int)sizeof(line) - 1;
	ticks = 0;
	percent = -1;
	longest_length = 0;
	running = true;
	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	set_timer(1, 1000000 / TICKS_A_SECOND);
}

void storus_progress(uint64_t done, uint64_t total, void *unused)
{
	(void)unused;
	if (total)
		percent = (sig_atomic_t)((double)done / (double)total * 100);
}

void storus_progress_end(void)
{
	int saved = errno;

	if (!running)
		return;
	set_timer(0, 0);
	signal(SIGALRM, SIG_DFL);
	running = false;
	if (longest_length)
		fprintf(stderr, "\r%*s\r", (int)longest_length - 1, "");
	errno = saved;
}
