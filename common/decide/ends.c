/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ends of the running jobs: see decide/ends.h. */
#include "decide/ends.h"

/* Slurm's: the length of the first group of ends, and what its beginning is rounded to.
 */
#define FIRST_LENGTH 30

int torus_ends_search(const torus_ends_t *ends, int from,
		      bool (*fits)(void *context, int64_t when), void *context)
{
	int low = from, high = ends->count, step = 1;

	while (low < high) {
		int middle = low + step - 1 < high ? low + step - 1 : high - 1;

		if (fits(context, ends->end[middle])) {
			high = middle;
			break;
		}
		low = middle + 1;
		step *= 2;
	}
	return torus_ends_bisect(ends, low, high, fits, context);
}

int torus_ends_bisect(const torus_ends_t *ends, int from, int to,
		      bool (*fits)(void *context, int64_t when), void *context)
{
	while (from < to) {
		int middle = (from + to) / 2;

		if (fits(context, ends->end[middle]))
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

static bool is_after(void *context, int64_t when)
{
	return when > *(const int64_t *)context;
}

int torus_ends_by(const torus_ends_t *ends, int64_t when)
{
	return torus_ends_search(ends, 0, is_after, &when);
}

int64_t torus_ends_group(const torus_ends_t *ends, int64_t when, int64_t latest,
			 int64_t growth, bool (*counts)(void *context, int index),
			 void *context)
{
	int64_t first = 0, length = FIRST_LENGTH, last = when;

	for (int i = 0; i < ends->count; i++) {
		int64_t end = ends->end[i], next;

		if (latest && end > latest)
			break;
		if (!counts(context, i))
			continue;
		if (!first)
			first = end + FIRST_LENGTH - end % FIRST_LENGTH;
		last = end;
		if (i + 1 == ends->count)
			break;
		next = ends->end[i + 1];
		if (next <= first + length)
			continue;
		if (last >= when)
			break;
		do {
			length += growth > 0 ? growth : length;
		} while (next > first + length);
	}
	return last > when ? last : when;
}
