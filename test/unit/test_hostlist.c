/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hostlists: texts accepted and rejected, round trips, and agreement with Slurm's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "torus_config.h"
#ifdef HAVE_LIBSLURM
#include <slurm/slurm.h>
#endif

#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "random.h"

/* The names with a blank between them, malloc'ed. */
static char *join(char *const *names, uint32_t count)
{
	size_t length = 1;
	char *text;

	for (uint32_t i = 0; i < count; i++)
		length += strlen(names[i]) + 1;
	text = malloc(length);
	assert_non_null(text);
	*text = '\0';
	for (uint32_t i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s%s", i ? " " : "", names[i]);
	return text;
}

static void expands(void **state)
{
	static const struct {
		const char *text;
		const char *names;
	} table[] = {
		{"login", "login"},
		{"a,b,a", "a b a"},
		{"n[9-11]", "n9 n10 n11"},
		{"n[08-11]", "n08 n09 n10 n11"},
		{"n[010-11]", "n010 n011"},
		{"n[1-03]", "n1 n2 n3"},
		{"n[1-3,7]", "n1 n2 n3 n7"},
		{"n[7,1-3,007]", "n7 n1 n2 n3 n007"},
		{"n[3-3]", "n3"},
		{"n[1-2]-ib", "n1-ib n2-ib"},
		{"n[1-2]5", "n15 n25"},
		{"r[0-1]n[00-01,20]", "r0n00 r0n01 r0n20 r1n00 r1n01 r1n20"},
		{"a[1-2][3-4]", "a13 a14 a23 a24"},
		{"r[0-1]n[2,1],login", "r0n2 r0n1 r1n2 r1n1 login"},
		{"[1-2]", "1 2"},
		{"a_b.c-d:e", "a_b.c-d:e"},
		{"n[000000000000000001-2]", "n000000000000000001 n000000000000000002"},
		{"n[999999999999999998-999999999999999999]",
		 "n999999999999999998 n999999999999999999"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		uint32_t count, counted;
		char **names, *joined;

		assert_int_equal(
			torus_hostlist_expand(table[i].text, &names, &count, &err), 0);
		assert_int_equal(torus_hostlist_count(table[i].text, &counted, &err), 0);
		assert_int_equal(count, counted);
		joined = join(names, count);
		assert_string_equal(joined, table[i].names);
		free(joined);
		free(names);
	}
}

static void rejects(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		{"", "no node name"},
		{",", "an empty name before a comma"},
		{"a,,b", "an empty name before a comma"},
		{"a,", "an empty name at the end"},
		{"n[1-2", "'n[1-2' lacks a ']'"},
		{"n]", "'n]' has a character that no node name has"},
		{"n[1]]", "'n[1]]' has a character"},
		{"n[]", "'[]' is an empty bracket"},
		{"n[3-1]", "'3-1' is a range that descends"},
		{"n[1,]", "'1,' is not of the form"},
		{"n[,1]", "',1' is not of the form"},
		{"n[1-]", "'1-' is not of the form"},
		{"n[-1]", "'-1' is not of the form"},
		{"n[1-2-3]", "'1-2-3' is not of the form"},
		{"n[a-b]", "'a-b' is not of the form"},
		{"n[1 ,2]", "'1 ,2' is not of the form"},
		{"n[[1]]", "'[1' is not of the form"},
		{"n[1000000000000000000]", "is not of the form"},
		{"n[0000000000000000001]", "is not of the form"},
		{"a b", "'a b' has a character"},
		{"a\tb", "has a character"},
		{"a=b", "'a=b' has a character"},
		{"\"a\"", "has a character"},
		{"n\xc3\xa9", "has a character"},
		{"n[0-16777216]", "'n[0-16777216]' makes more than 2^24 names"},
		{"n[0-999999999999999999]", "makes more than 2^24 names"},
		{"n[0-9999][0-9999]", "makes more than 2^24 names"},
		{"n[0-9999999,0-9999999]", "makes more than 2^24 names"},
		{"n[0-9999999],m[0-9999999]",
		 "'m[0-9999999]' makes more than 2^24 names"},
		{"[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]", "makes more than"},
		{"[1][1][1][1][1][1][1][1][1]", "too many brackets"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		uint32_t count = 77;
		char **names;

		assert_int_equal(
			torus_hostlist_expand(table[i].text, &names, &count, &err), -1);
		assert_null(names);
		if (!strstr(err.text, table[i].says))
			fail_msg("'%s': \"%s\" lacks \"%s\"", table[i].text, err.text,
				 table[i].says);
		assert_int_equal(torus_hostlist_count(table[i].text, &count, &err), -1);
		assert_int_equal(count, 77);
	}
}

static void limits_the_length_of_a_name(void **state)
{
	char text[TORUS_HOSTNAME_MAX + 16];
	torus_error_t err = {""};
	uint32_t count;
	char **names;

	(void)state;
	memset(text, 'n', sizeof(text));
	strcpy(text + TORUS_HOSTNAME_MAX - 2, "[9-10]");
	assert_int_equal(torus_hostlist_expand(text, &names, &count, &err), 0);
	assert_int_equal(strlen(names[1]), TORUS_HOSTNAME_MAX);
	free(names);
	strcpy(text + TORUS_HOSTNAME_MAX - 2, "[9-100]");
	assert_int_equal(torus_hostlist_expand(text, &names, &count, &err), -1);
	assert_non_null(strstr(err.text, "longer than 255"));
}

static void formats(void **state)
{
	/* What format(expand(text)) gives. */
	static const struct {
		const char *text;
		const char *formatted;
	} table[] = {
		{"n1,n2,n3", "n[1-3]"},
		{"n[1-3,7]", "n[1-3,7]"},
		{"n8,n9,n10", "n[8-10]"},
		{"n08,n09,n10", "n[08-10]"},
		{"n99,n100", "n[99-100]"},
		{"n099,n100", "n[099-100]"},
		{"n09,n10,n11,n100", "n[09-11,100]"},
		{"n9,n010", "n[9,010]"},
		{"n3,n2,n1", "n[3,2,1]"},
		{"n1,n1", "n[1,1]"},
		{"n1-ib,n2-ib,n1,n2", "n[1-2]-ib,n[1-2]"},
		{"r0n0,r0n1,r1n0,r1n1", "r0n[0-1],r1n[0-1]"},
		{"login,n1,login", "login,n1,login"},
		{"login,login", "login,login"},
		{"9,10", "[9-10]"},
		{"n999999999999999999,n1000000000000000000",
		 "n999999999999999999,n1000000000000000000"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t count;
		char **names, *text;

		assert_int_equal(
			torus_hostlist_expand(table[i].text, &names, &count, NULL), 0);
		text = torus_hostlist_format((const char *const *)names, count);
		assert_string_equal(text, table[i].formatted);
		free(text);
		free(names);
	}
}

/* A random list in the form that Slurm takes too: brackets at the end of the name. */
static void random_hostlist(char *text)
{
	static const char *const prefixes[] = {"n", "node-", "r1c", "a.b", "x_", "n0"};
	uint32_t items = random_in(1, 4);

	for (uint32_t i = 0; i < items; i++) {
		uint32_t ranges = random_in(1, 4);

		text += sprintf(text, "%s%s", i ? "," : "", prefixes[random_in(0, 5)]);
		if (!random_in(0, 4)) {
			text += sprintf(text, "%u", random_in(0, 120));
			continue;
		}
		if (!random_in(0, 3))
			text += sprintf(text, "[%u-%u]c", random_in(0, 2),
					random_in(2, 11));
		for (uint32_t j = 0; j < ranges; j++) {
			uint32_t first = random_in(0, 130);
			int width = (int)random_in(1, 4);

			text += sprintf(text, "%c%0*u", j ? ',' : '[', width, first);
			if (random_in(0, 2))
				text += sprintf(text, "-%0*u", width,
						first + random_in(0, 30));
		}
		text += sprintf(text, "]");
	}
}

static void round_trips(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		char **names, **back, *formatted, *one, *other, text[512];
		uint32_t count, back_count;

		random_hostlist(text);
		assert_int_equal(torus_hostlist_expand(text, &names, &count, NULL), 0);
		formatted = torus_hostlist_format((const char *const *)names, count);
		assert_int_equal(
			torus_hostlist_expand(formatted, &back, &back_count, NULL), 0);
		one = join(names, count);
		other = join(back, back_count);
		assert_string_equal(one, other);
		free(one);
		free(other);
		free(formatted);
		free(back);
		free(names);
	}
}

#ifdef HAVE_LIBSLURM
/* Names of a list by Slurm's library; its list type differs between versions. */
static void assert_slurm_agrees(const char *text, char *const *names, uint32_t count)
{
	__typeof__(slurm_hostlist_create("")) list = slurm_hostlist_create(text);

	assert_non_null(list);
	assert_int_equal(slurm_hostlist_count(list), count);
	for (uint32_t i = 0; i < count; i++) {
		char *name = slurm_hostlist_shift(list);

		assert_string_equal(name, names[i]);
		free(name);
	}
	slurm_hostlist_destroy(list);
}

static void agrees_with_slurm(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		char **names, *formatted, text[512];
		uint32_t count;

		random_hostlist(text);
		assert_int_equal(torus_hostlist_expand(text, &names, &count, NULL), 0);
		assert_slurm_agrees(text, names, count);
		formatted = torus_hostlist_format((const char *const *)names, count);
		assert_slurm_agrees(formatted, names, count);
		free(formatted);
		free(names);
	}
}

/* What Slurm prints, as in SLURM_JOB_NODELIST, we read the same way. */
static void reads_what_slurm_prints(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		__typeof__(slurm_hostlist_create("")) list;
		char **names, ranged[65536], text[512];
		uint32_t count;

		random_hostlist(text);
		list = slurm_hostlist_create(text);
		assert_non_null(list);
		slurm_hostlist_uniq(list);
		assert_true(slurm_hostlist_ranged_string(list, sizeof(ranged), ranged) >=
			    0);
		assert_int_equal(torus_hostlist_expand(ranged, &names, &count, NULL), 0);
		assert_slurm_agrees(ranged, names, count);
		free(names);
		slurm_hostlist_destroy(list);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expands),
		cmocka_unit_test(rejects),
		cmocka_unit_test(limits_the_length_of_a_name),
		cmocka_unit_test(formats),
		cmocka_unit_test(round_trips),
#ifdef HAVE_LIBSLURM
		cmocka_unit_test(agrees_with_slurm),
		cmocka_unit_test(reads_what_slurm_prints),
#endif
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
