/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weeks of a span of time. */
#include "torus_config.h"

#include <stdlib.h>
#include <time.h>

#include "storus/report/weeks.h"

#define WEEK (7 * 24 * INT64_C(3600))
#define MOST_WEEKS 5220

/* Midnight at the beginning of the Monday [weeks] after that of [moment]. */
static time_t monday(int64_t moment, int weeks)
{
	time_t seconds = (time_t)moment;
	struct tm date;

	localtime_r(&seconds, &date);
	date.tm_mday += 7 * weeks - (date.tm_wday + 6) % 7;
	date.tm_hour = date.tm_min = date.tm_sec = 0;
	date.tm_isdst = -1;
	return mktime(&date);
}

int storus_weeks_make(int64_t from, int64_t to, storus_weeks_t *weeks, torus_error_t *err)
{
	/* One for each end, and one as summer time moves midnights. */
	size_t room = (size_t)((to - from) / WEEK) + 3;

	*weeks = (storus_weeks_t){0};
	if (to - from > MOST_WEEKS * WEEK)
		return torus_fail(err, "more than a hundred years lie between the ends");
	weeks->begin = malloc((room + 1) * sizeof(*weeks->begin));
	weeks->name = malloc(room * sizeof(*weeks->name));
	if (!weeks->begin || !weeks->name) {
		storus_weeks_clear(weeks);
		return torus_fail(err, "out of memory for %zu weeks", room);
	}
	while (weeks->count < room) {
		int week = (int)weeks->count;
		time_t begin = monday(from, week);
		struct tm date;

		if (begin >= to)
			break;
		localtime_r(&begin, &date);
		strftime(weeks->name[week], STORUS_WEEK_TEXT, "%Y-%m-%d", &date);
		weeks->begin[week] = begin < from ? from : (int64_t)begin;
		weeks->count++;
	}
	weeks->begin[weeks->count] = to;
	return 0;
}

void storus_weeks_clear(storus_weeks_t *weeks)
{
	free(weeks->begin);
	free(weeks->name);
	*weeks = (storus_weeks_t){0};
}

size_t storus_weeks_find(const storus_weeks_t *weeks, int64_t moment)
{
	size_t low = 0, high = weeks->count - 1;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		if (weeks->begin[middle] <= moment)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}
