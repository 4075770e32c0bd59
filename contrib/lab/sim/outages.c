/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of outages: see outages.h. */
#include "sim/outages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/hostlist.h"
#include "base/lines.h"
#include "lists/ranklist.h"
#include "sim/seconds.h"

/* A list that grows, and of what. */
typedef struct reader {
	const torus_cluster_t *cluster;
	torus_outages_t *outages;
	size_t room;
	int64_t from, until; /* of the line at hand */
} reader_t;

static int add(reader_t *reader, int torus, uint32_t rank, torus_error_t *err)
{
	torus_outages_t *outages = reader->outages;

	if (outages->count == reader->room) {
		size_t room = reader->room ? 2 * reader->room : 64;
		torus_outage_t *more = reallocarray(outages->outage, room, sizeof(*more));

		if (!more)
			return torus_fail(err, "out of memory for %zu outages", room);
		outages->outage = more;
		reader->room = room;
	}
	outages->outage[outages->count++] =
		(torus_outage_t){reader->from, reader->until, torus, rank};
	return 0;
}

/* All nodes on the cells that [text] lists of torus [torus]. */
static int add_cells(reader_t *reader, int torus, const char *text, torus_error_t *err)
{
	const torus_map_t *map = reader->cluster->map[torus];
	uint32_t cells = torus_geometry_cells(&map->geometry);
	uint64_t *listed = torus_bitmap_create(cells);
	int result = listed ? torus_ranklist_parse_set(text, cells, listed, err)
			    : torus_fail(err, "out of memory for %u cells", cells);

	for (uint32_t rank = 0; !result && rank < map->nodes; rank++) {
		if (torus_bit_test(listed, map->cell_of_rank[rank]))
			result = add(reader, torus, rank, err);
	}
	free(listed);
	return result;
}

static int add_names(reader_t *reader, const char *text, torus_error_t *err)
{
	char **names;
	uint32_t count;
	int result = 0;

	if (torus_hostlist_expand(text, &names, &count, err) != 0)
		return -1;
	for (uint32_t i = 0; !result && i < count; i++) {
		uint32_t node;
		int torus;

		if (torus_cluster_find(reader->cluster, names[i], &torus, &node))
			result =
				add(reader, torus,
				    reader->cluster->map[torus]->rank_of_node[node], err);
		else
			result = torus_fail(err, "no torus has a node '%s'", names[i]);
	}
	free(names);
	return result;
}

/* Whether [text] can be cell numbers and not names. */
static bool is_cells(const char *text)
{
	return strcmp(text, "all") == 0 ||
	       (*text && text[strspn(text, "0123456789,-")] == '\0');
}

static int add_nodes(reader_t *reader, char *text, torus_error_t *err)
{
	char *colon = strrchr(text, ':');

	if (!colon && is_cells(text)) {
		if (reader->cluster->maps == 1)
			return add_cells(reader, 0, text, err);
		return torus_fail(err,
				  "cells of which torus? Write its name and a colon in "
				  "front of '%s'",
				  text);
	}
	if (!colon || !is_cells(colon + 1))
		return add_names(reader, text, err);
	*colon = '\0';
	for (int t = 0; t < reader->cluster->maps; t++) {
		if (strcmp(reader->cluster->map[t]->name, text) == 0)
			return add_cells(reader, t, colon + 1, err);
	}
	return torus_fail(err, "there is no torus '%s'", text);
}

static int read_time(const char *text, int64_t *time, torus_error_t *err)
{
	const char *at = text, *end = text + strlen(text);

	if (!torus_seconds_read(&at, end, time) || at != end || *time < 0)
		return torus_fail(err, "'%s' is no number of seconds from 0 to %lld",
				  text, (long long)TORUS_SECONDS_MAX);
	return 0;
}

static int read_line(reader_t *reader, const torus_lines_t *lines, torus_error_t *err)
{
	if (lines->words != 3)
		return torus_fail(err, "not nodes, from when and until when");
	if (read_time(lines->word[1].text, &reader->from, err) != 0 ||
	    read_time(lines->word[2].text, &reader->until, err) != 0)
		return -1;
	if (reader->from >= reader->until)
		return torus_fail(err, "the outage ends at %s, not after it begins (%s)",
				  lines->word[2].text, lines->word[1].text);
	return add_nodes(reader, lines->word[0].text, err);
}

#define COMPARE(a, b)                                                                    \
	do {                                                                             \
		if ((a) != (b))                                                          \
			return (a) < (b) ? -1 : 1;                                       \
	} while (0)

static int compare_by_node(const void *a, const void *b)
{
	const torus_outage_t *first = a, *second = b;

	COMPARE(first->torus, second->torus);
	COMPARE(first->rank, second->rank);
	COMPARE(first->from, second->from);
	COMPARE(first->until, second->until);
	return 0;
}

static int compare_by_time(const void *a, const void *b)
{
	const torus_outage_t *first = a, *second = b;

	COMPARE(first->from, second->from);
	COMPARE(first->until, second->until);
	COMPARE(first->torus, second->torus);
	COMPARE(first->rank, second->rank);
	return 0;
}

/* Make one of the outages of a node that overlap or touch, and sort all by time. */
static void merge(torus_outages_t *outages)
{
	torus_outage_t *last = outages->outage;

	if (!outages->count)
		return;
	qsort(outages->outage, outages->count, sizeof(*last), compare_by_node);
	for (size_t i = 1; i < outages->count; i++) {
		const torus_outage_t *next = &outages->outage[i];

		if (next->torus != last->torus || next->rank != last->rank ||
		    next->from > last->until)
			*++last = *next;
		else if (next->until > last->until)
			last->until = next->until;
	}
	outages->count = (size_t)(last - outages->outage) + 1;
	qsort(outages->outage, outages->count, sizeof(*last), compare_by_time);
}

int torus_outages_read(const char *text, size_t length, const char *path,
		       const torus_cluster_t *cluster, torus_outages_t *outages,
		       torus_error_t *err)
{
	reader_t reader = {.cluster = cluster, .outages = outages};
	torus_lines_t lines;
	int result;

	*outages = (torus_outages_t){0};
	result = torus_lines_open(&lines, text, length, path, err) == 0 ? 1 : -1;
	while (result > 0) {
		result = torus_lines_next(&lines, err);
		if (result > 0 && read_line(&reader, &lines, err) != 0)
			result = torus_fail_prefix(err, "%s:%u: ", path,
						   lines.word[0].line);
	}
	torus_lines_close(&lines);
	if (result < 0)
		torus_outages_clear(outages);
	else
		merge(outages);
	return result;
}

void torus_outages_clear(torus_outages_t *outages)
{
	free(outages->outage);
	*outages = (torus_outages_t){0};
}
