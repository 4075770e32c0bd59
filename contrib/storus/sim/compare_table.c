/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a comparison: see compare_table.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "storus/sim/compare_table.h"

/* Bytes of a number in text. */
enum { NUMBER_TEXT = 32 };

/* The columns of text. */
typedef struct columns {
	int count;		       /* only the first of them are printed */
	int width[STORUS_LINE_FIELDS]; /* 0: the column is not printed */
	bool headed;		       /* the names have been */
} columns_t;

/* A row of a file: the columns of wishes and segments are there where some are compared.
 */
static void print_row(storus_lines_t *lines, const storus_field_t *fields, void *context)
{
	bool wishes = lines->plan->matrix->list[STORUS_MATRIX_WISHES].count;
	bool segments = lines->plan->matrix->list[STORUS_MATRIX_SEGMENTS].count;
	storus_field_t row[STORUS_LINE_FIELDS];
	size_t count = 0;

	for (int i = 0; i < STORUS_LINE_FIELDS; i++) {
		if ((i != STORUS_LINE_WISH || wishes) &&
		    (i != STORUS_LINE_SEGMENT || segments))
			row[count++] = fields[i];
	}
	storus_table_row(context, row, count);
}

/* What stands in a column as text, in [number] if need be. */
static const char *text_of(const storus_field_t *field, int column,
			   char number[NUMBER_TEXT])
{
	if (field->kind == STORUS_TEXT)
		return field->text;
	if (field->kind == STORUS_COUNT)
		snprintf(number, NUMBER_TEXT, "%" PRIu64, field->count);
	else if (field->kind == STORUS_MISSING)
		return "-";
	else if (column == STORUS_LINE_DIFFERENCE_PERCENT)
		snprintf(number, NUMBER_TEXT, "%+.1f%%", field->ratio);
	else
		snprintf(number, NUMBER_TEXT,
			 column == STORUS_LINE_DIFFERENCE ? "%+.6g" : "%.6g",
			 field->ratio);
	return number;
}

static void measure_widths(storus_lines_t *lines, const storus_field_t *fields,
			   void *context)
{
	columns_t *columns = context;

	for (int i = 0; i < columns->count; i++) {
		char number[NUMBER_TEXT];
		int width = (int)strlen(text_of(&fields[i], i, number));

		if (i < STORUS_LINE_NAMES && lines->constant[i])
			continue;
		if (width < (int)strlen(fields[i].name))
			width = (int)strlen(fields[i].name);
		if (columns->width[i] < width)
			columns->width[i] = width;
	}
}

/* A line of the aligned table: names to the left, numbers to the right. */
static void print_cells(const columns_t *columns,
			const char *const cells[STORUS_LINE_FIELDS])
{
	bool begun = false;

	for (int i = 0; i < STORUS_LINE_FIELDS; i++) {
		int width = columns->width[i];

		if (!width)
			continue;
		printf("%s%*s", begun ? "  " : "", i < STORUS_LINE_NAMES ? -width : width,
		       cells[i]);
		begun = true;
	}
	putchar('\n');
}

static void print_aligned(storus_lines_t *lines, const storus_field_t *fields,
			  void *context)
{
	columns_t *columns = context;
	char number[STORUS_LINE_FIELDS][NUMBER_TEXT];
	const char *cells[STORUS_LINE_FIELDS];

	(void)lines;
	for (int i = 0; i < STORUS_LINE_FIELDS; i++)
		cells[i] = fields[i].name;
	if (!columns->headed)
		print_cells(columns, cells);
	columns->headed = true;
	for (int i = 0; i < STORUS_LINE_FIELDS; i++)
		cells[i] = text_of(&fields[i], i, number[i]);
	print_cells(columns, cells);
}

static void print_text(storus_lines_t *lines)
{
	bool differences = lines->plan->matrix->list[STORUS_MATRIX_BASELINE].count > 0;
	columns_t columns = {.count = differences ? STORUS_LINE_FIELDS
						  : STORUS_LINE_DIFFERENCE};

	for (int i = 0; i < STORUS_LINE_NAMES; i++) {
		const storus_field_t *first = &lines->first[i];

		if (lines->constant[i] && first->kind == STORUS_TEXT)
			printf("%s %s\n", first->name, first->text);
	}
	putchar('\n');
	storus_lines_each(lines, measure_widths, &columns);
	storus_lines_each(lines, print_aligned, &columns);
}

void storus_compare_print(storus_lines_t *lines, storus_format_t format)
{
	storus_table_t rows;

	if (format == STORUS_FORMAT_TEXT) {
		print_text(lines);
		return;
	}
	storus_table_begin(&rows, stdout, format);
	storus_lines_each(lines, print_row, &rows);
	storus_table_end(&rows, NULL, 0);
}
