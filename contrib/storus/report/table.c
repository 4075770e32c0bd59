/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for people. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/times.h"
#include "storus/report/table.h"

#define HOUR 3600.0

/* Texts stand at the left, numbers at the right; those of chips are there only where
 * nodes are boxes of chips. */
typedef enum kind { TEXT, NUMBER, CHIPS } kind_t;

/* A column of a section. */
typedef struct column {
	const char *heading, *meaning;
	kind_t kind;
} column_t;

static const column_t group_columns[] = {
	{"NAME", "", TEXT},
	{"JOBS", "runs of jobs", NUMBER},
	{"NODE-HOURS", "nodes times hours, within the time of the report", NUMBER},
	{"CHIP-HOURS", "the chips of these nodes times hours", CHIPS},
	{"HOPS", "mean hops between two nodes of a job", NUMBER},
	{"ALONE", "the same for the same jobs, each alone on the empty machine", NUMBER},
	{"RATIO", "hops over those alone", NUMBER},
	{"EXCESS", "node-hours times hops more than alone", NUMBER},
	{"PIECES", "connected pieces of a job", NUMBER},
	{"ONE", "share in one piece", NUMBER},
	{"FILL", "routers of a job over those of its bounding box", NUMBER},
	{"FOREIGN", "nodes of other jobs in a job's bounding box when it starts", NUMBER},
	{"WAIT", "mean time from eligible to start", NUMBER},
};
static const column_t job_columns[] = {
	{"JOB", "", TEXT},
	{"USER", "", TEXT},
	{"ACCOUNT", "", TEXT},
	{"PARTITION", "", TEXT},
	{"NODES", "", NUMBER},
	{"CHIPS", "of these nodes", CHIPS},
	{"NODE-HOURS", "nodes times hours, within the time of the report", NUMBER},
	{"CHIP-HOURS", "the chips of these nodes times hours", CHIPS},
	{"BOX", "sides of the bounding box", NUMBER},
	{"HOPS", "mean hops between two nodes", NUMBER},
	{"ALONE", "the same alone on the empty machine", NUMBER},
	{"RATIO", "hops over those alone", NUMBER},
	{"EXCESS", "node-hours times hops more than alone", NUMBER},
	{"PIECES", "connected pieces", NUMBER},
	{"FOREIGN", "nodes of other jobs in its bounding box when it started", NUMBER},
};
static const column_t use_columns[] = {
	{"NAME", "", TEXT},
	{"NODE-HOURS", "all nodes of the tori times hours", NUMBER},
	{"USED", "held by jobs", NUMBER},
	{"DOWN", "out of order, by --outages", NUMBER},
	{"UNWANTED", "idle while no job waited", NUMBER},
	{"TOO-FEW", "idle, but fewer than any waiting job asked for", NUMBER},
	{"SCATTERED",
	 "idle, enough for a waiting job, but no free interval of a curve was "
	 "that long",
	 NUMBER},
	{"HELD",
	 "idle although a waiting job would have fitted: limits, priorities, "
	 "reservations",
	 NUMBER},
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const titles[STORUS_BYS] = {
	[STORUS_BY_TOTAL] = "All jobs",
	[STORUS_BY_ACCOUNT] = "By account",
	[STORUS_BY_USER] = "By user",
	[STORUS_BY_PARTITION] = "By partition",
	[STORUS_BY_SIZE] = "By number of nodes",
	[STORUS_BY_WEEK] = "By week",
	[STORUS_BY_REPLAY] = "The same jobs, replayed with other allocators",
	[STORUS_BY_JOB] = "Jobs that lost most",
};

/* A table being filled. */
typedef struct filling {
	storus_texts_t *texts;
	size_t next;
	bool failed;
} filling_t;

static int begin(filling_t *filling, storus_texts_t *texts, const char *title,
		 const column_t *columns, size_t count, size_t rows, bool chips,
		 torus_error_t *err)
{
	*texts = (storus_texts_t){.title = title, .rows = rows};
	*filling = (filling_t){.texts = texts};
	for (size_t i = 0; i < count; i++) {
		if (columns[i].kind == CHIPS && !chips)
			continue;
		texts->heading[texts->columns] = columns[i].heading;
		texts->meaning[texts->columns] = columns[i].meaning;
		texts->right[texts->columns++] = columns[i].kind != TEXT;
	}
	texts->cell = calloc(rows * texts->columns + 1, sizeof(*texts->cell));
	return texts->cell ? 0 : torus_fail(err, "out of memory for %zu rows", rows);
}

static int end(filling_t *filling, torus_error_t *err)
{
	if (!filling->failed)
		return 0;
	storus_texts_clear(filling->texts);
	return torus_fail(err, "out of memory for the report");
}

__attribute__((format(printf, 2, 3))) static void put(filling_t *filling,
						      const char *format, ...)
{
	va_list arguments;
	char **cell = &filling->texts->cell[filling->next++];

	va_start(arguments, format);
	if (vasprintf(cell, format, arguments) < 0) {
		*cell = NULL;
		filling->failed = true;
	}
	va_end(arguments);
}

/* A number with [digits] behind the point. */
static void put_mean(filling_t *filling, storus_mean_t mean, int digits)
{
	if (mean.known)
		put(filling, "%.*f", digits, mean.value);
	else
		put(filling, "-");
}

static void put_share(filling_t *filling, storus_mean_t mean)
{
	if (mean.known)
		put(filling, "%.0f%%", 100 * mean.value);
	else
		put(filling, "-");
}

/* "2-03:04:05", as Slurm writes it */
static void put_duration(filling_t *filling, storus_mean_t mean)
{
	uint64_t seconds = mean.known ? (uint64_t)(mean.value + 0.5) : 0;
	uint64_t days = seconds / 86400;

	if (!mean.known) {
		put(filling, "-");
		return;
	}
	seconds %= 86400;
	if (days)
		put(filling, "%" PRIu64 "-%02d:%02d:%02d", days, (int)(seconds / 3600),
		    (int)(seconds / 60 % 60), (int)(seconds % 60));
	else
		put(filling, "%d:%02d:%02d", (int)(seconds / 3600),
		    (int)(seconds / 60 % 60), (int)(seconds % 60));
}

static void put_group(filling_t *filling, const storus_row_t *row, uint32_t chips)
{
	storus_means_t means = storus_means(&row->sums);

	put(filling, "%s", row->name);
	put(filling, "%" PRIu64, row->sums.jobs);
	put(filling, "%.1f", means.node_hours);
	if (chips)
		put(filling, "%.1f", means.node_hours * chips);
	put_mean(filling, means.hops, 2);
	put_mean(filling, means.alone, 2);
	put_mean(filling, means.ratio, 3);
	put_mean(filling, means.excess, 1);
	put_mean(filling, means.pieces, 2);
	put_share(filling, means.one_piece);
	put_mean(filling, means.fill, 2);
	put_mean(filling, means.foreign, 1);
	put_duration(filling, means.wait);
}

static void put_field(filling_t *filling, torus_sacct_field_t field)
{
	char text[128];

	put(filling, "%s", storus_report_text(field, text, sizeof(text)));
}

static void put_job(filling_t *filling, const storus_row_t *row, uint32_t chips)
{
	const storus_measured_t *measured = row->measured;
	storus_means_t means = storus_means(&row->sums);
	char box[TORUS_DIMS_TEXT] = "-";

	if (measured->has_place)
		torus_lengths_format(measured->dims, measured->box, box);
	put(filling, "%s", row->name);
	put_field(filling, row->job->user);
	put_field(filling, row->job->account);
	put_field(filling, row->job->partition);
	put(filling, "%u", row->job->nodes);
	if (chips)
		put(filling, "%" PRIu64, (uint64_t)row->job->nodes * chips);
	put(filling, "%.1f", means.node_hours);
	if (chips)
		put(filling, "%.1f", means.node_hours * chips);
	put(filling, "%s", box);
	put_mean(filling, means.hops, 2);
	put_mean(filling, means.alone, 2);
	put_mean(filling, means.ratio, 3);
	put_mean(filling, means.excess, 1);
	put_mean(filling, means.pieces, 0);
	put_mean(filling, means.foreign, 0);
}

int storus_texts_of(const storus_rows_t *report, storus_by_t by, storus_texts_t *texts,
		    torus_error_t *err)
{
	const storus_section_t *section = &report->section[by];
	bool jobs = by == STORUS_BY_JOB;
	uint32_t chips = storus_report_chips(report);
	filling_t filling;

	if (begin(&filling, texts, titles[by], jobs ? job_columns : group_columns,
		  jobs ? COUNT(job_columns) : COUNT(group_columns), section->count, chips,
		  err) != 0)
		return -1;
	for (size_t i = 0; i < section->count; i++) {
		if (jobs)
			put_job(&filling, &section->row[i], chips);
		else
			put_group(&filling, &section->row[i], chips);
	}
	return end(&filling, err);
}

static void put_use(filling_t *filling, const storus_row_t *row)
{
	const storus_use_t *use = row->use;
	uint64_t all = use->used + use->down;

	for (int i = 0; i < STORUS_IDLES; i++)
		all += use->idle[i];
	const uint64_t part[] = {use->used,
				 use->down,
				 use->idle[STORUS_IDLE_UNWANTED],
				 use->idle[STORUS_IDLE_TOO_FEW],
				 use->idle[STORUS_IDLE_SCATTERED],
				 use->idle[STORUS_IDLE_HELD]};

	put(filling, "%s", row->name);
	put(filling, "%.1f", (double)all / HOUR);
	for (size_t i = 0; i < COUNT(part); i++)
		put(filling, "%.1f%%", all ? 100.0 * (double)part[i] / (double)all : 0.0);
}

int storus_texts_of_use(const storus_rows_t *report, storus_texts_t *texts,
			torus_error_t *err)
{
	static const storus_by_t of[] = {STORUS_BY_TOTAL, STORUS_BY_WEEK,
					 STORUS_BY_REPLAY};
	size_t rows = 0;
	filling_t filling;

	for (size_t i = 0; i < COUNT(of); i++) {
		for (size_t r = 0; r < report->section[of[i]].count; r++)
			rows += report->section[of[i]].row[r].use != NULL;
	}
	if (begin(&filling, texts, "What the nodes did", use_columns, COUNT(use_columns),
		  rows, false, err) != 0)
		return -1;
	for (size_t i = 0; i < COUNT(of); i++) {
		const storus_section_t *section = &report->section[of[i]];

		for (size_t r = 0; r < section->count; r++) {
			if (section->row[r].use)
				put_use(&filling, &section->row[r]);
		}
	}
	return end(&filling, err);
}

void storus_texts_clear(storus_texts_t *texts)
{
	for (size_t i = 0; texts->cell && i < texts->rows * texts->columns; i++)
		free(texts->cell[i]);
	free(texts->cell);
	*texts = (storus_texts_t){0};
}

char *storus_report_headline(const storus_rows_t *report)
{
	const storus_accounts_t *accounts = report->accounts;
	const storus_weeks_t *weeks = &accounts->weeks;
	char from[STORUS_TIME_TEXT], to[STORUS_TIME_TEXT], of_chips[32] = "", *line;
	uint32_t chips = storus_report_chips(report);

	storus_time_format((time_t)weeks->begin[0], from);
	storus_time_format((time_t)weeks->begin[weeks->count], to);
	if (chips)
		snprintf(of_chips, sizeof(of_chips), " of %u chip%s", chips,
			 chips > 1 ? "s" : "");
	if (asprintf(&line, "%s to %s, %u nodes%s", from, to,
		     torus_cluster_nodes(accounts->cluster), of_chips) < 0)
		return NULL;
	return line;
}

/* Columns of a terminal that the text takes: characters of UTF-8. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void print_cell(FILE *file, const storus_texts_t *texts, size_t column, int width,
		       const char *text)
{
	int blanks = width - width_of(text);

	if (column)
		fputs("  ", file);
	if (texts->right[column])
		fprintf(file, "%*s%s", blanks, "", text);
	else
		fprintf(file, "%s%*s", text, column + 1 < texts->columns ? blanks : 0,
			"");
}

static void print_texts(FILE *file, const storus_texts_t *texts)
{
	int width[COUNT(texts->heading)];

	for (size_t c = 0; c < texts->columns; c++) {
		width[c] = width_of(texts->heading[c]);
		for (size_t r = 0; r < texts->rows; r++) {
			int needed = width_of(texts->cell[r * texts->columns + c]);

			if (needed > width[c])
				width[c] = needed;
		}
	}
	fprintf(file, "\n%s\n", texts->title);
	for (size_t c = 0; c < texts->columns; c++)
		print_cell(file, texts, c, width[c], texts->heading[c]);
	fputc('\n', file);
	for (size_t r = 0; r < texts->rows; r++) {
		for (size_t c = 0; c < texts->columns; c++)
			print_cell(file, texts, c, width[c],
				   texts->cell[r * texts->columns + c]);
		fputc('\n', file);
	}
}

int storus_report_print(FILE *file, const storus_rows_t *report, torus_error_t *err)
{
	char *headline = storus_report_headline(report);
	storus_texts_t texts;

	if (!headline)
		return torus_fail(err, "out of memory for the report");
	fprintf(file, "%s\n", headline);
	free(headline);
	for (int by = 0; by < STORUS_BYS; by++) {
		if (!report->section[by].count)
			continue;
		if (storus_texts_of(report, (storus_by_t)by, &texts, err) != 0)
			return -1;
		print_texts(file, &texts);
		storus_texts_clear(&texts);
	}
	if (storus_texts_of_use(report, &texts, err) != 0)
		return -1;
	print_texts(file, &texts);
	storus_texts_clear(&texts);
	return 0;
}
