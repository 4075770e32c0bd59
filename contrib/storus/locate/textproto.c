/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a text in the format of protocol buffers: see textproto.h. */
#include "torus_config.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "storus/locate/textproto.h"

typedef struct reading {
	const char *at; /* in a text that ends with a 0 */
	unsigned line;
	int depth;
	char path[STORUS_TEXTPROTO_PATH];
	storus_textproto_visit_t *visit;
	void *context;
	torus_error_t *err;
} reading_t;

/* The first character that is no blank and in no comment; 0 at the end. */
static char peek(reading_t *reading)
{
	for (;;) {
		char character = *reading->at;

		if (character == '#') {
			reading->at += strcspn(reading->at, "\n");
			continue;
		}
		if (!character || !strchr(" \t\r\n", character))
			return character;
		reading->line += character == '\n';
		reading->at++;
	}
}

/* Say what stands at the place that has been read to, and what should. */
static int fail_here(reading_t *reading, const char *wanted)
{
	return *reading->at ? torus_fail(reading->err, "'%.8s' where %s is wanted",
					 reading->at, wanted)
			    : torus_fail(reading->err, "the text ends where %s is wanted",
					 wanted);
}

static size_t token_length(const char *at)
{
	size_t length = 0;

	while (isalnum((unsigned char)at[length]) ||
	       (at[length] && strchr("_.+-/", at[length])))
		length++;
	return length;
}

static int tell(reading_t *reading, storus_textproto_event_t event, const char *value)
{
	return reading->visit(reading->context, event, reading->path, value,
			      reading->err);
}

static int visit_value(reading_t *reading, const char *from, size_t length)
{
	char value[256];

	snprintf(value, sizeof(value), "%.*s", length < 256 ? (int)length : 255, from);
	return tell(reading, STORUS_TEXTPROTO_VALUE, value);
}

/* Read a string in quotes. */
static int read_string(reading_t *reading)
{
	char quote = *reading->at++;
	const char *from = reading->at;
	int rc;

	while (*reading->at != quote) {
		if (*reading->at == '\\' && reading->at[1])
			reading->at++;
		if (!*reading->at || *reading->at == '\n')
			return torus_fail(reading->err,
					  "a string has no end on its line");
		reading->at++;
	}
	rc = visit_value(reading, from, (size_t)(reading->at - from));
	reading->at++;
	return rc;
}

static int read_fields(reading_t *reading, char end);

/* Read the message that begins here. */
static int read_message(reading_t *reading)
{
	char end = *reading->at++ == '{' ? '}' : '>';

	if (reading->depth == STORUS_TEXTPROTO_DEPTH)
		return torus_fail(reading->err, "more than %d messages within each other",
				  STORUS_TEXTPROTO_DEPTH);
	reading->depth++;
	if (tell(reading, STORUS_TEXTPROTO_BEGIN, NULL) != 0 ||
	    read_fields(reading, end) != 0 ||
	    tell(reading, STORUS_TEXTPROTO_END, NULL) != 0)
		return -1;
	reading->depth--;
	return 0;
}

/* Read a value that is no list. */
static int read_single(reading_t *reading)
{
	size_t length;
	int rc;

	switch (peek(reading)) {
	case '{':
	case '<':
		return read_message(reading);
	case '"':
	case '\'':
		return read_string(reading);
	default:
		length = token_length(reading->at);
		if (length == 0)
			return fail_here(reading, "a value");
		rc = visit_value(reading, reading->at, length);
		reading->at += length;
		return rc;
	}
}

static int read_value(reading_t *reading)
{
	if (peek(reading) != '[')
		return read_single(reading);
	reading->at++;
	while (peek(reading) != ']') {
		if (read_single(reading) != 0)
			return -1;
		if (peek(reading) == ',')
			reading->at++;
		else if (*reading->at != ']')
			return fail_here(reading, "a ] or a comma");
	}
	reading->at++;
	return 0;
}

/* Read a field: its name, and what it is. */
static int read_field(reading_t *reading)
{
	size_t before = strlen(reading->path), length = token_length(reading->at);

	if (length == 0)
		return fail_here(reading, "a field's name");
	if (before + length + 2 > sizeof(reading->path))
		return torus_fail(reading->err, "names of more than %zu characters",
				  sizeof(reading->path));
	snprintf(reading->path + before, sizeof(reading->path) - before, "%s%.*s",
		 before ? "." : "", (int)length, reading->at);
	reading->at += length;
	if (peek(reading) == ':')
		reading->at++;
	if (read_value(reading) != 0)
		return -1;
	reading->path[before] = '\0';
	if (peek(reading) && strchr(",;", *reading->at))
		reading->at++;
	return 0;
}

/* Read fields up to [end], 0 for the end of the text. */
static int read_fields(reading_t *reading, char end)
{
	char next;

	while ((next = peek(reading)) != end) {
		if (!next)
			return torus_fail(reading->err,
					  "the text ends where a %c is wanted", end);
		if (read_field(reading) != 0)
			return -1;
	}
	if (end)
		reading->at++;
	return 0;
}

int storus_textproto_read(const char *text, const char *name,
			  storus_textproto_visit_t *visit, void *context,
			  torus_error_t *err)
{
	reading_t reading = {
		.at = text,
		.line = 1,
		.visit = visit,
		.context = context,
		.err = err,
	};

	if (read_fields(&reading, '\0') == 0)
		return 0;
	return torus_fail_prefix(err, "%s:%u: ", name, reading.line);
}
