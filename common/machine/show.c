/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori in the form of Slurm's own output: see machine/show.h. */
#include "machine/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/fragments.h"

char *torus_show_map(const torus_map_t *map, const uint64_t *free, uint32_t used,
		     char text[TORUS_SHOW_TEXT])
{
	torus_fragments_t fragments = torus_fragments(free, map->nodes, map->span);
	char dims[TORUS_DIMS_TEXT], wrap[TORUS_WRAP_TEXT];

	snprintf(text, TORUS_SHOW_TEXT,
		 "TorusName=%s Dims=%s Wrap=%s Curve=%s Allocator=%s NodeCount=%" PRIu32
		 " Free=%" PRIu32 " Used=%" PRIu32 " Unavailable=%" PRIu32
		 " LargestFreeInterval=%" PRIu32,
		 map->name,
		 torus_lengths_format(map->geometry.dims, map->geometry.length, dims),
		 torus_wrap_format(&map->geometry, wrap), torus_curve_name(map->curve),
		 torus_allocator_name(map->allocator), map->nodes, fragments.free, used,
		 map->nodes - fragments.free - used, fragments.largest);
	return text;
}

/* What stands before the values, in a token and here. */
static const struct {
	const char *in_token, *here;
} keys[] = {
	{"torus=", " TorusName="},   {"nodes=", " NodeCount="}, {"span=", " Span="},
	{"box=", " Box="},	     {"avghops=", " AvgHops="}, {"chips=", " Chips="},
	{"chiphops=", " ChipHops="},
};

char *torus_show_token(const char *token)
{
	size_t size;
	char *text = NULL;
	FILE *stream = open_memstream(&text, &size);
	bool failed = !stream;

	for (const char *item = token; stream && *item; item += *item == ',') {
		size_t length = strcspn(item, ",");

		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
			size_t key = strlen(keys[i].in_token);

			if (!strncmp(item, keys[i].in_token, key))
				fprintf(stream, "%s%.*s", keys[i].here,
					(int)(length - key), item + key);
		}
		item += length;
	}
	if (stream)
		failed = fclose(stream) != 0;
	if (!failed)
		return text;
	free(text);
	return NULL;
}
