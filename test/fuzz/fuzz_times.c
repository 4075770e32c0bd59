/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The moments and durations of storus reserve and report. Input: a moment, a newline, a
 * duration. What is read is in range, and a moment written and read again is the same.
 */
#include "fuzz.h"

#include "storus/cli/times.h"

/* Some moment, 2026-11-21. */
enum { NOW = 1795219200 };

static void check_moment(const char *text)
{
	char written[STORUS_TIME_TEXT];
	torus_error_t err = {""};
	time_t moment, again;

	if (storus_time_parse(text, NOW, &moment, &err) != 0) {
		CHECK(err.text[0]);
		return;
	}
	if (strncmp(text, "now-", 4) == 0)
		CHECK(moment <= NOW);
	else if (strncmp(text, "now", 3) == 0)
		CHECK(moment >= NOW);
	storus_time_format(moment, written);
	/* Years of more than four digits are not read. */
	if (strlen(written) == strlen("2026-11-21T00:00:00"))
		CHECK(!storus_time_parse(written, NOW, &again, NULL) && again == moment);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
	torus_error_t err = {""};
	uint32_t minutes = 0;
	char *text;

	if (!newline)
		return 0;
	/* Where clocks are put back, an hour has two moments. */
	setenv("TZ", "UTC0", 1);
	text = fuzz_text(data, (size_t)(newline - data));
	check_moment(text);
	free(text);
	text = fuzz_text(newline + 1, size - (size_t)(newline + 1 - data));
	if (storus_duration_parse(text, &minutes, &err) == 0)
		CHECK(minutes >= 1 && minutes <= (uint32_t)INT32_MAX + 1);
	else
		CHECK(err.text[0]);
	free(text);
	return 0;
}
