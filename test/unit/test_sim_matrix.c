/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of storus sim compare: texts accepted, and rejected with line and reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "no_memory.h"
#include "storus/sim/matrix.h"

static storus_matrix_t read_matrix(const char *text)
{
	storus_matrix_t matrix;
	torus_error_t err;

	if (storus_matrix_read(text, strlen(text), "m", &matrix, &err))
		fail_msg("%s", err.text);
	return matrix;
}

/* The items of a list with a bar between them are [expected]. */
static void assert_list(const storus_matrix_t *matrix, storus_matrix_key_t key,
			const char *expected)
{
	const storus_matrix_list_t *list = &matrix->list[key];
	char text[256] = "";

	for (size_t i = 0; i < list->count; i++) {
		strcat(text, i ? "|" : "");
		strcat(text, list->item[i]);
	}
	assert_string_equal(text, expected);
}

static const char full[] = "# all there is\n"
			   "Dims=8x8x5 Wrap=xyz\n"
			   "dims=4x4 NodesPerRouter=2\n"
			   "Conf=\"my torus.conf\"\n"
			   "Traces=\"a,b.swf c.swf.gz\"\n"
			   "Workloads=\"log-uniform:max=64,jobs=10 exponential\"\n"
			   "LOADS=0.7,0.9 WorkMultiples=\"1 1.5\"\n"
			   "Schedulers=easy,fcfs Curves=\"hilbert , snake \"\n"
			   "Allocators=free_list,best_fit Seeds=7,1-3\n"
			   "ProcessorsPerNode=4 MaxJobs=100 Replicate=2 Warmup=0\n"
			   "Slowdown=average_distance:0.5\n"
			   "Measure=mean_apd,utilization Baseline=snake,free_list\n";

static void reads_every_key(void **state)
{
	storus_matrix_t matrix = read_matrix(full);

	(void)state;
	assert_int_equal(matrix.machines, 3);
	assert_string_equal(matrix.machine[0].value[STORUS_MATRIX_WRAP], "xyz");
	assert_string_equal(matrix.machine[1].value[STORUS_MATRIX_NODES_PER_ROUTER], "2");
	assert_null(matrix.machine[1].value[STORUS_MATRIX_WRAP]);
	assert_int_equal(matrix.machine[1].line, 3);
	assert_string_equal(matrix.machine[2].value[STORUS_MATRIX_CONF], "my torus.conf");
	assert_list(&matrix, STORUS_MATRIX_TRACES, "a,b.swf|c.swf.gz");
	assert_list(&matrix, STORUS_MATRIX_WORKLOADS,
		    "log-uniform:max=64,jobs=10|exponential");
	assert_list(&matrix, STORUS_MATRIX_LOADS, "0.7|0.9");
	assert_list(&matrix, STORUS_MATRIX_WORK_MULTIPLES, "1|1.5");
	assert_list(&matrix, STORUS_MATRIX_SCHEDULERS, "easy|fcfs");
	assert_list(&matrix, STORUS_MATRIX_CURVES, "hilbert|snake");
	assert_list(&matrix, STORUS_MATRIX_ALLOCATORS, "free_list|best_fit");
	assert_list(&matrix, STORUS_MATRIX_SEEDS, "1|2|3|7");
	assert_list(&matrix, STORUS_MATRIX_PROCESSORS_PER_NODE, "4");
	assert_list(&matrix, STORUS_MATRIX_MAX_JOBS, "100");
	assert_list(&matrix, STORUS_MATRIX_REPLICATE, "2");
	assert_list(&matrix, STORUS_MATRIX_WARMUP, "0");
	assert_list(&matrix, STORUS_MATRIX_SLOWDOWN, "average_distance:0.5");
	assert_list(&matrix, STORUS_MATRIX_MEASURE, "mean_apd|utilization");
	assert_list(&matrix, STORUS_MATRIX_BASELINE, "snake|free_list");
	storus_matrix_free(&matrix);
}

static void has_standards(void **state)
{
	storus_matrix_t matrix = read_matrix("Dims=8\nTraces=a");

	(void)state;
	assert_list(&matrix, STORUS_MATRIX_SCHEDULERS, "easy");
	assert_list(&matrix, STORUS_MATRIX_SEEDS, "1");
	assert_list(&matrix, STORUS_MATRIX_MEASURE,
		    "mean_average_distance|mean_stretch_span|mean_wait|utilization");
	assert_list(&matrix, STORUS_MATRIX_CURVES, "");
	assert_list(&matrix, STORUS_MATRIX_BASELINE, "");
	storus_matrix_free(&matrix);
}

static void rejects_bad_texts(void **state)
{
	/* After "Dims=8x8\nWorkloads=beta\n", or, with a >, by itself. */
	static const struct {
		const char *text, *says;
	} table[] = {
		{">", "m:1: no machine: give Dims= or Conf="},
		{">Dims=8\n\n", "m:2: no jobs: give Traces= or Workloads="},
		{">Dims=8x\nTraces=a", "m:1: Dims=: "},
		{">Dims=8x8 Wrap=z\nTraces=a", "m:1: Wrap=: "},
		{">Dims=8 Wrap=x Wrap=x\n", "m:1: Wrap= is given twice for the same"},
		{">Dims=8 NodesPerRouter=0\n", "m:1: NodesPerRouter=: 0 is not in 1 to"},
		{">Wrap=x\n", "m:1: Wrap= goes with Dims=, on the same line"},
		{">NodesPerRouter=2\n", "m:1: NodesPerRouter= goes with Dims="},
		{">Conf=a Wrap=x\n", "m:1: Wrap= goes with Dims="},
		{">Conf=a Dims=8\n", "m:1: Dims= and Conf= exclude each other"},
		{">Dims=8\nTraces=a\nLoads=1", "m:3: Loads=: loads are for Workloads="},
		{"Curves=hilbert Dims=8", "m:3: Dims= stands on a line with Curves="},
		{"Dims=8 Curves=hilbert", "m:3: Curves= stands on a line with Dims="},
		{"Cruves=hilbert", "m:3: unknown key 'Cruves=': did you mean Curves=?"},
		{"Xyzzy=1", "m:3: unknown key 'Xyzzy=': storus-sim-compare(1)"},
		{"hilbert", "m:3: 'hilbert' is not of the form Key=value"},
		{"=hilbert", "m:3: '=hilbert' is not of the form"},
		{"Curves=", "m:3: Curves= has no value"},
		{"Curves=\" \"", "m:3: Curves=: an item of the list is empty"},
		{"Curves=,", "m:3: Curves=: an item of the list is empty"},
		{"Curves=\"snake , \"", "m:3: Curves=: an item of the list is empty"},
		{"Curves=hilbert,,snake", "m:3: Curves=: an item of the list is empty"},
		{"Curves=hilbert,", "m:3: Curves=: an item of the list is empty"},
		{"Curves=hilbert,hilbert", "m:3: Curves=: 'hilbert' stands twice"},
		{"Curves=hilbrt", "m:3: Curves=: "},
		{"Curves=snake\nCurves=snake", "m:4: Curves= is given twice, first on "
					       "line 3"},
		{"Allocators=best", "m:3: Allocators=: "},
		{"Allocators=best@snake", "m:3: Allocators=: unknown allocator 'best'"},
		{"Allocators=best_fit@", "m:3: Allocators=: "},
		{"Allocators=best_fit@snack", "m:3: Allocators=: "},
		{"Allocators=@snake", "m:3: Allocators=: unknown allocator ''"},
		{"Allocators=best_fit@file:ranks",
		 "m:3: Allocators=: 'best_fit@file:ranks': a curve from a file stands in "
		 "Curves="},
		{"Curves=hilbert,snake\nAllocators=mm,best_fit@snake",
		 "m:4: Allocators=: 'best_fit@snake' has its curve, and Curves= lists "
		 "several"},
		{"Allocators=best_fit@snake Baseline=best_fit",
		 "m:3: Baseline=: 'best_fit' is none of this file's"},
		{"Schedulers=sjf", "m:3: Schedulers=: "},
		{"Workloads=beta", "m:3: Workloads= is given twice"},
		{">Dims=8\nWorkloads=beta:x=1",
		 "m:2: Workloads=: beta: unknown parameter"},
		{">Dims=8\nWorkloads=beta:load=1 Loads=2", "m:2: Loads=: beta: load= is "
							   "given twice"},
		{"Loads=0.5,0", "m:3: Loads=: '0' is not a number above 0"},
		{"Loads=-1", "m:3: Loads=: '-1' is not a number above 0"},
		{"Loads=1e1", "m:3: Loads=: '1e1' is not a number above 0"},
		{"Loads=.", "m:3: Loads=: '.' is not a number above 0"},
		{"Loads=101", "m:3: Loads=: 101 is too large"},
		{"WorkMultiples=x", "m:3: WorkMultiples=: 'x' is not a number above 0"},
		{"Seeds=3-1", "m:3: Seeds=: "},
		{"Seeds=1,1", "m:3: Seeds=: "},
		{"Seeds=1000000", "m:3: Seeds=: "},
		{"Seeds=0-1000", "m:3: Seeds=: more than 1000 items"},
		{"MaxJobs=0", "m:3: MaxJobs=: 0 is not in 1 to 1000000000"},
		{"MaxJobs=99999999999999999999", "m:3: MaxJobs=: 99999999999999999999 is "
						 "not in 1"},
		{"Replicate=1.5", "m:3: Replicate=: '1.5' is not a whole number"},
		{"Warmup=-1", "m:3: Warmup=: '-1' is not a whole number"},
		{"ProcessorsPerNode=0", "m:3: ProcessorsPerNode=: 0 is not in 1"},
		{"Slowdown=apd", "m:3: Slowdown=: "},
		{"Measure=apd", "m:3: Measure=: unknown measure 'apd'"},
		{"Baseline=snake", "m:3: Baseline=: 'snake' is none of this file's"},
		{"Curves=snake,hilbert Baseline=snake,hilbert",
		 "m:3: Baseline=: 'snake' and 'hilbert' are both Curves"},
		{"Curves=\"hil", "m:3: "},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		storus_matrix_t matrix;
		torus_error_t err = {""};
		char text[256];

		if (table[i].text[0] == '>')
			strcpy(text, table[i].text + 1);
		else
			snprintf(text, sizeof(text), "Dims=8x8\nWorkloads=beta\n%s",
				 table[i].text);
		assert_int_equal(
			storus_matrix_read(text, strlen(text), "m", &matrix, &err), -1);
		if (strncmp(err.text, table[i].says, strlen(table[i].says)) != 0)
			fail_msg("'%s': '%s' does not begin '%s'", table[i].text,
				 err.text, table[i].says);
		assert_null(matrix.machine);
	}
}

static void out_of_memory_is_an_error(void **state)
{
	bool done = false;

	(void)state;
	for (long count = 0; !done; count++) {
		storus_matrix_t matrix;
		torus_error_t err = {""};
		int rc;

		allow(count);
		rc = storus_matrix_read(full, strlen(full), "m", &matrix, &err);
		done = !allow_all();
		assert_int_equal(rc, done ? 0 : -1);
		if (done)
			storus_matrix_free(&matrix);
		else
			assert_non_null(strstr(err.text, "out of memory"));
		assert_in_range(count, 0, 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_key),
		cmocka_unit_test(has_standards),
		cmocka_unit_test(rejects_bad_texts),
		cmocka_unit_test(out_of_memory_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
