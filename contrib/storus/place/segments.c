/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The segments of a choice: see segments.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "lists/hostlist_format.h"
#include "lists/ranklist.h"
#include "metrics/metrics.h"
#include "storus/place/segments.h"
#include "torus/segments.h"

static int compare(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

static char *format_nodes(const torus_map_t *map, const uint32_t *rank, uint32_t count)
{
	const char **names = malloc(count * sizeof(*names));
	char *text = NULL;

	for (uint32_t i = 0; names && i < count; i++)
		names[i] = map->node_name[map->node_of_rank[rank[i]]];
	if (names)
		text = torus_hostlist_format(names, count);
	free(names);
	return text;
}

/* Put [more], which is freed, behind *text. False: out of memory, or there is none. */
static bool append(char **text, char *more)
{
	size_t length = *text ? strlen(*text) : 0;
	char *longer = more ? realloc(*text, length + strlen(more) + 2) : NULL;

	if (longer) {
		if (length)
			longer[length++] = ';';
		strcpy(longer + length, more);
		*text = longer;
	}
	free(more);
	return longer;
}

static bool format(const torus_map_t *map, const uint32_t *order, uint32_t nodes,
		   uint32_t size, storus_segments_t *segments)
{
	for (uint32_t i = 0; i < nodes; i += size) {
		if (!append(&segments->ranks,
			    torus_ranklist_format(order + i, size, ',')) ||
		    (map->node_name &&
		     !append(&segments->nodes, format_nodes(map, order + i, size))))
			return false;
	}
	return true;
}

/* The hops within segments, also over links beside the torus's own: they were chosen by
 * the torus alone. */
static int measure_within(const torus_map_t *map, const uint32_t *order, uint32_t count,
			  uint32_t size, uint64_t *within, torus_error_t *err)
{
	uint32_t *cells = malloc(count * sizeof(*cells));
	int rc = cells ? 0 : torus_fail(err, "out of memory for %u nodes", count);

	*within = 0;
	for (uint32_t i = 0; !rc && i < count; i++)
		cells[i] = map->cell_of_rank[order[i]];
	for (uint32_t first = 0; !rc && first + size <= count; first += size) {
		uint64_t hops = 0;

		rc = torus_summed_distance(&map->geometry, cells + first, size, &hops,
					   err);
		*within += hops;
	}
	free(cells);
	return rc;
}

int storus_segments_cut(const torus_map_t *map, const torus_part_t *part, uint32_t size,
			storus_segments_t *segments, torus_error_t *err)
{
	const torus_segments_site_t site = {.geometry = &map->geometry,
					    .cell_of_rank = map->cell_of_rank,
					    .ranks = map->nodes,
					    .span = map->span};
	uint32_t *set = malloc(part->count * sizeof(*set));
	uint32_t *order = malloc(part->count * sizeof(*order));
	double pairs = (double)part->count * (size - 1);
	torus_segments_hops_t hops;
	bool pieces;
	int result = -1;

	*segments = (storus_segments_t){0};
	if (!set || !order) {
		torus_fail(err, "out of memory for %u nodes", part->count);
		goto done;
	}
	memcpy(set, part->rank, part->count * sizeof(*set));
	qsort(set, part->count, sizeof(*set), compare);
	if (torus_cut_segments(&site, set, size, part->count / size, order, &pieces,
			       &hops, err))
		goto done;
	if (map->geometry.chords &&
	    measure_within(map, order, part->count, size, &hops.within, err))
		goto done;
	segments->distance = size > 1 ? (double)hops.within / pairs : 0;
	result = format(map, order, part->count, size, segments)
			 ? 0
			 : torus_fail(err, "out of memory for the segments");
done:
	free(set);
	free(order);
	return result;
}

void storus_segments_clear(storus_segments_t *segments)
{
	free(segments->ranks);
	free(segments->nodes);
	*segments = (storus_segments_t){0};
}

size_t storus_segments_fields(const storus_segments_t *segments,
			      storus_field_t fields[STORUS_SEGMENT_FIELDS])
{
	size_t count = 0;

	fields[count++] = storus_text("segments", segments->ranks);
	if (segments->nodes)
		fields[count++] = storus_text("segment_nodes", segments->nodes);
	fields[count++] = storus_ratio("segment_distance", segments->distance);
	return count;
}
