/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The token of a job that waits for a better place: see waiting.h. */
#define _GNU_SOURCE /* strptime(), timegm() */
#include "machine/waiting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "machine/token.h"

enum { TIME_TEXT = 32 };

static const char *const names[TORUS_WISHES] = {
	[TORUS_WISH_NONE] = "none",
	[TORUS_WISH_SHAPE] = "shape",
	[TORUS_WISH_CONTIGUOUS] = "contiguous",
	[TORUS_WISH_NEAR] = "near",
};

const char *torus_wish_name(torus_wish_t wish)
{
	return names[wish];
}

static const char *write_time(int64_t moment, char text[TIME_TEXT])
{
	time_t seconds = (time_t)moment;
	struct tm date;

	if (!localtime_r(&seconds, &date) ||
	    !strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%S%z", &date))
		text[0] = '\0';
	return text;
}

char *torus_waiting_format(const torus_waiting_t *waiting, char text[TORUS_WAITING_TEXT])
{
	char since[TIME_TEXT], until[TIME_TEXT], task[TIME_TEXT] = "";

	if (waiting->task != TORUS_WAITING_NO_TASK)
		snprintf(task, sizeof(task), ",task=%" PRIu32, waiting->task);
	snprintf(text, TORUS_WAITING_TEXT, TORUS_WAITING_KEY "%s,since=%s,until=%s%s",
		 names[waiting->wish], write_time(waiting->since, since),
		 write_time(waiting->until, until), task);
	return text;
}

/* Step over [word] at *at; false: it is not there. */
static bool step_over(const char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) != 0)
		return false;
	*at += length;
	return true;
}

/* Read a time at *at, and step behind it. */
static bool read_time(const char **at, int64_t *moment)
{
	struct tm date = {0};
	const char *end = strptime(*at, "%Y-%m-%dT%H:%M:%S%z", &date);
	long offset;

	if (!end)
		return false;
	offset = date.tm_gmtoff; /* timegm() sets it to 0 */
	*moment = (int64_t)timegm(&date) - offset;
	*at = end;
	return *moment >= 0 && *moment <= TORUS_WAITING_LAST;
}

static bool read_wish(const char **at, torus_wish_t *wish)
{
	for (int i = TORUS_WISH_NONE + 1; i < TORUS_WISHES; i++) {
		const char *rest = *at;

		if (step_over(&rest, names[i]) && *rest == ',') {
			*wish = (torus_wish_t)i;
			*at = rest;
			return true;
		}
	}
	return false;
}

static bool read_task(const char **at, uint32_t *task)
{
	size_t digits = strspn(*at, "0123456789");
	unsigned long value = strtoul(*at, NULL, 10);

	*at += digits;
	*task = (uint32_t)value;
	return digits >= 1 && digits <= 10 && value < TORUS_WAITING_NO_TASK;
}

bool torus_waiting_read(const char *comment, torus_waiting_t *waiting)
{
	torus_waiting_t read = {.task = TORUS_WAITING_NO_TASK};
	size_t length;
	const char *at = torus_comment_find(comment, TORUS_WAITING_KEY, &length);
	const char *end = at ? at + length : NULL;

	if (!at || !step_over(&at, TORUS_WAITING_KEY) || !read_wish(&at, &read.wish) ||
	    !step_over(&at, ",since=") || !read_time(&at, &read.since) ||
	    !step_over(&at, ",until=") || !read_time(&at, &read.until) ||
	    (step_over(&at, ",task=") && !read_task(&at, &read.task)) || at != end)
		return false;
	*waiting = read;
	return true;
}
