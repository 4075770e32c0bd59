/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For test/same-results: simulations of random workloads, every bit of what comes out. */
#include <inttypes.h>
#include <stdio.h>

#include "base/random.h"
#include "sim/simulate.h"
#include "sim/transform.h"

enum { ROUNDS = 60, JOBS = 200 };

static uint64_t state = 1;

static torus_workload_t make_workload(uint32_t nodes)
{
	torus_workload_t workload = {0};
	int64_t submit = 0;

	for (uint64_t i = 1; i <= JOBS; i++) {
		torus_sim_job_t job = {.number = i, .wait = -1};

		submit += torus_random_below(&state, 60) * TORUS_SECOND;
		job.submit = submit;
		job.run_time = torus_random_below(&state, 900000000);
		job.estimate = job.run_time + torus_random_below(&state, 900000000);
		job.nodes = 1 + torus_random_below(&state, nodes / 3);
		torus_workload_add(&workload, &job, NULL);
	}
	return workload;
}

static void print(const torus_sim_result_t *result)
{
	const torus_summary_t *s = &result->summary;

	for (size_t i = 0; i < result->count; i++) {
		const torus_sim_record_t *record = &result->record[i];

		printf("%zu %" PRId64 " %" PRId64, record->job, record->start,
		       record->end);
		for (int m = 0; m < TORUS_METRIC_VALUES; m++)
			printf(" %a", torus_metric_value(&record->metrics, m));
		for (int m = 0; m < TORUS_ISOLATION_VALUES; m++)
			printf(" %a", torus_isolation_value(&record->isolation, m));
		putchar('\n');
	}
	for (size_t i = 0; i < result->runs; i++)
		printf("%u+%u ", result->run[i].first, result->run[i].count);
	printf("\n%a %a %a %a %a %a\n", s->utilization, s->mean_wait, s->mean_response,
	       s->mean_bounded_slowdown, s->largest_share.mean, s->free_intervals.mean);
	for (int m = 0; m < TORUS_METRIC_VALUES; m++)
		printf("%a %a %a %a %a\n", s->metric[m].mean, s->metric[m].squares,
		       s->metric[m].weighted, s->metric[m].size_weighted,
		       s->metric[m].node_weighted);
	for (int i = 0; i < TORUS_ISOLATION_VALUES; i++)
		printf("%a %a %a\n", s->isolation[i].mean, s->isolation[i].weighted,
		       s->isolation[i].node_weighted);
}

int main(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		const torus_transform_t transform = {
			.replicate = 2, .work_multiple = 1.1, .seed = (uint64_t)round};
		torus_geometry_t geometry = {.dims = 3,
					     .length = {5, 4, 3, 1, 1, 1},
					     .wrap = {round % 2, 0, 1}};
		torus_map_t *map =
			torus_map_create("m", &geometry, TORUS_CURVE_HILBERT, 1, NULL);
		const torus_map_t *const maps[] = {map};
		torus_sim_config_t config = {
			.map = maps,
			.tori = 1,
			.scheduler = (torus_scheduler_t)(round % 5),
			.isolation = true,
			.slowdown = {torus_metric_find("average_distance"), 0.3},
		};
		torus_workload_t workload = make_workload(60);
		torus_sim_result_t result;
		torus_error_t error;

		map->allocator = torus_allocators[round % 4];
		if (torus_workload_transform(&workload, &transform, &error) != 0 ||
		    torus_simulate(&workload, &config, &result, &error) != 0) {
			fprintf(stderr, "%s\n", error.text);
			return 2;
		}
		print(&result);
		torus_sim_result_clear(&result);
		torus_workload_clear(&workload);
		torus_map_destroy(map);
	}
	return 0;
}
