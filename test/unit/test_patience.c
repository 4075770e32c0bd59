/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long jobs wait for a better place: durations, whose word counts, and the token. */
#define _GNU_SOURCE /* setenv() */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/duration.h"
#include "machine/patience.h"
#include "random.h"

static void reads_durations(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds; /* -1: refused */
		const char *written;
	} table[] = {
		{"0", 0, "00:00:00"},
		{"30", 1800, "00:30:00"},
		{"0:45", 45, "00:00:45"},
		{"90:05", 5405, "01:30:05"},
		{"1:2:3", 3723, "01:02:03"},
		{"2-0", 172800, "2-00:00:00"},
		{"1-02", 93600, "1-02:00:00"},
		{"1-2:30", 95400, "1-02:30:00"},
		{"1-02:03:04", 93784, "1-02:03:04"},
		{"999999", 59999940, "694-10:39:00"},
		{"999999-0", 86399913600, "999999-00:00:00"},
		{"", -1, ""},
		{"-1", -1, ""},
		{"1-", -1, ""},
		{":30", -1, ""},
		{"1:", -1, ""},
		{"1:2:3:4", -1, ""},
		{"1-2-3", -1, ""},
		{"1:2-3", -1, ""},
		{"1-2:3:4:5", -1, ""},
		{"1000000", -1, ""},
		{" 1", -1, ""},
		{"1h", -1, ""},
		{"UNLIMITED", -1, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int64_t seconds = -1;
		torus_error_t err = {""};
		char text[TORUS_DURATION_TEXT];
		int result = torus_duration_parse(table[i].text, &seconds, &err);

		if (result != (table[i].seconds < 0 ? -1 : 0) ||
		    seconds != table[i].seconds)
			fail_msg("'%s' gives %" PRId64, table[i].text, seconds);
		if (result)
			assert_non_null(strstr(err.text, "is no duration"));
		else
			assert_string_equal(torus_duration_format(seconds, text),
					    table[i].written);
	}
}

/* As Slurm reads durations: by the number of signs. -1: none. */
static int64_t slow_duration(const char *text)
{
	long d = 0, h = 0, m = 0, s = 0;
	char rest;

	if (strlen(text) != strspn(text, "0123456789:-") || !strlen(text) ||
	    strstr(text, "--") || strstr(text, "::") || strstr(text, ":-") ||
	    strstr(text, "-:") || strchr(":-", *text) ||
	    strchr(":-", text[strlen(text) - 1]))
		return -1;
	for (const char *at = text; *at; at += strspn(at, ":-")) {
		if (strspn(at, "0123456789") > 6)
			return -1;
		at += strspn(at, "0123456789");
	}
	if (sscanf(text, "%ld-%ld:%ld:%ld%c", &d, &h, &m, &s, &rest) == 4 ||
	    (m = s = 0, sscanf(text, "%ld-%ld:%ld%c", &d, &h, &m, &rest) == 3) ||
	    (m = 0, sscanf(text, "%ld-%ld%c", &d, &h, &rest) == 2) ||
	    (d = 0, sscanf(text, "%ld:%ld:%ld%c", &h, &m, &s, &rest) == 3) ||
	    (h = 0, sscanf(text, "%ld:%ld%c", &m, &s, &rest) == 2) ||
	    (s = 0, sscanf(text, "%ld%c", &m, &rest) == 1))
		return ((d * 24 + h) * 60 + m) * 60 + s;
	return -1;
}

static void random_durations(void **state)
{
	static const char letters[] = "0123456789:::--";
	int good = 0;

	(void)state;
	for (int round = 0; round < 40000; round++) {
		char text[16] = "";
		int64_t seconds = -1, expected;
		uint32_t length = random_in(1, 12);

		for (uint32_t i = 0; i < length; i++)
			text[i] = letters[random_in(0, sizeof(letters) - 2)];
		expected = slow_duration(text);
		if (torus_duration_parse(text, &seconds, NULL))
			seconds = -1;
		if (seconds != expected)
			fail_msg("'%s' gives %" PRId64 ", not %" PRId64, text, seconds,
				 expected);
		good += seconds >= 0;
	}
	assert_true(good > 1000);
}

static void reads_the_word_of_the_site(void **state)
{
	static const struct {
		const char *text;
		uint32_t near; /* UINT32_MAX: refused */
		int64_t within;
		const char *says;
	} table[] = {
		{"none", 0, 0, NULL},
		{"NONE", 0, 0, NULL},
		{"1.2@30", 1200, 1800, NULL},
		{"1@0", 1000, 0, NULL},
		{"1.125@1-0", 1125, 86400, NULL},
		{"1.2", UINT32_MAX, 0, "'1.2' is neither none nor of the form 1.2@30"},
		{"30@1.2", UINT32_MAX, 0, "'30'"},
		{"1.2@", UINT32_MAX, 0, "'' is no duration"},
		{"@30", UINT32_MAX, 0, "''"},
		{"0.9@30", UINT32_MAX, 0, "'0.9'"},
		{"1.2@30@1", UINT32_MAX, 0, "'30@1' is no duration"},
		{"1.00000000000000000000000000000000000@30", UINT32_MAX, 0,
		 "is neither none nor of the form"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_patience_site_t site = {.near = 7, .within = 7};
		torus_error_t err = {""};
		int result = torus_patience_parse(table[i].text, &site, &err);

		if (table[i].near == UINT32_MAX) {
			assert_int_equal(result, -1);
			if (!strstr(err.text, table[i].says))
				fail_msg("'%s': \"%s\"", table[i].text, err.text);
			continue;
		}
		assert_int_equal(result, 0);
		assert_int_equal(site.near, table[i].near);
		assert_int_equal(site.within, table[i].within);
	}
}

/* The rules one after the other. */
static torus_patience_t slow_patience(const torus_network_request_t *request,
				      bool contiguous, const torus_patience_site_t *site)
{
	torus_patience_t none = {0}, patience = {0};

	if (request->has_shape || contiguous) {
		if (!request->has_within)
			return none; /* a condition */
		patience.wish =
			request->has_shape ? TORUS_WISH_SHAPE : TORUS_WISH_CONTIGUOUS;
	} else {
		if (!request->near && (!site->near || request->loose))
			return none;
		patience.wish = TORUS_WISH_NEAR;
		patience.near = site->near;
		if (request->near)
			patience.near = request->near;
	}
	patience.within = 300;
	if (site->near)
		patience.within = site->within;
	if (request->has_within)
		patience.within = request->within;
	if (site->is_limited && site->most < patience.within)
		patience.within = site->most;
	return patience;
}

static void whose_word_counts(void **state)
{
	int seen[TORUS_WISHES] = {0};

	(void)state;
	for (int round = 0; round < 20000; round++) {
		torus_network_request_t request = {
			.has_shape = random_in(0, 1),
			.has_within = random_in(0, 1),
			.loose = random_in(0, 3) == 0,
		};
		torus_patience_site_t site = {.is_limited = random_in(0, 1)};
		torus_patience_t expected, got;
		bool contiguous = random_in(0, 3) == 0;

		if (request.has_within)
			request.within = random_in(0, 1000);
		if (!request.has_shape && random_in(0, 1))
			request.near = random_in(1000, 2000);
		if (random_in(0, 1)) {
			site.near = random_in(1000, 2000);
			site.within = random_in(0, 1000);
		}
		if (site.is_limited)
			site.most = random_in(0, 1000);
		expected = slow_patience(&request, contiguous, &site);
		got = torus_patience_of(&request, contiguous, &site);
		assert_int_equal(got.wish, expected.wish);
		if (got.wish) {
			assert_int_equal(got.within, expected.within);
			assert_int_equal(got.near, expected.near);
		}
		seen[got.wish]++;
	}
	for (int i = 0; i < TORUS_WISHES; i++)
		assert_true(seen[i] > 500);
}

static torus_patience_site_t random_site(void)
{
	torus_patience_site_t site = {.is_limited = random_in(0, 1)};

	if (random_in(0, 2)) {
		site.near = random_in(1000, 2000);
		site.within = random_in(0, 1000);
	}
	if (site.is_limited)
		site.most = random_in(0, 1000);
	return site;
}

/* A job that may run on either of two tori waits no longer than on each of them alone,
 * and for nothing that it would not wait for there. */
static void the_least_patient_torus_counts(void **state)
{
	int waits = 0;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		torus_patience_site_t site[] = {random_site(), random_site()};
		torus_network_request_t request = {.has_shape = random_in(0, 1),
						   .has_within = true,
						   .within = random_in(0, 1000)};
		torus_patience_t alone[2], both;

		if (!request.has_shape && random_in(0, 1))
			request.near = random_in(1000, 2000);
		for (int i = 0; i < 2; i++)
			alone[i] = torus_patience_of(&request, false, &site[i]);
		site[0] = torus_patience_least(site[0], site[1]);
		both = torus_patience_of(&request, false, &site[0]);
		if (!alone[0].wish || !alone[1].wish) {
			assert_int_equal(both.wish, TORUS_WISH_NONE);
			continue;
		}
		assert_int_equal(both.wish, alone[0].wish);
		assert_int_equal(both.within, alone[0].within < alone[1].within
						      ? alone[0].within
						      : alone[1].within);
		assert_int_equal(both.near, alone[0].near > alone[1].near
						    ? alone[0].near
						    : alone[1].near);
		waits++;
	}
	assert_true(waits > 1000);
}

static void use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void writes_tokens(void **state)
{
	torus_waiting_t waiting = {TORUS_WISH_SHAPE, 1795424400, 1795426200,
				   TORUS_WAITING_NO_TASK};
	char text[TORUS_WAITING_TEXT];

	(void)state;
	use_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	assert_string_equal(torus_waiting_format(&waiting, text),
			    "torus_wait=shape,since=2026-11-23T10:00:00+0100,"
			    "until=2026-11-23T10:30:00+0100");
	waiting.wish = TORUS_WISH_NEAR;
	waiting.task = 7;
	use_zone("NST3:30");
	assert_string_equal(torus_waiting_format(&waiting, text),
			    "torus_wait=near,since=2026-11-23T05:30:00-0330,"
			    "until=2026-11-23T06:00:00-0330,task=7");
}

/* Also in the hour that comes twice, and where another zone holds when it is read. */
static void tokens_come_back(void **state)
{
	static const char *const zones[] = {"UTC", "CET-1CEST,M3.5.0,M10.5.0/3",
					    "NST3:30NDT,M3.2.0,M11.1.0", "<+14>-14"};

	(void)state;
	for (int round = 0; round < 5000; round++) {
		torus_waiting_t waiting = {
			.wish = (torus_wish_t)random_in(1, TORUS_WISHES - 1),
			.since = 1792893600 + (int64_t)random_in(0, 20000),
			.task = random_in(0, 1) ? TORUS_WAITING_NO_TASK
						: random_in(0, UINT32_MAX - 1),
		};
		torus_waiting_t read = {0};
		char text[TORUS_WAITING_TEXT], comment[TORUS_WAITING_TEXT + 40];

		waiting.until = waiting.since + random_in(0, 100000);
		use_zone(zones[random_in(0, 3)]);
		torus_waiting_format(&waiting, text);
		assert_null(strpbrk(text, " \t\n"));
		use_zone(zones[random_in(0, 3)]);
		snprintf(comment, sizeof(comment), "%s%s%s",
			 random_in(0, 1) ? "other torus=x " : "", text,
			 random_in(0, 1) ? "\nmore" : "");
		if (!torus_waiting_read(comment, &read))
			fail_msg("'%s' is not read", comment);
		assert_memory_equal(&read.since, &waiting.since, sizeof(read.since));
		assert_true(read.until == waiting.until && read.wish == waiting.wish &&
			    read.task == waiting.task);
	}
}

static void other_tokens_are_not_read(void **state)
{
	static const char *const table[] = {
		NULL,
		"",
		"torus=m,nodes=1",
		"torus_wait=",
		"torus_wait=none,since=2026-11-23T10:00:00+0100,until=2026-11-23T10:00:00+0100",
		"torus_wait=shapes,since=2026-11-23T10:00:00+0100,until=2026-11-23T10:00:00+0100",
		"torus_wait=shape,since=2026-11-23T10:00:00+0100",
		"torus_wait=shape,since=2026-11-23T10:00:00,until=2026-11-23T10:00:00+0100",
		"torus_wait=shape,since=1926-11-23T10:00:00+0100,until=2026-11-23T10:00:00+0100",
		"torus_wait=shape,since=2026-11-23T10:00:00+0100,until=2026-11-23T10:00:00+0100,",
		"torus_wait=shape,since=2026-11-23T10:00:00+0100,until=2026-11-23T10:00:00+0100,task=",
		"torus_wait=shape,since=2026-11-23T10:00:00+0100,until=2026-11-23T10:00:00+0100,task=4294967295",
		"xtorus_wait=shape,since=2026-11-23T10:00:00+0100,until=2026-11-23T10:00:00+0100",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_waiting_t read = {.until = 7};

		assert_false(torus_waiting_read(table[i], &read));
		assert_int_equal(read.until, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_durations),
		cmocka_unit_test(random_durations),
		cmocka_unit_test(reads_the_word_of_the_site),
		cmocka_unit_test(whose_word_counts),
		cmocka_unit_test(the_least_patient_torus_counts),
		cmocka_unit_test(writes_tokens),
		cmocka_unit_test(tokens_come_back),
		cmocka_unit_test(other_tokens_are_not_read),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
