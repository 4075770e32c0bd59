/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that stand in a workload log more than once: see swf_repeated.h. */
#include "sim/swf_repeated.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash_of(const int64_t field[TORUS_SWF_FIELDS])
{
	const unsigned char *byte = (const unsigned char *)field;
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < TORUS_SWF_FIELDS * sizeof(*field); i++)
		hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
	return hash;
}

int torus_swf_lines_add(torus_swf_lines_t *lines, uint64_t number, const char *text,
			const char *end, const int64_t field[TORUS_SWF_FIELDS],
			torus_error_t *err)
{
	if (lines->count == lines->room) {
		size_t room = lines->room ? 2 * lines->room : 64;
		struct torus_swf_line *more =
			reallocarray(lines->line, room, sizeof(*more));

		if (!more)
			return torus_fail(err, "out of memory for %zu lines", room);
		lines->line = more;
		lines->room = room;
	}
	lines->line[lines->count++] =
		(struct torus_swf_line){hash_of(field), number, text, end};
	return 0;
}

/* By their fields: 0 if all are the same. */
static int compare_fields(const struct torus_swf_line *a, const struct torus_swf_line *b)
{
	int64_t first[TORUS_SWF_FIELDS], second[TORUS_SWF_FIELDS];

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	torus_swf_fields(a->text, a->end, first);
	torus_swf_fields(b->text, b->end, second);
	return memcmp(first, second, sizeof(first));
}

static int compare_lines(const void *a, const void *b)
{
	const struct torus_swf_line *first = a, *second = b;
	int difference = compare_fields(first, second);

	if (difference)
		return difference;
	return first->number < second->number ? -1 : 1;
}

torus_repeated_t torus_swf_lines_repeated(torus_swf_lines_t *lines)
{
	torus_repeated_t repeated = {0};

	if (lines->count)
		qsort(lines->line, lines->count, sizeof(*lines->line), compare_lines);
	for (size_t i = 1; i < lines->count; i++) {
		const struct torus_swf_line *line = &lines->line[i];

		if (compare_fields(line - 1, line) != 0)
			continue;
		repeated.count++;
		if (!repeated.first_line || line->number < repeated.first_line)
			repeated.first_line = line->number;
	}
	return repeated;
}

void torus_swf_lines_clear(torus_swf_lines_t *lines)
{
	free(lines->line);
	*lines = (torus_swf_lines_t){0};
}
