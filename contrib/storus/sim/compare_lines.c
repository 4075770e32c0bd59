/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a comparison's table: see compare_lines.h. */
#include "torus_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/statistics.h"
#include "storus/sim/compare_lines.h"

/* The axis behind each column of names but the first. */
static const storus_axis_t axis_of[STORUS_LINE_NAMES] = {
	[STORUS_LINE_MACHINE] = STORUS_AXIS_MACHINE,
	[STORUS_LINE_WORKLOAD] = STORUS_AXIS_STREAM,
	[STORUS_LINE_LOAD] = STORUS_AXIS_LOAD,
	[STORUS_LINE_WORK_MULTIPLE] = STORUS_AXIS_WORK_MULTIPLE,
	[STORUS_LINE_SCHEDULER] = STORUS_AXIS_SCHEDULER,
	[STORUS_LINE_CURVE] = STORUS_AXIS_CURVE,
	[STORUS_LINE_ALLOCATOR] = STORUS_AXIS_ALLOCATOR,
	[STORUS_LINE_WISH] = STORUS_AXIS_WISH,
	[STORUS_LINE_SEGMENT] = STORUS_AXIS_SEGMENT,
};

static storus_field_t ratio_field(const char *name, double value)
{
	return isnan(value) ? storus_text(name, NULL) : storus_ratio(name, value);
}

/* The mean of [measure] over the done cells of [row]; *seeds: how many there are. */
static torus_mean_t mean_of_row(const storus_lines_t *lines, size_t row, int measure,
				size_t *seeds)
{
	const storus_plan_t *plan = lines->plan;
	size_t begin = row * plan->seeds;

	*seeds = 0;
	for (size_t i = begin; i < begin + plan->seeds; i++) {
		/* The same simulation counts once. */
		if (lines->results->done[i] && plan->cell[i].first == i)
			lines->value[(*seeds)++] = lines->results->value[i][measure];
	}
	return torus_mean(lines->value, *seeds);
}

/*
 * The differences of [row] to [baseline] by seed, *relative to the baseline's mean. Where
 * neither depends on its seed there is one difference.
 */
static torus_mean_t difference_of_rows(const storus_lines_t *lines, size_t row,
				       size_t baseline, int measure, double *relative)
{
	const storus_plan_t *plan = lines->plan;
	double *base = lines->value + plan->seeds;
	size_t count = 0;
	torus_mean_t difference;

	for (size_t i = 0; i < plan->seeds; i++) {
		size_t is = row * plan->seeds + i, was = baseline * plan->seeds + i;

		if (!lines->results->done[is] || !lines->results->done[was] ||
		    (i && plan->cell[is].first != is && plan->cell[was].first != was))
			continue;
		base[count] = lines->results->value[was][measure];
		lines->value[count++] = lines->results->value[is][measure] -
					lines->results->value[was][measure];
	}
	difference = torus_mean(lines->value, count);
	*relative = 100 * difference.mean / torus_mean(base, count).mean;
	if (!isfinite(*relative))
		*relative = NAN;
	return difference;
}

/* The fields of a line; [name] is that of the measure. */
static void fill_fields(const storus_lines_t *lines, size_t row, int measure,
			const char *name, storus_field_t fields[STORUS_LINE_FIELDS])
{
	static const char *const names[STORUS_LINE_FIELDS] = {
		"measure",	 "machine",    "workload",	  "load",
		"work_multiple", "scheduler",  "curve",		  "allocator",
		"wish",		 "segment",    "seeds",		  "mean",
		"ci95",		 "difference", "difference_ci95", "difference_percent",
	};
	const storus_plan_t *plan = lines->plan;
	const storus_cell_t *cell = &plan->cell[row * plan->seeds];
	size_t baseline = storus_plan_baseline(plan, row), seeds;
	torus_mean_t mean = mean_of_row(lines, row, measure, &seeds);
	torus_mean_t difference = {.mean = NAN, .half_width = NAN};
	double relative = NAN;

	if (baseline != row)
		difference = difference_of_rows(lines, row, baseline, measure, &relative);
	fields[STORUS_LINE_MEASURE] = storus_text(names[STORUS_LINE_MEASURE], name);
	fields[STORUS_LINE_MACHINE] =
		storus_text(names[STORUS_LINE_MACHINE],
			    lines->machine_name[cell->at[STORUS_AXIS_MACHINE]]);
	for (int i = STORUS_LINE_WORKLOAD; i < STORUS_LINE_NAMES; i++)
		fields[i] =
			storus_text(names[i], storus_cell_item(plan, cell, axis_of[i]));
	fields[STORUS_LINE_SEEDS] = storus_count(names[STORUS_LINE_SEEDS], seeds);
	fields[STORUS_LINE_MEAN] = ratio_field(names[STORUS_LINE_MEAN], mean.mean);
	fields[STORUS_LINE_MEAN_CI95] =
		ratio_field(names[STORUS_LINE_MEAN_CI95], mean.half_width);
	fields[STORUS_LINE_DIFFERENCE] =
		ratio_field(names[STORUS_LINE_DIFFERENCE], difference.mean);
	fields[STORUS_LINE_DIFFERENCE_CI95] =
		ratio_field(names[STORUS_LINE_DIFFERENCE_CI95], difference.half_width);
	fields[STORUS_LINE_DIFFERENCE_PERCENT] =
		ratio_field(names[STORUS_LINE_DIFFERENCE_PERCENT], relative);
}

void storus_lines_each(storus_lines_t *lines,
		       void (*visit)(storus_lines_t *, const storus_field_t *, void *),
		       void *context)
{
	const storus_plan_t *plan = lines->plan;
	const storus_matrix_list_t *measures = &plan->matrix->list[STORUS_MATRIX_MEASURE];

	for (size_t m = 0; m < measures->count; m++) {
		const char *name = measures->item[m];

		for (size_t row = 0; row < plan->count / plan->seeds; row++) {
			storus_field_t fields[STORUS_LINE_FIELDS];

			fill_fields(lines, row, storus_measure_find(name), name, fields);
			visit(lines, fields, context);
		}
	}
}

/* Find out which columns of names change. */
static void compare_names(storus_lines_t *lines, const storus_field_t *fields,
			  void *context)
{
	(void)context;
	if (!lines->first[0].name)
		memcpy(lines->first, fields, sizeof(lines->first));
	for (int i = 0; i < STORUS_LINE_NAMES; i++) {
		const storus_field_t *first = &lines->first[i];
		const char *was = first->kind == STORUS_TEXT ? first->text : "-";
		const char *is = fields[i].kind == STORUS_TEXT ? fields[i].text : "-";

		if (strcmp(was, is) != 0)
			lines->constant[i] = false;
	}
}

int storus_lines_begin(const storus_plan_t *plan, const storus_results_t *results,
		       storus_lines_t *lines, torus_error_t *err)
{
	size_t machines = plan->matrix->machines;
	bool whole;

	*lines = (storus_lines_t){.plan = plan, .results = results};
	lines->machine_name = calloc(machines, sizeof(*lines->machine_name));
	lines->value = calloc(2 * plan->seeds, sizeof(*lines->value));
	whole = lines->machine_name && lines->value;
	for (size_t i = 0; whole && i < machines; i++) {
		lines->machine_name[i] = storus_plan_machine_name(plan, i);
		whole = lines->machine_name[i] != NULL;
	}
	if (!whole) {
		storus_lines_end(lines);
		return torus_fail(err, "out of memory");
	}
	for (int i = 0; i < STORUS_LINE_NAMES; i++)
		lines->constant[i] = true;
	storus_lines_each(lines, compare_names, NULL);
	return 0;
}

void storus_lines_end(storus_lines_t *lines)
{
	for (size_t i = 0; lines->machine_name && i < lines->plan->matrix->machines; i++)
		free(lines->machine_name[i]);
	free(lines->machine_name);
	free(lines->value);
}
