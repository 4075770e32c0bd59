/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines and words: comments, continuation, quotes, line numbers, bytes that are not text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/lines.h"

/* All words as "LINE:word", blanks between words, '|' after each line; or the message. */
static void describe(const char *text, size_t length, char *out)
{
	torus_error_t err = {""};
	torus_lines_t lines;
	char *begin = out;
	int more;

	*out = '\0';
	assert_int_equal(torus_lines_open(&lines, text, length, "f", &err), 0);
	while ((more = torus_lines_next(&lines, &err)) > 0) {
		for (size_t i = 0; i < lines.words; i++)
			out += sprintf(out, "%s%u:%s", i ? " " : "", lines.word[i].line,
				       lines.word[i].text);
		out += sprintf(out, "|");
	}
	if (more < 0)
		strcpy(begin, err.text);
	torus_lines_close(&lines);
}

static void cuts_words(void **state)
{
#define TEXT(literal) literal, sizeof(literal) - 1
	static const struct {
		const char *text;
		size_t length;
		const char *says;
	} table[] = {
		{TEXT(""), ""},
		{TEXT("\n\n  \t\n# nothing\n"), ""},
		{TEXT("a"), "1:a|"},
		{TEXT("a b\tc\n"), "1:a 1:b 1:c|"},
		{TEXT("a\nb"), "1:a|2:b|"},
		{TEXT("a\r\nb\r\n"), "1:a|2:b|"},
		{TEXT("\xef\xbb\xbf"
		      "a"),
		 "1:a|"},
		{TEXT("  a # b\n#c\nd#e"), "1:a|3:d|"},
		{TEXT("a \\\nb\nc"), "1:a 2:b|3:c|"},
		{TEXT("a \\ \t\r\nb"), "1:a 2:b|"},
		{TEXT("n[1,\\\n2]"), "1:n[1,2]|"},
		{TEXT("a\\\n\nb"), "1:a|3:b|"},
		{TEXT("a\\"), "1:a|"},
		{TEXT("\\\n\\\n"), ""},
		{TEXT("a\\b \\c"), "1:a\\b 1:\\c|"},
		{TEXT("a # b \\\nc"), "1:a|2:c|"},
		{TEXT("k=\"a b\" c"), "1:k=a b 1:c|"},
		{TEXT("k=\"a#b\\\" #c"), "1:k=a#b\\|"},
		{TEXT("k=\"\""), "1:k=|"},
		{TEXT("k=\"a=\" j=\"b\""), "1:k=a= 1:j=b|"},
		{TEXT("k=\"a\"#c"), "1:k=a|"},
		{TEXT("k=\"a"), "f:1: a quote is not closed"},
		{TEXT("x\nk=\"a\n\""), "f:2: a quote is not closed"},
		{TEXT("k=\"a\"b"), "f:1: text right after a closing quote"},
		{TEXT("k=a\"b\""), "f:1: a quote inside a word: write Key=\"value\""},
		{TEXT("k=a=\"b\""), "f:1: a quote inside a word: write Key=\"value\""},
		{TEXT("k=\"\"\""), "f:1: text right after a closing quote"},
		{TEXT("\"a\""), "f:1: a quote inside a word: write Key=\"value\""},
		{TEXT("a\nb\0c"), "f:2: a NUL byte: this is not a text file"},
		{TEXT("a\n\n\x01"), "f:3: a control character"},
		{TEXT("a\x7f"), "f:1: a control character"},
		{TEXT("a\\\nb\\\n\x02"), "f:3: a control character"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char out[256];

		describe(table[i].text, table[i].length, out);
		assert_string_equal(out, table[i].says);
	}
}

static void knows_the_last_line(void **state)
{
	static const struct {
		const char *text;
		uint32_t last;
	} table[] = {{"", 1}, {"a", 1}, {"a\n", 1}, {"\n", 1}, {"a\nb", 2}, {"a\n\n", 2}};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_lines_t lines;

		assert_int_equal(torus_lines_open(&lines, table[i].text,
						  strlen(table[i].text), "f", NULL),
				 0);
		while (torus_lines_next(&lines, NULL) > 0)
			;
		assert_int_equal(torus_lines_last(&lines), table[i].last);
		torus_lines_close(&lines);
	}
}

/* A line longer than the first room for words. */
static void takes_many_words(void **state)
{
	char text[2000] = "";
	torus_lines_t lines;

	(void)state;
	for (int i = 0; i < 300; i++)
		sprintf(text + strlen(text), "w%d ", i);
	assert_int_equal(torus_lines_open(&lines, text, strlen(text), "f", NULL), 0);
	assert_int_equal(torus_lines_next(&lines, NULL), 1);
	assert_int_equal(lines.words, 300);
	assert_string_equal(lines.word[0].text, "w0");
	assert_string_equal(lines.word[299].text, "w299");
	assert_int_equal(torus_lines_next(&lines, NULL), 0);
	torus_lines_close(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_words),
		cmocka_unit_test(knows_the_last_line),
		cmocka_unit_test(takes_many_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
