/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus map --compare. */
#include "torus_config.h"

#include <stdlib.h>
#include <time.h>

#include "taskmap/hops.h"
#include "storus/cli/progress.h"
#include "storus/map/chips.h"
#include "storus/map/compare.h"

enum { MAPPER, AVERAGE, MAXIMUM, VARIANCE, HOP_BYTES, SECONDS, IMPROVEMENT, FIELDS };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The fields with their names, for a mapping by [mapper]. */
static void fill_fields(torus_mapper_t mapper, const torus_hop_stats_t *stats,
			double seconds, double baseline, storus_field_t fields[FIELDS])
{
	double below = baseline > 0 ? 100 * (baseline - stats->average) / baseline : 0;

	fields[MAPPER] = storus_text("mapper", torus_mapper_name(mapper));
	fields[AVERAGE] = storus_ratio("average", stats->average);
	fields[MAXIMUM] = storus_count("maximum", stats->maximum);
	fields[VARIANCE] = storus_ratio("variance", stats->variance);
	fields[HOP_BYTES] = storus_ratio("hop_bytes", stats->hop_bytes);
	fields[SECONDS] = storus_ratio("seconds", seconds);
	fields[IMPROVEMENT] = storus_ratio("improvement_percent", below);
}

/* For people: columns under a heading. */
static void print_aligned(const storus_field_t fields[FIELDS])
{
	printf("%-16s %10.6f %8llu %12.6f %14.8g %9.6f %11.2f%%\n", fields[MAPPER].text,
	       fields[AVERAGE].ratio, (unsigned long long)fields[MAXIMUM].count,
	       fields[VARIANCE].ratio, fields[HOP_BYTES].ratio, fields[SECONDS].ratio,
	       fields[IMPROVEMENT].ratio);
}

int storus_map_compare(const torus_task_job_t *job, const storus_map_job_t *on_nodes,
		       const torus_mapper_budget_t *budget, storus_format_t format,
		       torus_error_t *err)
{
	uint32_t *node_of_task =
		malloc(torus_task_grid_tasks(job->grid) * sizeof(*node_of_task));
	storus_field_t fields[FIELDS];
	storus_table_t table;
	double baseline = 0;
	int rc = -1;

	if (!node_of_task)
		return torus_fail(err, "out of memory");
	if (format == STORUS_FORMAT_TEXT)
		printf("%-16s %10s %8s %12s %14s %9s %12s\n", "mapper", "average",
		       "maximum", "variance", "hop_bytes", "seconds", "improvement");
	else
		storus_table_begin(&table, stdout, format);
	for (int i = 0; i < TORUS_MAPPERS; i++) {
		torus_mapper_t mapper = (torus_mapper_t)i;
		torus_hop_stats_t stats;
		double start = now(), seconds;

		storus_progress_begin(torus_mapper_name(mapper));
		int mapped =
			on_nodes ? storus_map_chips(mapper, job, on_nodes, budget,
						    node_of_task, err)
				 : torus_taskmap(mapper, job, budget, node_of_task, err);

		storus_progress_end();
		if (mapped)
			goto done;
		seconds = now() - start;
		if (torus_hop_stats(job, node_of_task, &stats, err))
			goto done;
		if (mapper == TORUS_MAPPER_BASELINE)
			baseline = stats.average;
		fill_fields(mapper, &stats, seconds, baseline, fields);
		if (format == STORUS_FORMAT_TEXT)
			print_aligned(fields);
		else
			storus_table_row(&table, fields, FIELDS);
	}
	if (format != STORUS_FORMAT_TEXT)
		storus_table_end(&table, fields, FIELDS);
	rc = 0;
done:
	free(node_of_task);
	return rc;
}
