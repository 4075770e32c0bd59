/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row of the report as named fields, for CSV and JSON. */
#include "torus_config.h"

#include <jansson.h>

#include "storus/report/fields.h"

#define HOUR 3600.0
/* Digits of numbers, as elsewhere. */
#define DIGITS 9

static storus_field_t missing(const char *name)
{
	return storus_text(name, NULL);
}

static storus_field_t mean(const char *name, storus_mean_t mean)
{
	return mean.known ? storus_ratio(name, mean.value) : missing(name);
}

static storus_field_t hours(const char *name, bool known, uint64_t seconds)
{
	return known ? storus_ratio(name, (double)seconds / HOUR) : missing(name);
}

/* What is known of a job alone. */
static size_t job_fields(const storus_row_t *row, storus_row_texts_t *texts,
			 storus_field_t *fields)
{
	const torus_history_job_t *job = row->job;
	bool placed = job && row->measured->has_place;
	size_t count = 0;

	if (job) {
		storus_report_text(job->user, texts->user, sizeof(texts->user));
		storus_report_text(job->account, texts->account, sizeof(texts->account));
		storus_report_text(job->partition, texts->partition,
				   sizeof(texts->partition));
	}
	if (placed)
		torus_lengths_format(row->measured->dims, row->measured->box, texts->box);
	fields[count++] = storus_text("user", job ? texts->user : NULL);
	fields[count++] = storus_text("account", job ? texts->account : NULL);
	fields[count++] = storus_text("partition", job ? texts->partition : NULL);
	fields[count++] = job ? storus_count("nodes", job->nodes) : missing("nodes");
	fields[count++] =
		job ? storus_count("start", (uint64_t)job->start) : missing("start");
	fields[count++] = job && job->end >= 0 ? storus_count("end", (uint64_t)job->end)
					       : missing("end");
	fields[count++] = storus_text("box", placed ? texts->box : NULL);
	return count;
}

size_t storus_row_fields(storus_by_t by, const storus_row_t *row, uint32_t chips,
			 storus_row_texts_t *texts,
			 storus_field_t fields[STORUS_REPORT_FIELDS])
{
	static const char *const idle[STORUS_IDLES] = {
		[STORUS_IDLE_UNWANTED] = "idle_unwanted_hours",
		[STORUS_IDLE_TOO_FEW] = "idle_too_few_hours",
		[STORUS_IDLE_SCATTERED] = "idle_scattered_hours",
		[STORUS_IDLE_HELD] = "idle_held_hours",
	};
	const storus_use_t none = {0}, *use = row->use ? row->use : &none;
	storus_means_t means = storus_means(&row->sums);
	size_t count = 0;

	fields[count++] = storus_text("by", storus_by_name(by));
	fields[count++] = storus_text("name", row->name);
	fields[count++] = storus_count("jobs", row->sums.jobs);
	fields[count++] = storus_ratio("node_hours", means.node_hours);
	fields[count++] = mean("mean_hops", means.hops);
	fields[count++] = mean("alone_hops", means.alone);
	fields[count++] = mean("ratio", means.ratio);
	fields[count++] = mean("excess_hop_hours", means.excess);
	fields[count++] = mean("pieces", means.pieces);
	fields[count++] = mean("one_piece", means.one_piece);
	fields[count++] = mean("box_fill", means.fill);
	fields[count++] = mean("foreign_nodes", means.foreign);
	fields[count++] = mean("mean_wait", means.wait);
	fields[count++] = mean("measured", means.measured);
	fields[count++] = hours("used_hours", row->use, use->used);
	fields[count++] = hours("down_hours", row->use, use->down);
	for (int i = 0; i < STORUS_IDLES; i++)
		fields[count++] = hours(idle[i], row->use, use->idle[i]);
	count += job_fields(row, texts, fields + count);
	if (!chips)
		return count;
	fields[count++] = storus_ratio("chip_hours", means.node_hours * chips);
	fields[count++] =
		row->job ? storus_count("chips", (uint64_t)row->job->nodes * chips)
			 : missing("chips");
	return count;
}

void storus_report_csv(FILE *file, const storus_rows_t *report)
{
	storus_field_t fields[STORUS_REPORT_FIELDS];
	storus_row_texts_t texts;
	uint32_t chips = storus_report_chips(report);
	storus_table_t table;

	storus_table_begin(&table, file, STORUS_FORMAT_CSV);
	for (int by = 0; by < STORUS_BYS; by++) {
		const storus_section_t *section = &report->section[by];

		for (size_t i = 0; i < section->count; i++) {
			size_t count = storus_row_fields(
				(storus_by_t)by, &section->row[i], chips, &texts, fields);

			storus_table_row(&table, fields, count);
		}
	}
	/* There is always the row of the total. */
	storus_table_end(&table, NULL, 0);
}

/* The fields behind "by", those that the row has. NULL: out of memory. */
static json_t *row_object(storus_by_t by, const storus_row_t *row, uint32_t chips)
{
	storus_field_t fields[STORUS_REPORT_FIELDS];
	storus_row_texts_t texts;
	json_t *object = json_object();
	size_t count = storus_row_fields(by, row, chips, &texts, fields);

	for (size_t i = 1; object && i < count; i++) {
		if (fields[i].kind == STORUS_MISSING)
			continue;
		if (json_object_set_new(object, fields[i].name,
					storus_field_json(&fields[i])) == 0)
			continue;
		json_decref(object);
		object = NULL;
	}
	return object;
}

static json_t *section_array(storus_by_t by, const storus_section_t *section,
			     uint32_t chips)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < section->count; i++) {
		if (json_array_append_new(array,
					  row_object(by, &section->row[i], chips)) == 0)
			continue;
		json_decref(array);
		array = NULL;
	}
	return array;
}

static json_t *skipped_object(const torus_skipped_t *skipped)
{
	json_t *object = json_object();

	for (int i = 0; object && i < skipped->reasons; i++)
		json_object_set_new(object, skipped->by[i].reason,
				    json_integer((json_int_t)skipped->by[i].count));
	return object;
}

static json_t *unmeasured_object(const storus_unmeasured_t *unmeasured)
{
	return json_pack(
		"{s:I,s:I,s:I,s:I,s:I}", "elsewhere", (json_int_t)unmeasured->elsewhere,
		"spread", (json_int_t)unmeasured->spread, "nodelist",
		(json_int_t)unmeasured->nodelist, "by_token",
		(json_int_t)unmeasured->by_token, "moved", (json_int_t)unmeasured->moved);
}

int storus_report_json(FILE *file, const storus_rows_t *report, torus_error_t *err)
{
	const storus_accounts_t *accounts = report->accounts;
	const storus_weeks_t *weeks = &accounts->weeks;
	json_t *object =
		json_pack("{s:i,s:s,s:I,s:I,s:I,s:o,s:o}", "format", 1, "version",
			  PACKAGE_VERSION, "from", (json_int_t)weeks->begin[0], "to",
			  (json_int_t)weeks->begin[weeks->count], "nodes",
			  (json_int_t)torus_cluster_nodes(accounts->cluster), "skipped",
			  skipped_object(&accounts->history.skipped), "unmeasured",
			  unmeasured_object(&accounts->unmeasured));
	uint32_t chips = storus_report_chips(report);
	bool whole = object != NULL;

	if (whole)
		whole = json_object_set_new(
				object, storus_by_name(STORUS_BY_TOTAL),
				row_object(STORUS_BY_TOTAL,
					   report->section[STORUS_BY_TOTAL].row,
					   chips)) == 0;
	for (int by = STORUS_BY_TOTAL + 1; whole && by < STORUS_BYS; by++)
		whole = json_object_set_new(object, storus_by_name((storus_by_t)by),
					    section_array((storus_by_t)by,
							  &report->section[by], chips)) ==
			0;
	if (whole && chips)
		whole = json_object_set_new(object, "chips_per_node",
					    json_integer(chips)) == 0;
	if (whole) {
		json_dumpf(object, file, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
		fputc('\n', file);
	}
	json_decref(object);
	return whole ? 0 : torus_fail(err, "out of memory for the report");
}
