/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --network=torus:... of a job: see network_option.h. */
#define _GNU_SOURCE /* strcasestr() */
#include "machine/network_option.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define EXAMPLE "--network=torus:shape=4x4x2"

static const char ours[] = "torus";
static const char blanks[] = " \t";

/* [text] without blanks around it; the text is cut in place. */
static char *trim(char *text)
{
	size_t length;

	text += strspn(text, blanks);
	length = strlen(text);
	while (length && strchr(blanks, text[length - 1]))
		length--;
	text[length] = '\0';
	return text;
}

/* The trimmed piece of *rest before the first [separator]; *rest is then what follows it,
 * NULL behind the last piece. */
static char *next_piece(char **rest, char separator)
{
	char *piece = *rest;

	*rest = strchr(piece, separator);
	if (*rest)
		*(*rest)++ = '\0';
	return trim(piece);
}

/* Whether [letter] is of a name, as those that begin with ours may go on. */
static bool in_word(char letter)
{
	return isalnum((unsigned char)letter) || (letter && strchr("_-.", letter));
}

/* What follows the word "torus" that [part] begins with, or NULL. */
static char *behind_ours(char *part)
{
	char *behind = part + sizeof(ours) - 1;

	if (strncasecmp(part, ours, sizeof(ours) - 1) != 0 || in_word(*behind))
		return NULL;
	return behind + strspn(behind, blanks);
}

/* Read one "key=value" of ours; [text] may be changed. */
static int read_option(char *option, torus_network_request_t *request, torus_error_t *err)
{
	char *key, *value;

	if (!strchr(option, '=') || *option == '=')
		return torus_fail(err,
				  "'%.64s' is not of the form key=value, as in " EXAMPLE,
				  option);
	key = next_piece(&option, '=');
	value = trim(option);
	if (strcasecmp(key, "shape") != 0)
		return torus_fail(err,
				  "unknown key '%.64s=': the only key is shape=", key);
	if (request->has_shape)
		return torus_fail(err, "shape= is given twice");
	if (torus_shape_parse(value, &request->shape, err))
		return torus_fail_prefix(err, "shape=");
	request->has_shape = true;
	return 0;
}

/* Whether [part] has the word "shape" before a sign that gives it a value. */
static bool asks_for_shape(const char *part)
{
	static const char word[] = "shape";

	for (const char *at = part; (at = strcasestr(at, word)); at++) {
		const char *behind = at + sizeof(word) - 1;

		behind += strspn(behind, blanks);
		if ((at == part || !in_word(at[-1])) && *behind && strchr("=:", *behind))
			return true;
	}
	return false;
}

/* Whether [part] is a longer word that begins with ours, and a colon: "torus3d:4x4". */
static bool is_other_torus(const char *part)
{
	if (strncasecmp(part, ours, sizeof(ours) - 1) != 0)
		return false;
	while (in_word(*part))
		part++;
	return part[strspn(part, blanks)] == ':';
}

/* Check a part that is not ours: it must not look like ours gone wrong. */
static int check_theirs(const char *part, bool behind, torus_error_t *err)
{
	if (strcasestr(part, "torus:"))
		return torus_fail(err,
				  "'%.64s': torus: must begin an item, separated by a "
				  "comma from the one before, as in " EXAMPLE,
				  part);
	if (asks_for_shape(part) || is_other_torus(part))
		return torus_fail(err,
				  "'%.64s' looks like a request for a shape, which has "
				  "to be written as in " EXAMPLE,
				  part);
	if (behind && isdigit((unsigned char)*part))
		return torus_fail(err,
				  "'%.64s' behind the shape: the sides of a shape are "
				  "separated by x, as in " EXAMPLE,
				  part);
	return 0;
}

/* Read our part of an item; [behind] is what follows "torus". */
static int begin_ours(const char *part, const char *behind, bool found,
		      torus_error_t *err)
{
	if (found)
		return torus_fail(err, "'%.64s': torus: is given twice", part);
	if (*behind != ':')
		return torus_fail(err,
				  "'%.64s' asks for nothing: a colon and a request "
				  "follow torus, as in " EXAMPLE,
				  part);
	return 0;
}

/*
 * Read one item between commas, which may be changed. *found says whether an item of ours
 * came before, and is set when this is one.
 */
static int read_item(char *item, bool *found, torus_network_request_t *request,
		     torus_error_t *err)
{
	bool was_found = *found, inside = false;

	while (item) {
		char *part = next_piece(&item, ';'), *option = part;

		if (!inside) {
			char *behind = behind_ours(part);

			if (!behind) {
				if (check_theirs(part, was_found, err))
					return -1;
				continue;
			}
			if (begin_ours(part, behind, *found, err))
				return -1;
			*found = inside = true;
			option = trim(behind + 1);
		}
		if (read_option(option, request, err))
			return -1;
	}
	return 0;
}

int torus_network_parse(const char *text, torus_network_request_t *request,
			torus_error_t *err)
{
	torus_network_request_t parsed = {0};
	bool found = false;
	char *copy, *rest;
	int result = 0;

	*request = parsed;
	if (!text)
		return 0;
	copy = rest = strdup(text);
	if (!copy)
		return torus_fail(err, "--network: out of memory");
	while (!result && rest)
		result = read_item(next_piece(&rest, ','), &found, &parsed, err);
	free(copy);
	if (result)
		return torus_fail_prefix(err, "--network=torus: ");
	*request = parsed;
	return 0;
}
