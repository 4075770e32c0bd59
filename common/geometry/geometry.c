/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shape of a machine: see geometry.h. */
#include "geometry/geometry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/digits.h"
#include "geometry/chords.h"

static const char axis_letters[] = "xyzuvw";

int torus_lengths_parse(const char *text, int *dims, int32_t lengths[TORUS_MAX_DIMS],
			torus_error_t *err)
{
	uint64_t product = 1;
	const char *at = text;
	int count = 0;

	for (;;) {
		uint64_t value = 0;

		if (!isdigit((unsigned char)*at))
			return torus_fail(err, "'%s' is not of the form 8x8x5", text);
		if (count == TORUS_MAX_DIMS)
			return torus_fail(err, "'%s' has more than %d dimensions", text,
					  TORUS_MAX_DIMS);
		while (isdigit((unsigned char)*at) && value <= TORUS_MAX_CELLS)
			value = value * 10 + (uint64_t)(*at++ - '0');
		product *= value;
		if (value > TORUS_MAX_CELLS || product > TORUS_MAX_CELLS)
			return torus_fail(
				err,
				"'%s' is larger than %u positions: shorten its sides",
				text, TORUS_MAX_CELLS);
		if (!value)
			return torus_fail(err, "'%s' has a side of length 0", text);
		lengths[count++] = (int32_t)value;
		if (!*at)
			break;
		if (*at != 'x' && *at != 'X')
			return torus_fail(err, "'%s' is not of the form 8x8x5", text);
		at++;
	}
	*dims = count;
	while (count < TORUS_MAX_DIMS)
		lengths[count++] = 1;
	return 0;
}

static int parse_wrap_digits(const char *text, int dims, bool wrap[TORUS_MAX_DIMS],
			     torus_error_t *err)
{
	size_t expected = 2 * (size_t)dims - 1;

	if (strlen(text) != expected)
		return torus_fail(err,
				  "wrap '%s' does not have one 0 or 1 for each of the %d "
				  "dimensions",
				  text, dims);
	for (size_t i = 0; i < expected; i++) {
		if (i % 2 ? text[i] != ',' : text[i] != '0' && text[i] != '1')
			return torus_fail(err, "wrap '%s' is not of the form 1,0,1",
					  text);
		if (i % 2 == 0)
			wrap[i / 2] = text[i] == '1';
	}
	return 0;
}

int torus_wrap_parse(const char *text, int dims, bool wrap[TORUS_MAX_DIMS],
		     torus_error_t *err)
{
	bool all = !strcasecmp(text, "all");

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		wrap[axis] = all && axis < dims;
	if (all || !strcasecmp(text, "none"))
		return 0;
	if (isdigit((unsigned char)*text))
		return parse_wrap_digits(text, dims, wrap, err);
	if (!*text)
		return torus_fail(err,
				  "wrap is empty: give all, none, letters of %.*s, or "
				  "digits such as 1,0,1",
				  dims, axis_letters);
	for (const char *at = text; *at; at++) {
		const char *letter = strchr(axis_letters, tolower((unsigned char)*at));

		if (!letter || letter - axis_letters >= dims)
			return torus_fail(err,
					  "wrap '%s': '%c' is not one of the dimensions "
					  "%.*s",
					  text, *at, dims, axis_letters);
		if (wrap[letter - axis_letters])
			return torus_fail(err, "wrap '%s' names '%c' twice", text, *at);
		wrap[letter - axis_letters] = true;
	}
	return 0;
}

int torus_geometry_parse(const char *dims, const char *wrap, torus_geometry_t *geometry,
			 torus_error_t *err)
{
	torus_geometry_t parsed = {0};

	if (torus_lengths_parse(dims, &parsed.dims, parsed.length, err))
		return -1;
	if (wrap && torus_wrap_parse(wrap, parsed.dims, parsed.wrap, err))
		return -1;
	*geometry = parsed;
	return 0;
}

char *torus_lengths_format(int dims, const int32_t *lengths, char text[TORUS_DIMS_TEXT])
{
	char *at = text;

	for (int axis = 0; axis < dims; axis++) {
		if (axis)
			*at++ = 'x';
		at = torus_digits((uint64_t)lengths[axis], at);
	}
	*at = '\0';
	return text;
}

char *torus_wrap_format(const torus_geometry_t *geometry, char text[TORUS_WRAP_TEXT])
{
	char *end = text;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (geometry->wrap[axis])
			*end++ = axis_letters[axis];
	}
	*end = '\0';
	return end == text ? strcpy(text, "none") : text;
}

uint32_t torus_geometry_cells(const torus_geometry_t *geometry)
{
	uint32_t cells = 1;

	for (int axis = 0; axis < geometry->dims; axis++)
		cells *= (uint32_t)geometry->length[axis];
	return cells;
}

bool torus_geometry_wraps(const torus_geometry_t *geometry)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (geometry->wrap[axis])
			return true;
	}
	return false;
}

void torus_cell_to_coord(const torus_geometry_t *geometry, uint32_t cell,
			 int32_t coord[TORUS_MAX_DIMS])
{
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		uint32_t length =
			axis < geometry->dims ? (uint32_t)geometry->length[axis] : 1;

		coord[axis] = (int32_t)(cell % length);
		cell /= length;
	}
}

uint32_t torus_coord_to_cell(const torus_geometry_t *geometry,
			     const int32_t coord[TORUS_MAX_DIMS])
{
	uint32_t cell = 0;

	for (int axis = geometry->dims - 1; axis >= 0; axis--)
		cell = cell * (uint32_t)geometry->length[axis] + (uint32_t)coord[axis];
	return cell;
}

/*
 * Hops on a twisted torus: around each short side once or not at all. An odd number of
 * times around short sides shifts by half of every long side, an even number not at all.
 */
static uint32_t twisted_hops(const torus_geometry_t *geometry, const int32_t *from,
			     const int32_t *to)
{
	uint32_t shifted[2] = {0, 0};		/* hops along long sides by parity */
	uint32_t best[2] = {0, UINT32_MAX / 2}; /* along short sides by parity */

	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis], there = to[axis] - from[axis];
		uint32_t direct, around, even, odd;

		there = there < 0 ? -there : there;
		direct = (uint32_t)there;
		around = (uint32_t)(length - there);
		if (geometry->twist >> axis & 1) {
			uint32_t ring = direct < around ? direct : around;

			shifted[0] += ring;
			shifted[1] += (uint32_t)length / 2 - ring;
			continue;
		}
		even = best[0] + direct < best[1] + around ? best[0] + direct
							   : best[1] + around;
		odd = best[0] + around < best[1] + direct ? best[0] + around
							  : best[1] + direct;
		best[0] = even;
		best[1] = odd;
	}
	best[0] += shifted[0];
	best[1] += shifted[1];
	return best[0] < best[1] ? best[0] : best[1];
}

uint32_t torus_other_hops(const torus_geometry_t *geometry, const int32_t *a,
			  const int32_t *b)
{
	uint32_t own, by_chords;

	if (geometry->twist)
		return twisted_hops(geometry, a, b);
	own = torus_straight_hops(geometry, a, b);
	by_chords = torus_chords_hops(geometry->chords, torus_coord_to_cell(geometry, a),
				      torus_coord_to_cell(geometry, b));
	return by_chords < own ? by_chords : own;
}

uint32_t torus_hops_cells(const torus_geometry_t *geometry, uint32_t a, uint32_t b)
{
	int32_t from[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS];

	torus_cell_to_coord(geometry, a, from);
	torus_cell_to_coord(geometry, b, to);
	return torus_hops(geometry, from, to);
}
