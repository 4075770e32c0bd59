/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of cells taken together along an axis: see box_rows.h. */
#include "place/box_rows.h"

#include <string.h>

/* Numbers that the compiler works on at once, on whatever processor. */
typedef int32_t lanes_t __attribute__((vector_size(16)));
#define LANES (sizeof(lanes_t) / sizeof(int32_t))
typedef uint64_t wide_t __attribute__((vector_size(64)));
#define WIDE (sizeof(wide_t) / sizeof(uint64_t))

/* Cells that are looked at together for whether any box among them may do. */
#define AT_ONCE 32

torus_rows_t torus_rows_along(const torus_geometry_t *geometry, int axis)
{
	torus_rows_t rows = {1, (size_t)geometry->length[axis], geometry->wrap[axis]};

	for (int i = 0; i < axis; i++)
		rows.row *= (size_t)geometry->length[i];
	return rows;
}

static lanes_t lower(lanes_t a, lanes_t b)
{
	lanes_t first = a < b;

	return (a & first) | (b & ~first);
}

void torus_lower_of(int32_t *to, const int32_t *a, const int32_t *b, size_t count)
{
	size_t i = 0;

	for (; i + 4 * LANES <= count; i += 4 * LANES) {
		lanes_t left[4], right[4];

		memcpy(left, a + i, sizeof(left));
		memcpy(right, b + i, sizeof(right));
		left[0] = lower(left[0], right[0]);
		left[1] = lower(left[1], right[1]);
		left[2] = lower(left[2], right[2]);
		left[3] = lower(left[3], right[3]);
		memcpy(to + i, left, sizeof(left));
	}
	for (; i + LANES <= count; i += LANES) {
		lanes_t left, right;

		memcpy(&left, a + i, sizeof(left));
		memcpy(&right, b + i, sizeof(right));
		left = lower(left, right);
		memcpy(to + i, &left, sizeof(left));
	}
	for (; i < count; i++)
		to[i] = a[i] < b[i] ? a[i] : b[i];
}

/* One ring or line: windows [step] rows longer than those in [from], which are at least
 * [step] long. [to] may be [from]. */
static void lengthen(const torus_rows_t *rows, size_t step, const int32_t *from,
		     int32_t *to, int32_t *scratch)
{
	size_t ahead = step * rows->row, most = rows->row * rows->length - ahead;

	memcpy(scratch, from, ahead * sizeof(*from));
	torus_lower_of(to, from, from + ahead, most);
	if (rows->wrap) {
		torus_lower_of(to + most, from + most, scratch, ahead);
		return;
	}
	for (size_t i = most; i < most + ahead; i++)
		to[i] = TORUS_SWEEP_NO_BOX;
}

void torus_rows_minimums(const torus_rows_t *rows, size_t cells, size_t window,
			 const int32_t *from, int32_t *to, int32_t *scratch)
{
	for (size_t have = 1, step; have < window; have += step, from = to) {
		step = window - have < have ? window - have : have;
		for (size_t at = 0; at < cells; at += rows->row * rows->length)
			lengthen(rows, step, from + at, to + at, scratch);
	}
}

/* to[i] = before[i] - gone[i] + come[i] */
static void slide(uint64_t *to, const uint64_t *before, const uint64_t *gone,
		  const uint64_t *come, size_t count)
{
	size_t i = 0;

	for (; i + WIDE <= count; i += WIDE) {
		wide_t sum, less, more;

		memcpy(&sum, before + i, sizeof(sum));
		memcpy(&less, gone + i, sizeof(less));
		memcpy(&more, come + i, sizeof(more));
		sum += more - less;
		memcpy(to + i, &sum, sizeof(sum));
	}
	for (; i < count; i++)
		to[i] = before[i] - gone[i] + come[i];
}

void torus_add_to(uint64_t *to, const uint64_t *more, size_t count)
{
	size_t i = 0;

	for (; i + WIDE <= count; i += WIDE) {
		wide_t sum, other;

		memcpy(&sum, to + i, sizeof(sum));
		memcpy(&other, more + i, sizeof(other));
		sum += other;
		memcpy(to + i, &sum, sizeof(sum));
	}
	for (; i < count; i++)
		to[i] += more[i];
}

/* One ring or line of [places] windows, with rows of a single cell. */
static void sum_up_cells(const torus_rows_t *rows, size_t window, size_t places,
			 const uint64_t *from, uint64_t *to)
{
	uint64_t sum = 0;
	size_t next = window < rows->length ? window : 0;

	for (size_t i = 0; i < window; i++)
		sum += from[i];
	for (size_t i = 0; i < places; i++) {
		to[i] = sum;
		sum += from[next] - from[i];
		next = next + 1 < rows->length ? next + 1 : 0;
	}
}

/* One ring or line. */
static void sum_up(const torus_rows_t *rows, size_t window, const uint64_t *from,
		   uint64_t *to)
{
	size_t row = rows->row, length = rows->length;
	size_t places = rows->wrap ? length : length - window + 1;

	memset(to + places * row, 0, (length - places) * row * sizeof(*to));
	if (row == 1) {
		sum_up_cells(rows, window, places, from, to);
		return;
	}
	memcpy(to, from, row * sizeof(*to));
	for (size_t i = 1; i < window; i++)
		torus_add_to(to, from + i * row, row);
	for (size_t i = 1; i < places; i++)
		slide(to + i * row, to + (i - 1) * row, from + (i - 1) * row,
		      from + (i - 1 + window) % length * row, row);
}

void torus_rows_sums(const torus_rows_t *rows, size_t cells, size_t window,
		     const uint64_t *from, uint64_t *to)
{
	for (size_t at = 0; at < cells; at += rows->row * rows->length)
		sum_up(rows, window, from + at, to + at);
}

bool torus_any_begins(const int32_t *minimums, size_t count)
{
	const lanes_t none = {TORUS_SWEEP_NO_BOX, TORUS_SWEEP_NO_BOX, TORUS_SWEEP_NO_BOX,
			      TORUS_SWEEP_NO_BOX};
	size_t i = 0;

	for (; i + 4 * LANES <= count; i += 4 * LANES) {
		lanes_t some[4], other;

		memcpy(some, minimums + i, sizeof(some));
		other = (some[0] ^ none) | (some[1] ^ none) | (some[2] ^ none) |
			(some[3] ^ none);
		if (other[0] | other[1] | other[2] | other[3])
			return true;
	}
	for (; i < count; i++) {
		if (minimums[i] != TORUS_SWEEP_NO_BOX)
			return true;
	}
	return false;
}

void torus_outweigh(const int32_t *minimums, uint64_t *weight, size_t cells)
{
	uint64_t all = 0;

	for (size_t i = 0; i < cells; i++) {
		if (minimums[i] == TORUS_SWEEP_NO_BOX)
			weight[i] = 0;
		if (__builtin_add_overflow(all, weight[i], &all))
			return;
	}
	if (all >= UINT64_MAX / (cells + 1))
		return;
	for (size_t i = 0; i < cells; i++) {
		if (minimums[i] == TORUS_SWEEP_NO_BOX)
			weight[i] = all + 1;
	}
}

/* Whether any of the numbers is at most [most]. */
static bool any_at_most(const uint64_t *numbers, size_t count, uint64_t most)
{
	size_t i = 0;

	/* Without a jump for each number. */
	for (; i + 8 <= count; i += 8) {
		const uint64_t *n = numbers + i;

		if ((n[0] <= most) | (n[1] <= most) | (n[2] <= most) | (n[3] <= most) |
		    (n[4] <= most) | (n[5] <= most) | (n[6] <= most) | (n[7] <= most))
			return true;
	}
	for (; i < count; i++) {
		if (numbers[i] <= most)
			return true;
	}
	return false;
}

uint32_t torus_search_box(const int32_t *minimums, const uint64_t *weight, uint64_t most,
			  uint32_t cell, uint32_t end)
{
	while (cell < end) {
		uint32_t some = end - cell < AT_ONCE ? end - cell : AT_ONCE;

		if (!torus_any_begins(minimums + cell, some) ||
		    (weight && !any_at_most(weight + cell, some, most))) {
			cell += some;
			continue;
		}
		for (; some--; cell++) {
			if (torus_may_begin(minimums, weight, most, cell))
				return cell;
		}
	}
	return end;
}

bool torus_all_wider(const int32_t *low, const int32_t *minus_high, size_t count,
		     int32_t width)
{
	size_t i = 0;

	for (; i + 4 * LANES <= count; i += 4 * LANES) {
		lanes_t left[4], right[4], narrow = {0};

		memcpy(left, low + i, sizeof(left));
		memcpy(right, minus_high + i, sizeof(right));
		for (int j = 0; j < 4; j++)
			narrow |= left[j] + right[j] >= -width;
		if (narrow[0] | narrow[1] | narrow[2] | narrow[3])
			return false;
	}
	for (; i < count; i++) {
		if (low[i] + minus_high[i] >= -width)
			return false;
	}
	return true;
}
