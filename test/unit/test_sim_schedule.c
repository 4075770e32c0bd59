/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schedulers against schedules worked out by hand, all times in seconds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "machine/cluster_place.h"
#include "sim/simulate.h"

enum { MOST = 8 };

/* A job: seconds; nodes, or the side of a one-dimensional box. */
typedef struct row {
	int submit, run, estimate, nodes;
	int wait;
	bool box;
} row_t;

#define JOB(submit, run, estimate, nodes)                                                \
	{                                                                                \
		submit, run, estimate, nodes, 0, false                                   \
	}
#define WAITED(submit, run, estimate, nodes, wait)                                       \
	{                                                                                \
		submit, run, estimate, nodes, wait, false                                \
	}
#define BOX(submit, run, estimate, side)                                                 \
	{                                                                                \
		submit, run, estimate, side, 0, true                                     \
	}
#define NONE JOB(0, 0, 0, 0)

typedef struct schedule {
	const char *what;
	const char *dims;
	row_t job[MOST]; /* up to one without nodes */
	struct {
		torus_scheduler_t scheduler;
		int start[MOST];
	} expected[5]; /* up to one that starts nothing after 0 */
	int failures;  /* by external fragmentation, under all of them */
	struct {
		int node, from, until; /* until 0: none */
	} outage;
} schedule_t;

static torus_workload_t make_workload(const row_t *row)
{
	torus_workload_t workload = {0};

	for (uint64_t i = 0; i < MOST && row[i].nodes; i++) {
		torus_sim_job_t job = {
			.number = i + 1,
			.submit = row[i].submit * TORUS_SECOND,
			.wait = row[i].wait * TORUS_SECOND,
			.run_time = row[i].run * TORUS_SECOND,
			.estimate = row[i].estimate * TORUS_SECOND,
			.nodes = (uint32_t)row[i].nodes,
			.has_shape = row[i].box,
			.shape = {1, {row[i].nodes, 1, 1, 1, 1, 1}},
		};

		assert_int_equal(torus_workload_add(&workload, &job, NULL), 0);
	}
	return workload;
}

static torus_map_t *make_map(const char *dims, torus_curve_t curve)
{
	torus_geometry_t geometry;
	torus_error_t error;
	torus_map_t *map;

	assert_int_equal(torus_geometry_parse(dims, NULL, &geometry, &error), 0);
	map = torus_map_create("main", &geometry, curve, 1, &error);
	assert_non_null(map);
	return map;
}

static torus_sim_result_t run(const row_t *row, const torus_sim_config_t *config)
{
	torus_workload_t workload = make_workload(row);
	torus_sim_result_t result;
	torus_error_t error = {""};

	if (torus_simulate(&workload, config, &result, &error) != 0)
		fail_msg("%s", error.text);
	torus_workload_clear(&workload);
	return result;
}

static void starts_are(const torus_sim_result_t *result, const int *start,
		       const char *what, torus_scheduler_t scheduler)
{
	for (size_t i = 0; i < result->count; i++) {
		if (result->record[i].start != start[i] * TORUS_SECOND)
			fail_msg("%s, %s: job %zu starts at %g, not at %d", what,
				 torus_scheduler_name(scheduler), i + 1,
				 (double)result->record[i].start / 1e6, start[i]);
	}
}

/* The place in the table of a schedule that a test of its own looks at as well */
enum { BOX_WAITS = 8 };

static const schedule_t schedules[] = {
	{"a job that ends by the shadow time overtakes, one that does not must wait",
	 "10",
	 {JOB(0, 10, 10, 6), JOB(1, 5, 5, 8), JOB(2, 5, 8, 4), JOB(2, 5, 9, 4)},
	 {{TORUS_FCFS, {0, 10, 15, 15}},
	  {TORUS_EASY, {0, 10, 2, 15}},
	  {TORUS_CONSERVATIVE, {0, 10, 2, 15}}},
	 .failures = 0},
	{"a job overtakes for as long as it likes on nodes the first one leaves over",
	 "10",
	 {JOB(0, 10, 10, 6), JOB(1, 5, 5, 8), JOB(2, 100, 100, 2), JOB(2, 100, 100, 3)},
	 {{TORUS_FCFS, {0, 10, 10, 15}},
	  {TORUS_EASY, {0, 10, 2, 15}},
	  {TORUS_CONSERVATIVE, {0, 10, 2, 15}}},
	 .failures = 0},
	{"easy lets a long job delay the second of the queue, conservative does not",
	 "10",
	 {JOB(0, 10, 10, 5), JOB(1, 5, 5, 8), JOB(1, 5, 5, 10), JOB(2, 100, 100, 2)},
	 {{TORUS_FCFS, {0, 10, 15, 20}},
	  {TORUS_EASY, {0, 10, 102, 2}},
	  {TORUS_CONSERVATIVE, {0, 10, 15, 20}}},
	 .failures = 0},
	{"what a job leaves by ending early is used, by the first of the queue first",
	 "10",
	 {JOB(0, 4, 10, 6), JOB(1, 5, 5, 8), JOB(2, 5, 9, 4), JOB(2, 3, 3, 2)},
	 {{TORUS_FCFS, {0, 4, 9, 9}},
	  {TORUS_EASY, {0, 4, 9, 2}},
	  {TORUS_CONSERVATIVE, {0, 4, 9, 2}}},
	 .failures = 0},
	{"jobs without time end at once and hold up nobody",
	 "4",
	 {JOB(0, 0, 0, 4), JOB(0, 0, 7, 4), JOB(0, 5, 5, 4), JOB(0, 0, 0, 4)},
	 {{TORUS_FCFS, {0, 0, 0, 5}}, {TORUS_EASY, {0, 0, 0, 5}}},
	 .failures = 0},
	{"cplant takes the fewest processors, then the shortest, every 600 seconds",
	 "10",
	 {JOB(0, 700, 700, 8), JOB(1, 5, 500, 5), JOB(2, 590, 590, 4), JOB(3, 2, 2, 4)},
	 {{TORUS_CPLANT, {0, 1800, 1200, 1200}}},
	 .failures = 0},
	{"greedy starts whoever has a place, whatever the first of the queue waits for",
	 "10",
	 {JOB(0, 10, 10, 5), JOB(1, 5, 5, 8), JOB(2, 100, 100, 3), JOB(3, 4, 4, 2)},
	 {{TORUS_GREEDY, {0, 102, 2, 3}}, {TORUS_EASY, {0, 10, 15, 3}}},
	 .failures = 0},
	{"recorded starts jobs when the log does, or as soon as there are nodes",
	 "10",
	 {WAITED(0, 10, 10, 6, 5), WAITED(1, 5, 5, 6, 4), WAITED(2, 3, 3, 4, 4),
	  WAITED(7, 1, 1, 1, -1)},
	 {{TORUS_RECORDED, {5, 15, 6, 9}}},
	 .failures = 0},
	[BOX_WAITS] = {"a box waits for its place, which those that overtake leave alone",
		       "6",
		       {JOB(0, 10, 10, 2), JOB(0, 4, 4, 2), JOB(0, 20, 20, 1),
			BOX(1, 5, 5, 3), JOB(5, 100, 100, 1), JOB(5, 5, 5, 2)},
		       {{TORUS_EASY, {0, 0, 0, 10, 5, 5}},
			{TORUS_CONSERVATIVE, {0, 0, 0, 10, 10, 15}}},
		       1},
	{"beside the place of a box all nodes are used, and no more",
	 "6",
	 {JOB(0, 1, 1, 6), JOB(1, 10, 10, 2), JOB(1, 4, 4, 2), JOB(1, 20, 20, 1),
	  BOX(2, 5, 5, 3), JOB(6, 100, 100, 2)},
	 {{TORUS_EASY, {0, 1, 1, 1, 11, 6}}, {TORUS_CONSERVATIVE, {0, 1, 1, 1, 11, 11}}},
	 .failures = 1},
	{"a box waits for a node to return, and nobody takes the place where it then fits",
	 "6",
	 {JOB(0, 30, 30, 2), BOX(2, 5, 5, 4), JOB(3, 7, 7, 1), JOB(3, 100, 100, 1)},
	 {{TORUS_FCFS, {0, 10, 15, 15}},
	  {TORUS_EASY, {0, 10, 3, 15}},
	  {TORUS_CONSERVATIVE, {0, 10, 3, 15}}},
	 .failures = 0,
	 .outage = {3, 1, 10}},
	{"a box that a failed node ends takes another place, beside which others start",
	 "6",
	 {BOX(0, 10, 10, 3), JOB(0, 8, 8, 1), JOB(6, 100, 100, 2)},
	 {{TORUS_FCFS, {8, 0, 8}},
	  {TORUS_EASY, {8, 0, 6}},
	  {TORUS_CONSERVATIVE, {8, 0, 8}}},
	 .failures = 1,
	 .outage = {1, 5, 20}},
	{"a box that had the nodes but no place is no longer late when a node fails",
	 "6",
	 {JOB(0, 10, 10, 2), JOB(0, 4, 4, 2), JOB(0, 20, 20, 1), BOX(1, 5, 5, 3),
	  JOB(7, 1, 2, 1)},
	 {{TORUS_FCFS, {0, 0, 0, 10, 10}},
	  {TORUS_EASY, {0, 0, 0, 10, 7}},
	  {TORUS_CONSERVATIVE, {0, 0, 0, 10, 7}}},
	 .failures = 1,
	 .outage = {5, 6, 12}},
};

static void schedules_are_as_worked_out(void **state)
{
	(void)state;
	for (size_t s = 0; s < sizeof(schedules) / sizeof(schedules[0]); s++) {
		const schedule_t *schedule = &schedules[s];
		torus_map_t *map = make_map(schedule->dims, TORUS_CURVE_ROW_MAJOR);
		const torus_map_t *const maps[] = {map};
		torus_outage_t outage = {schedule->outage.from * TORUS_SECOND,
					 schedule->outage.until * TORUS_SECOND, 0,
					 (uint32_t)schedule->outage.node};
		torus_outages_t outages = {&outage, schedule->outage.until > 0};
		bool any = false;

		for (int i = 0; i < 5; i++) {
			torus_sim_config_t config = {
				.map = maps,
				.tori = 1,
				.scheduler = schedule->expected[i].scheduler,
				.outages = &outages,
			};
			torus_sim_result_t result;
			int last = 0;

			for (int j = 0; j < MOST; j++)
				last += schedule->expected[i].start[j];
			if (!last)
				break;
			any = true;
			result = run(schedule->job, &config);
			starts_are(&result, schedule->expected[i].start, schedule->what,
				   config.scheduler);
			assert_int_equal(result.summary.fragmentation_failures,
					 schedule->failures);
			torus_sim_result_clear(&result);
		}
		assert_true(any);
		torus_map_destroy(map);
	}
}

/* The place that the box waits for is ranks 0 to 2. */
static void a_backfill_leaves_the_reserved_nodes_alone(void **state)
{
	const schedule_t *schedule = &schedules[BOX_WAITS];
	torus_map_t *map = make_map(schedule->dims, TORUS_CURVE_ROW_MAJOR);
	const torus_map_t *const maps[] = {map};
	torus_sim_config_t config = {.map = maps, .tori = 1, .scheduler = TORUS_EASY};
	torus_sim_result_t result = run(schedule->job, &config);

	(void)state;
	assert_int_equal(result.run[result.record[3].first_run].first, 0);
	assert_int_equal(result.run[result.record[3].first_run].count, 3);
	assert_int_equal(result.run[result.record[4].first_run].first, 3);
	assert_int_equal(result.summary.fragmented_jobs, 1);
	torus_sim_result_clear(&result);
	torus_map_destroy(map);
}

static void a_failed_node_ends_its_job_which_runs_again(void **state)
{
	static const row_t jobs[] = {JOB(0, 10, 10, 2), JOB(6, 1, 1, 4), NONE};
	torus_outage_t outage = {5 * TORUS_SECOND, 20 * TORUS_SECOND, 0, 0};
	torus_outages_t outages = {&outage, 1};
	torus_map_t *map = make_map("4", TORUS_CURVE_ROW_MAJOR);
	const torus_map_t *const maps[] = {map};

	(void)state;
	for (int s = TORUS_FCFS; s <= TORUS_CONSERVATIVE; s++) {
		static const int starts[] = {5, 20};
		torus_sim_config_t config = {.map = maps,
					     .tori = 1,
					     .scheduler = (torus_scheduler_t)s,
					     .outages = &outages};
		torus_sim_result_t result = run(jobs, &config);

		starts_are(&result, starts, "outage", config.scheduler);
		assert_int_equal(result.record[0].end, 15 * TORUS_SECOND);
		assert_int_equal(result.run[result.record[0].first_run].first, 1);
		assert_int_equal(result.lost_count, 1);
		assert_int_equal(result.lost[0].start, 0);
		assert_int_equal(result.lost[0].end, 5 * TORUS_SECOND);
		assert_true(result.summary.lost_node_seconds == 10);
		torus_sim_result_clear(&result);
	}
	torus_map_destroy(map);
}

/* The second job loses a node of its torus, and waits for the other one; the last must
 * not take a node there. */
static void a_failed_node_is_missing_on_its_torus_only(void **state)
{
	static const row_t jobs[] = {JOB(0, 10, 10, 3), JOB(0, 10, 10, 4),
				     JOB(2, 100, 100, 1), NONE};
	static const int starts[] = {0, 10, 2};
	torus_outage_t outage = {TORUS_SECOND, 30 * TORUS_SECOND, 1, 0};
	torus_outages_t outages = {&outage, 1};
	torus_map_t *const maps[] = {make_map("4", TORUS_CURVE_ROW_MAJOR),
				     make_map("4", TORUS_CURVE_ROW_MAJOR)};
	torus_sim_config_t config = {
		.map = (const torus_map_t *const *)maps, .tori = 2, .outages = &outages};

	(void)state;
	for (int s = TORUS_EASY; s <= TORUS_CONSERVATIVE; s++) {
		torus_sim_result_t result;

		config.scheduler = (torus_scheduler_t)s;
		result = run(jobs, &config);
		starts_are(&result, starts, "outage on a torus", config.scheduler);
		assert_int_equal(result.record[1].torus, 0);
		assert_int_equal(result.record[2].torus, 1);
		torus_sim_result_clear(&result);
	}
	torus_map_destroy(maps[0]);
	torus_map_destroy(maps[1]);
}

static void larger_jobs_are_spread_or_skipped(void **state)
{
	static const row_t jobs[] = {JOB(0, 9, 9, 4),
				     JOB(0, 5, 5, 3),
				     JOB(0, 5, 5, 6),
				     JOB(0, 5, 5, 1),
				     JOB(0, 1, 1, 9),
				     BOX(0, 1, 1, 5),
				     NONE};
	torus_map_t *const maps[] = {make_map("4", TORUS_CURVE_ROW_MAJOR),
				     make_map("4", TORUS_CURVE_ROW_MAJOR)};
	torus_sim_config_t config = {.map = (const torus_map_t *const *)maps, .tori = 2};

	(void)state;
	for (int s = TORUS_FCFS; s <= TORUS_CONSERVATIVE; s++) {
		/* The fourth overtakes, for it ends before the third can begin. */
		const int starts[] = {0, 0, 9, s == TORUS_FCFS ? 9 : 0};
		torus_sim_result_t result;

		config.scheduler = (torus_scheduler_t)s;
		result = run(jobs, &config);
		assert_int_equal(result.count, 4);
		assert_int_equal(result.skipped.by[0].count, 2);
		assert_string_equal(result.skipped.by[0].reason, TORUS_SKIP_LARGER);
		starts_are(&result, starts, "spread", config.scheduler);
		assert_int_equal(result.record[2].torus, TORUS_SPREAD);
		assert_int_equal(result.record[2].nodes, 6);
		assert_int_equal(result.summary.spread_jobs, 1);
		torus_sim_result_clear(&result);
	}
	torus_map_destroy(maps[0]);
	torus_map_destroy(maps[1]);
}

/*
 * Four nodes in a row have an average distance of 20/12, in a square of 16/12: a quarter
 * more, of which the weight makes a half of a quarter.
 */
static void a_stretched_job_is_slower(void **state)
{
	static const row_t jobs[] = {JOB(0, 100, 100, 4), JOB(0, 100, 300, 1), NONE};
	torus_map_t *map = make_map("4x4", TORUS_CURVE_ROW_MAJOR);
	const torus_map_t *const maps[] = {map};
	torus_sim_config_t config = {.map = maps, .tori = 1};
	torus_sim_result_t result;

	(void)state;
	map->allocator = &torus_best_fit; /* along the row */
	assert_int_equal(
		torus_slowdown_parse("average_distance:0.5", &config.slowdown, NULL), 0);
	result = run(jobs, &config);
	assert_int_equal(result.record[0].end, 112500000);
	assert_int_equal(result.record[1].end, 100 * TORUS_SECOND);
	torus_sim_result_clear(&result);
	torus_map_destroy(map);
}

/* One node: 20 seconds, then 5 after a wait of 20, then 30 after one of 25. */
static void the_summary_is_as_worked_out(void **state)
{
	static const row_t jobs[] = {JOB(0, 20, 20, 1), JOB(0, 5, 5, 1),
				     JOB(0, 30, 30, 1), NONE};
	torus_map_t *map = make_map("1", TORUS_CURVE_ROW_MAJOR);
	const torus_map_t *const maps[] = {map};
	torus_sim_config_t config = {.map = maps, .tori = 1};
	torus_sim_result_t result = run(jobs, &config);
	const torus_summary_t *summary = &result.summary;

	(void)state;
	assert_int_equal(summary->end - summary->begin, 55 * TORUS_SECOND);
	assert_true(summary->utilization == 1);
	assert_true(summary->mean_wait == 15);
	assert_true(summary->max_wait == 25);
	assert_true(fabs(summary->mean_response - 100 / 3.) < 1e-12);
	/* 20/20, 25/10 (a run of 5 counts as 10), 55/30 */
	assert_true(fabs(summary->mean_bounded_slowdown - (1 + 2.5 + 55 / 30.) / 3) <
		    1e-12);
	assert_true(summary->free_intervals.max == 0);
	assert_true(summary->metric[torus_metric_find("stretch_span")].mean == 1);
	assert_true(summary->metric[torus_metric_find("stretch_span")].weighted == 1);
	torus_sim_result_clear(&result);

	/* Without the first two. */
	config.warmup = 2;
	result = run(jobs, &config);
	assert_int_equal(result.summary.jobs, 1);
	assert_true(result.summary.mean_wait == 25);
	torus_sim_result_clear(&result);
	torus_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schedules_are_as_worked_out),
		cmocka_unit_test(a_backfill_leaves_the_reserved_nodes_alone),
		cmocka_unit_test(a_failed_node_ends_its_job_which_runs_again),
		cmocka_unit_test(a_failed_node_is_missing_on_its_torus_only),
		cmocka_unit_test(larger_jobs_are_spread_or_skipped),
		cmocka_unit_test(a_stretched_job_is_slower),
		cmocka_unit_test(the_summary_is_as_worked_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
