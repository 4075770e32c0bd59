/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over parts of lines: see windows.h. Cells next to each other in memory are
 * processed together, so that the compiler can use vector instructions.
 */
#include "place/windows.h"

#include <string.h>

/* How the cells lie along an axis: blocks of [length] rows of [row] numbers. */
typedef struct rows {
	size_t row;
	size_t length;
	size_t blocks;
	bool wrap;
} rows_t;

static rows_t rows_along(const torus_geometry_t *geometry, int axis)
{
	rows_t rows = {1, (size_t)geometry->length[axis], 1, geometry->wrap[axis]};

	for (int i = 0; i < geometry->dims; i++) {
		if (i < axis)
			rows.row *= (size_t)geometry->length[i];
		if (i > axis)
			rows.blocks *= (size_t)geometry->length[i];
	}
	return rows;
}

/* The row at place [at] of a block, counted from -length to 2 * length; NULL: none. */
static const uint32_t *row_at(const rows_t *rows, const uint32_t *block, int64_t at)
{
	int64_t length = (int64_t)rows->length;

	if (at < 0 || at >= length) {
		if (!rows->wrap)
			return NULL;
		at += at < 0 ? length : -length;
	}
	return block + (size_t)at * rows->row;
}

static void add_row(uint32_t *restrict out, const uint32_t *restrict in, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] += in[i];
}

static void subtract_row(uint32_t *restrict out, const uint32_t *restrict in,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] -= in[i];
}

/* One block: the window moves on from row to row. */
static void slide_rows(const rows_t *rows, int64_t before, int64_t length,
		       const uint32_t *in, uint32_t *out)
{
	memset(out, 0, rows->row * sizeof(*out));
	for (int64_t at = -before; at < length - before; at++) {
		const uint32_t *row = row_at(rows, in, at);

		if (row)
			add_row(out, row, rows->row);
	}
	for (int64_t at = 1; at < (int64_t)rows->length; at++) {
		uint32_t *here = out + (size_t)at * rows->row;
		const uint32_t *gone = row_at(rows, in, at - 1 - before);
		const uint32_t *come = row_at(rows, in, at - 1 - before + length);

		memcpy(here, here - rows->row, rows->row * sizeof(*out));
		if (gone)
			subtract_row(here, gone, rows->row);
		if (come)
			add_row(here, come, rows->row);
	}
}

/* The same where a row is one cell. */
static void slide_cells(const rows_t *rows, int64_t before, int64_t length,
			const uint32_t *in, uint32_t *out)
{
	int64_t cells = (int64_t)rows->length;
	uint32_t sum = 0;

	for (int64_t at = -before; at < length - before; at++) {
		const uint32_t *cell = row_at(rows, in, at);

		sum += cell ? *cell : 0;
	}
	out[0] = sum;
	for (int64_t at = 1; at < cells; at++) {
		int64_t gone = at - 1 - before, come = gone + length;

		if (gone >= 0)
			sum -= in[gone];
		else if (rows->wrap)
			sum -= in[gone + cells];
		if (come < cells)
			sum += in[come];
		else if (rows->wrap)
			sum += in[come - cells];
		out[at] = sum;
	}
}

void torus_window_sums(const torus_geometry_t *geometry, int axis, uint32_t before,
		       uint32_t length, const uint32_t *in, uint32_t *out)
{
	rows_t rows = rows_along(geometry, axis);

	for (size_t i = 0; i < rows.blocks; i++) {
		size_t first = i * rows.row * rows.length;

		if (rows.row == 1)
			slide_cells(&rows, before, length, in + first, out + first);
		else
			slide_rows(&rows, before, length, in + first, out + first);
	}
}

void torus_add_shifted(const torus_geometry_t *geometry, int axis, uint32_t steps,
		       bool backwards, bool minus, const uint32_t *in, uint32_t *out)
{
	void (*combine)(uint32_t *restrict, const uint32_t *restrict, size_t) =
		minus ? subtract_row : add_row;
	rows_t rows = rows_along(geometry, axis);
	size_t near = rows.row * steps, far = rows.row * (rows.length - steps);
	/* [near] numbers go around, [far] do not. */
	size_t from = backwards ? 0 : near, to = backwards ? near : 0;
	size_t around_from = backwards ? far : 0, around_to = backwards ? 0 : far;

	for (size_t i = 0; i < rows.blocks; i++) {
		combine(out + to, in + from, far);
		if (rows.wrap)
			combine(out + around_to, in + around_from, near);
		out += rows.row * rows.length;
		in += rows.row * rows.length;
	}
}
