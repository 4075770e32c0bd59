/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Durations as users of Slurm write them: see duration.h. */
#include "base/duration.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Digits of a number: none that is longer is meant. */
enum { DIGITS_MAX = 6 };

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

/* Read the number at *at, and step behind it. Returns it, or -1. */
static int32_t read_number(const char **at)
{
	size_t digits = strspn(*at, "0123456789");
	int32_t number = (int32_t)strtol(*at, NULL, 10);

	*at += digits;
	return digits >= 1 && digits <= DIGITS_MAX ? number : -1;
}

int torus_duration_parse(const char *text, int64_t *seconds, torus_error_t *err)
{
	/* How many seconds the numbers count, by whether there are days, and how many
	 * numbers follow. */
	static const int32_t weight[2][3][3] = {
		{{MINUTE}, {MINUTE, 1}, {HOUR, MINUTE, 1}},
		{{HOUR}, {HOUR, MINUTE}, {HOUR, MINUTE, 1}},
	};
	const char *at = text;
	int32_t number[3];
	int numbers = 0;
	bool has_days = false;
	int64_t sum = 0;

	do {
		int32_t value = read_number(&at);

		if (value < 0 || numbers == 3)
			goto bad;
		if (*at == '-' && numbers == 0 && !has_days) {
			has_days = true;
			sum = (int64_t)value * DAY;
		} else {
			number[numbers++] = value;
		}
	} while ((*at == ':' || (*at == '-' && has_days && numbers == 0)) && *at++);
	if (*at || numbers == 0)
		goto bad;
	for (int i = 0; i < numbers; i++)
		sum += (int64_t)number[i] * weight[has_days][numbers - 1][i];
	if (sum > TORUS_DURATION_MAX)
		goto bad;
	*seconds = sum;
	return 0;
bad:
	return torus_fail(
		err,
		"'%.64s' is no duration: write minutes, hours:minutes:seconds or "
		"days-hours",
		text);
}

int torus_duration_or_infinite(const char *text, int64_t *seconds, torus_error_t *err)
{
	if (strcasecmp(text, "infinite") != 0)
		return torus_duration_parse(text, seconds, err);
	*seconds = TORUS_DURATION_MAX;
	return 0;
}

char *torus_duration_format(int64_t seconds, char text[TORUS_DURATION_TEXT])
{
	char days[TORUS_DURATION_TEXT / 2] = "";

	if (seconds >= DAY)
		snprintf(days, sizeof(days), "%" PRId64 "-", seconds / DAY);
	snprintf(text, TORUS_DURATION_TEXT, "%s%02d:%02d:%02d", days,
		 (int)(seconds % DAY / HOUR), (int)(seconds % HOUR / MINUTE),
		 (int)(seconds % MINUTE));
	return text;
}
