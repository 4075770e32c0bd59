/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of storus show with their metrics, as a table or in full. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/chips.h"
#include "storus/cli/metrics_fields.h"
#include "storus/show/table.h"
#include "storus/show/text.h"

/* The fields of a part: these, then the metrics. */
enum { JOB, NAME, USER, TORUS, NODES, NODELIST, RANKS, CELLS, METRICS };
enum {
	SPAN_RING = METRICS,
	SPAN_LINEAR,
	STRETCH_SPAN,
	CONTIGUOUS,
	COMPONENTS,
	BOX,
	VOLUME,
	SIDE_SUM,
	CUBE_SIDE,
	NODES_AFFECTED,
	LINKS_AFFECTED,
	AVERAGE_DISTANCE,
	SUMMED_DISTANCE,
	DISTANCE_FROM_CENTER,
	DIAMETER,
	APD,
	FOREIGN_NODES,
	LINKS_USED,
	LINKS_SHARED,
	CUBES, /* from here on where there are machines of cubes */
	JOINED,
	JOINED_CELLS,
	CHIPS, /* where nodes are boxes of chips; the box in these */
	CHIP_BOX,
	FIELDS
};
_Static_assert(CUBES == METRICS + STORUS_METRICS + STORUS_ISOLATION &&
		       CHIPS == CUBES + STORUS_JOINED_FIELDS,
	       "metrics_fields.h has other metrics");

/* Texts that fields refer to. */
typedef struct texts {
	char box[TORUS_DIMS_TEXT], chip_box[TORUS_DIMS_TEXT];
} texts_t;

/* The chips of the part's nodes, which [map] has, and its box of them. */
static void chip_fields(const torus_map_t *map, const storus_part_t *part, texts_t *texts,
			storus_field_t fields[FIELDS])
{
	const torus_geometry_t *geometry = &map->geometry;
	int32_t side[TORUS_MAX_DIMS];

	for (int axis = 0; axis < geometry->dims; axis++)
		side[axis] = (int32_t)part->metrics.box[axis] *
			     torus_node_side(geometry, axis);
	torus_lengths_format(geometry->dims, side, texts->chip_box);
	fields[CHIPS] =
		storus_count("chips", (uint64_t)part->nodes * torus_node_chips(geometry));
	fields[CHIP_BOX] = storus_text("chip_box", texts->chip_box);
}

/* [part] may be NULL: the names of the fields only. */
static void part_fields(const storus_view_t *view, const storus_part_t *part,
			texts_t *texts, storus_field_t fields[FIELDS])
{
	const storus_job_t *job = part ? &view->jobs->job[part->job] : NULL;
	const torus_map_t *map =
		part && part->torus >= 0 ? view->cluster->map[part->torus] : NULL;

	fields[JOB] = storus_text("job", job ? job->id : NULL);
	fields[NAME] = storus_text("name", job ? job->name : NULL);
	fields[USER] = storus_text("user", job ? job->user : NULL);
	fields[TORUS] = storus_text("torus", map ? map->name : NULL);
	fields[NODES] = storus_count("nodes", part ? part->nodes : 0);
	fields[NODELIST] = storus_text("nodelist", part ? part->nodelist : NULL);
	fields[RANKS] = storus_text("ranks", part ? part->ranks : NULL);
	fields[CELLS] = storus_text("cells", part ? part->cells : NULL);
	storus_metrics_fields(map ? &part->metrics : NULL, map ? map->geometry.dims : 1,
			      texts->box, fields + METRICS);
	storus_isolation_fields(map ? &part->isolation : NULL, fields + FOREIGN_NODES);
	storus_joined_fields(part ? &part->joined : NULL, fields + CUBES);
	fields[CHIPS] = storus_text("chips", NULL);
	fields[CHIP_BOX] = storus_text("chip_box", NULL);
	if (map && torus_has_chips(&map->geometry))
		chip_fields(map, part, texts, fields);
}

static bool has_chips(const storus_view_t *view)
{
	for (int t = 0; t < view->cluster->maps; t++) {
		if (torus_has_chips(&view->cluster->map[t]->geometry))
			return true;
	}
	return false;
}

/* Take the fields out that the machine has no use for. Returns how many are left. */
static size_t keep_fields(const storus_view_t *view, storus_field_t fields[FIELDS])
{
	size_t count = torus_cluster_has_cubes(view->cluster) ? CHIPS : CUBES;

	for (size_t i = CHIPS; i < FIELDS && has_chips(view); i++)
		fields[count++] = fields[i];
	return count;
}

void storus_show_rows(FILE *file, storus_format_t format, const storus_view_t *view)
{
	storus_field_t fields[FIELDS];
	storus_table_t table;
	texts_t texts;

	storus_table_begin(&table, file, format);
	for (uint32_t i = 0; i < view->parts; i++) {
		part_fields(view, &view->part[i], &texts, fields);
		storus_table_row(&table, fields, keep_fields(view, fields));
	}
	part_fields(view, NULL, &texts, fields);
	storus_table_end(&table, fields, keep_fields(view, fields));
}

void storus_show_records(FILE *file, const storus_view_t *view)
{
	storus_field_t fields[FIELDS];
	texts_t texts;

	for (uint32_t i = 0; i < view->parts; i++) {
		if (i)
			fputc('\n', file);
		part_fields(view, &view->part[i], &texts, fields);
		storus_record_print(file, STORUS_FORMAT_TEXT, fields,
				    keep_fields(view, fields));
	}
}

/* The span by the torus's own rule, which its placement minimises. */
#define SPAN FIELDS

/*
 * The columns of the aligned table. The most telling come first, as the last may not
 * fit.
 */
static const struct {
	const char *heading;
	int field;
	bool right; /* numbers stand at the right */
} columns[] = {
	{"JOB", JOB, false},
	{"NAME", NAME, false},
	{"USER", USER, false},
	{"TORUS", TORUS, false},
	{"NODES", NODES, true},
	{"CHIPS", CHIPS, true}, /* only where nodes are boxes of chips */
	{"SPAN", SPAN, true},
	{"STRETCH", STRETCH_SPAN, true},
	{"COMP", COMPONENTS, true},
	{"BOX", BOX, false},
	{"AVGDIST", AVERAGE_DISTANCE, true},
	{"DIAM", DIAMETER, true},
	{"APD", APD, true},
	{"FOREIGN", FOREIGN_NODES, true},
	{"SHARED", LINKS_SHARED, true},
	{"CONTIG", CONTIGUOUS, false},
	{"RING", SPAN_RING, true},
	{"LINEAR", SPAN_LINEAR, true},
	{"VOLUME", VOLUME, true},
	{"SIDES", SIDE_SUM, true},
	{"CUBE", CUBE_SIDE, true},
	{"AFFNODES", NODES_AFFECTED, true},
	{"AFFLINKS", LINKS_AFFECTED, true},
	{"LINKS", LINKS_USED, true},
	{"SUMDIST", SUMMED_DISTANCE, true},
	{"CENTER", DISTANCE_FROM_CENTER, true},
	{"JOINED", JOINED, false}, /* only where there are machines of cubes */
	{"CHIPBOX", CHIP_BOX, false},
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Characters of a cell at most, but for numbers; longer names are cut. */
#define CELL_CHARACTERS 20
/* Bytes for so many UTF-8 characters, and for any number. */
#define CELL_BYTES (4 * CELL_CHARACTERS + 1)

static bool starts_character(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static int count_characters(const char *text)
{
	int characters = 0;

	for (; *text; text++)
		characters += starts_character(*text);
	return characters;
}

static void copy_characters(char cell[CELL_BYTES], const char *text)
{
	int characters = 0;
	size_t length = 0;

	for (; text[length]; length++) {
		if (starts_character(text[length]) && ++characters > CELL_CHARACTERS)
			break;
	}
	if (length >= CELL_BYTES)
		length = CELL_BYTES - 1;
	memcpy(cell, text, length);
	cell[length] = '\0';
}

static void format_cell(char cell[CELL_BYTES], const storus_field_t *field)
{
	switch (field->kind) {
	case STORUS_TEXT:
		copy_characters(cell, field->text);
		break;
	case STORUS_COUNT:
		snprintf(cell, CELL_BYTES, "%" PRIu64, field->count);
		break;
	case STORUS_RATIO:
		snprintf(cell, CELL_BYTES, "%.3f", field->ratio);
		break;
	case STORUS_YES_NO:
		snprintf(cell, CELL_BYTES, "%s", field->yes ? "yes" : "no");
		break;
	case STORUS_MISSING:
		snprintf(cell, CELL_BYTES, "-");
		break;
	}
}

/* Texts of the table and the widths of its columns. */
typedef struct aligned {
	char (*cell)[COLUMNS][CELL_BYTES]; /* [parts] */
	int width[COLUMNS];
} aligned_t;

static void fill_row(const storus_view_t *view, uint32_t row, aligned_t *aligned)
{
	const storus_part_t *part = &view->part[row];
	storus_field_t fields[FIELDS + 1];
	texts_t texts;

	part_fields(view, part, &texts, fields);
	fields[SPAN] = fields[SPAN_RING];
	if (part->torus >= 0 &&
	    view->cluster->map[part->torus]->span == TORUS_SPAN_LINEAR)
		fields[SPAN] = fields[SPAN_LINEAR];
	for (int i = 0; i < COLUMNS; i++) {
		const storus_field_t *field = &fields[columns[i].field];
		int width;

		format_cell(aligned->cell[row][i], field);
		width = count_characters(aligned->cell[row][i]);
		if (width > aligned->width[i])
			aligned->width[i] = width;
	}
}

static void print_cell(FILE *file, const aligned_t *aligned, int column, const char *text)
{
	int padding = aligned->width[column] - count_characters(text);

	fprintf(file, " %*s%s", columns[column].right ? padding : 0, "", text);
	if (!columns[column].right)
		fprintf(file, "%*s", padding, "");
}

/* Whether the machine has a use for the column of [field]. */
static bool is_shown(const storus_view_t *view, int field)
{
	if (field == JOINED)
		return torus_cluster_has_cubes(view->cluster);
	return (field != CHIPS && field != CHIP_BOX) || has_chips(view);
}

int storus_show_aligned(FILE *file, const storus_view_t *view, int width, bool colour,
			torus_error_t *err)
{
	aligned_t aligned = {0};
	int column[COLUMNS], shown = 0, total = 1;

	aligned.cell = calloc(view->parts ? view->parts : 1, sizeof(*aligned.cell));
	if (!aligned.cell)
		return torus_fail(err, "out of memory");
	for (int i = 0; i < COLUMNS; i++)
		aligned.width[i] = (int)strlen(columns[i].heading);
	for (uint32_t row = 0; row < view->parts; row++)
		fill_row(view, row, &aligned);
	for (int i = 0; i < COLUMNS; i++) {
		if (!is_shown(view, columns[i].field))
			continue;
		column[shown++] = i;
		total += 1 + aligned.width[i];
	}
	while (width && total > width && shown > 1)
		total -= 1 + aligned.width[column[--shown]];

	fputc(' ', file);
	for (int i = 0; i < shown; i++)
		print_cell(file, &aligned, column[i], columns[column[i]].heading);
	fputc('\n', file);
	for (uint32_t row = 0; row < view->parts; row++) {
		storus_text_letter(file, view->part[row].mark, colour);
		for (int i = 0; i < shown; i++)
			print_cell(file, &aligned, column[i],
				   aligned.cell[row][column[i]]);
		fputc('\n', file);
	}
	free(aligned.cell);
	return 0;
}

void storus_show_links(FILE *file, const storus_view_t *view)
{
	for (int t = 0; t < view->cluster->maps; t++) {
		uint32_t jobs = storus_holdings_on(&view->holdings, t);
		torus_link_load_t load =
			torus_occupancy_load(view->holdings.occupancy[t]);

		if (jobs)
			fprintf(file,
				"links of %s: %" PRIu64 " in use, %" PRIu64
				" of them by several jobs; most jobs on a link %" PRIu32
				", mean of links shared %.3f\n",
				view->cluster->map[t]->name, load.used, load.shared,
				load.most, (double)load.sharers / jobs);
	}
}
