/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shapes and the boxes of one: see place/shape.h. */
#include "place/shape.h"

#include "place/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char any_shape[] = "any";

int torus_shape_parse(const char *text, torus_shape_t *shape, torus_error_t *err)
{
	torus_shape_t parsed = {0};

	if (torus_lengths_parse(text, &parsed.dims, parsed.side, err))
		return -1;
	*shape = parsed;
	return 0;
}

/* Whether a box of one is a box of the other. */
static bool is_same_shape(const torus_shape_t *a, const torus_shape_t *b)
{
	int32_t left[TORUS_MAX_DIMS], right[TORUS_MAX_DIMS];

	torus_shape_sides(a, TORUS_MAX_DIMS, left);
	torus_shape_sides(b, TORUS_MAX_DIMS, right);
	return memcmp(left, right, sizeof(left)) == 0;
}

static int add_shape(torus_shapes_t *shapes, const char *text, torus_error_t *err)
{
	torus_shape_t *shape = &shapes->shape[shapes->count];

	if (shapes->count == TORUS_MOST_SHAPES)
		return torus_fail(err, "more than %d shapes", TORUS_MOST_SHAPES);
	if (torus_shape_parse(text, shape, err))
		return -1;
	for (int i = 0; i < shapes->count; i++) {
		if (is_same_shape(&shapes->shape[i], shape))
			return torus_fail(err,
					  "'%s' is given twice: boxes are turned anyway",
					  text);
	}
	shapes->count++;
	return 0;
}

int torus_shapes_parse(const char *text, torus_shapes_t *shapes, torus_error_t *err)
{
	static const char blanks[] = " \t";
	torus_shapes_t parsed = {0};
	int result = 0;

	if (strcasecmp(text, any_shape) == 0) {
		*shapes = (torus_shapes_t){.any = true};
		return 0;
	}
	for (bool more = true; more && !result; text++) {
		size_t length;
		char *piece;

		text += strspn(text, blanks);
		length = strcspn(text, "|");
		more = text[length];
		piece = strndup(text, length);
		text += length;
		if (!piece)
			return torus_fail(err, "out of memory for a shape");
		while (length && strchr(blanks, piece[length - 1]))
			piece[--length] = '\0';
		result = add_shape(&parsed, piece, err);
		free(piece);
	}
	if (!result)
		*shapes = parsed;
	return result;
}

int torus_chip_shapes_parse(const char *text, torus_shapes_t *shapes, torus_error_t *err)
{
	torus_shapes_t parsed;

	if (torus_shapes_parse(text, &parsed, err))
		return -1;
	if (parsed.any)
		return torus_fail(err,
				  "'%s' is no box of chips, such as 4x4x8: a box of "
				  "any sides is asked for as shape any",
				  text);
	for (int i = 0; i < parsed.count; i++)
		parsed.shape[i].in_chips = true;
	*shapes = parsed;
	return 0;
}

char *torus_shapes_format(const torus_shapes_t *shapes, char *text)
{
	char *end = text;

	strcpy(text, shapes->any ? any_shape : "");
	for (int i = 0; i < shapes->count; i++) {
		if (i)
			*end++ = '|';
		torus_lengths_format(shapes->shape[i].dims, shapes->shape[i].side, end);
		end += strlen(end);
	}
	return text;
}

void torus_shapes_twist(torus_shapes_t *shapes, bool twist)
{
	for (int i = 0; i < shapes->count; i++)
		shapes->shape[i].twist = twist;
}

void torus_shapes_close(torus_shapes_t *shapes, bool closed)
{
	shapes->closed = closed;
	for (int i = 0; i < shapes->count; i++)
		shapes->shape[i].closed = closed;
}

static int compare_sides(const void *a, const void *b)
{
	int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;

	return left < right ? -1 : left > right;
}

void torus_first_rotation(int dims, int32_t *side)
{
	qsort(side, (size_t)dims, sizeof(*side), compare_sides);
}

bool torus_shape_sides(const torus_shape_t *shape, int dims, int32_t *side)
{
	int count = 0;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = 1;
	for (int axis = 0; axis < shape->dims; axis++) {
		if (shape->side[axis] == 1)
			continue;
		if (count == dims)
			return false;
		side[count++] = shape->side[axis];
	}
	torus_first_rotation(dims, side);
	return true;
}

bool torus_next_rotation(int dims, int32_t *side)
{
	int pivot = dims - 2, swap = dims - 1, low, high;
	int32_t kept;

	while (pivot >= 0 && side[pivot] >= side[pivot + 1])
		pivot--;
	if (pivot < 0)
		return false;
	while (side[swap] <= side[pivot])
		swap--;
	kept = side[pivot];
	side[pivot] = side[swap];
	side[swap] = kept;
	for (low = pivot + 1, high = dims - 1; low < high; low++, high--) {
		kept = side[low];
		side[low] = side[high];
		side[high] = kept;
	}
	return true;
}

bool torus_sides_fit(const torus_geometry_t *geometry, const int32_t *side)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > geometry->length[axis])
			return false;
	}
	return true;
}

bool torus_box_is_closed(const torus_geometry_t *geometry, const int32_t *side)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (side[axis] > 2 &&
		    (!geometry->wrap[axis] || side[axis] != geometry->length[axis]))
			return false;
	}
	return true;
}

bool torus_shape_may_close(const torus_geometry_t *geometry, const torus_shape_t *shape)
{
	int32_t side[TORUS_MAX_DIMS];

	if (!torus_shape_sides(shape, geometry->dims, side))
		return false;
	do {
		int32_t turned[TORUS_MAX_DIMS];

		memcpy(turned, side, sizeof(turned));
		if (torus_side_in_nodes(geometry, shape, turned) &&
		    torus_sides_fit(geometry, turned) &&
		    torus_turn_is_closed(geometry, shape, turned))
			return true;
	} while (torus_next_rotation(geometry->dims, side));
	return false;
}

char *torus_closed_sides_format(const torus_geometry_t *geometry, char *text)
{
	int32_t side[TORUS_MAX_DIMS + 2] = {1, 2};
	int count = 2, used = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (geometry->wrap[axis] && geometry->length[axis] > 2)
			side[count++] = geometry->length[axis];
	}
	qsort(side, (size_t)count, sizeof(*side), compare_sides);
	for (int i = 0; i < count; i++) {
		bool last = side[i] == side[count - 1];

		used += sprintf(text + used, "%s%d",
				!i     ? ""
				: last ? " or "
				       : ", ",
				side[i]);
		if (last)
			break;
		while (side[i + 1] == side[i])
			i++;
	}
	return text;
}

bool torus_box_offset(const torus_geometry_t *geometry, const int32_t *corner,
		      const int32_t *side, uint32_t cell, int32_t *offset)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];
		int32_t at = (int32_t)(cell % (uint32_t)length) - corner[axis];

		if (at < 0)
			at += length;
		if (at >= side[axis])
			return false;
		offset[axis] = at;
		cell /= (uint32_t)length;
	}
	return true;
}

bool torus_box_has(const torus_geometry_t *geometry, const int32_t *corner,
		   const int32_t *side, uint32_t cell)
{
	int32_t offset[TORUS_MAX_DIMS];

	return torus_box_offset(geometry, corner, side, cell, offset);
}
