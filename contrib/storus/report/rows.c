/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What storus report tells, as rows in sections. */
#include "torus_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_index.h"
#include "base/printable.h"
#include "geometry/chips.h"
#include "storus/report/rows.h"

/* Bytes of a name, made printable; longer ones are cut. */
#define NAME_BYTES 512

/* A number of nodes has 32 bits: 1, and one class for each power of two behind it. */
#define SIZE_CLASSES 33

const char *storus_by_name(storus_by_t by)
{
	static const char *const names[STORUS_BYS] = {
		[STORUS_BY_TOTAL] = "total",   [STORUS_BY_ACCOUNT] = "account",
		[STORUS_BY_USER] = "user",     [STORUS_BY_PARTITION] = "partition",
		[STORUS_BY_SIZE] = "size",     [STORUS_BY_WEEK] = "week",
		[STORUS_BY_REPLAY] = "replay", [STORUS_BY_JOB] = "job",
	};

	return names[by];
}

uint32_t storus_report_chips(const storus_rows_t *report)
{
	const torus_cluster_t *cluster = report->accounts->cluster;
	uint32_t chips = torus_node_chips(&cluster->map[0]->geometry);

	for (int t = 0; t < cluster->maps; t++) {
		const torus_geometry_t *geometry = &cluster->map[t]->geometry;

		if (!torus_has_chips(geometry) || torus_node_chips(geometry) != chips)
			return 0;
	}
	return chips;
}

char *storus_report_text(torus_sacct_field_t field, char *text, size_t size)
{
	char raw[NAME_BYTES];
	size_t length = field.length < sizeof(raw) ? field.length : sizeof(raw) - 1;

	if (!length)
		return strcpy(text, "-");
	memcpy(raw, field.at, length);
	raw[length] = '\0';
	return torus_printable(raw, text, size);
}

/* One more row of a section that has room for it. NULL: out of memory. */
static storus_row_t *add_row(storus_section_t *section, const char *name)
{
	storus_row_t *row = &section->row[section->count];

	*row = (storus_row_t){.name = strdup(name)};
	if (!row->name)
		return NULL;
	section->count++;
	return row;
}

static bool make_section(storus_section_t *section, size_t room)
{
	section->row = malloc((room + 1) * sizeof(*section->row));
	return section->row != NULL;
}

static const storus_run_t *run_of(const storus_rows_t *report, size_t i)
{
	return &report->accounts->run[i];
}

/* All node-seconds of run [i]; 0 of a job that only waited. */
static uint64_t weight_of(const storus_run_t *run)
{
	return (uint64_t)(run->end - run->start) * run->nodes;
}

/* Add run [i] to the sums. */
static void add_whole(const storus_rows_t *report, storus_sums_t *sums, size_t i)
{
	const storus_run_t *run = run_of(report, i);

	storus_sums_count(sums, run);
	storus_sums_add(sums, &report->accounts->measured[i], run->nodes, weight_of(run));
}

static int make_total(storus_rows_t *report)
{
	storus_section_t *section = &report->section[STORUS_BY_TOTAL];
	storus_row_t *row = make_section(section, 1) ? add_row(section, "all") : NULL;

	if (!row)
		return -1;
	for (size_t i = 0; i < report->accounts->runs; i++) {
		if (run_of(report, i)->ran)
			add_whole(report, &row->sums, i);
	}
	row->use = &report->use;
	return 0;
}

/* The text of the accounts by which the section groups. */
static torus_sacct_field_t field_of(const torus_history_job_t *job, storus_by_t by)
{
	if (by == STORUS_BY_ACCOUNT)
		return job->account;
	return by == STORUS_BY_USER ? job->user : job->partition;
}

static const char *name_of_row(const void *owner, uint32_t number)
{
	return ((const storus_section_t *)owner)->row[number].name;
}

static int by_weight(const void *a, const void *b)
{
	const storus_row_t *one = a, *other = b;

	if (one->sums.weight != other->sums.weight)
		return one->sums.weight > other->sums.weight ? -1 : 1;
	return strcmp(one->name, other->name);
}

/* The row called so, made if there is none. NULL: out of memory. */
static storus_row_t *find_row(storus_section_t *section, torus_name_index_t *index,
			      size_t *room, const char *name)
{
	uint32_t number = torus_name_index_find(index, name);
	storus_row_t *row;

	if (number != TORUS_NO_NAME)
		return &section->row[number];
	if (section->count == *room) {
		row = realloc(section->row, 2 * *room * sizeof(*row));
		if (!row)
			return NULL;
		section->row = row;
		*room *= 2;
	}
	row = add_row(section, name);
	if (row)
		torus_name_index_add(index, (uint32_t)section->count - 1);
	return row;
}

static int make_named(storus_rows_t *report, storus_by_t by)
{
	const storus_accounts_t *accounts = report->accounts;
	storus_section_t *section = &report->section[by];
	torus_name_index_t *index = torus_name_index_create((uint32_t)accounts->runs + 1,
							    name_of_row, section);
	size_t room = 16;
	int result = index && make_section(section, room) ? 0 : -1;

	for (size_t i = 0; result == 0 && i < accounts->runs; i++) {
		const storus_run_t *run = run_of(report, i);
		char name[NAME_BYTES];
		storus_row_t *row;

		if (!run->ran)
			continue;
		storus_report_text(field_of(&accounts->history.job[run->job], by), name,
				   sizeof(name));
		row = find_row(section, index, &room, name);
		if (row)
			add_whole(report, &row->sums, i);
		else
			result = -1;
	}
	torus_name_index_destroy(index);
	if (result == 0)
		qsort(section->row, section->count, sizeof(*section->row), by_weight);
	return result;
}

/* 0: one node, 1: two, 2: three or four, ... */
static int size_class(uint32_t nodes)
{
	int class = 0;

	while (((uint64_t)1 << class) < nodes)
		class ++;
	return class;
}

static int make_sizes(storus_rows_t *report)
{
	storus_section_t *section = &report->section[STORUS_BY_SIZE];
	storus_sums_t sums[SIZE_CLASSES] = {{0}};

	for (size_t i = 0; i < report->accounts->runs; i++) {
		if (run_of(report, i)->ran)
			add_whole(report, &sums[size_class(run_of(report, i)->nodes)], i);
	}
	if (!make_section(section, SIZE_CLASSES))
		return -1;
	for (int class = 0; class < SIZE_CLASSES; class ++) {
		uint64_t high = (uint64_t)1 << class, low = high / 2 + 1;
		char name[48];
		storus_row_t *row;

		if (!sums[class].jobs)
			continue;
		if (class < 2)
			snprintf(name, sizeof(name), "%llu", (unsigned long long)high);
		else
			snprintf(name, sizeof(name), "%llu-%llu", (unsigned long long)low,
				 (unsigned long long)high);
		row = add_row(section, name);
		if (!row)
			return -1;
		row->sums = sums[class];
	}
	return 0;
}

/* Add run [i] to the weeks in which it was on the machine. */
static void add_weeks(storus_rows_t *report, size_t i)
{
	const storus_weeks_t *weeks = &report->accounts->weeks;
	storus_row_t *row = report->section[STORUS_BY_WEEK].row;
	const storus_run_t *run = run_of(report, i);
	size_t week = storus_weeks_find(weeks, run->start);

	storus_sums_count(&row[week].sums, run);
	for (; week < weeks->count && weeks->begin[week] < run->end; week++) {
		int64_t from =
			run->start > weeks->begin[week] ? run->start : weeks->begin[week];
		int64_t to = run->end < weeks->begin[week + 1] ? run->end
							       : weeks->begin[week + 1];

		storus_sums_add(&row[week].sums, &report->accounts->measured[i],
				run->nodes, (uint64_t)(to - from) * run->nodes);
	}
}

static int make_weeks(storus_rows_t *report)
{
	const storus_accounts_t *accounts = report->accounts;
	storus_section_t *section = &report->section[STORUS_BY_WEEK];

	if (!make_section(section, accounts->weeks.count))
		return -1;
	for (size_t week = 0; week < accounts->weeks.count; week++) {
		const storus_use_t *use = &accounts->use[week];
		storus_row_t *row = add_row(section, accounts->weeks.name[week]);

		if (!row)
			return -1;
		row->use = use;
		report->use.used += use->used;
		report->use.down += use->down;
		for (int i = 0; i < STORUS_IDLES; i++)
			report->use.idle[i] += use->idle[i];
	}
	for (size_t i = 0; i < accounts->runs; i++) {
		if (run_of(report, i)->ran)
			add_weeks(report, i);
	}
	return 0;
}

static int make_replayed(storus_rows_t *report, const storus_replayed_t *replayed)
{
	storus_section_t *section = &report->section[STORUS_BY_REPLAY];
	storus_row_t *row;

	if (!replayed->count)
		return 0;
	if (!make_section(section, replayed->count + 1))
		return -1;
	row = add_row(section, "recorded");
	if (!row)
		return -1;
	row->sums = replayed->recorded;
	for (size_t i = 0; i < replayed->count; i++) {
		row = add_row(section, replayed->one[i].name);
		if (!row)
			return -1;
		row->sums = replayed->one[i].sums;
		row->use = &replayed->one[i].use;
	}
	return 0;
}

/* A run and by how much it was worse than alone. */
typedef struct excess {
	size_t run;
	double value;
} excess_t;

static int by_excess(const void *a, const void *b)
{
	const excess_t *one = a, *other = b;

	if (one->value != other->value)
		return one->value > other->value ? -1 : 1;
	return one->run < other->run ? -1 : one->run > other->run;
}

static int make_worst(storus_rows_t *report)
{
	const storus_accounts_t *accounts = report->accounts;
	storus_section_t *section = &report->section[STORUS_BY_JOB];
	excess_t *excess = malloc((accounts->runs + 1) * sizeof(*excess));
	size_t count = 0, most = accounts->options->worst;
	int result = 0;

	if (!excess)
		return -1;
	for (size_t i = 0; i < accounts->runs; i++) {
		const storus_measured_t *measured = &accounts->measured[i];
		double value = (double)weight_of(run_of(report, i)) *
			       (measured->hops - measured->alone);

		if (measured->has_hops && measured->has_alone && value > 0)
			excess[count++] = (excess_t){i, value};
	}
	qsort(excess, count, sizeof(*excess), by_excess);
	if (count > most)
		count = most;
	if (!make_section(section, count))
		result = -1;
	for (size_t i = 0; result == 0 && i < count; i++) {
		const torus_history_job_t *job =
			&accounts->history.job[run_of(report, excess[i].run)->job];
		char name[NAME_BYTES];
		storus_row_t *row =
			add_row(section, storus_report_text(job->id, name, sizeof(name)));

		if (!row) {
			result = -1;
			break;
		}
		row->job = job;
		row->measured = &accounts->measured[excess[i].run];
		add_whole(report, &row->sums, excess[i].run);
	}
	free(excess);
	return result;
}

int storus_rows_make(storus_rows_t *report, const storus_accounts_t *accounts,
		     const storus_replayed_t *replayed, torus_error_t *err)
{
	*report = (storus_rows_t){.accounts = accounts};
	if (make_total(report) == 0 && make_named(report, STORUS_BY_ACCOUNT) == 0 &&
	    make_named(report, STORUS_BY_USER) == 0 &&
	    make_named(report, STORUS_BY_PARTITION) == 0 && make_sizes(report) == 0 &&
	    make_weeks(report) == 0 && make_worst(report) == 0 &&
	    make_replayed(report, replayed) == 0)
		return 0;
	return torus_fail(err, "out of memory for the report");
}

void storus_rows_clear(storus_rows_t *report)
{
	for (int by = 0; by < STORUS_BYS; by++) {
		storus_section_t *section = &report->section[by];

		for (size_t i = 0; i < section->count; i++)
			free(section->row[i].name);
		free(section->row);
	}
	*report = (storus_rows_t){0};
}
