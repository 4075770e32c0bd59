/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs on nodes over time: see gantt.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/seconds.h"
#include "storus/cli/svg.h"
#include "storus/sim/gantt.h"
#include "storus/sim/axis.h"

/* In pixels; the picture of the nodes, and what is left free around it. */
enum { WIDTH = 1100, HEIGHT = 600, LEFT = 80, TOP = 52, RIGHT = 20, BOTTOM = 46 };

/* More pieces than these are drawn in sections, of which there are so many. */
enum { PIECES_MOST = 5000, COLUMNS = 550, ROWS_MOST = 200 };

/* Marks on the axes, at most. */
enum { MARKS = 10 };

/* The number of the colour of nodes that are out of service, and of none. */
enum { DOWN = STORUS_SVG_COLOURS, NONE };

static const char *colour_of(unsigned colour)
{
	return colour == DOWN ? "#3a3a3a" : storus_svg_colour(colour);
}

/* Part of the grid: nodes of a row during a column of time. */
typedef struct section {
	double used, most; /* of rank-time: in all, and by the job with most of it */
	unsigned char colour;
} section_t;

typedef struct gantt {
	FILE *file;
	const storus_replay_t *replay;
	int64_t begin, total; /* of the time drawn */
	uint32_t nodes;
	uint32_t *base;	    /* [tori] where a torus begins among all nodes */
	uint32_t rows;	    /* 0: no grid */
	section_t *section; /* [rows * COLUMNS] */
	uint32_t *ranks;    /* [rows] of a job, scratch */
} gantt_t;

static double x_of(const gantt_t *gantt, int64_t time)
{
	return LEFT + WIDTH * (double)(time - gantt->begin) / (double)gantt->total;
}

static double y_of(const gantt_t *gantt, uint32_t node)
{
	return TOP + HEIGHT * (double)node / gantt->nodes;
}

/* Cut [from] .. [until] to the time drawn; whether anything is left. */
static bool cut(const gantt_t *gantt, int64_t *from, int64_t *until)
{
	int64_t end = gantt->begin + gantt->total;

	*from = *from < gantt->begin ? gantt->begin : *from;
	*until = *until > end ? end : *until;
	return *from < *until;
}

static void put_piece(const gantt_t *gantt, uint32_t first, uint32_t count, int64_t from,
		      int64_t until)
{
	double x = x_of(gantt, from), y = y_of(gantt, first);

	fprintf(gantt->file,
		"<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n", x, y,
		x_of(gantt, until) - x, y_of(gantt, first + count) - y);
}

/* A job, or a run of it that was lost, as it is. */
static void put_record(const gantt_t *gantt, const torus_sim_record_t *record,
		       unsigned colour, bool lost)
{
	const storus_replay_t *replay = gantt->replay;
	const torus_sim_job_t *job = &replay->workload.job[record->job];
	char start[TORUS_SECONDS_TEXT], end[TORUS_SECONDS_TEXT];
	int64_t from = record->start, until = record->end;

	if (!cut(gantt, &from, &until))
		return;
	fprintf(gantt->file,
		"<g fill=\"%s\"%s><title>job %" PRIu64 ": %u node%s, %s s to %s s%s"
		"</title>\n",
		colour_of(colour), lost ? " fill-opacity=\"0.45\"" : "",
		(uint64_t)job->number, record->nodes, record->nodes == 1 ? "" : "s",
		torus_seconds_format(record->start, start),
		torus_seconds_format(record->end, end), lost ? ", lost" : "");
	for (size_t i = 0; i < record->runs; i++) {
		const torus_sim_run_t *run = &replay->result.run[record->first_run + i];

		put_piece(gantt, gantt->base[run->torus] + run->first, run->count, from,
			  until);
	}
	fputs("</g>\n", gantt->file);
}

/*
 * Add a piece of time on gantt->ranks[] to the sections; all of a job's at once, so that
 * what it has of a section is known.
 */
static void add_to_sections(gantt_t *gantt, uint32_t first_row, uint32_t last_row,
			    int64_t from, int64_t until, unsigned colour)
{
	double width = (double)gantt->total / COLUMNS;
	double begin = (double)(from - gantt->begin) / width;
	double end = (double)(until - gantt->begin) / width;

	for (uint32_t row = first_row; row <= last_row; row++) {
		uint32_t ranks = gantt->ranks[row];

		gantt->ranks[row] = 0;
		for (int i = (int)begin; ranks && i < COLUMNS && i < end; i++) {
			section_t *section =
				&gantt->section[(size_t)row * COLUMNS + (size_t)i];
			double left = begin > i ? begin : i;
			double right = end < i + 1 ? end : i + 1;
			double part = (right - left) * ranks;

			section->used += part;
			if (part > section->most) {
				section->most = part;
				section->colour = (unsigned char)colour;
			}
		}
	}
}

/* Count the nodes of [first] .. [first] + [count] - 1 into gantt->ranks[]. */
static void count_ranks(gantt_t *gantt, uint32_t first, uint32_t count, uint32_t *low,
			uint32_t *high)
{
	for (uint32_t node = first; node < first + count; node++) {
		uint32_t row = (uint32_t)((uint64_t)node * gantt->rows / gantt->nodes);

		gantt->ranks[row]++;
		*low = row < *low ? row : *low;
		*high = row > *high ? row : *high;
	}
}

static void add_record(gantt_t *gantt, const torus_sim_record_t *record, unsigned colour)
{
	uint32_t low = gantt->rows, high = 0;
	int64_t from = record->start, until = record->end;

	if (!cut(gantt, &from, &until))
		return;
	for (size_t i = 0; i < record->runs; i++) {
		const torus_sim_run_t *run =
			&gantt->replay->result.run[record->first_run + i];

		count_ranks(gantt, gantt->base[run->torus] + run->first, run->count, &low,
			    &high);
	}
	add_to_sections(gantt, low, high, from, until, colour);
}

static void draw_record(gantt_t *gantt, const torus_sim_record_t *record, bool lost)
{
	/* Jobs that are near each other in the log have different colours. */
	unsigned colour = (unsigned)(record->job % STORUS_SVG_COLOURS);

	if (gantt->rows)
		add_record(gantt, record, colour);
	else
		put_record(gantt, record, colour, lost);
}

static void draw_outage(gantt_t *gantt, const torus_outage_t *outage)
{
	uint32_t node = gantt->base[outage->torus] + outage->rank;
	uint32_t low = gantt->rows, high = 0;
	int64_t from = outage->from, until = outage->until;

	if (!cut(gantt, &from, &until))
		return;
	if (gantt->rows) {
		count_ranks(gantt, node, 1, &low, &high);
		add_to_sections(gantt, low, high, from, until, DOWN);
		return;
	}
	fprintf(gantt->file, "<g fill=\"%s\"><title>out of service</title>\n",
		colour_of(DOWN));
	put_piece(gantt, node, 1, from, until);
	fputs("</g>\n", gantt->file);
}

/* The colour of a section, NONE where it is free for the most part. */
static unsigned shown(const gantt_t *gantt, uint32_t row, int column)
{
	const section_t *section =
		&gantt->section[(size_t)row * COLUMNS + (size_t)column];
	uint64_t rows = gantt->rows, nodes = gantt->nodes;
	/* As many nodes as count_ranks() puts into the row. */
	uint64_t first = ((uint64_t)row * nodes + rows - 1) / rows;
	uint64_t last = (((uint64_t)row + 1) * nodes + rows - 1) / rows;

	return section->used > (double)(last - first) / 2 ? section->colour : NONE;
}

/* A path for each colour, with a line for sections of it that follow each other. */
static void put_sections(const gantt_t *gantt)
{
	double height = (double)HEIGHT / gantt->rows;
	int width = WIDTH / COLUMNS;

	for (unsigned colour = 0; colour < NONE; colour++) {
		fprintf(gantt->file,
			"<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.3g\" d=\"",
			colour_of(colour), height);
		for (uint32_t row = 0; row < gantt->rows; row++) {
			for (int i = 0, next; i < COLUMNS; i = next) {
				next = i + 1;
				if (shown(gantt, row, i) != colour)
					continue;
				while (next < COLUMNS &&
				       shown(gantt, row, next) == colour)
					next++;
				fprintf(gantt->file, "M%d %.4gh%d", LEFT + i * width,
					TOP + (row + 0.5) * height, (next - i) * width);
			}
		}
		fputs("\"/>\n", gantt->file);
	}
}

static void draw_all(gantt_t *gantt)
{
	const torus_sim_result_t *result = &gantt->replay->result;
	const torus_outages_t *outages = &gantt->replay->outages;

	for (size_t i = 0; i < result->count; i++)
		draw_record(gantt, &result->record[i], false);
	for (size_t i = 0; i < result->lost_count; i++)
		draw_record(gantt, &result->lost[i], true);
	for (size_t i = 0; i < outages->count; i++)
		draw_outage(gantt, &outages->outage[i]);
	if (gantt->rows)
		put_sections(gantt);
}

static void put_mark(const gantt_t *gantt, const char *class, double x, double y,
		     const char *text)
{
	fprintf(gantt->file, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	storus_svg_escaped(gantt->file, text);
	fputs("</text>\n", gantt->file);
}

static void draw_time_axis(const gantt_t *gantt)
{
	storus_time_unit_t unit = storus_time_unit_of(gantt->total);
	double length = (double)gantt->total / unit.microseconds;
	double step = storus_axis_step(length, MARKS);

	for (int i = 0; i * step <= length; i++) {
		double x = LEFT + WIDTH * i * step / length;
		char text[32];

		snprintf(text, sizeof(text), "%.6g", i * step);
		fprintf(gantt->file,
			"<line class=\"mark\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" "
			"y2=\"%d\"/>\n",
			x, TOP + HEIGHT, x, TOP + HEIGHT + 5);
		put_mark(gantt, "middle", x, TOP + HEIGHT + 18, text);
	}
	put_mark(gantt, "middle", LEFT + WIDTH / 2.0, TOP + HEIGHT + 36, unit.name);
}

/* Ranks of one torus; of several, their names where they begin. */
static void draw_node_axis(const gantt_t *gantt)
{
	const torus_cluster_t *cluster = gantt->replay->cluster;
	double step = storus_axis_step(gantt->nodes, MARKS);

	for (int t = 0; cluster->maps > 1 && t < cluster->maps; t++) {
		double y = y_of(gantt, gantt->base[t]);

		fprintf(gantt->file,
			"<line class=\"mark\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" "
			"y2=\"%.1f\"/>\n",
			LEFT - 5, y, LEFT + WIDTH, y);
		put_mark(gantt, "end", LEFT - 8, y + 12, cluster->map[t]->name);
	}
	for (int i = 0; cluster->maps == 1 && i * step < gantt->nodes; i++) {
		uint32_t rank = (uint32_t)(i * (step < 1 ? 1 : step));
		char text[16];

		if (rank >= gantt->nodes)
			break;
		snprintf(text, sizeof(text), "%u", rank);
		put_mark(gantt, "end", LEFT - 8, y_of(gantt, rank) + 10, text);
	}
}

static void draw(gantt_t *gantt)
{
	storus_svg_begin(gantt->file, "Jobs on nodes over time", LEFT + WIDTH + RIGHT,
			 TOP + HEIGHT + BOTTOM,
			 "text { font-size: 12px }\n"
			 ".middle { text-anchor: middle }\n"
			 ".end { text-anchor: end }\n"
			 ".mark { stroke: #777 }\n"
			 ".ground { fill: #f4f4f4 }\n"
			 "g rect { stroke: #fff; stroke-width: 0.4 }\n");
	storus_svg_text(gantt->file, "heading", LEFT, 20,
			"Nodes along the curve over time, coloured by job");
	storus_svg_text(
		gantt->file, "plane", LEFT, 40,
		gantt->rows
			? "Each section in the colour of the job that has most of it; "
			  "pale where most is free; dark: out of service"
			: "Pale: free; dark: out of service; point at a job to see "
			  "which it is");
	storus_svg_frame(gantt->file, "ground", LEFT, TOP, WIDTH, HEIGHT);
	draw_all(gantt);
	draw_time_axis(gantt);
	draw_node_axis(gantt);
	storus_svg_end(gantt->file);
}

static size_t pieces(const storus_replay_t *replay)
{
	size_t count = replay->outages.count;

	for (size_t i = 0; i < replay->result.count; i++)
		count += replay->result.record[i].runs;
	for (size_t i = 0; i < replay->result.lost_count; i++)
		count += replay->result.lost[i].runs;
	return count;
}

int storus_gantt_write(FILE *file, const storus_replay_t *replay, torus_error_t *err)
{
	const torus_summary_t *summary = &replay->result.summary;
	const torus_cluster_t *cluster = replay->cluster;
	gantt_t gantt = {
		.file = file,
		.replay = replay,
		.begin = summary->begin,
		.total = summary->end - summary->begin,
	};
	bool whole;

	if (gantt.total < 1)
		gantt.total = 1;
	gantt.base = calloc((size_t)cluster->maps, sizeof(*gantt.base));
	for (int t = 0; gantt.base && t < cluster->maps; t++) {
		gantt.base[t] = gantt.nodes;
		gantt.nodes += cluster->map[t]->nodes;
	}
	whole = gantt.base != NULL;
	if (whole && pieces(replay) > PIECES_MOST) {
		gantt.rows = gantt.nodes < ROWS_MOST ? gantt.nodes : ROWS_MOST;
		gantt.section =
			calloc((size_t)gantt.rows * COLUMNS, sizeof(*gantt.section));
		gantt.ranks = calloc(gantt.rows, sizeof(*gantt.ranks));
		whole = gantt.section && gantt.ranks;
	}
	if (whole)
		draw(&gantt);
	free(gantt.ranks);
	free(gantt.section);
	free(gantt.base);
	return whole ? 0 : torus_fail(err, "out of memory for the picture");
}
