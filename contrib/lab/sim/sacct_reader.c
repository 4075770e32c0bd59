/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of what sacct prints: see sacct_reader.h. */
#include "sim/sacct_reader.h"

#include <string.h>

#include "sim/skipped.h"

void torus_sacct_reader_begin(torus_sacct_reader_t *reader, const char *text,
			      size_t length, const char *path)
{
	*reader = (torus_sacct_reader_t){.rest = {text, length}, .path = path};
}

/* The next line of *rest, without its end; false: there is none. */
static bool next_line(torus_sacct_field_t *rest, torus_sacct_field_t *line)
{
	const char *newline;

	if (!rest->length)
		return false;
	newline = memchr(rest->at, '\n', rest->length);
	*line = *rest;
	if (newline)
		line->length = (size_t)(newline - rest->at);
	rest->at += line->length + (newline != NULL);
	rest->length -= line->length + (newline != NULL);
	if (line->length && line->at[line->length - 1] == '\r')
		line->length--;
	return true;
}

int torus_sacct_reader_next(torus_sacct_reader_t *reader, torus_error_t *err)
{
	torus_sacct_columns_t *columns = &reader->columns;
	const torus_sacct_field_t *id = &reader->field[TORUS_SACCT_NUMBER];

	while (next_line(&reader->rest, &reader->line)) {
		reader->number++;
		if (!reader->line.length)
			continue;
		if (!columns->count) {
			if (torus_sacct_columns_read(reader->line, reader->path,
						     reader->number, columns, err))
				return -1;
			continue;
		}
		if (torus_sacct_same(reader->line, columns->line))
			continue;
		reader->whole = torus_sacct_cut(columns, reader->line, reader->field);
		if (!reader->whole || !memchr(id->at, '.', id->length))
			return 1;
	}
	if (columns->count)
		return 0;
	return torus_fail(err,
			  "%s: no line with the names of columns, as sacct -P prints",
			  reader->path);
}

size_t torus_sacct_count_lines(const char *text, size_t length)
{
	size_t count = 1;

	for (size_t i = 0; i < length; i++)
		count += text[i] == '\n';
	return count;
}

/* When the job ended, of which [start] is known. */
static torus_sacct_value_t read_end(const torus_sacct_reader_t *reader, int64_t start,
				    int64_t *end)
{
	torus_sacct_value_t value;
	int64_t elapsed = 0;

	if (reader->columns.has[TORUS_SACCT_END])
		return torus_sacct_time(reader->field[TORUS_SACCT_END], start, end);
	value = torus_sacct_duration(reader->field[TORUS_SACCT_ELAPSED], 1, &elapsed);
	*end = start + elapsed;
	return value;
}

const char *torus_sacct_read_times(const torus_sacct_reader_t *reader,
				   torus_sacct_times_t *times)
{
	const torus_sacct_field_t *field = reader->field;
	torus_sacct_value_t value;

	*times = (torus_sacct_times_t){-1, -1, -1, -1};
	if (torus_sacct_time(field[TORUS_SACCT_SUBMIT], 0, &times->submit) !=
	    TORUS_SACCT_READ)
		return TORUS_SKIP_MALFORMED;
	value = torus_sacct_time(field[TORUS_SACCT_START], times->submit, &times->start);
	if (value == TORUS_SACCT_MALFORMED ||
	    (value == TORUS_SACCT_READ && times->start < times->submit))
		return TORUS_SKIP_MALFORMED;
	value = read_end(reader, times->start < 0 ? times->submit : times->start,
			 &times->end);
	if (value == TORUS_SACCT_NONE)
		times->end = -1;
	else if (value == TORUS_SACCT_MALFORMED || times->end < times->start)
		return TORUS_SKIP_MALFORMED;
	if (!reader->columns.has[TORUS_SACCT_ELIGIBLE])
		return NULL;
	value = torus_sacct_time(field[TORUS_SACCT_ELIGIBLE], times->submit,
				 &times->eligible);
	if (value == TORUS_SACCT_MALFORMED)
		return TORUS_SKIP_MALFORMED;
	if (times->eligible >= 0 && times->eligible < times->submit)
		times->eligible = times->submit;
	return NULL;
}

torus_sacct_state_t torus_sacct_read_state(const torus_sacct_reader_t *reader)
{
	static const struct {
		const char *begin;
		torus_sacct_state_t state;
	} known[] = {
		{"PENDING", TORUS_SACCT_IS_PENDING},
		{"RUNNING", TORUS_SACCT_IS_RUNNING},
		{"SUSPENDED", TORUS_SACCT_IS_RUNNING},
		{"COMPLETING", TORUS_SACCT_IS_RUNNING},
		{"CANCELLED", TORUS_SACCT_IS_DROPPED},
		{"DEADLINE", TORUS_SACCT_IS_DROPPED},
		{"REVOKED", TORUS_SACCT_IS_DROPPED},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (torus_sacct_begins(reader->field[TORUS_SACCT_STATE], known[i].begin))
			return known[i].state;
	}
	return TORUS_SACCT_HAS_STARTED;
}

bool torus_sacct_never_started(const torus_sacct_reader_t *reader,
			       const torus_sacct_times_t *times, uint32_t nodes)
{
	return times->start < 0 || !nodes ||
	       (!reader->columns.nodes_allocated && times->start == times->end &&
		torus_sacct_read_state(reader) == TORUS_SACCT_IS_DROPPED);
}
