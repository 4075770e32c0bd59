/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the nodes stand in the machine room: see conf/racks.h. */
#include "storus/view/racks.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "base/lines.h"
#include "base/textfile.h"
#include "conf/keys.h"

static const char *const level_names[TORUS_RACK_LEVELS] = {
	[TORUS_RACK_ROW] = "row",
	[TORUS_RACK_CABINET] = "cabinet",
	[TORUS_RACK_CAGE] = "cage",
	[TORUS_RACK_SLOT] = "slot",
};

/* Where a node stands, and the line that says so. */
typedef struct entry {
	uint32_t at[TORUS_RACK_LEVELS];
	uint32_t line; /* 0: none so far */
	int file;
} entry_t;

/* All files while they are read. */
typedef struct reading {
	const torus_cluster_t *cluster;
	const torus_sections_t *sections;
	torus_file_reader_t *reader;
	void *context;
	entry_t *entry; /* [nodes of the cluster] */
	/* Which numbers there are, then the place of each among those of its level. */
	uint32_t index[TORUS_RACK_LEVELS][TORUS_RACKS_NUMBERS];
	char *path[TORUS_MAX_TORI + 1]; /* of the file of a torus; then of that for all */
} reading_t;

/* What may stand for one number of a line: all from first to last. */
typedef struct range {
	uint32_t first, count;
} range_t;

/* The first line of torus.conf that has a Racks=, or 0. */
static uint32_t racks_line(const torus_sections_t *sections)
{
	uint32_t line = sections->global.line[TORUS_KEY_RACKS];

	for (int torus = 0; line == 0 && torus < sections->tori; torus++)
		line = sections->torus[torus].line[TORUS_KEY_RACKS];
	return line;
}

/* The file that has a torus's nodes: a number in path[], that of all tori being the last
 * one. */
static int file_of(const reading_t *reading, int torus)
{
	return reading->sections->torus[torus].value[TORUS_KEY_RACKS]
		       ? torus
		       : reading->cluster->maps;
}

static int read_number(const char **at, const char *text, const char *level,
		       uint32_t *value, torus_error_t *err)
{
	const char *digit = *at;

	*value = 0;
	for (; isdigit((unsigned char)*digit); digit++) {
		*value = *value * 10 + (uint32_t)(*digit - '0');
		if (*value >= TORUS_RACKS_NUMBERS)
			return torus_fail(err, "%s %s is too large: the most is %d",
					  level, text, TORUS_RACKS_NUMBERS - 1);
	}
	if (digit == *at)
		return torus_fail(err, "'%s' is not a %s: a number or a range as 0-7",
				  text, level);
	*at = digit;
	return 0;
}

/* "3" or "0-7" */
static int read_range(const char *text, const char *level, range_t *range,
		      torus_error_t *err)
{
	const char *at = text;
	uint32_t last;

	if (read_number(&at, text, level, &range->first, err))
		return -1;
	last = range->first;
	if (*at == '-') {
		at++;
		if (read_number(&at, text, level, &last, err))
			return -1;
	}
	if (*at || last < range->first)
		return torus_fail(err, "'%s' is not a %s: a number or a range as 0-7",
				  text, level);
	range->count = last - range->first + 1;
	return 0;
}

/* Note that the node [name] is the one of number [nth] in the places of the line. */
static int add_node(reading_t *reading, int file, const char *name, uint32_t line,
		    const range_t *range, uint32_t nth, torus_error_t *err)
{
	const torus_cluster_t *cluster = reading->cluster;
	entry_t *entry;
	int torus;
	uint32_t node;

	if (!torus_cluster_find(cluster, name, &torus, &node))
		return torus_fail(err, "node '%s' is on no torus of this cluster", name);
	if (file_of(reading, torus) != file)
		return torus_fail(err,
				  "node '%s' is on torus %s, whose Racks= is another one",
				  name, cluster->map[torus]->name);
	entry = &reading->entry[torus_cluster_number(cluster, torus, node)];
	if (entry->line)
		return torus_fail(err, "node '%s' was given before, on line %" PRIu32,
				  name, entry->line);
	entry->line = line;
	entry->file = file;
	for (int level = TORUS_RACK_LEVELS - 1; level >= 0; level--) {
		entry->at[level] = range[level].first + nth % range[level].count;
		nth /= range[level].count;
	}
	return 0;
}

/* A line "hostlist row cabinet cage slot". */
static int read_line(reading_t *reading, int file, const torus_lines_t *lines,
		     torus_error_t *err)
{
	range_t range[TORUS_RACK_LEVELS];
	uint64_t places = 1;
	uint32_t count;
	char **names;
	int rc = 0;

	if (lines->words != 1 + TORUS_RACK_LEVELS)
		return torus_fail(err,
				  "%zu words instead of five: node row cabinet cage slot",
				  lines->words);
	for (int level = 0; level < TORUS_RACK_LEVELS; level++) {
		if (read_range(lines->word[level + 1].text, level_names[level],
			       &range[level], err))
			return -1;
		/* All four can be 2^64. */
		if (__builtin_mul_overflow(places, range[level].count, &places))
			places = UINT64_MAX;
	}
	/* Counted first: a typing error in a bracket may make millions of names. */
	if (torus_hostlist_count(lines->word[0].text, &count, err))
		return -1;
	if (count != places)
		return torus_fail(
			err,
			"%" PRIu32 " nodes for %" PRIu64
			" places: each node has one, ranges such as 0-7 multiply",
			count, places);
	if (torus_hostlist_expand(lines->word[0].text, &names, &count, err))
		return -1;
	for (uint32_t i = 0; rc == 0 && i < count; i++)
		rc = add_node(reading, file, names[i], lines->word[0].line, range, i,
			      err);
	free(names);
	return rc;
}

/* That each node whose place the file is to say has one. */
static int check_complete(const reading_t *reading, int file, uint32_t last_line,
			  torus_error_t *err)
{
	const torus_cluster_t *cluster = reading->cluster;
	const char *missing = NULL;
	uint32_t lacking = 0, nodes = 0;

	for (int torus = 0; torus < cluster->maps; torus++) {
		const torus_map_t *map = cluster->map[torus];

		if (file_of(reading, torus) != file)
			continue;
		nodes += map->nodes;
		for (uint32_t node = 0; node < map->nodes; node++) {
			uint32_t number = torus_cluster_number(cluster, torus, node);

			if (reading->entry[number].line)
				continue;
			lacking++;
			if (!missing)
				missing = map->node_name[node];
		}
	}
	if (!missing)
		return 0;
	return torus_fail(err,
			  "%s:%" PRIu32 ": the file ends without node '%s'; %" PRIu32
			  " of %" PRIu32 " nodes are missing",
			  reading->path[file], last_line, missing, lacking, nodes);
}

static int read_text(reading_t *reading, int file, const char *text, size_t length,
		     torus_error_t *err)
{
	const char *path = reading->path[file];
	torus_lines_t lines;
	int rc = torus_lines_open(&lines, text, length, path, err);

	while (rc == 0) {
		int more = torus_lines_next(&lines, err);

		if (more == 0) {
			rc = check_complete(reading, file, torus_lines_last(&lines), err);
			break;
		}
		if (more < 0)
			rc = -1;
		else if (read_line(reading, file, &lines, err))
			rc = torus_fail_prefix(err, "%s:%" PRIu32 ": ", path,
					       lines.word[0].line);
	}
	torus_lines_close(&lines);
	return rc;
}

/* The file that a section of torus.conf names. */
static int read_file(reading_t *reading, const torus_section_t *section, int file,
		     torus_error_t *err)
{
	const char *conf = reading->cluster->sources.source[0].path;
	char *text;
	size_t length;
	int rc;

	reading->path[file] =
		torus_textfile_beside(conf, section->value[TORUS_KEY_RACKS]);
	if (!reading->path[file])
		return torus_fail(err, "%s: out of memory", conf);
	if (reading->reader(reading->context, reading->path[file], &text, &length, err))
		return torus_fail_prefix(err, "%s:%" PRIu32 ": Racks=: ", conf,
					 section->line[TORUS_KEY_RACKS]);
	rc = read_text(reading, file, text, length, err);
	free(text);
	return rc;
}

static int read_files(reading_t *reading, torus_error_t *err)
{
	const torus_sections_t *sections = reading->sections;
	int maps = reading->cluster->maps;

	for (int file = 0; file <= maps; file++) {
		const torus_section_t *section =
			file < maps ? &sections->torus[file] : &sections->global;

		if (section->value[TORUS_KEY_RACKS] &&
		    read_file(reading, section, file, err))
			return -1;
	}
	return 0;
}

/* The distinct numbers of a level. */
static int count_level(reading_t *reading, int level, torus_racks_t *racks,
		       torus_error_t *err)
{
	uint32_t nodes = torus_cluster_nodes(reading->cluster), count = 0;
	uint32_t *index = reading->index[level];

	for (uint32_t node = 0; node < nodes; node++) {
		const entry_t *entry = &reading->entry[node];

		if (entry->line && !index[entry->at[level]]) {
			index[entry->at[level]] = 1;
			count++;
		}
	}
	racks->number[level] = malloc(count * sizeof(uint32_t));
	if (!racks->number[level])
		return torus_fail(err, "out of memory");
	for (uint32_t number = 0; number < TORUS_RACKS_NUMBERS; number++) {
		if (!index[number])
			continue;
		racks->number[level][racks->count[level]] = number;
		index[number] = racks->count[level]++;
	}
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;

	return (p > q) - (p < q);
}

static const char *name_of(const torus_cluster_t *cluster, uint32_t number)
{
	uint32_t node;
	int torus;

	torus_cluster_at(cluster, number, &torus, &node);
	return cluster->map[torus]->node_name[node];
}

static int fail_same(const reading_t *reading, uint32_t a, uint32_t b, torus_error_t *err)
{
	const entry_t *first = &reading->entry[a], *second = &reading->entry[b];

	/* The later one is at fault. */
	if (first->file > second->file ||
	    (first->file == second->file && first->line > second->line))
		return fail_same(reading, b, a, err);
	return torus_fail(
		err,
		"%s:%" PRIu32 ": node '%s' is in row %" PRIu32 ", cabinet %" PRIu32
		", cage %" PRIu32 ", slot %" PRIu32 ", where node '%s' is (%s:%" PRIu32
		"): a slot has one node, number several through",
		reading->path[second->file], second->line, name_of(reading->cluster, b),
		second->at[TORUS_RACK_ROW], second->at[TORUS_RACK_CABINET],
		second->at[TORUS_RACK_CAGE], second->at[TORUS_RACK_SLOT],
		name_of(reading->cluster, a), reading->path[first->file], first->line);
}

/* That no two nodes are in one slot. */
static int check_places(const reading_t *reading, const torus_racks_t *racks,
			torus_error_t *err)
{
	uint32_t nodes = torus_cluster_nodes(reading->cluster), count = 0;
	uint64_t *sorted = malloc(nodes * sizeof(*sorted));
	int rc = 0;

	if (!sorted)
		return torus_fail(err, "out of memory");
	for (uint32_t node = 0; node < nodes; node++) {
		if (racks->place[node] != TORUS_NO_PLACE)
			sorted[count++] = (uint64_t)racks->place[node] << 32 | node;
	}
	qsort(sorted, count, sizeof(*sorted), compare_numbers);
	for (uint32_t i = 1; rc == 0 && i < count; i++) {
		if (sorted[i] >> 32 == sorted[i - 1] >> 32)
			rc = fail_same(reading, (uint32_t)sorted[i - 1],
				       (uint32_t)sorted[i], err);
	}
	free(sorted);
	return rc;
}

static int count_levels(reading_t *reading, torus_racks_t *racks, torus_error_t *err)
{
	const uint32_t *count = racks->count;
	uint64_t places = 1;

	for (int level = 0; level < TORUS_RACK_LEVELS; level++) {
		if (count_level(reading, level, racks, err))
			return -1;
		/* Below 2^28 * 2^16, or no longer of interest */
		if (places <= TORUS_RACKS_PLACES)
			places *= count[level];
	}
	if (places <= TORUS_RACKS_PLACES)
		return 0;
	return torus_fail(err,
			  "%s:%" PRIu32 ": Racks=: %" PRIu32 " rows of %" PRIu32
			  " cabinets of %" PRIu32 " cages of %" PRIu32
			  " slots are more than %" PRIu32
			  " places: number cabinets within their row, cages within their "
			  "cabinet and slots within their cage",
			  reading->cluster->sources.source[0].path,
			  racks_line(reading->sections), count[TORUS_RACK_ROW],
			  count[TORUS_RACK_CABINET], count[TORUS_RACK_CAGE],
			  count[TORUS_RACK_SLOT], TORUS_RACKS_PLACES);
}

/* From the files' numbers to places. */
static int set_places(reading_t *reading, torus_racks_t *racks, torus_error_t *err)
{
	uint32_t nodes = torus_cluster_nodes(reading->cluster);

	if (count_levels(reading, racks, err))
		return -1;
	for (uint32_t node = 0; node < nodes; node++) {
		const entry_t *entry = &reading->entry[node];
		uint32_t place = 0;

		for (int level = 0; level < TORUS_RACK_LEVELS; level++)
			place = place * racks->count[level] +
				reading->index[level][entry->at[level]];
		racks->place[node] = entry->line ? place : TORUS_NO_PLACE;
	}
	return check_places(reading, racks, err);
}

static int read_racks(reading_t *reading, torus_racks_t *racks, torus_error_t *err)
{
	uint32_t nodes = torus_cluster_nodes(reading->cluster);
	int rc = -1;

	reading->entry = calloc(nodes, sizeof(*reading->entry));
	racks->place = malloc(nodes * sizeof(*racks->place));
	if (!reading->entry || !racks->place)
		torus_fail(err, "out of memory for the places of %" PRIu32 " nodes",
			   nodes);
	else if (read_files(reading, err) == 0)
		rc = set_places(reading, racks, err);
	for (int file = 0; file <= reading->cluster->maps; file++)
		free(reading->path[file]);
	free(reading->entry);
	return rc;
}

int torus_racks_read_with(const torus_cluster_t *cluster, torus_file_reader_t *reader,
			  void *context, torus_racks_t *racks, torus_error_t *err)
{
	const torus_source_t *conf = cluster->sources.source;
	torus_sections_t sections = {0};
	reading_t *reading = calloc(1, sizeof(*reading));
	int rc;

	*racks = (torus_racks_t){0};
	if (!reading)
		return torus_fail(err, "out of memory");
	/* The text was read before, and keys alone take no time. */
	rc = torus_sections_read(conf->text, conf->length, conf->path, &sections, err);
	if (rc == 0 && racks_line(&sections)) {
		reading->cluster = cluster;
		reading->sections = &sections;
		reading->reader = reader;
		reading->context = context;
		rc = read_racks(reading, racks, err);
	}
	if (rc != 0)
		torus_racks_clear(racks);
	torus_sections_free(&sections);
	free(reading);
	return rc;
}

int torus_racks_read(const torus_cluster_t *cluster, torus_racks_t *racks,
		     torus_error_t *err)
{
	return torus_racks_read_with(cluster, torus_file_from_disk, NULL, racks, err);
}

void torus_racks_clear(torus_racks_t *racks)
{
	for (int level = 0; level < TORUS_RACK_LEVELS; level++)
		free(racks->number[level]);
	free(racks->place);
	*racks = (torus_racks_t){0};
}
