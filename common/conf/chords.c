/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of Links=: see conf/chords.h. */
#include "conf/chords.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/lines.h"
#include "geometry/chips.h"

/* A link, the lower cell first, and the line it is on. */
typedef struct given {
	torus_chord_t chord;
	uint32_t line;
} given_t;

typedef struct reading {
	const torus_geometry_t *machine; /* of routers or chips */
	given_t *given;			 /* [count] */
	uint32_t count, room;
} reading_t;

/* Read "16:0" from *at on, up to another character. */
static int read_place(const torus_geometry_t *machine, const char *link, const char **at,
		      uint32_t *cell, torus_error_t *err)
{
	int32_t coord[TORUS_MAX_DIMS] = {0};

	for (int axis = 0; axis < machine->dims; axis++) {
		uint64_t number = 0;

		if (axis && *(*at)++ != ':')
			return torus_fail(err,
					  "'%.80s': a place has %d coordinates, with : in "
					  "between",
					  link, machine->dims);
		if (!isdigit((unsigned char)**at))
			return torus_fail(err,
					  "'%.80s' is not of the form 0:0-16:0, the "
					  "coordinates of both ends",
					  link);
		for (; isdigit((unsigned char)**at); ++*at) {
			if (number < TORUS_MAX_CELLS)
				number = number * 10 + (uint64_t)(**at - '0');
		}
		if (number >= (uint64_t)machine->length[axis])
			return torus_fail(
				err, "'%.80s': a coordinate in dimension %c is below %d",
				link, "xyzuvw"[axis], machine->length[axis]);
		coord[axis] = (int32_t)number;
	}
	*cell = torus_coord_to_cell(machine, coord);
	return 0;
}

static int read_link(const torus_geometry_t *machine, const char *link,
		     torus_chord_t *chord, torus_error_t *err)
{
	const char *at = link;
	torus_chord_t read;

	if (read_place(machine, link, &at, &read.cell[0], err))
		return -1;
	if (*at == ':')
		return torus_fail(err, "'%.80s': a place has %d coordinates", link,
				  machine->dims);
	if (*at++ != '-')
		return torus_fail(err,
				  "'%.80s' is not of the form 0:0-16:0, the coordinates "
				  "of both ends",
				  link);
	if (read_place(machine, link, &at, &read.cell[1], err))
		return -1;
	if (*at)
		return torus_fail(err, "'%.80s': a place has %d coordinates", link,
				  machine->dims);
	if (torus_chord_check(machine, read, err))
		return torus_fail_prefix(err, "'%.80s': ", link);
	*chord = read.cell[0] < read.cell[1]
			 ? read
			 : (torus_chord_t){{read.cell[1], read.cell[0]}};
	return 0;
}

static int add_link(reading_t *reading, const char *link, uint32_t line,
		    torus_error_t *err)
{
	torus_chord_t chord;

	if (read_link(reading->machine, link, &chord, err))
		return -1;
	if (reading->count == TORUS_CHORDS_MAX)
		return torus_fail(err, "more than %u links", TORUS_CHORDS_MAX);
	if (reading->count == reading->room) {
		uint32_t room = 2 * reading->room + 64;
		given_t *larger = realloc(reading->given, room * sizeof(*larger));

		if (!larger)
			return torus_fail(err, "out of memory for %u links", room);
		reading->given = larger;
		reading->room = room;
	}
	reading->given[reading->count++] = (given_t){chord, line};
	return 0;
}

/* The links of a word, with commas between them; the last may be an empty one. */
static int add_links(reading_t *reading, torus_word_t word, torus_error_t *err)
{
	char *rest = word.text;

	while (*rest) {
		char *link = rest, *comma = strchr(rest, ',');

		rest = comma ? comma + 1 : rest + strlen(rest);
		if (comma)
			*comma = '\0';
		if (add_link(reading, link, word.line, err))
			return -1;
	}
	return 0;
}

static int read_lines(reading_t *reading, torus_lines_t *lines, const char *path,
		      torus_error_t *err)
{
	int more;

	while ((more = torus_lines_next(lines, err)) > 0) {
		for (size_t i = 0; i < lines->words; i++) {
			if (!add_links(reading, lines->word[i], err))
				continue;
			if (path)
				torus_fail_prefix(err, "%s:%u: ", path,
						  lines->word[i].line);
			return -1;
		}
	}
	return more;
}

static int compare_given(const void *a, const void *b)
{
	const given_t *left = a, *right = b;
	int order = torus_chord_compare(&left->chord, &right->chord);

	if (order)
		return order;
	return left->line < right->line ? -1 : left->line > right->line;
}

/* Sort them; none may be there twice. */
static int check_unique(reading_t *reading, const char *path, torus_error_t *err)
{
	const given_t *given = reading->given;
	char text[TORUS_CHORD_TEXT];

	qsort(reading->given, reading->count, sizeof(*reading->given), compare_given);
	for (uint32_t i = 1; i < reading->count; i++) {
		if (memcmp(&given[i].chord, &given[i - 1].chord,
			   sizeof(given[i].chord)) != 0)
			continue;
		torus_chord_format(reading->machine, given[i].chord, text);
		if (!path)
			return torus_fail(err,
					  "'%s' is given twice: a link leads both ways",
					  text);
		return torus_fail(err,
				  "%s:%u: '%s' was given before, on line %u: a link "
				  "leads both ways",
				  path, given[i].line, text, given[i - 1].line);
	}
	return 0;
}

torus_chord_t *torus_chords_parse(const char *text, size_t length, const char *path,
				  const torus_geometry_t *geometry, uint32_t *count,
				  torus_error_t *err)
{
	const torus_geometry_t machine = torus_chip_machine(geometry);
	reading_t reading = {.machine = &machine};
	torus_chord_t *chord = NULL;
	torus_lines_t lines;
	int rc = torus_lines_open(&lines, text, length, path ? path : "Links=", err);

	if (!rc)
		rc = read_lines(&reading, &lines, path, err);
	if (!rc && !reading.count)
		rc = path ? torus_fail(err, "%s:%u: no link in this file", path,
				       torus_lines_last(&lines))
			  : torus_fail(err, "no link");
	if (!rc && !check_unique(&reading, path, err)) {
		chord = malloc(reading.count * sizeof(*chord));
		if (!chord)
			torus_fail(err, "out of memory for %u links", reading.count);
	}
	for (uint32_t i = 0; chord && i < reading.count; i++)
		chord[i] = reading.given[i].chord;
	*count = reading.count;
	torus_lines_close(&lines);
	free(reading.given);
	return chord;
}

char *torus_chord_format(const torus_geometry_t *geometry, torus_chord_t chord,
			 char text[TORUS_CHORD_TEXT])
{
	char *at = text;

	for (int end = 0; end < 2; end++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(geometry, chord.cell[end], coord);
		for (int axis = 0; axis < geometry->dims; axis++) {
			if (axis || end)
				*at++ = axis ? ':' : '-';
			at = torus_digits((uint64_t)coord[axis], at);
		}
	}
	*at = '\0';
	return text;
}
