/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of numbers as text: see ranklist.h. */
#include "lists/ranklist.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bitmap.h"
#include "base/digits.h"

#define SEQUENCE_MAX (UINT32_C(1) << 28)

/* Fill [err] for the item that begins at [item] and ends at one of [separators]. */
static int fail_item(const char *item, const char *separators, const char *reason,
		     torus_error_t *err)
{
	size_t length = strcspn(item, separators);

	return torus_fail(err, "'%.*s' %s", length < 64 ? (int)length : 64, item, reason);
}

/* Read a number below [limit] at *at and step behind it. 0, -1: no number, -2: too large.
 */
static int read_number(const char **at, uint32_t limit, uint32_t *number)
{
	uint64_t value = 0;

	if (!isdigit((unsigned char)**at))
		return -1;
	for (; isdigit((unsigned char)**at); ++*at) {
		if (value < limit)
			value = value * 10 + (uint64_t)(**at - '0');
	}
	if (value >= limit)
		return -2;
	*number = (uint32_t)value;
	return 0;
}

/*
 * Read "a" or "a-b" at *at, which must end at one of [separators] or the end of the text,
 * and step to that end.
 */
static int read_item(const char **at, const char *separators, uint32_t limit,
		     uint32_t *first, uint32_t *last, torus_error_t *err)
{
	const char *item = *at;
	char reason[64];
	int result = read_number(at, limit, first);

	*last = *first;
	if (!result && **at == '-') {
		++*at;
		result = read_number(at, limit, last);
	}
	if (result == -2) {
		snprintf(reason, sizeof(reason), "is not below %u", limit);
		return fail_item(item, separators, reason, err);
	}
	if (result || (**at && !strchr(separators, **at)))
		return fail_item(item, separators,
				 "is not a number or a range such as 0-7", err);
	return 0;
}

int torus_ranklist_parse_set(const char *text, uint32_t limit, uint64_t *bitmap,
			     torus_error_t *err)
{
	memset(bitmap, 0, TORUS_WORDS(limit) * sizeof(*bitmap));
	if (!*text)
		return 0;
	if (!strcasecmp(text, "all")) {
		torus_bitmap_set_range(bitmap, 0, limit);
		return 0;
	}
	for (const char *at = text;; at++) {
		const char *item = at;
		uint32_t first = 0, last = 0;

		if (read_item(&at, ",", limit, &first, &last, err))
			return -1;
		if (first > last)
			return fail_item(item, ",", "descends", err);
		if (torus_bitmap_next_set(bitmap, limit, first) <= last)
			return fail_item(item, ",", "has a number that was given before",
					 err);
		torus_bitmap_set_range(bitmap, first, last - first + 1);
		if (!*at)
			return 0;
	}
}

/* Measure a sequence (list NULL) or write it to [list]. */
static int read_sequence(const char *text, uint32_t limit, uint32_t *list,
			 uint32_t *count, torus_error_t *err)
{
	uint32_t used = 0;

	for (const char *at = text;; at++) {
		const char *item = at;
		uint32_t first = 0, last = 0, length;

		if (read_item(&at, ",;", limit, &first, &last, err))
			return -1;
		length = first < last ? last - first : first - last;
		if (length >= SEQUENCE_MAX - used)
			return fail_item(item, ",;", "makes the list longer than 2^28",
					 err);
		for (uint32_t i = 0; list && i <= length; i++)
			list[used + i] = first < last ? first + i : first - i;
		used += length + 1;
		if (!*at)
			break;
	}
	*count = used;
	return 0;
}

int torus_ranklist_parse_sequence(const char *text, uint32_t limit, uint32_t **list,
				  uint32_t *count, torus_error_t *err)
{
	*list = NULL;
	if (!*text)
		return torus_fail(err, "the list is empty");
	if (read_sequence(text, limit, NULL, count, err))
		return -1;
	*list = malloc(*count * sizeof(**list));
	if (!*list)
		return torus_fail(err, "out of memory for a list of %u", *count);
	return read_sequence(text, limit, *list, count, err);
}

int torus_ranklist_add(torus_text_t *text, const uint32_t *list, uint32_t count,
		       char separator)
{
	for (uint32_t i = 0; i < count;) {
		uint32_t end = i + 1;
		char *at;

		while (end < count && list[end - 1] < UINT32_MAX &&
		       list[end] == list[end - 1] + 1)
			end++;
		if (torus_text_reserve(text, 2 + 2 * TORUS_DIGITS) != 0)
			return -1;
		at = text->text + text->length;
		if (i)
			*at++ = separator;
		at = torus_digits(list[i], at);
		if (end - i > 1) {
			*at++ = '-';
			at = torus_digits(list[end - 1], at);
		}
		text->length = (size_t)(at - text->text);
		i = end;
	}
	/* It ends with a 0 also if the list is empty. */
	return torus_text_add(text, "");
}

char *torus_ranklist_format(const uint32_t *list, uint32_t count, char separator)
{
	torus_text_t text = {0};

	if (torus_ranklist_add(&text, list, count, separator) != 0)
		torus_text_clear(&text);
	return text.text;
}
