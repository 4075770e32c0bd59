/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of allocators and spans, as in torus.conf: see place.h. */
#include "place.h"

#include <strings.h>

static const char *const allocator_names[] = {
	[TORUS_BEST_FIT] = "best_fit",
	[TORUS_FIRST_FIT] = "first_fit",
	[TORUS_SUM_OF_SQUARES] = "sum_of_squares",
	[TORUS_FREE_LIST] = "free_list",
};

static const char *const span_names[] = {
	[TORUS_SPAN_LINEAR] = "linear",
	[TORUS_SPAN_RING] = "ring",
};

static int find_name(const char *text, const char *const *names, int count)
{
	for (int i = 0; i < count; i++) {
		if (!strcasecmp(text, names[i]))
			return i;
	}
	return -1;
}

int torus_allocator_parse(const char *text, torus_allocator_t *allocator,
			  torus_error_t *err)
{
	int found = find_name(text, allocator_names,
			      sizeof(allocator_names) / sizeof(allocator_names[0]));

	if (found < 0)
		return torus_fail(err,
				  "unknown allocator '%s': give best_fit, first_fit, "
				  "sum_of_squares or free_list",
				  text);
	*allocator = (torus_allocator_t)found;
	return 0;
}

int torus_span_parse(const char *text, torus_span_t *span, torus_error_t *err)
{
	int found =
		find_name(text, span_names, sizeof(span_names) / sizeof(span_names[0]));

	if (found < 0)
		return torus_fail(err, "unknown span '%s': give ring or linear", text);
	*span = (torus_span_t)found;
	return 0;
}

const char *torus_allocator_name(torus_allocator_t allocator)
{
	return allocator_names[allocator];
}

const char *torus_span_name(torus_span_t span)
{
	return span_names[span];
}
