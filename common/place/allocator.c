/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocators by name, and the table for production clusters: see place.h. */
#include "place/allocator.h"

#include <stdio.h>
#include <strings.h>

const torus_allocator_t *const torus_allocators[] = {
	&torus_best_fit,  &torus_first_fit, &torus_sum_of_squares,
	&torus_free_list, &torus_compact,   NULL,
};

/* "a, b or c": the names in [table]. Returns [text] of [size] bytes. */
static const char *list_names(const torus_allocator_t *const *table, char *text,
			      size_t size)
{
	size_t used = 0;

	for (int i = 0; table[i] && used < size; i++) {
		const char *before = i == 0 ? "" : table[i + 1] ? ", " : " or ";

		used += (size_t)snprintf(text + used, size - used, "%s%s", before,
					 table[i]->name);
	}
	return text;
}

int torus_allocator_parse(const char *text, const torus_allocator_t *const *table,
			  const torus_allocator_t **allocator, torus_error_t *err)
{
	char names[sizeof(err->text)];

	for (int i = 0; table[i]; i++) {
		if (!strcasecmp(text, table[i]->name)) {
			*allocator = table[i];
			return 0;
		}
	}
	return torus_fail(err, "unknown allocator '%s': give %s", text,
			  list_names(table, names, sizeof(names)));
}

const char *torus_allocator_name(const torus_allocator_t *allocator)
{
	return allocator->name;
}

bool torus_allocator_waits(const torus_allocator_t *allocator)
{
	return allocator->waits;
}

bool torus_allocator_by_chance(const torus_allocator_t *allocator)
{
	return allocator->by_chance;
}
