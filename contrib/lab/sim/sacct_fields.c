/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sacct prints of times, durations and counts: see sacct_fields.h. */
#include "sim/sacct_fields.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#define HOUR INT64_C(3600)
#define DAY (24 * HOUR)

bool torus_sacct_same(torus_sacct_field_t a, torus_sacct_field_t b)
{
	return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

bool torus_sacct_is(torus_sacct_field_t field, const char *text)
{
	return field.length == strlen(text) &&
	       strncasecmp(field.at, text, field.length) == 0;
}

bool torus_sacct_begins(torus_sacct_field_t field, const char *text)
{
	size_t length = strlen(text);

	return field.length >= length && strncasecmp(field.at, text, length) == 0 &&
	       (field.length == length || field.at[length] == ' ');
}

/*
 * Take the digits at the beginning of the field off it: a number of at most [largest].
 * Returns whether there is one.
 */
static bool take_number(torus_sacct_field_t *field, uint64_t largest, uint64_t *number)
{
	size_t digits = 0;

	*number = 0;
	for (; digits < field->length; digits++) {
		unsigned digit = (unsigned)(field->at[digits] - '0');

		if (digit > 9)
			break;
		if (*number > largest / 10 || digit > largest - 10 * *number)
			return false;
		*number = 10 * *number + digit;
	}
	field->at += digits;
	field->length -= digits;
	return digits > 0;
}

/* The same for the character [c]. */
static bool take(torus_sacct_field_t *field, char c)
{
	if (!field->length || *field->at != c)
		return false;
	field->at++;
	field->length--;
	return true;
}

/* The same for a number of exactly [digits] digits, at least [low] and at most [high]. */
static bool take_part(torus_sacct_field_t *field, size_t digits, int low, int high,
		      int *part)
{
	const char *begin = field->at;
	uint64_t number;

	if (!take_number(field, (uint64_t)high, &number) ||
	    (size_t)(field->at - begin) != digits || number < (uint64_t)low)
		return false;
	*part = (int)number;
	return true;
}

static int days_in_month(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return days[month - 1] + (month == 2 && leap);
}

/* Read 2026-10-01T12:00:00. */
static bool read_calendar(torus_sacct_field_t field, struct tm *calendar)
{
	int year, month, day, hour, minute, second;

	if (!take_part(&field, 4, 1970, 9999, &year) || !take(&field, '-') ||
	    !take_part(&field, 2, 1, 12, &month) || !take(&field, '-') ||
	    !take_part(&field, 2, 1, days_in_month(year, month), &day) ||
	    !take(&field, 'T') || !take_part(&field, 2, 0, 23, &hour) ||
	    !take(&field, ':') || !take_part(&field, 2, 0, 59, &minute) ||
	    !take(&field, ':') || !take_part(&field, 2, 0, 59, &second) || field.length)
		return false;
	*calendar = (struct tm){.tm_year = year - 1900,
				.tm_mon = month - 1,
				.tm_mday = day,
				.tm_hour = hour,
				.tm_min = minute,
				.tm_sec = second};
	return true;
}

/* Whether clocks show [calendar] at that point in time. */
static bool shows(int64_t seconds, const struct tm *calendar)
{
	time_t time = seconds;
	struct tm seen;

	return localtime_r(&time, &seen) && seen.tm_mday == calendar->tm_mday &&
	       seen.tm_hour == calendar->tm_hour && seen.tm_min == calendar->tm_min;
}

/* The point in time at which clocks show [calendar]; of two, as sacct_fields.h says. */
static int64_t when(const struct tm *calendar, int64_t not_before)
{
	struct tm changed = *calendar;
	int64_t found, second;

	/* Asked for summer or winter time, mktime() would search years for it. */
	changed.tm_isdst = -1;
	found = mktime(&changed);
	second = found + HOUR;
	if (shows(found - HOUR, calendar)) {
		second = found;
		found -= HOUR;
	} else if (!shows(second, calendar)) {
		return found;
	}
	return found < not_before ? second : found;
}

torus_sacct_value_t torus_sacct_time(torus_sacct_field_t field, int64_t not_before,
				     int64_t *seconds)
{
	struct tm calendar;
	uint64_t number;

	if (!field.length || torus_sacct_is(field, "Unknown") ||
	    torus_sacct_is(field, "None"))
		return TORUS_SACCT_NONE;
	if (read_calendar(field, &calendar)) {
		*seconds = when(&calendar, not_before);
		return *seconds >= 0 ? TORUS_SACCT_READ : TORUS_SACCT_MALFORMED;
	}
	if (!take_number(&field, TORUS_SACCT_LONGEST, &number) || field.length)
		return TORUS_SACCT_MALFORMED;
	*seconds = (int64_t)number;
	return TORUS_SACCT_READ;
}

torus_sacct_value_t torus_sacct_duration(torus_sacct_field_t field, int64_t unit,
					 int64_t *seconds)
{
	const uint64_t largest = TORUS_SACCT_LONGEST / 60;
	uint64_t number, days = 0;
	int64_t sum;
	int parts = 1;

	if (!field.length || torus_sacct_is(field, "Partition_Limit"))
		return TORUS_SACCT_NONE;
	if (torus_sacct_is(field, "UNLIMITED")) {
		*seconds = 365 * DAY;
		return TORUS_SACCT_READ;
	}
	if (!take_number(&field, largest, &number))
		return TORUS_SACCT_MALFORMED;
	if (!field.length) {
		*seconds = (int64_t)number * unit;
		return TORUS_SACCT_READ;
	}
	if (take(&field, '-')) {
		days = number;
		if (!take_number(&field, 23, &number))
			return TORUS_SACCT_MALFORMED;
	}
	for (sum = (int64_t)number; take(&field, ':'); parts++) {
		if (!take_number(&field, 59, &number))
			return TORUS_SACCT_MALFORMED;
		sum = 60 * sum + (int64_t)number;
	}
	sum += (int64_t)days * DAY;
	if (field.length || parts < (days ? 3 : 2) || parts > 3 ||
	    sum > TORUS_SACCT_LONGEST)
		return TORUS_SACCT_MALFORMED;
	*seconds = sum;
	return TORUS_SACCT_READ;
}

bool torus_sacct_count(torus_sacct_field_t field, uint32_t *count)
{
	static const char units[] = "KMG";
	uint64_t number;
	const char *unit;

	if (!take_number(&field, UINT32_MAX, &number))
		return false;
	if (field.length == 1 && (unit = strchr(units, *field.at)) && *unit)
		number <<= 10 * (unit - units + 1);
	else if (field.length)
		return false;
	*count = (uint32_t)number;
	return number <= UINT32_MAX;
}

bool torus_sacct_job_number(torus_sacct_field_t field, uint64_t *number)
{
	return take_number(&field, UINT64_MAX, number) &&
	       (!field.length || *field.at == '_' || *field.at == '+');
}
