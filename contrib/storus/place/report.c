/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus place prints. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>

#include "lists/hostlist_format.h"
#include "lists/ranklist.h"
#include "storus/cli/joined_fields.h"
#include "storus/cli/metrics_fields.h"
#include "storus/commands.h"
#include "storus/place/report.h"
#include "storus/place/segments.h"
#include "torus/joined.h"

#define FIELDS                                                                           \
	(4 + STORUS_JOINED_FIELDS + STORUS_SEGMENT_FIELDS + STORUS_METRICS +             \
	 STORUS_ISOLATION)

/*
 * A choice on one torus is printed as a record. One with several parts (tori, nodes on
 * no torus) has each part under its name: as text one after the other, otherwise as
 * rows of a table.
 */
typedef struct printing {
	storus_format_t format;
	bool several;
	storus_table_t table;
} printing_t;

static void print_part(printing_t *printing, const storus_field_t *fields, size_t count)
{
	if (!printing->several || printing->format == STORUS_FORMAT_TEXT)
		storus_record_print(stdout, printing->format, fields, count);
	else
		storus_table_row(&printing->table, fields, count);
}

/* The hostlist of the chosen nodes in rank order, malloc'ed; NULL: out of memory. */
static char *format_nodes(const torus_map_t *map, const torus_part_t *part)
{
	const char **names = malloc(part->count * sizeof(*names));
	char *text = NULL;

	if (names) {
		for (uint32_t i = 0; i < part->count; i++)
			names[i] = map->node_name[map->node_of_rank[part->rank[i]]];
		text = torus_hostlist_format(names, part->count);
	}
	free(names);
	return text;
}

/*
 * How many fields of storus_isolation_fields() are printed, with and without known
 * jobs.
 */
static size_t isolation_count(const storus_candidates_t *candidates)
{
	return candidates->running.view ? STORUS_ISOLATION : STORUS_LINKS_SHARED;
}

/*
 * Measure the chosen nodes of torus [t] against the running jobs, or, if these are not
 * known, against the nodes that are taken. Returns 0, or -1 with [err] filled.
 */
static int isolation_fields(const storus_place_t *place, int t, storus_field_t *fields,
			    torus_error_t *err)
{
	const storus_candidates_t *candidates = &place->candidates;
	const torus_part_t *part = &place->placer->part[t];
	torus_isolation_t isolation;

	if (storus_running_measure(&candidates->running, candidates->cluster->map[t], t,
				   candidates->torus[t].free, part->rank, part->count,
				   &isolation, err) != 0)
		return -1;
	storus_isolation_fields(&isolation, fields);
	return 0;
}

/* The segments of the choice, none where it has none. Returns 0, or -1 with [err]. */
static int cut_segments(const storus_place_t *place, const torus_map_t *map,
			const torus_part_t *part, storus_segments_t *segments,
			torus_error_t *err)
{
	uint32_t size = place->segment;

	if (!size || part->count % size)
		return 0;
	return storus_segments_cut(map, part, size, segments, err);
}

/*
 * Print the chosen nodes of torus [t]. Returns STORUS_OK, or STORUS_BAD (message
 * printed).
 */
static int report_torus(printing_t *printing, const storus_place_t *place, int t)
{
	const torus_map_t *map = place->candidates.cluster->map[t];
	const torus_part_t *part = &place->placer->part[t];
	uint32_t n = part->count;
	torus_error_t error = {"out of memory"};
	torus_metrics_t metrics;
	torus_joined_t joined = {0};
	storus_joined_texts_t texts = {0};
	char box[TORUS_DIMS_TEXT];
	storus_field_t fields[FIELDS];
	storus_segments_t segments = {0};
	size_t count = 0;
	int status = STORUS_BAD;
	uint32_t *cells = malloc(n * sizeof(*cells));
	char *ranks_text = torus_ranklist_format(part->rank, n, ',');
	char *nodes_text = map->node_name ? format_nodes(map, part) : NULL;
	char *cells_text = NULL;

	if (cells) {
		for (uint32_t i = 0; i < n; i++)
			cells[i] = map->cell_of_rank[part->rank[i]];
		cells_text = torus_ranklist_format(cells, n, ',');
	}
	if (!cells_text || !ranks_text || (map->node_name && !nodes_text) ||
	    torus_join_shapes(&map->geometry, cells, n, place->shapes, &joined, &error) !=
		    0 ||
	    storus_joined_texts(&joined, &texts, &error) != 0 ||
	    torus_metrics(&joined.geometry, joined.cell, part->rank, n, map->nodes,
			  map->span == TORUS_SPAN_RING, &metrics, &error) != 0) {
		warnx("%s", error.text);
		goto done;
	}
	if (printing->several)
		fields[count++] = storus_text("torus", map->name);
	fields[count++] = storus_text("ranks", ranks_text);
	fields[count++] = storus_text("cells", cells_text);
	if (nodes_text)
		fields[count++] = storus_text("nodes", nodes_text);
	if (cut_segments(place, map, part, &segments, &error) != 0) {
		warnx("%s", error.text);
		goto done;
	}
	if (segments.ranks)
		count += storus_segments_fields(&segments, fields + count);
	if (torus_has_cubes(&map->geometry)) {
		storus_joined_fields(&texts, fields + count);
		count += STORUS_JOINED_FIELDS;
	}
	storus_metrics_fields(&metrics, map->geometry.dims, box, fields + count);
	count += STORUS_METRICS;
	if (isolation_fields(place, t, fields + count, &error) != 0) {
		warnx("%s", error.text);
		goto done;
	}
	print_part(printing, fields, count + isolation_count(&place->candidates));
	status = STORUS_OK;
done:
	storus_segments_clear(&segments);
	storus_joined_texts_clear(&texts);
	torus_joined_clear(&joined);
	free(cells_text);
	free(nodes_text);
	free(ranks_text);
	free(cells);
	return status;
}

/* Print the chosen nodes that are on no torus: names without metrics. */
static int report_elsewhere(printing_t *printing, const storus_place_t *place)
{
	const storus_candidates_t *candidates = &place->candidates;
	const torus_candidates_t elsewhere = storus_candidates_of(&candidates->elsewhere);
	const torus_cluster_placement_t *placement = &place->placement;
	uint32_t nodes = candidates->elsewhere.nodes;
	const char **names = malloc(sizeof(*names) * (size_t)nodes);
	storus_field_t fields[FIELDS];
	char box[TORUS_DIMS_TEXT], *text = NULL;
	uint32_t count = 0;
	size_t fields_count;

	if (names) {
		for (uint32_t i = torus_cluster_next_elsewhere(&elsewhere, nodes,
							       placement, 0);
		     i < nodes; i = torus_cluster_next_elsewhere(&elsewhere, nodes,
								 placement, i + 1))
			names[count++] = candidates->elsewhere_name[i];
		text = torus_hostlist_format(names, count);
	}
	free(names);
	if (!text) {
		warnx("out of memory");
		return STORUS_BAD;
	}
	fields[0] = storus_text("torus", NULL);
	fields[1] = storus_text("ranks", NULL);
	fields[2] = storus_text("cells", NULL);
	fields[3] = storus_text("nodes", text);
	storus_metrics_fields(NULL, 1, box, fields + 4);
	storus_isolation_fields(NULL, fields + 4 + STORUS_METRICS);
	fields_count = 4 + STORUS_METRICS + isolation_count(candidates);
	if (printing->several)
		print_part(printing, fields, fields_count);
	else
		print_part(printing, fields + 1, fields_count - 1);
	free(text);
	return STORUS_OK;
}

int storus_place_report(const storus_place_t *place, storus_format_t format)
{
	const torus_cluster_t *cluster = place->candidates.cluster;
	const torus_cluster_placement_t *placement = &place->placement;
	bool mixed = placement->torus >= 0 && placement->elsewhere;
	printing_t printing = {.format = format, .several = cluster->maps > 1 || mixed};
	bool in_table = printing.several && format != STORUS_FORMAT_TEXT;
	int status = STORUS_OK;

	if (in_table)
		storus_table_begin(&printing.table, stdout, format);
	for (int t = 0; t < cluster->maps && status == STORUS_OK; t++) {
		if (place->placer->part[t].count)
			status = report_torus(&printing, place, t);
	}
	if (status == STORUS_OK && placement->elsewhere)
		status = report_elsewhere(&printing, place);
	if (in_table)
		storus_table_end(&printing.table, NULL, 0);
	return status;
}
