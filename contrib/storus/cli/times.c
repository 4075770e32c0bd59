/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moments and durations as users of Slurm write them. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "storus/cli/times.h"

/* Digits of a number: none that is longer is meant. */
enum { DIGITS_MAX = 6 };

/* Read the number at *at, and step behind it. Returns it, or -1. */
static int32_t read_number(const char **at)
{
	size_t digits = strspn(*at, "0123456789");
	int32_t number = (int32_t)strtol(*at, NULL, 10);

	*at += digits;
	return digits >= 1 && digits <= DIGITS_MAX ? number : -1;
}

/* Seconds of a unit's name, or 0. */
static int32_t unit_seconds(const char *name)
{
	static const struct {
		const char *name;
		int32_t seconds;
	} unit[] = {{"second", 1},
		    {"minute", 60},
		    {"hour", 60 * 60},
		    {"day", 24 * 60 * 60},
		    {"week", 7 * 24 * 60 * 60}};

	if (!*name)
		return 1;
	for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); i++) {
		size_t length = strlen(unit[i].name);

		if (strncmp(name, unit[i].name, length) == 0 &&
		    (name[length] == '\0' || strcmp(name + length, "s") == 0))
			return unit[i].seconds;
	}
	return 0;
}

/* Read what may follow "now". */
static bool read_offset(const char *text, time_t now, time_t *moment)
{
	int32_t number, seconds, sign = *text == '-' ? -1 : 1;

	*moment = now;
	if (!*text)
		return true;
	if (*text != '+' && *text != '-')
		return false;
	text++;
	number = read_number(&text);
	seconds = unit_seconds(text);
	*moment = now + sign * (time_t)number * seconds;
	return number >= 0 && seconds > 0;
}

/* Read a date, with a time or without. */
static bool read_date(const char *text, time_t *moment)
{
	static const char *const formats[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M",
					      "%Y-%m-%dT%H:%M:%S"};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct tm date = {.tm_isdst = -1};
		const char *end = strptime(text, formats[i], &date);
		int day = date.tm_mday;

		if (!end || *end)
			continue;
		*moment = mktime(&date);
		/* mktime() makes March 2 of February 30. */
		return *moment != (time_t)-1 && date.tm_mday == day;
	}
	return false;
}

/* Read a word for the begin of a day. */
static bool read_day(const char *text, time_t now, time_t *moment)
{
	static const struct {
		const char *name;
		int days;
	} day[] = {{"yesterday", -1}, {"today", 0}, {"tomorrow", 1}};
	struct tm date;

	for (size_t i = 0; i < sizeof(day) / sizeof(day[0]); i++) {
		if (strcmp(text, day[i].name) != 0 || !localtime_r(&now, &date))
			continue;
		date.tm_hour = date.tm_min = date.tm_sec = 0;
		date.tm_mday += day[i].days;
		date.tm_isdst = -1;
		*moment = mktime(&date);
		return *moment != (time_t)-1;
	}
	return false;
}

int storus_time_parse(const char *text, time_t now, time_t *moment, torus_error_t *err)
{
	bool read = strncmp(text, "now", 3) == 0
			    ? read_offset(text + 3, now, moment)
			    : read_day(text, now, moment) || read_date(text, moment);

	return read ? 0
		    : torus_fail(err,
				 "'%s' is no time: write now, now+2hours, today, "
				 "yesterday or 2026-11-30T08:00",
				 text);
}

int storus_duration_parse(const char *text, uint32_t *minutes, torus_error_t *err)
{
	int64_t seconds;

	if (torus_duration_parse(text, &seconds, err))
		return -1;
	if (!seconds)
		return torus_fail(err, "'%s' is no duration of at least a minute", text);
	*minutes = (uint32_t)((seconds + 59) / 60);
	return 0;
}

char *storus_time_format(time_t moment, char text[STORUS_TIME_TEXT])
{
	struct tm date;

	if (!localtime_r(&moment, &date) ||
	    !strftime(text, STORUS_TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &date))
		text[0] = '\0';
	return text;
}
