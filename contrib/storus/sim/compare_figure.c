/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture of a comparison: see compare_figure.h. */
#include "torus_config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "place/place.h"
#include "storus/cli/svg.h"
#include "storus/sim/compare_figure.h"
#include "storus/sim/axis.h"
#include "strategies/strategies.h"

/* In pixels: the height of a line, and the widths of names, plot and differences. */
enum { LINE = 20, PLOT = 460, RIGHT = 190, MARGIN = 16, CHARACTER = 7 };

/* Marks on an axis, at most. */
enum { MARKS = 6 };

typedef struct point {
	char *name;	     /* what is not the same in all lines, owned */
	const char *measure; /* borrowed */
	double mean, half_width, difference, difference_half_width, percent; /* or NAN */
	size_t strategy; /* its number among all strategies */
} point_t;

typedef struct figure {
	point_t *point; /* [count] in the order of the table */
	size_t count, room;
	size_t longest; /* name, in characters */
	bool short_of_memory;
} figure_t;

static double number_of(const storus_field_t *field)
{
	return field->kind == STORUS_RATIO ? field->ratio : NAN;
}

/* The names of a line that change, separated by commas; malloc'ed, NULL: no memory. */
static char *name_of(const storus_lines_t *lines, const storus_field_t *fields)
{
	size_t length = 1;
	char *name;

	for (int i = STORUS_LINE_MACHINE; i < STORUS_LINE_NAMES; i++) {
		if (fields[i].kind == STORUS_TEXT)
			length += strlen(fields[i].text) + strlen(fields[i].name) + 3;
	}
	name = calloc(length, 1);
	for (int i = STORUS_LINE_MACHINE; name && i < STORUS_LINE_NAMES; i++) {
		if (lines->constant[i] || fields[i].kind != STORUS_TEXT)
			continue;
		if (*name)
			strcat(name, ", ");
		/* A number does not say what it is. */
		if (i == STORUS_LINE_LOAD || i == STORUS_LINE_WORK_MULTIPLE)
			strcat(strcat(name, fields[i].name), " ");
		strcat(name, fields[i].text);
	}
	return name;
}

/* A strategy's number, which is the same in every figure; 0 where none is named. */
static size_t strategy_of(const char *name)
{
	size_t number = 0;

	while (name && torus_strategies[number] &&
	       strcmp(torus_allocator_name(torus_strategies[number]), name) != 0)
		number++;
	return number;
}

static void collect(storus_lines_t *lines, const storus_field_t *fields, void *context)
{
	figure_t *figure = context;
	const char *measure = fields[STORUS_LINE_MEASURE].text;
	point_t *point = figure->point;

	if (figure->short_of_memory)
		return;
	if (figure->count == figure->room) {
		figure->room = figure->room ? 2 * figure->room : 64;
		point = reallocarray(figure->point, figure->room, sizeof(*point));
		if (point)
			figure->point = point;
	}
	if (point)
		point += figure->count;
	if (!point || !(point->name = name_of(lines, fields))) {
		figure->short_of_memory = true;
		return;
	}
	point->measure = measure;
	point->mean = number_of(&fields[STORUS_LINE_MEAN]);
	point->half_width = number_of(&fields[STORUS_LINE_MEAN_CI95]);
	point->difference = number_of(&fields[STORUS_LINE_DIFFERENCE]);
	point->difference_half_width = number_of(&fields[STORUS_LINE_DIFFERENCE_CI95]);
	point->percent = number_of(&fields[STORUS_LINE_DIFFERENCE_PERCENT]);
	point->strategy = strategy_of(fields[STORUS_LINE_ALLOCATOR].text);
	if (strlen(point->name) > figure->longest)
		figure->longest = strlen(point->name);
	figure->count++;
}

/* What a panel's axis goes from and to. */
typedef struct axis {
	double least, most;
	int left; /* where the plot begins */
} axis_t;

static double x_of(const axis_t *axis, double value)
{
	return axis->left + PLOT * (value - axis->least) / (axis->most - axis->least);
}

static axis_t axis_of(const point_t *point, size_t count, int left)
{
	axis_t axis = {INFINITY, -INFINITY, left};
	double room;

	for (size_t i = 0; i < count; i++) {
		double half = isfinite(point[i].half_width) ? point[i].half_width : 0;

		if (!isfinite(point[i].mean))
			continue;
		axis.least = fmin(axis.least, point[i].mean - half);
		axis.most = fmax(axis.most, point[i].mean + half);
	}
	if (!(axis.least <= axis.most))
		axis.least = axis.most = 0;
	room = 0.04 * (axis.most - axis.least);
	if (room <= 0)
		room = axis.most != 0 ? 0.1 * fabs(axis.most) : 1;
	axis.least -= room;
	axis.most += room;
	return axis;
}

static void put_text(FILE *file, const char *class, double x, double y, const char *text)
{
	fprintf(file, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	storus_svg_escaped(file, text);
	fputs("</text>\n", file);
}

/* Lines across [height] from [top] on, with their values below. */
static void draw_axis(FILE *file, const axis_t *axis, int top, int height)
{
	double step = storus_axis_step(axis->most - axis->least, MARKS);

	for (double at = ceil(axis->least / step); at * step <= axis->most; at++) {
		double x = x_of(axis, at * step);
		char text[32];

		/* No -0 */
		snprintf(text, sizeof(text), "%.6g", at != 0 ? at * step : 0);
		fprintf(file,
			"<line class=\"mark\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" "
			"y2=\"%d\"/>\n",
			x, top, x, top + height);
		put_text(file, "middle", x, top + height + 14, text);
	}
}

/* The marks of strategies: a circle for those that a colour alone tells, and others. */
static const char *const marks[] = {
	NULL,
	"M-3.6 -3.6H3.6V3.6H-3.6z",
	"M0 -5L5 0L0 5L-5 0z",
	"M0 -4.6L4.6 3.6H-4.6z",
	"M0 4.6L4.6 -3.6H-4.6z",
};
enum { MARK_KINDS = sizeof(marks) / sizeof(marks[0]) };

/* The mark of a row's mean, with its value for who points at it. */
static void draw_mark(FILE *file, const point_t *point, double x, double y,
		      const char *colour, bool hollow)
{
	const char *path = marks[point->strategy / STORUS_SVG_COLOURS % MARK_KINDS];

	if (path)
		fprintf(file, "<path transform=\"translate(%.2f %.1f)\" d=\"%s\"", x, y,
			path);
	else
		fprintf(file, "<circle cx=\"%.2f\" cy=\"%.1f\" r=\"4\"", x, y);
	fprintf(file, " stroke=\"%s\" stroke-width=\"2\" fill=\"%s\"><title>%.6g", colour,
		hollow ? "#ffffff" : colour, point->mean);
	if (isfinite(point->half_width))
		fprintf(file, " ± %.3g", point->half_width);
	fprintf(file, "</title></%s>\n", path ? "path" : "circle");
}

/* A row; [compared] says that there is a baseline. */
static void draw_point(FILE *file, const axis_t *axis, const point_t *point, double y,
		       bool compared)
{
	const char *colour = storus_svg_colour(point->strategy);
	bool is_baseline = compared && isnan(point->difference);
	double half = point->half_width;
	char text[80];

	put_text(file, "end", axis->left - 8, y + 4, point->name);
	if (!isfinite(point->mean))
		return;
	if (isfinite(half))
		fprintf(file,
			"<line stroke=\"%s\" stroke-width=\"2\" x1=\"%.2f\" y1=\"%.1f\" "
			"x2=\"%.2f\" y2=\"%.1f\"/>\n",
			colour, x_of(axis, point->mean - half), y,
			x_of(axis, point->mean + half), y);
	draw_mark(file, point, x_of(axis, point->mean), y, colour, is_baseline);
	if (is_baseline) {
		put_text(file, "plane", axis->left + PLOT + 12, y + 4, "baseline");
	} else if (isfinite(point->percent)) {
		bool shown = fabs(point->difference) > point->difference_half_width;
		double part = point->percent / point->difference;
		int length = snprintf(text, sizeof(text), "%+.1f%%", point->percent);

		if (isfinite(point->difference_half_width) && isfinite(part))
			snprintf(text + length, sizeof(text) - (size_t)length,
				 " ± %.1f%%", fabs(part * point->difference_half_width));
		put_text(file, shown ? "heading" : "plane", axis->left + PLOT + 12, y + 4,
			 text);
	}
}

/* How many points from [first] on are of the same measure. */
static size_t panel(const figure_t *figure, size_t first)
{
	size_t next = first;

	while (next < figure->count &&
	       strcmp(figure->point[next].measure, figure->point[first].measure) == 0)
		next++;
	return next - first;
}

static void draw(const storus_lines_t *lines, const figure_t *figure, FILE *file)
{
	bool compared = lines->plan->matrix->list[STORUS_MATRIX_BASELINE].count > 0;
	int left = MARGIN + CHARACTER * (int)figure->longest + 8, y = 2 * MARGIN;
	int height = y;

	for (int i = STORUS_LINE_MACHINE; i < STORUS_LINE_NAMES; i++)
		height += lines->constant[i] && lines->first[i].kind == STORUS_TEXT ? LINE
										    : 0;
	for (size_t first = 0; first < figure->count; first += panel(figure, first))
		height += ((int)panel(figure, first) + 3) * LINE;
	storus_svg_begin(file, "Comparison of simulations",
			 left + PLOT + (compared ? RIGHT : MARGIN), height,
			 "text { font-size: 12px }\n"
			 ".middle { text-anchor: middle }\n"
			 ".end { text-anchor: end }\n"
			 ".mark { stroke: #ccc }\n");
	for (int i = STORUS_LINE_MACHINE; i < STORUS_LINE_NAMES; i++) {
		char text[300];

		if (!lines->constant[i] || lines->first[i].kind != STORUS_TEXT)
			continue;
		snprintf(text, sizeof(text), "%s %s", lines->first[i].name,
			 lines->first[i].text);
		put_text(file, "plane", MARGIN, y, text);
		y += LINE;
	}
	for (size_t first = 0, rows; first < figure->count; first += rows) {
		const point_t *point = &figure->point[first];
		axis_t axis;

		rows = panel(figure, first);
		axis = axis_of(point, rows, left);
		put_text(file, "heading", left, y, point->measure);
		draw_axis(file, &axis, y + LINE / 2, (int)rows * LINE);
		for (size_t i = 0; i < rows; i++)
			draw_point(file, &axis, &point[i], y + ((double)i + 1) * LINE,
				   compared);
		y += ((int)rows + 3) * LINE;
	}
	storus_svg_end(file);
}

int storus_compare_draw(storus_lines_t *lines, FILE *file, torus_error_t *err)
{
	figure_t figure = {0};

	storus_lines_each(lines, collect, &figure);
	if (!figure.short_of_memory)
		draw(lines, &figure, file);
	for (size_t i = 0; i < figure.count; i++)
		free(figure.point[i].name);
	free(figure.point);
	return figure.short_of_memory ? torus_fail(err, "out of memory for the picture")
				      : 0;
}
