/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --network=torus:... of a job: see network_option.h. */
#define _GNU_SOURCE /* strcasestr() */
#include "machine/network_option.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define EXAMPLE "--network=torus:shape=4x4x2"
#define EXAMPLES EXAMPLE " or --network=torus:grid=8x8x4,periodic=xy"

static const char ours[] = "torus";
static const char blanks[] = " \t";

enum { SHAPE, GRID, PERIODIC, STENCIL, KEYS };

static const char *const keys[KEYS] = {
	[SHAPE] = "shape",
	[GRID] = "grid",
	[PERIODIC] = "periodic",
	[STENCIL] = "stencil",
};

/* What has been read so far. */
typedef struct reading {
	bool found;		 /* an item of ours */
	bool may_go_on;		 /* the item before is ours */
	const char *value[KEYS]; /* in the copy of the text; NULL: not given */
} reading_t;

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

/* The number of the key that [word] is, or KEYS. */
static int find_key(const char *word)
{
	int key = 0;

	while (key < KEYS && strcasecmp(word, keys[key]) != 0)
		key++;
	return key;
}

/* Read one "key=value" of ours; [option] may be changed. */
static int read_option(char *option, reading_t *reading, torus_error_t *err)
{
	char *word;
	int key;

	if (!strchr(option, '=') || *option == '=')
		return torus_fail(err,
				  "'%.64s' is not of the form key=value, as in " EXAMPLE,
				  option);
	word = next_piece(&option, '=');
	key = find_key(word);
	if (key == KEYS)
		return torus_fail(err,
				  "unknown key '%.64s=': the keys are shape=, grid=, "
				  "periodic= and stencil=",
				  word);
	if (reading->value[key])
		return torus_fail(err, "%s= is given twice", keys[key]);
	reading->value[key] = trim(option);
	return 0;
}

/* What follows one of our keys that [part] begins with, and blanks, or NULL. */
static const char *behind_key(const char *part)
{
	for (int key = 0; key < KEYS; key++) {
		size_t length = strlen(keys[key]);

		if (strncasecmp(part, keys[key], length) == 0)
			return part + length + strspn(part + length, blanks);
	}
	return NULL;
}

/* Whether [part] has one of our keys before a sign that gives it a value. */
static bool asks_for_something(const char *part)
{
	for (const char *at = part; *at; at++) {
		const char *behind = behind_key(at);

		if (behind && (at == part || !in_word(at[-1])) && *behind &&
		    strchr("=:", *behind))
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
	if (asks_for_something(part) || is_other_torus(part))
		return torus_fail(err,
				  "'%.64s' looks like a request for a shape or a grid, "
				  "which has to be written as in " EXAMPLES,
				  part);
	if (behind && isdigit((unsigned char)*part))
		return torus_fail(err,
				  "'%.64s' behind torus: the sides of a shape or a grid "
				  "are separated by x, as in " EXAMPLE,
				  part);
	return 0;
}

/* Read the beginning of our item; [behind] is what follows "torus". */
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

/* Read one item between commas, which may be changed. */
static int read_item(char *item, reading_t *reading, torus_error_t *err)
{
	const char *sign = behind_key(item);
	bool was_found = reading->found;
	bool inside = reading->may_go_on && sign && *sign == '=';

	while (item) {
		char *part = next_piece(&item, ';'), *option = part;

		if (!inside) {
			char *behind = behind_ours(part);

			if (!behind) {
				if (check_theirs(part, was_found, err))
					return -1;
				continue;
			}
			if (begin_ours(part, behind, reading->found, err))
				return -1;
			reading->found = inside = true;
			option = trim(behind + 1);
		}
		if (read_option(option, reading, err))
			return -1;
	}
	reading->may_go_on = inside;
	return 0;
}

/* Whether [item] ends with "periodic=" and digits, which more of them may follow. */
static bool ends_with_digits(const char *item)
{
	static const char digits[] = "01,";
	const char *sign = strrchr(item, '=');
	const char *end = sign, *value;
	size_t length = strlen(keys[PERIODIC]);

	if (!sign)
		return false;
	value = sign + 1 + strspn(sign + 1, blanks);
	while (end > item && strchr(blanks, end[-1]))
		end--;
	if (!*value || value[strspn(value, digits)] || (size_t)(end - item) < length)
		return false;
	end -= length;
	return strncasecmp(end, keys[PERIODIC], length) == 0 &&
	       (end == item || !in_word(end[-1]));
}

/* Whether a lone 0 or 1 is what [rest] has before its first separator. */
static bool begins_with_digit(const char *rest)
{
	return (*rest == '0' || *rest == '1') && (!rest[1] || strchr(",;", rest[1]));
}

/* The next item between commas, trimmed; the commas of "periodic=1,0,1" part none. */
static char *next_item(char **rest)
{
	char *item = next_piece(rest, ',');

	while (*rest && item + strlen(item) + 1 == *rest && begins_with_digit(*rest) &&
	       ends_with_digits(item)) {
		char *more = *rest;

		more[-1] = ',';
		next_piece(rest, ',');
	}
	return item;
}

/* What the values given ask for. */
static int understand(const reading_t *reading, torus_network_request_t *request,
		      torus_error_t *err)
{
	const char *shape = reading->value[SHAPE];

	if (shape && torus_shapes_parse(shape, &request->shapes, err))
		return torus_fail_prefix(err, "shape=");
	request->has_shape = shape;
	return torus_task_words_parse(reading->value[GRID], reading->value[PERIODIC],
				      reading->value[STENCIL], "", "=", &request->tasks,
				      err);
}

int torus_network_parse(const char *text, torus_network_request_t *request,
			torus_error_t *err)
{
	torus_network_request_t parsed = {0};
	reading_t reading = {0};
	char *copy, *rest;
	int result = 0;

	*request = parsed;
	if (!text)
		return 0;
	copy = rest = strdup(text);
	if (!copy)
		return torus_fail(err, "--network: out of memory");
	while (!result && rest)
		result = read_item(next_item(&rest), &reading, err);
	if (!result)
		result = understand(&reading, &parsed, err);
	free(copy);
	if (result)
		return torus_fail_prefix(err, "--network=torus: ");
	*request = parsed;
	return 0;
}
