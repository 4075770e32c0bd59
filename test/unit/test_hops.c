/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hop statistics against the sum over all pairs of tasks; task counts; checks of a job.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "taskmap/hops.h"
#include "random_chords.h"
#include "random_job.h"

static double weight_of(const torus_task_job_t *job, uint32_t a, uint32_t b)
{
	if (!job->graph)
		return are_neighbors(job->grid, a, b);
	for (uint64_t i = job->graph->first[a]; i < job->graph->first[a + 1]; i++) {
		if (job->graph->neighbor[i] == b)
			return job->graph->weight[i];
	}
	return 0;
}

/* Oracle: all pairs, twice: the average first, then the squares around it. */
static torus_hop_stats_t slow_stats(const torus_task_job_t *job,
				    const uint32_t *node_of_task)
{
	uint32_t tasks = torus_task_grid_tasks(job->grid);
	torus_hop_stats_t stats = {0};
	double weights = 0, squares = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t a = 0; a < tasks; a++) {
			for (uint32_t b = 0; b < a; b++) {
				double weight = weight_of(job, a, b);
				uint32_t hops = torus_hops_cells(
					job->geometry, job->cell[node_of_task[a]],
					job->cell[node_of_task[b]]);

				if (weight == 0)
					continue;
				if (pass) {
					squares += weight * (hops - stats.average) *
						   (hops - stats.average);
					continue;
				}
				stats.edges++;
				stats.hop_bytes += weight * hops;
				weights += weight;
				if (hops > stats.maximum)
					stats.maximum = hops;
			}
		}
		if (!stats.edges)
			return stats;
		stats.average = stats.hop_bytes / weights;
		stats.variance = squares / weights;
	}
	return stats;
}

static torus_task_graph_t *random_graph(uint32_t tasks)
{
	uint32_t from[300], to[300], edges = random_in(0, 300);
	double weight[300];

	for (uint32_t i = 0; i < edges; i++) {
		from[i] = random_in(0, tasks - 1);
		to[i] = random_in(0, tasks - 1);
		weight[i] = random_in(0, 1000) / 8.0;
	}
	return torus_task_graph_create(tasks, from, to, weight, edges, NULL);
}

static void stats_match_all_pairs(void **state)
{
	static random_job_t random;
	uint32_t node_of_task[RANDOM_JOB_NODES];

	(void)state;
	for (int round = 0; round < 1500; round++) {
		torus_task_graph_t *graph = NULL;
		torus_hop_stats_t stats, slow;

		random_job(&random, TORUS_MAX_DIMS, 40, 3);
		if (!random_in(0, 2))
			random_chords(&random.geometry);
		if (random_in(0, 1))
			random.job.graph = graph = random_graph(random.tasks);
		for (uint32_t task = 0; task < random.tasks; task++)
			node_of_task[task] = random_in(0, random.job.nodes - 1);
		assert_int_equal(torus_hop_stats(&random.job, node_of_task, &stats, NULL),
				 0);
		slow = slow_stats(&random.job, node_of_task);
		assert_int_equal(stats.edges, slow.edges);
		assert_int_equal(stats.maximum, slow.maximum);
		assert_true(fabs(stats.hop_bytes - slow.hop_bytes) <=
			    1e-9 * slow.hop_bytes);
		assert_true(fabs(stats.average - slow.average) <= 1e-9 * slow.average);
		assert_true(fabs(stats.variance - slow.variance) < 1e-6);
		torus_task_graph_destroy(graph);
		torus_chords_release(random.geometry.chords);
	}
}

static void reads_task_counts(void **state)
{
	static const struct {
		const char *text;
		uint32_t nodes;
		const char *says; /* NULL: accepted */
		uint32_t counts[5];
	} table[] = {
		{"4(x3),2", 4, NULL, {4, 4, 4, 2}},
		{"1,2,3", 3, NULL, {1, 2, 3}},
		{"16", 5, NULL, {16, 16, 16, 16, 16}},
		{"16(x1)", 1, NULL, {16}},
		{"2,1(x2),2", 4, NULL, {2, 1, 1, 2}},
		{"4(x3),2", 5, "for 4 nodes, not 5", {0}},
		{"4(x3),2", 3, "for 4 nodes, not 3", {0}},
		{"4(x3)", 4, "for 3 nodes", {0}},
		{"", 1, "not of the form", {0}},
		{"0", 1, "not of the form", {0}},
		{"-1", 1, "not of the form", {0}},
		{"4(x0)", 1, "not of the form", {0}},
		{"4(x3", 3, "not of the form", {0}},
		{"4(3)", 3, "not of the form", {0}},
		{"4x3", 3, "not of the form", {0}},
		{"4,", 1, "not of the form", {0}},
		{",4", 1, "not of the form", {0}},
		{"4 ", 1, "not of the form", {0}},
		{"4(x268435457)", 1, "not of the form", {0}},
		{"99999999999999999999", 1, "not of the form", {0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t counts[5] = {0};
		torus_error_t err = {""};
		int result = torus_task_counts_parse(table[i].text, table[i].nodes,
						     counts, &err);

		assert_int_equal(result, table[i].says ? -1 : 0);
		if (table[i].says)
			assert_non_null(strstr(err.text, table[i].says));
		else
			assert_memory_equal(counts, table[i].counts,
					    table[i].nodes * sizeof(*counts));
	}
}

static void refuses_jobs_that_do_not_hold_together(void **state)
{
	torus_geometry_t geometry;
	torus_task_grid_t grid = {.dims = 2, .length = {3, 2, 1, 1, 1, 1}};
	uint32_t cell[] = {0, 5}, counts[] = {4, 2};
	torus_task_job_t job = {.grid = &grid,
				.geometry = &geometry,
				.nodes = 2,
				.cell = cell,
				.tasks_on_node = counts};
	torus_task_graph_t *graph = torus_task_graph_create(5, NULL, NULL, NULL, 0, NULL);
	torus_error_t err = {""};

	(void)state;
	assert_int_equal(torus_geometry_parse("3x2", NULL, &geometry, NULL), 0);
	assert_int_equal(torus_task_job_check(&job, &err), 0);
	job.graph = graph;
	assert_int_equal(torus_task_job_check(&job, &err), -1);
	assert_non_null(strstr(err.text, "graph is for 5 tasks"));
	job.graph = NULL;
	counts[1] = 3;
	assert_int_equal(torus_task_job_check(&job, &err), -1);
	assert_string_equal(err.text,
			    "grid 3x2 has 6 tasks, but the job's 2 nodes take 7");
	cell[1] = 6;
	assert_int_equal(torus_task_job_check(&job, &err), -1);
	assert_non_null(strstr(err.text, "cell 6 is not on the machine"));
	job.nodes = 0;
	assert_int_equal(torus_task_job_check(&job, &err), -1);
	assert_non_null(strstr(err.text, "no nodes"));
	torus_task_graph_destroy(graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stats_match_all_pairs),
		cmocka_unit_test(reads_task_counts),
		cmocka_unit_test(refuses_jobs_that_do_not_hold_together),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
