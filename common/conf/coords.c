/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coordinate and order files: see coords.h. */
#include "conf/coords.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/lines.h"
#include "base/name_index.h"

/*
 * What has been read of a coordinate file so far: names one after the other, each with
 * its NUL.
 */
typedef struct reading {
	char *bytes;
	size_t used, room;
	uint32_t *cell, *line; /* of each name */
	uint32_t count, names_room;
} reading_t;

static const char *name_in_array(const void *owner, uint32_t number)
{
	return ((char *const *)owner)[number];
}

/* Make room for one more name of [length] bytes. */
static int grow(reading_t *reading, size_t length, torus_error_t *err)
{
	if (reading->room - reading->used < length) {
		size_t room = 2 * reading->room + length + 4096;
		char *larger = realloc(reading->bytes, room);

		if (!larger)
			return torus_fail(err, "out of memory");
		reading->bytes = larger;
		reading->room = room;
	}
	if (reading->count == reading->names_room) {
		uint32_t room = 2 * reading->names_room + 256;
		uint32_t *cell = realloc(reading->cell, room * sizeof(*cell));
		uint32_t *line;

		if (!cell)
			return torus_fail(err, "out of memory");
		reading->cell = cell;
		line = realloc(reading->line, room * sizeof(*line));
		if (!line)
			return torus_fail(err, "out of memory");
		reading->line = line;
		reading->names_room = room;
	}
	return 0;
}

static int read_coordinate(const char *text, const torus_geometry_t *geometry, int axis,
			   int32_t *value, torus_error_t *err)
{
	uint64_t number = 0;

	for (const char *at = text; *at; at++) {
		if (!isdigit((unsigned char)*at))
			return torus_fail(err, "'%s' is not a coordinate", text);
		if (number < TORUS_MAX_CELLS)
			number = number * 10 + (uint64_t)(*at - '0');
	}
	if (number >= (uint64_t)geometry->length[axis])
		return torus_fail(err, "coordinate %s in dimension %c is not below %d",
				  text, "xyzuvw"[axis], geometry -> length[axis]);
	*value = (int32_t)number;
	return 0;
}

/* Add the nodes of the line "hostlist x y z". */
static int read_line(reading_t *reading, const torus_lines_t *lines,
		     const torus_geometry_t *geometry, torus_error_t *err)
{
	int32_t coord[TORUS_MAX_DIMS] = {0};
	uint32_t cell, count;
	char **names;

	if (lines->words != (size_t)geometry->dims + 1)
		return torus_fail(err, "%zu words instead of a node and %d coordinates",
				  lines->words, geometry->dims);
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (read_coordinate(lines->word[axis + 1].text, geometry, axis,
				    &coord[axis], err))
			return -1;
	}
	cell = torus_coord_to_cell(geometry, coord);
	if (torus_hostlist_expand(lines->word[0].text, &names, &count, err))
		return -1;
	if (count > TORUS_HOSTLIST_MAX - reading->count) {
		free(names);
		return torus_fail(err, "more than %u nodes", TORUS_HOSTLIST_MAX);
	}
	for (uint32_t i = 0; i < count; i++) {
		size_t length = strlen(names[i]) + 1;

		if (grow(reading, length, err)) {
			free(names);
			return -1;
		}
		memcpy(reading->bytes + reading->used, names[i], length);
		reading->used += length;
		reading->cell[reading->count] = cell;
		reading->line[reading->count++] = lines->word[0].line;
	}
	free(names);
	return 0;
}

static int read_lines(reading_t *reading, torus_lines_t *lines,
		      const torus_geometry_t *geometry, const char *path,
		      torus_error_t *err)
{
	int more;

	while ((more = torus_lines_next(lines, err)) > 0) {
		if (!read_line(reading, lines, geometry, err))
			continue;
		return torus_fail_prefix(err, "%s:%u: ", path, lines->word[0].line);
	}
	return more;
}

/* The names as one block, as torus_hostlist_expand() makes it; NULL: out of memory. */
static char **make_block(const reading_t *reading)
{
	size_t pointers = reading->count * sizeof(char *);
	char **block = malloc(pointers + reading->used);
	char *at;

	if (!block)
		return NULL;
	at = memcpy((char *)block + pointers, reading->bytes, reading->used);
	for (uint32_t i = 0; i < reading->count; i++) {
		block[i] = at;
		at += strlen(at) + 1;
	}
	return block;
}

static int check_unique(const reading_t *reading, char *const *names, const char *path,
			torus_error_t *err)
{
	torus_name_index_t *index =
		torus_name_index_create(reading->count, name_in_array, names);
	int result = 0;

	if (!index)
		return torus_fail(err, "%s: out of memory", path);
	for (uint32_t i = 0; !result && i < reading->count; i++) {
		uint32_t there = torus_name_index_add(index, i);

		if (there != TORUS_NO_NAME)
			result = torus_fail(
				err, "%s:%u: node '%s' was given before, on line %u",
				path, reading->line[i], names[i], reading->line[there]);
	}
	torus_name_index_destroy(index);
	return result;
}

int torus_coords_parse(const char *text, size_t length, const char *path,
		       const torus_geometry_t *geometry, char ***names, uint32_t **cells,
		       uint32_t *count, torus_error_t *err)
{
	reading_t reading = {0};
	torus_lines_t lines;
	char **block = NULL;
	int result;

	*names = NULL;
	*cells = NULL;
	result = torus_lines_open(&lines, text, length, path, err);
	if (!result)
		result = read_lines(&reading, &lines, geometry, path, err);
	if (!result && !reading.count)
		result = torus_fail(err, "%s:%u: no node in this file", path,
				    torus_lines_last(&lines));
	if (!result) {
		block = make_block(&reading);
		result = block ? check_unique(&reading, block, path, err)
			       : torus_fail(err, "%s: out of memory", path);
	}
	torus_lines_close(&lines);
	free(reading.bytes);
	free(reading.line);
	if (result) {
		free(block);
		free(reading.cell);
		return -1;
	}
	*names = block;
	*cells = reading.cell;
	*count = reading.count;
	return 0;
}

/* An order file while it is read. */
typedef struct ordering {
	char *const *names;
	torus_name_index_t *index;
	uint32_t *line_of; /* [count] line of each node; 0: not seen yet */
	uint32_t *order;
	uint32_t count, used;
} ordering_t;

/* Add the nodes of a line, which is one name or hostlist. */
static int order_line(ordering_t *ordering, const torus_lines_t *lines,
		      torus_error_t *err)
{
	uint32_t line = lines->word[0].line, count;
	char **names;
	int result = 0;

	if (lines->words != 1)
		return torus_fail(err, "%zu words instead of one node name",
				  lines->words);
	if (torus_hostlist_expand(lines->word[0].text, &names, &count, err))
		return -1;
	for (uint32_t i = 0; !result && i < count; i++) {
		uint32_t node = torus_name_index_find(ordering->index, names[i]);

		if (node == TORUS_NO_NAME) {
			result = torus_fail(err, "node '%s' is not on this torus",
					    names[i]);
		} else if (ordering->line_of[node]) {
			result = torus_fail(err, "node '%s' was given before, on line %u",
					    names[i], ordering->line_of[node]);
		} else {
			ordering->line_of[node] = line;
			ordering->order[ordering->used++] = node;
		}
	}
	free(names);
	return result;
}

static int order_lines(ordering_t *ordering, torus_lines_t *lines, const char *path,
		       torus_error_t *err)
{
	uint32_t missing = 0;
	int more;

	while ((more = torus_lines_next(lines, err)) > 0) {
		if (order_line(ordering, lines, err))
			return torus_fail_prefix(err, "%s:%u: ", path,
						 lines->word[0].line);
	}
	if (more || ordering->used == ordering->count)
		return more;
	while (ordering->line_of[missing])
		missing++;
	return torus_fail(err,
			  "%s:%u: the file ends without node '%s'; %u of %u nodes are "
			  "missing",
			  path, torus_lines_last(lines), ordering->names[missing],
			  ordering->count - ordering->used, ordering->count);
}

int torus_order_parse(const char *text, size_t length, const char *path,
		      char *const *names, uint32_t count, uint32_t *order,
		      torus_error_t *err)
{
	ordering_t ordering = {.names = names, .order = order, .count = count};
	torus_lines_t lines;
	int result;

	ordering.index = torus_name_index_create(count, name_in_array, names);
	ordering.line_of = calloc(count, sizeof(uint32_t));
	result = torus_lines_open(&lines, text, length, path, err);
	if (!result && (!ordering.index || !ordering.line_of))
		result = torus_fail(err, "%s: out of memory", path);
	if (!result) {
		for (uint32_t node = 0; node < count; node++)
			torus_name_index_add(ordering.index, node);
		result = order_lines(&ordering, &lines, path, err);
	}
	torus_lines_close(&lines);
	torus_name_index_destroy(ordering.index);
	free(ordering.line_of);
	return result;
}
