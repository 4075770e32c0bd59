/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulation as jobs.csv. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lists/ranklist.h"
#include "lists/text.h"
#include "sim/seconds.h"
#include "storus/cli/metrics_fields.h"
#include "storus/cli/output.h"
#include "storus/sim/jobs.h"

#define FIELDS (10 + STORUS_METRICS + STORUS_ISOLATION)

struct storus_jobs_csv {
	const storus_replay_t *replay;
	storus_table_t table;
	uint32_t *cells; /* room for those of the largest torus */
	torus_text_t list, tori;
};

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

/* Write what a record has, torus by torus. Returns 0, or -1: out of memory. */
static int write_parts(storus_jobs_csv_t *csv, const torus_sim_run_t *run, size_t runs)
{
	uint32_t *cells = csv->cells;

	csv->list.length = csv->tori.length = 0;
	for (size_t first = 0, next; first < runs; first = next) {
		const torus_map_t *map = csv->replay->cluster->map[run[first].torus];
		const char *separator = first ? "|" : "";
		uint32_t count;

		for (next = first; next < runs; next++) {
			if (run[next].torus != run[first].torus)
				break;
		}
		count = list_cells(map, run + first, next - first, cells);
		if (torus_text_add(&csv->list, separator) != 0 ||
		    torus_ranklist_add(&csv->list, cells, count, ';') != 0 ||
		    torus_text_add(&csv->tori, separator) != 0 ||
		    torus_text_add(&csv->tori, map->name) != 0)
			return -1;
	}
	return 0;
}

/* One line. Returns 0, or -1: out of memory. */
static int write_job(storus_jobs_csv_t *csv, const torus_sim_record_t *record,
		     const torus_sim_run_t *run)
{
	const storus_replay_t *replay = csv->replay;
	const torus_sim_job_t *job = &replay->workload.job[record->job];
	char submit[TORUS_SECONDS_TEXT], start[TORUS_SECONDS_TEXT],
		end[TORUS_SECONDS_TEXT], could[TORUS_SECONDS_TEXT], box[TORUS_DIMS_TEXT];
	bool spread = record->torus < 0;
	int dims = spread ? 1 : replay->cluster->map[record->torus]->geometry.dims;
	storus_field_t fields[FIELDS];
	size_t count = 7 + STORUS_METRICS;

	if (write_parts(csv, run, record->runs) != 0)
		return -1;
	fields[0] = storus_count("job", job->number);
	fields[1] = storus_text("submit", torus_seconds_format(job->submit, submit));
	fields[2] = storus_text("start", torus_seconds_format(record->start, start));
	fields[3] = storus_text("end", torus_seconds_format(record->end, end));
	fields[4] = storus_count("nodes", record->nodes);
	fields[5] = storus_text("cells", csv->list.text);
	storus_metrics_fields(spread ? NULL : &record->metrics, dims, box, fields + 6);
	fields[6 + STORUS_METRICS] = storus_text("torus", csv->tori.text);
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
	storus_table_row(&csv->table, fields, count);
	return 0;
}

static int no_memory(torus_error_t *err)
{
	return torus_fail(err, "out of memory for jobs.csv");
}

storus_jobs_csv_t *storus_jobs_csv_begin(FILE *file, const storus_replay_t *replay,
					 torus_error_t *err)
{
	storus_jobs_csv_t *csv = calloc(1, sizeof(*csv));
	uint32_t most = 0;

	for (int t = 0; t < replay->cluster->maps; t++) {
		if (replay->cluster->map[t]->nodes > most)
			most = replay->cluster->map[t]->nodes;
	}
	if (!csv)
		goto memory;
	csv->replay = replay;
	csv->cells = malloc(most * sizeof(*csv->cells));
	if (!csv->cells)
		goto memory;
	storus_table_begin(&csv->table, file, STORUS_FORMAT_CSV);
	return csv;
memory:
	storus_jobs_csv_end(csv);
	no_memory(err);
	return NULL;
}

void storus_jobs_csv_end(storus_jobs_csv_t *csv)
{
	if (!csv)
		return;
	torus_text_clear(&csv->tori);
	torus_text_clear(&csv->list);
	free(csv->cells);
	free(csv);
}

int storus_jobs_csv_add(storus_jobs_csv_t *csv, const torus_sim_record_t *record,
			const torus_sim_run_t *run, torus_error_t *err)
{
	return write_job(csv, record, run) == 0 ? 0 : no_memory(err);
}
