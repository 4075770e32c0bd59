/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulation as jobs.csv. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/ranklist.h"
#include "sim/seconds.h"
#include "storus/cli/metrics_fields.h"
#include "storus/cli/output.h"
#include "storus/sim/jobs.h"

#define FIELDS (10 + STORUS_METRICS + STORUS_ISOLATION)

/* A text that grows. */
typedef struct text {
	char *text;
	size_t size;
	FILE *stream; /* open_memstream() */
} text_t;

/* The cells of the runs on one torus into cells[], which has room. */
static uint32_t list_cells(const torus_map_t *map, const torus_sim_run_t *run,
			   size_t runs, uint32_t *cells)
{
	uint32_t count = 0;

	for (size_t i = 0; i < runs; i++) {
		for (uint32_t rank = 0; rank < run[i].count; rank++)
			cells[count++] = map->cell_of_rank[run[i].first + rank];
	}
	return count;
}

/* Print what a record has, torus by torus. Returns 0, or -1: out of memory. */
static int print_parts(const storus_replay_t *replay, const torus_sim_record_t *record,
		       uint32_t *cells, FILE *cells_out, FILE *tori_out)
{
	const torus_sim_run_t *run = replay->result.run + record->first_run;

	for (size_t first = 0, next; first < record->runs; first = next) {
		const torus_map_t *map = replay->cluster->map[run[first].torus];
		const char *separator = first ? "|" : "";
		char *list;

		for (next = first; next < record->runs; next++) {
			if (run[next].torus != run[first].torus)
				break;
		}
		list = torus_ranklist_format(
			cells, list_cells(map, run + first, next - first, cells), ';');
		if (!list)
			return -1;
		fprintf(cells_out, "%s%s", separator, list);
		fprintf(tori_out, "%s%s", separator, map->name);
		free(list);
	}
	return 0;
}

static bool text_open(text_t *text)
{
	text->stream = open_memstream(&text->text, &text->size);
	return text->stream != NULL;
}

static void text_close(text_t *text)
{
	if (text->stream)
		fclose(text->stream);
	free(text->text);
}

/* One line. Returns 0, or -1: out of memory. */
static int write_job(storus_table_t *table, const storus_replay_t *replay,
		     const torus_sim_record_t *record, uint32_t *cells, text_t *list,
		     text_t *tori)
{
	const torus_sim_job_t *job = &replay->workload.job[record->job];
	char submit[TORUS_SECONDS_TEXT], start[TORUS_SECONDS_TEXT],
		end[TORUS_SECONDS_TEXT], could[TORUS_SECONDS_TEXT], box[TORUS_DIMS_TEXT];
	bool spread = record->torus < 0;
	int dims = spread ? 1 : replay->cluster->map[record->torus]->geometry.dims;
	storus_field_t fields[FIELDS];
	size_t count = 7 + STORUS_METRICS;

	rewind(list->stream);
	rewind(tori->stream);
	if (print_parts(replay, record, cells, list->stream, tori->stream) != 0)
		return -1;
	fputc('\0', list->stream);
	fputc('\0', tori->stream);
	if (fflush(list->stream) != 0 || fflush(tori->stream) != 0)
		return -1;
	fields[0] = storus_count("job", job->number);
	fields[1] = storus_text("submit", torus_seconds_format(job->submit, submit));
	fields[2] = storus_text("start", torus_seconds_format(record->start, start));
	fields[3] = storus_text("end", torus_seconds_format(record->end, end));
	fields[4] = storus_count("nodes", record->nodes);
	fields[5] = storus_text("cells", list->text);
	storus_metrics_fields(spread ? NULL : &record->metrics, dims, box, fields + 6);
	fields[6 + STORUS_METRICS] = storus_text("torus", tori->text);
	if (torus_sim_wish_asked(&replay->wish)) {
		fields[count++] =
			storus_text("could", torus_seconds_format(record->could, could));
		fields[count++] = storus_text("wish", !record->wished ? "none"
						      : record->met   ? "met"
								      : "missed");
	}
	if (replay->options->isolation) {
		storus_isolation_fields(spread ? NULL : &record->isolation,
					fields + count);
		count += STORUS_ISOLATION;
	}
	if (replay->options->isolate > 0 || replay->options->loose > 0)
		fields[count++] = storus_text("asks", job->isolated ? "isolate"
						      : job->loose  ? "loose"
								    : "");
	storus_table_row(table, fields, count);
	return 0;
}

int storus_jobs_write(FILE *file, const storus_replay_t *replay, torus_error_t *err)
{
	const torus_sim_result_t *result = &replay->result;
	uint32_t most = 0;
	uint32_t *cells;
	text_t list = {0}, tori = {0};
	storus_table_t table;
	int status = -1;

	for (int t = 0; t < replay->cluster->maps; t++) {
		if (replay->cluster->map[t]->nodes > most)
			most = replay->cluster->map[t]->nodes;
	}
	cells = malloc(most * sizeof(*cells));
	if (!cells || !text_open(&list) || !text_open(&tori))
		goto done;
	storus_table_begin(&table, file, STORUS_FORMAT_CSV);
	status = 0;
	for (size_t i = 0; status == 0 && i < result->count; i++)
		status = write_job(&table, replay, &result->record[i], cells, &list,
				   &tori);
done:
	text_close(&tori);
	text_close(&list);
	free(cells);
	return status == 0 ? 0 : torus_fail(err, "out of memory for jobs.csv");
}
