/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts of strangers: what stays, what is escaped, where they are cut; and what error
 * texts make of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/printable.h"
#include "random.h"

static void known_texts(void **state)
{
	static const struct {
		const char *text, *printable;
	} table[] = {
		{"", ""},
		{"torus:shape=4x4x2", "torus:shape=4x4x2"},
		{"back\\slash \"quoted\" 50%", "back\\slash \"quoted\" 50%"},
		{"a\nerror: forged", "a\\x0aerror: forged"},
		{"\t\r\x1b[2J\x7f", "\\x09\\x0d\\x1b[2J\\x7f"},
		{"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
		{"\xf0\x9f\x9a\x80", "\xf0\x9f\x9a\x80"},
		/* CSI in one byte, and as UTF-8 */
		{"\x9b"
		 "2J",
		 "\\x9b2J"},
		{"\xc2\x9b"
		 "2J",
		 "\\xc2\\x9b2J"},
		{"\xc2\xa0", "\xc2\xa0"},
		/* too long a form, a surrogate, beyond Unicode, cut short */
		{"\xc1\x9b", "\\xc1\\x9b"},
		{"\xe0\x82\x9b", "\\xe0\\x82\\x9b"},
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"},
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
		{"\xe2\x82", "\\xe2\\x82"},
		/* U+202E, U+2066, U+200F, U+061C, U+2028; beside them U+202F and U+2010
		 */
		{"\xe2\x80\xae"
		 "evil",
		 "\\xe2\\x80\\xaeevil"},
		{"\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c",
		 "\\xe2\\x81\\xa6\\xe2\\x80\\x8f\\xd8\\x9c"},
		{"\xe2\x80\xa8\xe2\x80\xaf\xe2\x80\x90",
		 "\\xe2\\x80\\xa8\xe2\x80\xaf\xe2\x80\x90"},
		{"\xef\xbf\xbd\xef\xbf\xbe", "\xef\xbf\xbd\\xef\\xbf\\xbe"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char buffer[64];

		assert_string_equal(
			torus_printable(table[i].text, buffer, sizeof(buffer)),
			table[i].printable);
		assert_int_equal(torus_printable_size(table[i].text),
				 strlen(table[i].printable) + 1);
	}
}

/* What UTF-8 is, by the Unicode standard's table of well-formed byte sequences. */
static size_t slow_utf8(const unsigned char *text)
{
	static const unsigned char rows[][8] = {
		{0x01, 0x7f},
		{0xc2, 0xdf, 0x80, 0xbf},
		{0xe0, 0xe0, 0xa0, 0xbf, 0x80, 0xbf},
		{0xe1, 0xec, 0x80, 0xbf, 0x80, 0xbf},
		{0xed, 0xed, 0x80, 0x9f, 0x80, 0xbf},
		{0xee, 0xef, 0x80, 0xbf, 0x80, 0xbf},
		{0xf0, 0xf0, 0x90, 0xbf, 0x80, 0xbf, 0x80, 0xbf},
		{0xf1, 0xf3, 0x80, 0xbf, 0x80, 0xbf, 0x80, 0xbf},
		{0xf4, 0xf4, 0x80, 0x8f, 0x80, 0xbf, 0x80, 0xbf},
	};

	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		size_t bytes = 0;

		while (bytes < 4 && rows[row][2 * bytes] &&
		       text[bytes] >= rows[row][2 * bytes] &&
		       text[bytes] <= rows[row][2 * bytes + 1])
			bytes++;
		if (bytes == 4 || (bytes && !rows[row][2 * bytes]))
			return bytes;
	}
	return 0;
}

/* Character by character into pieces[], each what one character becomes. */
static int slow_pieces(const unsigned char *text, char (*pieces)[20])
{
	int count = 0;

	while (*text) {
		size_t bytes = slow_utf8(text);
		bool c1 = bytes == 2 && text[0] == 0xc2 && text[1] < 0xa0;
		bool not_xml = bytes == 3 && text[0] == 0xef && text[1] == 0xbf &&
			       text[2] >= 0xbe;
		bool misleads =
			(bytes == 2 && !memcmp(text, "\xd8\x9c", 2)) ||
			(bytes == 3 && !memcmp(text, "\xe2\x80", 2) &&
			 strchr("\x8e\x8f\xa8\xa9\xaa\xab\xac\xad\xae", text[2])) ||
			(bytes == 3 && !memcmp(text, "\xe2\x81", 2) &&
			 strchr("\xa6\xa7\xa8\xa9", text[2]));
		bool plain = bytes && !misleads && *text >= 0x20 && *text != 0x7f &&
			     !c1 && !not_xml;
		char *piece = pieces[count++];

		*piece = '\0';
		for (size_t i = 0; i < (bytes ? bytes : 1); i++)
			piece += sprintf(piece, plain ? "%c" : "\\x%02x", text[i]);
		text += bytes ? bytes : 1;
	}
	return count;
}

/* As much as fits, whole pieces only and "..." if not all does. */
static void slow_cut(char (*pieces)[20], int count, size_t size, char *result)
{
	for (int kept = count; kept >= 0; kept--) {
		*result = '\0';
		for (int i = 0; i < kept; i++)
			strcat(result, pieces[i]);
		if (kept < count)
			strcat(result, "...");
		if (strlen(result) < size)
			return;
	}
	/* not even the dots */
	result[size - 1] = '\0';
}

static void random_texts(void **state)
{
	static const unsigned char bytes[] =
		"az\\ \n\x1b\x7f\x80\x8f\x90\x9b\x9f\xa0\xbe\xbf\xc1\xc2\xc3\xdf\xe0\xe1"
		"\xed\xef\xf0\xf4\xf5\xff\xe2\xe2\x81\x8e\xa6\xaa\xae\xaf\xd8\x9c";

	(void)state;
	for (int round = 0; round < 20000; round++) {
		unsigned char text[13] = "";
		uint32_t length = random_in(0, sizeof(text) - 1);
		char pieces[sizeof(text)][20], all[260], cut[260], buffer[64], again[64];

		for (uint32_t i = 0; i < length; i++)
			text[i] = random_in(0, 3) ? bytes[random_in(0, sizeof(bytes) - 2)]
						  : (unsigned char)random_in(1, 255);
		int count = slow_pieces(text, pieces);
		size_t size = random_in(1, sizeof(buffer));

		slow_cut(pieces, count, sizeof(all), all);
		slow_cut(pieces, count, size, cut);
		assert_int_equal(torus_printable_size((char *)text), strlen(all) + 1);
		assert_string_equal(torus_printable((char *)text, buffer, size), cut);
		assert_string_equal(torus_printable(buffer, again, sizeof(again)),
				    buffer);
	}
}

static void errors_quote_safely(void **state)
{
	torus_error_t err;
	char text[2 * sizeof(err.text)];

	(void)state;
	torus_fail(&err, "'%s' is no shape", "2x2\nslurmctld: error: forged");
	assert_string_equal(err.text, "'2x2\\x0aslurmctld: error: forged' is no shape");
	torus_fail_prefix(&err, "--network=%s: ", "\x9b\tx");
	assert_string_equal(err.text, "--network=\\x9b\\x09x: "
				      "'2x2\\x0aslurmctld: error: forged' is no shape");
	/* Longer than an error may be: cut, and marked so. */
	memset(text, '\n', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	torus_fail(&err, "%s", text);
	assert_in_range(strlen(err.text), sizeof(err.text) - 8, sizeof(err.text) - 1);
	assert_string_equal(err.text + strlen(err.text) - 7, "\\x0a...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_texts),
		cmocka_unit_test(random_texts),
		cmocka_unit_test(errors_quote_safely),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
