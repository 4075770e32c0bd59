/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The span of a set of ranks: see span.h. */
#include "metrics/span.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const names[] = {
	[TORUS_SPAN_LINEAR] = "linear",
	[TORUS_SPAN_RING] = "ring",
};

int torus_span_parse(const char *text, torus_span_t *span, torus_error_t *err)
{
	for (int i = TORUS_SPAN_LINEAR; i <= TORUS_SPAN_RING; i++) {
		if (!strcasecmp(text, names[i])) {
			*span = (torus_span_t)i;
			return 0;
		}
	}
	return torus_fail(err, "unknown span '%s': give ring or linear", text);
}

const char *torus_span_name(torus_span_t span)
{
	return names[span];
}

static int compare_ranks(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

uint32_t torus_ascending_span(const uint32_t *list, uint32_t count, uint32_t ranks,
			      torus_span_t span)
{
	uint32_t gap = ranks - 1 - list[count - 1] + list[0];

	if (span == TORUS_SPAN_LINEAR)
		return list[count - 1] - list[0] + 1;
	for (uint32_t i = 1; i < count; i++) {
		if (list[i] - list[i - 1] - 1 > gap)
			gap = list[i] - list[i - 1] - 1;
	}
	return ranks - gap;
}

static bool is_ascending(const uint32_t *list, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		if (list[i - 1] > list[i])
			return false;
	}
	return true;
}

uint32_t torus_span_of(const uint32_t *list, uint32_t count, uint32_t ranks,
		       torus_span_t span)
{
	uint32_t *sorted, result;

	/* As most strategies choose them. */
	if (is_ascending(list, count))
		return torus_ascending_span(list, count, ranks, span);
	sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		return 0;
	memcpy(sorted, list, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_ranks);
	result = torus_ascending_span(sorted, count, ranks, span);
	free(sorted);
	return result;
}
