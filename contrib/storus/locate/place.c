/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a node is: see place.h. */
#include "torus_config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storus/locate/place.h"

/* What separates coordinates. */
#define BETWEEN ": \t"

int storus_place_number(const char *text, int32_t *number)
{
	size_t digits = strspn(text, "0123456789");
	long long value;

	/* Ten digits are enough, and no overflow of long long. */
	if (digits == 0 || digits > 10 || text[digits])
		return -1;
	value = strtoll(text, NULL, 10);
	if (value > INT32_MAX)
		return -1;
	*number = (int32_t)value;
	return 0;
}

/* Whether there is a letter in it, without which it is a number, be it a wrong one. */
static bool is_name(const char *text)
{
	while (*text && !isalpha((unsigned char)*text))
		text++;
	return *text;
}

static int fail_parse(const char *text, torus_error_t *err)
{
	return torus_fail(err,
			  "'%.200s' is no place: write 1 to %d coordinates, such as "
			  "1:0:0 or 1 0 0, and the torus in front of them where it has "
			  "another name: main:1:0:0",
			  text, TORUS_MAX_DIMS);
}

int storus_place_parse(const char *text, storus_place_t *place, torus_error_t *err)
{
	/* The longest place: a name, and numbers of ten digits. */
	char words[STORUS_PLACE_NAME + 1 + 11 * TORUS_MAX_DIMS + 1], *rest, *word;

	*place = (storus_place_t){0};
	if (strlen(text) >= sizeof(words))
		return fail_parse(text, err);
	memcpy(words, text, strlen(text) + 1);
	word = strtok_r(words, BETWEEN, &rest);
	if (word && is_name(word)) {
		if (strlen(word) > STORUS_PLACE_NAME)
			return fail_parse(text, err);
		memcpy(place->torus, word, strlen(word) + 1);
		word = strtok_r(NULL, BETWEEN, &rest);
	}
	for (; word; word = strtok_r(NULL, BETWEEN, &rest)) {
		if (place->dims == TORUS_MAX_DIMS ||
		    storus_place_number(word, &place->at[place->dims]) != 0)
			return fail_parse(text, err);
		place->dims++;
	}
	return place->dims ? 0 : fail_parse(text, err);
}

static bool of_name(char character)
{
	return isalnum((unsigned char)character) ||
	       (character && strchr("._-", character));
}

int storus_place_name(const storus_place_t *place, const char *torus,
		      char name[STORUS_PLACE_NAME + 1], torus_error_t *err)
{
	const char *hole = strstr(torus, "%s");
	char text[256], of[STORUS_PLACE_NAME + 1];

	if (place->torus[0]) {
		snprintf(text, sizeof(text), "%s", place->torus);
	} else if (hole) {
		if (!place->of[0])
			return torus_fail(err,
					  "--torus: nothing says what stands for %%s");
		memcpy(of, place->of, sizeof(of));
		for (char *at = of; *at; at++) {
			if (!of_name(*at))
				*at = '_';
		}
		snprintf(text, sizeof(text), "%.*s%s%s", (int)(hole - torus), torus, of,
			 hole + 2);
	} else {
		snprintf(text, sizeof(text), "%s", torus);
	}
	for (const char *at = text; *at; at++) {
		if (!of_name(*at))
			return torus_fail(
				err,
				"the torus '%s' is not made of letters, digits and . _ - "
				"alone, as a TorusName= is",
				text);
	}
	if (!text[0] || strlen(text) > STORUS_PLACE_NAME)
		return torus_fail(err,
				  "a torus has a name of 1 to %d characters, not '%s'",
				  STORUS_PLACE_NAME, text);
	memcpy(name, text, strlen(text) + 1);
	return 0;
}
