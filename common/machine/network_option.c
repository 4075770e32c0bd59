/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option --network=torus:... of a job: see network_option.h. */
#define _GNU_SOURCE /* strcasestr() */
#include "machine/network_option.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "machine/nearness.h"

#define EXAMPLE "--network=torus:shape=4x4x2"
#define EXAMPLES EXAMPLE " or --network=torus:grid=8x8x4,periodic=xy"

static const char ours[] = "torus";
static const char blanks[] = " \t";

enum { LIST_TEXT = 200 }; /* characters of a list of words, with the NUL */

enum {
	SHAPE,
	CHIPS,
	GRID,
	PERIODIC,
	STENCIL,
	ORDER,
	HEAD,
	WITHIN,
	NEAR,
	TWIST,
	CLOSED,
	ISOLATE,
	LOOSE,
	WORDS,
};

/* What may be said of the job. */
static const struct word {
	const char *name;
	bool is_flag; /* it has no value */
} words[WORDS] = {
	[SHAPE] = {"shape", false},	[CHIPS] = {"chips", false},
	[GRID] = {"grid", false},	[PERIODIC] = {"periodic", false},
	[STENCIL] = {"stencil", false}, [ORDER] = {"order", false},
	[HEAD] = {"head", false},	[WITHIN] = {"within", false},
	[NEAR] = {"near", false},	[TWIST] = {"twist", true},
	[CLOSED] = {"closed", true},	[ISOLATE] = {"isolate", true},
	[LOOSE] = {"loose", true},
};

/* What has been read so far. */
typedef struct reading {
	bool found;		  /* an item of ours */
	bool may_go_on;		  /* the item before is ours */
	const char *value[WORDS]; /* in the copy of the text; NULL: not given */
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

/* The number of [name], or WORDS. */
static int find_word(const char *name)
{
	int i = 0;

	while (i < WORDS && strcasecmp(name, words[i].name) != 0)
		i++;
	return i;
}

static bool is_flag(const char *name)
{
	int word = find_word(name);

	return word < WORDS && words[word].is_flag;
}

/* "shape=, grid= and stencil=": the keys, or the flags, as far as they fit in [text]. */
static const char *list_words(bool flags, char *text, size_t size)
{
	int last = WORDS - 1;
	size_t length = 0;

	while (last >= 0 && words[last].is_flag != flags)
		last--;
	*text = '\0';
	for (int i = 0; i <= last && length < size; i++) {
		if (words[i].is_flag == flags)
			length += (size_t)snprintf(text + length, size - length, "%s%s%s",
						   !length     ? ""
						   : i == last ? " and "
							       : ", ",
						   words[i].name, flags ? "" : "=");
	}
	return text;
}

/* Say what is wrong with [option] of ours, which is no flag and no key=value. */
static int fail_form(const char *option, torus_error_t *err)
{
	char list[LIST_TEXT];

	if (!*list_words(true, list, sizeof(list)))
		return torus_fail(err,
				  "'%.64s' is not of the form key=value, as in " EXAMPLE,
				  option);
	return torus_fail(err,
			  "'%.64s' is not of the form key=value, as in " EXAMPLE
			  "; without a value there are %s",
			  option, list);
}

/* Read one "key=value" or flag of ours; [option] may be changed. */
static int read_option(char *option, reading_t *reading, torus_error_t *err)
{
	char *name = option, list[LIST_TEXT];
	int word;

	if (!is_flag(option)) {
		if (!strchr(option, '=') || *option == '=')
			return fail_form(option, err);
		name = next_piece(&option, '=');
		if (is_flag(name))
			return torus_fail(err, "%.64s takes no value", name);
	}
	word = find_word(name);
	if (word == WORDS)
		return torus_fail(err, "unknown key '%.64s=': the keys are %s", name,
				  list_words(false, list, sizeof(list)));
	if (reading->value[word])
		return torus_fail(err, "%s%s is given twice", words[word].name,
				  words[word].is_flag ? "" : "=");
	reading->value[word] = trim(option);
	return 0;
}

/* What follows our word [i], which [part] begins with, and blanks; or NULL. */
static const char *behind_word(const char *part, int i)
{
	size_t length = strlen(words[i].name);

	if (strncasecmp(part, words[i].name, length) != 0 || in_word(part[length]))
		return NULL;
	return part + length + strspn(part + length, blanks);
}

/* Whether [item] goes on with ours: with a flag, or one of our words and "=". */
static bool goes_on(const char *item)
{
	for (int i = 0; i < WORDS; i++) {
		const char *behind = behind_word(item, i);

		if (behind && (*behind == '=' ||
			       (words[i].is_flag && (!*behind || *behind == ';'))))
			return true;
	}
	return false;
}

/* Whether [part] is a flag, or has one of our words before a "=" or ":". */
static bool asks_for_something(const char *part)
{
	if (is_flag(part))
		return true;
	for (const char *at = part; *at; at++) {
		for (int i = 0; i < WORDS; i++) {
			const char *behind = behind_word(at, i);

			if (behind && (at == part || !in_word(at[-1])) && *behind &&
			    strchr("=:", *behind))
				return true;
		}
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
	bool was_found = reading->found;
	bool inside = reading->may_go_on && goes_on(item);

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
	size_t length = strlen(words[PERIODIC].name);

	if (!sign)
		return false;
	value = sign + 1 + strspn(sign + 1, blanks);
	while (end > item && strchr(blanks, end[-1]))
		end--;
	if (!*value || value[strspn(value, digits)] || (size_t)(end - item) < length)
		return false;
	end -= length;
	return strncasecmp(end, words[PERIODIC].name, length) == 0 &&
	       (end == item || !in_word(end[-1]));
}

/* Whether a lone 0 or 1 is what [rest] has before its first separator. */
static bool begins_with_digit(const char *rest)
{
	return (*rest == '0' || *rest == '1') && (!rest[1] || strchr(",;", rest[1]));
}

/* The commas of "periodic=1,0,1" that part none, more than any value has. */
#define MOST_JOINED 16

/* The next item between commas, trimmed, but for those of periodic=. */
static char *next_item(char **rest)
{
	char *item = next_piece(rest, ',');

	for (int joined = 0;
	     joined < MOST_JOINED && *rest && item + strlen(item) + 1 == *rest &&
	     begins_with_digit(*rest) && ends_with_digits(item);
	     joined++) {
		char *more = *rest;

		more[-1] = ',';
		next_piece(rest, ',');
	}
	return item;
}

/* The flags, which may contradict each other and a shape. */
static int read_flags(const reading_t *reading, torus_network_request_t *request,
		      torus_error_t *err)
{
	request->isolated = reading->value[ISOLATE];
	request->loose = reading->value[LOOSE];
	if (reading->value[CLOSED] && !request->has_shape)
		return torus_fail(err, "closed is said of a box: give shape=4x4x2, or "
				       "shape=any, with it");
	if (request->loose && (request->isolated || request->has_shape))
		return torus_fail(err,
				  "loose leaves compact places to others, so it does not "
				  "go with %s",
				  request->isolated ? "isolate" : "a shape");
	if (request->has_shape)
		torus_shapes_close(&request->shapes, reading->value[CLOSED]);
	return 0;
}

/* What the job wishes, and how long it waits for that. */
static int read_wish(const reading_t *reading, torus_network_request_t *request,
		     torus_error_t *err)
{
	const char *within = reading->value[WITHIN], *near = reading->value[NEAR];

	request->has_within = within;
	if (within && torus_duration_or_infinite(within, &request->within, err))
		return torus_fail_prefix(err, "within=");
	if (near && torus_near_parse(near, &request->near, err))
		return torus_fail_prefix(err, "near=");
	if (near && request->has_shape)
		return torus_fail(err,
				  "near= does not go with a shape: a box is as near as "
				  "its sides make it");
	if (near && request->loose)
		return torus_fail(err,
				  "near= does not go with loose, which leaves compact "
				  "places to others");
	return 0;
}

/* How the tasks communicate, and what is wanted of their order. */
static int read_tasks(const reading_t *reading, torus_network_request_t *request,
		      torus_error_t *err)
{
	const char *order = reading->value[ORDER], *head = reading->value[HEAD];

	if (torus_task_words_parse(reading->value[GRID], reading->value[PERIODIC],
				   reading->value[STENCIL], "", "=", &request->tasks,
				   err))
		return -1;
	if (order && strcasecmp(order, "off") != 0)
		return torus_fail(err,
				  "order='%.64s': order=off is all that can be said: "
				  "tasks then are in Slurm's own order",
				  order);
	if (head && strcasecmp(head, "free") != 0)
		return torus_fail(err,
				  "head='%.64s': head=free is all that can be said: task "
				  "0 then need not be on the first node",
				  head);
	if (order && (head || request->tasks.kind != TORUS_GRID_ANY))
		return torus_fail(err,
				  "order=off does not go with %s, which is for an order "
				  "of ours",
				  head ? "head=" : "a grid");
	request->order_off = order;
	request->tasks.free_head = head;
	return 0;
}

/* What the values given ask for. */
static int understand(const reading_t *reading, torus_network_request_t *request,
		      torus_error_t *err)
{
	const char *shape = reading->value[SHAPE], *chips = reading->value[CHIPS];

	if (shape && chips)
		return torus_fail(err,
				  "shape= and chips= exclude each other: the sides of "
				  "one are in nodes, of the other in chips");
	if (shape && torus_shapes_parse(shape, &request->shapes, err))
		return torus_fail_prefix(err, "shape=");
	if (chips && torus_chip_shapes_parse(chips, &request->shapes, err))
		return torus_fail_prefix(err, "chips=");
	request->has_shape = shape || chips;
	if (reading->value[TWIST] && !request->shapes.count)
		return torus_fail(err,
				  "twist: of which shape? Add one, such as shape=4x4x8");
	torus_shapes_twist(&request->shapes, reading->value[TWIST]);
	if (read_flags(reading, request, err))
		return -1;
	if (read_wish(reading, request, err))
		return -1;
	return read_tasks(reading, request, err);
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

const torus_shapes_t *torus_network_shapes(const char *text,
					   torus_network_request_t *request)
{
	if (torus_network_parse(text, request, NULL) || !request->has_shape)
		return NULL;
	return &request->shapes;
}
