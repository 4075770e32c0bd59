/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress on standard error. */
#include "torus_config.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "storus/cli/progress.h"

/* How often the line is written again, after a first second without it. */
enum { TICKS_A_SECOND = 4 };

/* The time left is estimated only after this many seconds. */
enum { SECONDS_BEFORE_GUESS = 5 };

/* What the timer reads. */
static bool running;
static char line[80];			     /* "\rstorus curve: scoring " ... */
static volatile sig_atomic_t line_length;    /* ... and its length */
static volatile sig_atomic_t ticks;	     /* since the begin */
static volatile sig_atomic_t percent;	     /* -1: not known */
static volatile sig_atomic_t end_ticks;	     /* when it may be done; 0: not known */
static volatile sig_atomic_t longest_length; /* of what was written, to be erased */

/* Only what a signal handler may do: no printf(). */
static int append_number(char *text, int length, int number)
{
	int digits = 1;

	for (int rest = number; rest >= 10; rest /= 10)
		digits++;
	length += digits;
	for (int at = length; digits > 0; digits--, number /= 10)
		text[--at] = (char)('0' + number % 10);
	return length;
}

static int append_text(char *text, int length, const char *more)
{
	memcpy(text + length, more, strlen(more));
	return length + (int)strlen(more);
}

/* " 12 s left ", in the unit that fits. */
static int append_time_left(char *text, int length)
{
	int seconds = (end_ticks - ticks) / TICKS_A_SECOND;

	if (ticks < SECONDS_BEFORE_GUESS * TICKS_A_SECOND || seconds < 1)
		return length;
	if (seconds < 120)
		return append_text(text, append_number(text, length, seconds),
				   " s left ");
	if (seconds < 7200)
		return append_text(text, append_number(text, length, seconds / 60),
				   " min left ");
	return append_text(text, append_number(text, length, seconds / 3600), " h left ");
}

static void write_line(int signal_number)
{
	/* Room behind the line for two numbers, their words, and blanks that cover a
	 * longer estimate. */
	char text[sizeof(line) + 48];
	int saved = errno, length = line_length, visible;

	(void)signal_number;
	ticks++;
	memcpy(text, line, (size_t)length);
	if (percent >= 0) {
		length = append_number(text, length, percent);
		length = append_text(text, length, "% ");
		length = append_time_left(text, length);
	} else {
		length = append_number(text, length, ticks / TICKS_A_SECOND + 1);
		length = append_text(text, length, " s");
	}
	visible = length;
	/* Blanks cover the end of a longer estimate. */
	while (length < longest_length && length < (int)sizeof(text))
		text[length++] = ' ';
	/* A terminal that is gone needs no progress. */
	if (write(STDERR_FILENO, text, (size_t)length) == length &&
	    visible > longest_length)
		longest_length = visible;
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
	end_ticks = 0;
	longest_length = 0;
	running = true;
	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	set_timer(1, 1000000 / TICKS_A_SECOND);
}

void storus_progress(uint64_t done, uint64_t total, void *unused)
{
	(void)unused;
	double part = total ? (double)done / (double)total : 0;

	if (!total)
		return;
	percent = (sig_atomic_t)(part * 100);
	/* A tick is a quarter of a second, so that the count lasts for seventeen
	 * years. */
	if (part > 0 && ticks / part < INT_MAX)
		end_ticks = (sig_atomic_t)(ticks / part);
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
