/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 in base 64: the examples of FIPS 180-4 and every length around a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "storus/view/sha256.h"

static void known(void **state)
{
	static const struct {
		const char *text, *hash;
	} cases[] = {
		{"", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
		{"abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		 "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="},
	};
	char text[STORUS_SHA256_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
			storus_sha256(cases[i].text, strlen(cases[i].text), text),
			cases[i].hash);
}

static void million(void **state)
{
	char *data = malloc(1000000), text[STORUS_SHA256_TEXT];

	(void)state;
	assert_non_null(data);
	memset(data, 'a', 1000000);
	assert_string_equal(storus_sha256(data, 1000000, text),
			    "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
	free(data);
}

/* The hash of the hashes of 0 to 199 letters, made with hashlib of Python. */
static void lengths(void **state)
{
	char data[200], all[200 * (STORUS_SHA256_TEXT - 1)], text[STORUS_SHA256_TEXT];

	(void)state;
	memset(data, 'x', sizeof(data));
	for (size_t length = 0; length < sizeof(data); length++)
		memcpy(all + length * (STORUS_SHA256_TEXT - 1),
		       storus_sha256(data, length, text), STORUS_SHA256_TEXT - 1);
	assert_string_equal(storus_sha256(all, sizeof(all), text),
			    "ZtPXaybc8r6Ft06f7mvVwEnh/LWlxkVFYCuBgWVWpJ8=");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known),
		cmocka_unit_test(million),
		cmocka_unit_test(lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
