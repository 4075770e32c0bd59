/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hostlist expressions to names: see hostlist.h. */
#include "base/hostlist.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Brackets one name may have; six dimensions and a rack or two. */
#define BRACKETS_MAX 8
/* Digits of a number, so that it fits into 64 bits. */
#define DIGITS_MAX 18

/*
 * One bracket group while its item is expanded: a cursor over the ranges in the text, so
 * that no memory is needed for them.
 */
typedef struct bracket {
	const char *first; /* behind the '[' */
	const char *next; /* the range after the current one; at the ']' after the last */
	uint64_t now;	  /* the current number, last the end of its range */
	uint64_t last;
	int width;
} bracket_t;

/* One item between top-level commas. */
typedef struct item {
	const char *begin, *end;
	int brackets;
	bracket_t bracket[BRACKETS_MAX];
	uint64_t names; /* how many it expands to */
	uint64_t bytes; /* their total length, with a NUL each */
} item_t;

static int fail_item(const char *begin, const char *end, const char *reason,
		     torus_error_t *err)
{
	int length = end - begin < 64 ? (int)(end - begin) : 64;

	return torus_fail(err, "hostlist: '%.*s' %s", length, begin, reason);
}

static bool name_character(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("._-:", c));
}

static int read_number(const char **at, uint64_t *number)
{
	const char *begin = *at;

	for (*number = 0; isdigit((unsigned char)**at) && *at - begin <= DIGITS_MAX;
	     ++*at)
		*number = *number * 10 + (uint64_t)(**at - '0');
	return *at == begin || *at - begin > DIGITS_MAX ? -1 : 0;
}

/* Make the range at bracket->next the current one. */
static int next_range(bracket_t *bracket, torus_error_t *err)
{
	const char *begin = bracket->next, *at = begin;

	if (*at == ']')
		return fail_item(begin - 1, begin + 1, "is an empty bracket", err);
	if (read_number(&at, &bracket->now))
		goto bad;
	bracket->width = (int)(at - begin);
	bracket->last = bracket->now;
	if (*at == '-') {
		at++;
		if (read_number(&at, &bracket->last))
			goto bad;
	}
	if (bracket->last < bracket->now)
		return fail_item(begin, at, "is a range that descends", err);
	if (*at == ',' && isdigit((unsigned char)at[1]))
		at++;
	else if (*at != ']')
		goto bad;
	bracket->next = at;
	return 0;
bad:
	return fail_item(begin, begin + strcspn(begin, "]"),
			 "is not of the form [1-3,7], numbers of up to 18 digits", err);
}

/* Total digits of the numbers first .. last, each written with at least [width]. */
static uint64_t count_digits(uint64_t first, uint64_t last, int width)
{
	uint64_t total = 0, limit = 10;
	int digits = 1;

	while (first <= last) {
		uint64_t here;

		while (digits < width || first >= limit) {
			limit *= 10;
			digits++;
		}
		here = (last < limit ? last + 1 : limit) - first;
		total += here * (uint64_t)digits;
		first += here;
	}
	return total;
}

/*
 * Measure one bracket: how many numbers it has, their total digits, and the length of the
 * longest. Leaves the cursor on the first range.
 */
static int measure_bracket(bracket_t *bracket, uint64_t *numbers, uint64_t *digits,
			   size_t *longest, torus_error_t *err)
{
	*numbers = *digits = *longest = 0;
	bracket->next = bracket->first;
	do {
		uint64_t count, last_digits;

		if (next_range(bracket, err))
			return -1;
		count = bracket->last - bracket->now + 1;
		if (count > TORUS_HOSTLIST_MAX || *numbers + count > TORUS_HOSTLIST_MAX) {
			*numbers = TORUS_HOSTLIST_MAX + 1;
			return 0;
		}
		*numbers += count;
		*digits += count_digits(bracket->now, bracket->last, bracket->width);
		last_digits = count_digits(bracket->last, bracket->last, bracket->width);
		if (last_digits > *longest)
			*longest = last_digits;
	} while (*bracket->next != ']');
	bracket->next = bracket->first;
	return next_range(bracket, err);
}

/* Find the end of the item at [begin], check it and measure what it expands to. */
static int read_item(const char *begin, item_t *item, torus_error_t *err)
{
	uint64_t numbers[BRACKETS_MAX], digits[BRACKETS_MAX];
	size_t literal = 0, length = 0, longest;
	const char *at;

	item->begin = begin;
	item->brackets = 0;
	item->names = 1;
	for (at = begin; *at && *at != ','; at++) {
		int i = item->brackets;

		if (*at != '[') {
			if (!name_character(*at))
				return fail_item(begin, at + strcspn(at, ","),
						 "has a character that no node name has",
						 err);
			literal++;
			continue;
		}
		if (i == BRACKETS_MAX)
			return fail_item(begin, at, "has too many brackets", err);
		item->bracket[i].first = at + 1;
		if (!strchr(at, ']'))
			return fail_item(begin, at + strlen(at), "lacks a ']'", err);
		if (measure_bracket(&item->bracket[i], &numbers[i], &digits[i], &longest,
				    err))
			return -1;
		length += longest;
		item->names *= numbers[i];
		if (item->names > TORUS_HOSTLIST_MAX)
			return fail_item(begin, at + strcspn(at, "]") + 1,
					 "makes more than 2^24 names", err);
		item->brackets++;
		at += strcspn(at, "]");
	}
	item->end = at;
	if (at == begin)
		return torus_fail(err, "hostlist: an empty name%s",
				  *at ? " before a comma" : " at the end");
	if (literal + length > TORUS_HOSTNAME_MAX)
		return fail_item(begin, at, "makes a name longer than 255 characters",
				 err);
	item->bytes = item->names * (literal + 1);
	for (int i = 0; i < item->brackets; i++)
		item->bytes += item->names / numbers[i] * digits[i];
	return 0;
}

static int measure(const char *text, uint64_t *names, uint64_t *bytes, torus_error_t *err)
{
	*names = *bytes = 0;
	if (!*text)
		return torus_fail(err, "hostlist: no node name");
	for (const char *at = text;; at++) {
		item_t item;

		if (read_item(at, &item, err))
			return -1;
		*names += item.names;
		*bytes += item.bytes;
		if (*names > TORUS_HOSTLIST_MAX)
			return fail_item(at, item.end, "makes more than 2^24 names", err);
		at = item.end;
		if (!*at)
			return 0;
	}
}

static char *write_number(char *out, uint64_t number, int width)
{
	char digits[DIGITS_MAX + 2];
	int count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count < width)
		digits[count++] = '0';
	while (count)
		*out++ = digits[--count];
	return out;
}

/* Write the name that the brackets' current numbers make, and its NUL. */
static char *write_name(const item_t *item, char *out)
{
	int bracket = 0;

	for (const char *at = item->begin; at < item->end; at++) {
		if (*at != '[') {
			*out++ = *at;
			continue;
		}
		out = write_number(out, item->bracket[bracket].now,
				   item->bracket[bracket].width);
		bracket++;
		at += strcspn(at, "]");
	}
	*out++ = '\0';
	return out;
}

/* Go to the item's next combination, the last bracket fastest. */
static void advance(item_t *item)
{
	for (int i = item->brackets - 1; i >= 0; i--) {
		bracket_t *bracket = &item->bracket[i];
		bool more = true;

		if (bracket->now < bracket->last) {
			bracket->now++;
			return;
		}
		if (*bracket->next == ']') {
			bracket->next = bracket->first;
			more = false;
		}
		/* The text was checked by the first pass, so no error can come. */
		next_range(bracket, NULL);
		if (more)
			return;
	}
}

int torus_hostlist_count(const char *text, uint32_t *count, torus_error_t *err)
{
	uint64_t names, bytes;

	if (measure(text, &names, &bytes, err))
		return -1;
	*count = (uint32_t)names;
	return 0;
}

int torus_hostlist_expand(const char *text, char ***names, uint32_t *count,
			  torus_error_t *err)
{
	uint64_t total, bytes;
	char **name;
	char *out;

	*names = NULL;
	if (measure(text, &total, &bytes, err))
		return -1;
	name = malloc(total * sizeof(*name) + bytes);
	if (!name)
		return torus_fail(err, "hostlist: out of memory for %llu names",
				  (unsigned long long)total);
	*names = name;
	*count = (uint32_t)total;
	out = (char *)(name + total);
	for (const char *at = text;; at++) {
		item_t item;

		if (read_item(at, &item, err)) /* checked by the first pass */
			return -1;
		for (uint64_t i = 0; i < item.names; i++) {
			*name++ = out;
			out = write_name(&item, out);
			advance(&item);
		}
		at = item.end;
		if (!*at)
			return 0;
	}
}
