/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a comparison: see compare_table.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/statistics.h"
#include "storus/sim/compare_table.h"

/* Columns: what is measured, of what, and the numbers. */
enum {
	MEASURE,
	MACHINE,
	WORKLOAD,
	LOAD,
	WORK_MULTIPLE,
	SCHEDULER,
	CURVE,
	ALLOCATOR,
	WISH,
	SEGMENT,
	NAMES,
	SEEDS = NAMES,
	MEAN,
	MEAN_CI95,
	DIFFERENCE,
	DIFFERENCE_CI95,
	DIFFERENCE_PERCENT,
	FIELDS
};

/* The axis behind each column of names but the first. */
static const storus_axis_t axis_of[NAMES] = {
	[MACHINE] = STORUS_AXIS_MACHINE,     [WORKLOAD] = STORUS_AXIS_STREAM,
	[LOAD] = STORUS_AXIS_LOAD,	     [WORK_MULTIPLE] = STORUS_AXIS_WORK_MULTIPLE,
	[SCHEDULER] = STORUS_AXIS_SCHEDULER, [CURVE] = STORUS_AXIS_CURVE,
	[ALLOCATOR] = STORUS_AXIS_ALLOCATOR, [WISH] = STORUS_AXIS_WISH,
	[SEGMENT] = STORUS_AXIS_SEGMENT,
};

/* Bytes of a number in text. */
enum { NUMBER_TEXT = 32 };

typedef struct table {
	const storus_plan_t *plan;
	const storus_results_t *results;
	char **machine_name;  /* [machines] */
	double *value;	      /* [2 * seeds], scratch */
	int width[FIELDS];    /* of text; 0: the column is not printed */
	bool constant[NAMES]; /* the same in all lines, printed above */
} table_t;

static storus_field_t ratio_field(const char *name, double value)
{
	return isnan(value) ? storus_text(name, NULL) : storus_ratio(name, value);
}

/* The mean of [measure] over the done cells of [row]; *seeds: how many there are. */
static torus_mean_t mean_of_row(const table_t *table, size_t row, int measure,
				size_t *seeds)
{
	const storus_plan_t *plan = table->plan;
	size_t begin = row * plan->seeds;

	*seeds = 0;
	for (size_t i = begin; i < begin + plan->seeds; i++) {
		/* The same simulation counts once. */
		if (table->results->done[i] && plan->cell[i].first == i)
			table->value[(*seeds)++] = table->results->value[i][measure];
	}
	return torus_mean(table->value, *seeds);
}

/*
 * The differences of [row] to [baseline] by seed, *relative to the baseline's mean. Where
 * neither depends on its seed there is one difference.
 */
static torus_mean_t difference_of_rows(const table_t *table, size_t row, size_t baseline,
				       int measure, double *relative)
{
	const storus_plan_t *plan = table->plan;
	double *base = table->value + plan->seeds;
	size_t count = 0;
	torus_mean_t difference;

	for (size_t i = 0; i < plan->seeds; i++) {
		size_t is = row * plan->seeds + i, was = baseline * plan->seeds + i;

		if (!table->results->done[is] || !table->results->done[was] ||
		    (i && plan->cell[is].first != is && plan->cell[was].first != was))
			continue;
		base[count] = table->results->value[was][measure];
		table->value[count++] = table->results->value[is][measure] -
					table->results->value[was][measure];
	}
	difference = torus_mean(table->value, count);
	*relative = 100 * difference.mean / torus_mean(base, count).mean;
	if (!isfinite(*relative))
		*relative = NAN;
	return difference;
}

/* The fields of a line; [name] is that of the measure. */
static void fill_fields(const table_t *table, size_t row, int measure, const char *name,
			storus_field_t fields[FIELDS])
{
	static const char *const names[FIELDS] = {
		"measure",	 "machine",    "workload",	  "load",
		"work_multiple", "scheduler",  "curve",		  "allocator",
		"wish",		 "segment",    "seeds",		  "mean",
		"ci95",		 "difference", "difference_ci95", "difference_percent",
	};
	const storus_plan_t *plan = table->plan;
	const storus_cell_t *cell = &plan->cell[row * plan->seeds];
	size_t baseline = storus_plan_baseline(plan, row), seeds;
	torus_mean_t mean = mean_of_row(table, row, measure, &seeds);
	torus_mean_t difference = {.mean = NAN, .half_width = NAN};
	double relative = NAN;

	if (baseline != row)
		difference = difference_of_rows(table, row, baseline, measure, &relative);
	fields[MEASURE] = storus_text(names[MEASURE], name);
	fields[MACHINE] = storus_text(names[MACHINE],
				      table->machine_name[cell->at[STORUS_AXIS_MACHINE]]);
	for (int i = WORKLOAD; i < NAMES; i++)
		fields[i] =
			storus_text(names[i], storus_cell_item(plan, cell, axis_of[i]));
	fields[SEEDS] = storus_count(names[SEEDS], seeds);
	fields[MEAN] = ratio_field(names[MEAN], mean.mean);
	fields[MEAN_CI95] = ratio_field(names[MEAN_CI95], mean.half_width);
	fields[DIFFERENCE] = ratio_field(names[DIFFERENCE], difference.mean);
	fields[DIFFERENCE_CI95] =
		ratio_field(names[DIFFERENCE_CI95], difference.half_width);
	fields[DIFFERENCE_PERCENT] = ratio_field(names[DIFFERENCE_PERCENT], relative);
}

/* Call [visit] with the fields of every line. */
static void each_line(table_t *table,
		      void (*visit)(table_t *, const storus_field_t *, void *),
		      void *context)
{
	const storus_plan_t *plan = table->plan;
	const storus_matrix_list_t *measures = &plan->matrix->list[STORUS_MATRIX_MEASURE];

	for (size_t m = 0; m < measures->count; m++) {
		const char *name = measures->item[m];

		for (size_t row = 0; row < plan->count / plan->seeds; row++) {
			storus_field_t fields[FIELDS];

			fill_fields(table, row, storus_measure_find(name), name, fields);
			visit(table, fields, context);
		}
	}
}

/* A row of a file: the columns of wishes and segments are there where some are compared.
 */
static void print_row(table_t *table, const storus_field_t *fields, void *context)
{
	bool wishes = table->plan->matrix->list[STORUS_MATRIX_WISHES].count;
	bool segments = table->plan->matrix->list[STORUS_MATRIX_SEGMENTS].count;
	storus_field_t row[FIELDS];
	size_t count = 0;

	for (int i = 0; i < FIELDS; i++) {
		if ((i != WISH || wishes) && (i != SEGMENT || segments))
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
	else if (column == DIFFERENCE_PERCENT)
		snprintf(number, NUMBER_TEXT, "%+.1f%%", field->ratio);
	else
		snprintf(number, NUMBER_TEXT, column == DIFFERENCE ? "%+.6g" : "%.6g",
			 field->ratio);
	return number;
}

/* Find out which columns of names change; [context] is the line before. */
static void compare_names(table_t *table, const storus_field_t *fields, void *context)
{
	storus_field_t *first = context;

	if (!first[0].name)
		memcpy(first, fields, NAMES * sizeof(*first));
	for (int i = 0; i < NAMES; i++) {
		const char *was = first[i].kind == STORUS_TEXT ? first[i].text : "-";
		const char *is = fields[i].kind == STORUS_TEXT ? fields[i].text : "-";

		if (strcmp(was, is) != 0)
			table->constant[i] = false;
	}
}

static void measure_widths(table_t *table, const storus_field_t *fields, void *context)
{
	bool differences = *(const bool *)context;

	for (int i = 0; i < FIELDS; i++) {
		char number[NUMBER_TEXT];
		int width = (int)strlen(text_of(&fields[i], i, number));

		if ((i < NAMES && table->constant[i]) ||
		    (i >= DIFFERENCE && !differences))
			continue;
		if (width < (int)strlen(fields[i].name))
			width = (int)strlen(fields[i].name);
		if (table->width[i] < width)
			table->width[i] = width;
	}
}

/* A line of the aligned table: names to the left, numbers to the right. */
static void print_cells(const table_t *table, const char *const cells[FIELDS])
{
	bool begun = false;

	for (int i = 0; i < FIELDS; i++) {
		if (!table->width[i])
			continue;
		printf("%s%*s", begun ? "  " : "",
		       i < NAMES ? -table->width[i] : table->width[i], cells[i]);
		begun = true;
	}
	putchar('\n');
}

static void print_aligned(table_t *table, const storus_field_t *fields, void *context)
{
	bool *headed = context;
	char number[FIELDS][NUMBER_TEXT];
	const char *cells[FIELDS];

	for (int i = 0; i < FIELDS; i++)
		cells[i] = fields[i].name;
	if (!*headed)
		print_cells(table, cells);
	*headed = true;
	for (int i = 0; i < FIELDS; i++)
		cells[i] = text_of(&fields[i], i, number[i]);
	print_cells(table, cells);
}

static void print_text(table_t *table)
{
	bool differences = table->plan->matrix->list[STORUS_MATRIX_BASELINE].count > 0;
	storus_field_t first[NAMES] = {0};
	bool headed = false;

	for (int i = 0; i < NAMES; i++)
		table->constant[i] = true;
	each_line(table, compare_names, first);
	for (int i = 0; i < NAMES; i++) {
		if (table->constant[i] && first[i].kind == STORUS_TEXT)
			printf("%s %s\n", first[i].name, first[i].text);
	}
	putchar('\n');
	each_line(table, measure_widths, &differences);
	each_line(table, print_aligned, &headed);
}

int storus_compare_print(const storus_plan_t *plan, const storus_results_t *results,
			 storus_format_t format, torus_error_t *err)
{
	table_t table = {.plan = plan, .results = results};
	size_t machines = plan->matrix->machines;
	bool whole;

	table.machine_name = calloc(machines, sizeof(*table.machine_name));
	table.value = calloc(2 * plan->seeds, sizeof(*table.value));
	whole = table.machine_name && table.value;
	for (size_t i = 0; whole && i < machines; i++) {
		table.machine_name[i] = storus_plan_machine_name(plan, i);
		whole = table.machine_name[i] != NULL;
	}
	if (whole && format == STORUS_FORMAT_TEXT) {
		print_text(&table);
	} else if (whole) {
		storus_table_t rows;

		storus_table_begin(&rows, stdout, format);
		each_line(&table, print_row, &rows);
		storus_table_end(&rows, NULL, 0);
	}
	for (size_t i = 0; table.machine_name && i < machines; i++)
		free(table.machine_name[i]);
	free(table.machine_name);
	free(table.value);
	return whole ? 0 : torus_fail(err, "out of memory");
}
