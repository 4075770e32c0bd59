/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the curves and the orders that take a few lines each: see curve.h. */
#include "curve/curve.h"

#include <string.h>
#include <strings.h>

#include "curve/gray.h"
#include "curve/hilbert/order.h"
#include "curve/snake.h"

static const char *const names[] = {
	[TORUS_CURVE_ROW_MAJOR] = "row_major",
	[TORUS_CURVE_COLUMN_MAJOR] = "column_major",
	[TORUS_CURVE_SNAKE] = "snake",
	[TORUS_CURVE_Z_ORDER] = "z_order",
	[TORUS_CURVE_HILBERT] = "hilbert",
	[TORUS_CURVE_GRAY] = "gray",
	[TORUS_CURVE_FILE] = "file",
};

int torus_curve_parse(const char *text, torus_curve_t *curve, const char **path,
		      torus_error_t *err)
{
	if (!strncasecmp(text, "file:", 5)) {
		if (!text[5])
			return torus_fail(err, "curve '%s' names no file", text);
		*curve = TORUS_CURVE_FILE;
		*path = text + 5;
		return 0;
	}
	for (int i = 0; i < TORUS_CURVE_FILE; i++) {
		if (!strcasecmp(text, names[i])) {
			*curve = (torus_curve_t)i;
			*path = NULL;
			return 0;
		}
	}
	return torus_fail(
		err,
		"unknown curve '%s': give row_major, column_major, snake, z_order, "
		"hilbert, gray or file:PATH",
		text);
}

const char *torus_curve_name(torus_curve_t curve)
{
	return names[curve];
}

/* Like an odometer whose fastest wheel is axes[0]. */
static void odometer_order(const torus_geometry_t *geometry, const int *axes,
			   uint32_t *order)
{
	uint32_t cells = torus_geometry_cells(geometry);
	int32_t coord[TORUS_MAX_DIMS] = {0};

	for (uint32_t rank = 0; rank < cells; rank++) {
		order[rank] = torus_coord_to_cell(geometry, coord);
		for (int i = 0; i < geometry->dims; i++) {
			if (++coord[axes[i]] < geometry->length[axes[i]])
				break;
			coord[axes[i]] = 0;
		}
	}
}

static void row_major_order(const torus_geometry_t *geometry, uint32_t *order)
{
	static const int axes[TORUS_MAX_DIMS] = {0, 1, 2, 3, 4, 5};

	odometer_order(geometry, axes, order);
}

static void column_major_order(const torus_geometry_t *geometry, uint32_t *order)
{
	static const int axes[TORUS_MAX_DIMS] = {1, 0, 2, 3, 4, 5};

	if (geometry->dims == 1)
		row_major_order(geometry, order);
	else
		odometer_order(geometry, axes, order);
}

static void snake_order(const torus_geometry_t *geometry, uint32_t *order)
{
	int axes[TORUS_MAX_DIMS];

	torus_snake_axes(geometry, axes);
	torus_snake_along(geometry, axes, order);
}

static int gray_order(const torus_geometry_t *geometry, uint32_t *order,
		      torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(geometry);

	if (torus_cube_base(geometry, "the curve gray is", err) < 0)
		return -1;
	for (uint32_t i = 0; i < cells; i++)
		order[i] = torus_gray_cell(geometry, i);
	return 0;
}

/*
 * Morton order walks the tree of halvings, the highest bit first, the last axis first
 * among equal bits. A half is entered only if its lowest corner lies in the box, so every
 * node of the tree that is visited holds a cell, however thin the box.
 */
typedef struct halving {
	const torus_geometry_t *geometry;
	uint32_t *order;
	uint32_t rank;
} halving_t;

static void z_order_below(halving_t *walk, int32_t coord[TORUS_MAX_DIMS], int axis,
			  int bit)
{
	for (; bit >= 0; bit--, axis = walk->geometry->dims - 1) {
		for (; axis >= 0; axis--) {
			int32_t half = INT32_C(1) << bit;

			if (coord[axis] + half >= walk->geometry->length[axis])
				continue;
			z_order_below(walk, coord, axis - 1, bit);
			coord[axis] += half;
			z_order_below(walk, coord, axis - 1, bit);
			coord[axis] -= half;
			return;
		}
	}
	walk->order[walk->rank++] = torus_coord_to_cell(walk->geometry, coord);
}

static void z_order(const torus_geometry_t *geometry, uint32_t *order)
{
	halving_t walk = {geometry, order, 0};
	int32_t coord[TORUS_MAX_DIMS] = {0};
	int32_t longest = 1;
	int bit = 0;

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (geometry->length[axis] > longest)
			longest = geometry->length[axis];
	}
	while (longest >> bit > 1)
		bit++;
	z_order_below(&walk, coord, geometry->dims - 1, bit);
}

int torus_curve_order(const torus_geometry_t *geometry, torus_curve_t curve,
		      uint32_t *order, torus_error_t *err)
{
	switch (curve) {
	case TORUS_CURVE_ROW_MAJOR:
		row_major_order(geometry, order);
		return 0;
	case TORUS_CURVE_COLUMN_MAJOR:
		column_major_order(geometry, order);
		return 0;
	case TORUS_CURVE_SNAKE:
		snake_order(geometry, order);
		return 0;
	case TORUS_CURVE_Z_ORDER:
		z_order(geometry, order);
		return 0;
	case TORUS_CURVE_HILBERT:
		return torus_hilbert_order(geometry, order, NULL, err);
	case TORUS_CURVE_GRAY:
		return gray_order(geometry, order, err);
	case TORUS_CURVE_FILE:
		break;
	}
	return torus_fail(err,
			  "the order of a curve from a file is not a function of the "
			  "machine's shape");
}
