/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Following the advice of storus capacity in the simulator: by hand, all times in
 * seconds; and what holds for any jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "random.h"
#include "sim/simulate.h"

enum { MOST = 24, NODES = 36 };

/* A job: seconds; nodes, or the side of a one-dimensional box. */
typedef struct row {
	int submit, run, nodes;
	bool box, preemptible;
} row_t;

static torus_sim_job_t job_of(const row_t *row, uint64_t number)
{
	return (torus_sim_job_t){
		.number = number,
		.submit = row->submit * TORUS_SECOND,
		.wait = -1,
		.run_time = row->run * TORUS_SECOND,
		.estimate = row->run * TORUS_SECOND,
		.nodes = (uint32_t)row->nodes,
		.has_shape = row->box,
		.shape = {1, {row->nodes, 1, 1, 1, 1, 1}},
		.preemptible = row->preemptible,
	};
}

static torus_map_t *make_map(const torus_geometry_t *geometry)
{
	torus_error_t error;
	torus_map_t *map =
		torus_map_create("main", geometry, TORUS_CURVE_ROW_MAJOR, 1, &error);

	assert_non_null(map);
	return map;
}

static torus_sim_result_t simulate(const torus_workload_t *workload,
				   const torus_map_t *map, torus_scheduler_t scheduler,
				   bool advise, int after)
{
	const torus_sim_config_t config = {
		.map = &map,
		.tori = 1,
		.scheduler = scheduler,
		.advise = advise,
		.advise_after = after * TORUS_SECOND,
	};
	torus_sim_result_t result;
	torus_error_t error = {""};

	if (torus_simulate(workload, &config, &result, &error) != 0)
		fail_msg("%s", error.text);
	return result;
}

/* A line of five: 1 1 2 . . and, when job 1 has ended, . . 2 . . */
static void by_hand(void **state)
{
	static const struct {
		bool preemptible;
		int after; /* -1: no advice */
		int start[3], lost;
	} cases[] = {
		{true, -1, {0, 0, 100}, 0},  {true, 5, {0, 25, 25}, 25},
		{true, 0, {0, 20, 20}, 20},  {false, 5, {0, 0, 100}, 0},
		{true, 200, {0, 0, 100}, 0},
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		const row_t rows[] = {{0, 10, 2, false, false},
				      {0, 100, 1, false, cases[c].preemptible},
				      {20, 50, 3, true, false}};
		const torus_geometry_t line = {.dims = 1, .length = {5, 1, 1, 1, 1, 1}};
		torus_map_t *map = make_map(&line);
		torus_workload_t workload = {0};
		torus_sim_result_t result;

		for (uint64_t i = 0; i < 3; i++) {
			torus_sim_job_t job = job_of(&rows[i], i + 1);

			assert_int_equal(torus_workload_add(&workload, &job, NULL), 0);
		}
		for (int s = 0; s < 2; s++) {
			result = simulate(&workload, map, s ? TORUS_EASY : TORUS_FCFS,
					  cases[c].after >= 0, cases[c].after);
			for (int i = 0; i < 3; i++)
				assert_int_equal(result.record[i].start / TORUS_SECOND,
						 cases[c].start[i]);
			assert_int_equal(result.lost_count, cases[c].lost > 0);
			assert_int_equal(result.summary.advised, cases[c].lost > 0);
			assert_true(result.summary.lost_node_seconds == cases[c].lost);
			assert_int_equal(result.summary.box_jobs, 1);
			assert_true(result.summary.mean_box_wait ==
				    cases[c].start[2] - 20);
			torus_sim_result_clear(&result);
		}
		torus_workload_clear(&workload);
		torus_map_destroy(map);
	}
}

static torus_workload_t random_workload(const torus_geometry_t *geometry, uint32_t jobs)
{
	torus_workload_t workload = {0};
	uint32_t cells = torus_geometry_cells(geometry);

	for (uint64_t i = 0; i < jobs; i++) {
		const row_t row = {
			.submit = (int)random_in(0, 30),
			.run = (int)random_in(1, 40),
			.nodes = (int)random_in(1, (cells + 4) / 5),
			.preemptible = random_in(0, 2),
		};
		torus_sim_job_t job = job_of(&row, i + 1);

		if (random_in(0, 2) == 0) {
			job.has_shape = true;
			job.shape = (torus_shape_t){.dims = geometry->dims,
						    .side = {1, 1, 1, 1, 1, 1}};
			job.nodes = 1;
			for (int axis = 0; axis < geometry->dims; axis++) {
				uint32_t longest = (uint32_t)geometry->length[axis];

				job.shape.side[axis] =
					(int32_t)random_in(1, longest > 5 ? 5 : longest);
				job.nodes *= (uint32_t)job.shape.side[axis];
			}
		}
		assert_int_equal(torus_workload_add(&workload, &job, NULL), 0);
	}
	assert_int_equal(torus_workload_sort(&workload, NULL), 0);
	return workload;
}

/* Nodes of runs that overlap in time differ. */
static void nodes_are_not_shared(const torus_sim_result_t *result)
{
	static struct {
		int64_t start, end;
		uint64_t nodes;
	} held[20 * MOST];
	size_t count = 0, records = result->count + result->lost_count;

	for (size_t i = 0; i < records; i++) {
		const torus_sim_record_t *record =
			i < result->count ? &result->record[i]
					  : &result->lost[i - result->count];

		assert_true(count < sizeof(held) / sizeof(held[0]));
		held[count].start = record->start;
		held[count].end = record->end;
		held[count].nodes = 0;
		for (size_t r = 0; r < record->runs; r++) {
			const torus_sim_run_t *run = &result->run[record->first_run + r];

			for (uint32_t n = 0; n < run->count; n++)
				held[count].nodes |= UINT64_C(1) << (run->first + n);
		}
		for (size_t other = 0; other < count; other++) {
			if (held[other].start < held[count].end &&
			    held[count].start < held[other].end)
				assert_true((held[other].nodes & held[count].nodes) == 0);
		}
		count++;
	}
}

/* A box job starts when the job is lost. */
static bool made_room(const torus_workload_t *workload, const torus_sim_result_t *result,
		      int64_t when)
{
	for (size_t i = 0; i < result->count; i++) {
		if (result->record[i].start == when &&
		    workload->job[result->record[i].job].has_shape)
			return true;
	}
	return false;
}

static void whatever_the_jobs(void **state)
{
	(void)state;
	for (int round = 0; round < 3000; round++) {
		torus_geometry_t geometry = random_geometry(3, NODES);
		torus_map_t *map = make_map(&geometry);
		uint32_t jobs = random_in(1, MOST);
		torus_workload_t workload = random_workload(&geometry, jobs);
		torus_scheduler_t scheduler = random_in(0, 1) ? TORUS_EASY : TORUS_FCFS;
		int after = (int)random_in(0, 10);
		torus_sim_result_t plain, advised;
		double lost = 0;

		advised = simulate(&workload, map, scheduler, true, after);
		nodes_are_not_shared(&advised);
		for (size_t i = 0; i < advised.count; i++) {
			const torus_sim_record_t *record = &advised.record[i];
			const torus_sim_job_t *job = &workload.job[record->job];

			assert_true(record->start >= job->submit);
			assert_true(record->end == record->start + job->run_time);
		}
		for (size_t i = 0; i < advised.lost_count; i++) {
			const torus_sim_record_t *record = &advised.lost[i];
			const torus_sim_job_t *job = &workload.job[record->job];

			assert_true(job->preemptible && !job->has_shape);
			assert_true(record->end < record->start + job->run_time);
			assert_true(made_room(&workload, &advised, record->end));
			lost += (double)(record->end - record->start) / TORUS_SECOND *
				record->nodes;
		}
		assert_true(lost == advised.summary.lost_node_seconds);
		assert_true(!advised.summary.advised == !advised.lost_count);
		/* Where nobody is preemptible, or nobody was in the way, it changes
		 * nothing. */
		plain = simulate(&workload, map, scheduler, false, 0);
		assert_int_equal(plain.count, advised.count);
		for (size_t i = 0; i < plain.count && !advised.lost_count; i++)
			assert_true(plain.record[i].start == advised.record[i].start);
		reached("advice followed", advised.summary.advised > 0);
		reached("several jobs requeued for one",
			advised.lost_count > advised.summary.advised);
		reached("a box job that starts sooner",
			advised.summary.mean_box_wait < plain.summary.mean_box_wait);
		torus_sim_result_clear(&plain);
		torus_sim_result_clear(&advised);
		torus_workload_clear(&workload);
		torus_map_destroy(map);
	}
	assert_true(reached_all(20));
}

static void other_schedulers_are_refused(void **state)
{
	const torus_geometry_t line = {.dims = 1, .length = {5, 1, 1, 1, 1, 1}};
	const torus_map_t *map = make_map(&line);
	const torus_sim_config_t config = {
		.map = &map, .tori = 1, .scheduler = TORUS_CONSERVATIVE, .advise = true};
	const torus_workload_t none = {0};
	torus_sim_result_t result;
	torus_error_t error;

	(void)state;
	assert_int_equal(torus_simulate(&none, &config, &result, &error), -1);
	assert_string_equal(error.text, "advice is only followed with fcfs and easy");
	torus_map_destroy((torus_map_t *)map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(whatever_the_jobs),
		cmocka_unit_test(other_schedulers_are_refused),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
