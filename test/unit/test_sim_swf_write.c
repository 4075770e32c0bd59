/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs that are written are what the reader reads back, and what other readers expect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "no_memory.h"
#include "random.h"
#include "sim/swf.h"
#include "sim/swf_write.h"

static const torus_sim_job_t three_jobs[] = {
	{.number = 1, .wait = -1, .run_time = 5000000, .estimate = 7000000, .nodes = 3},
	{.number = 2,
	 .submit = 12 * TORUS_SECOND,
	 .wait = 0,
	 .run_time = 1500000,
	 .estimate = 1500001,
	 .nodes = 24,
	 .has_shape = true,
	 .shape = {3, {4, 3, 2, 1, 1, 1}}},
	{.number = 10,
	 .submit = 12 * TORUS_SECOND,
	 .wait = 60 * TORUS_SECOND,
	 .run_time = 0,
	 .estimate = 0,
	 .nodes = 4,
	 .has_shape = true,
	 .shape = {3, {2, 2, 1, 1, 1, 1}}},
};

static void writes_what_the_format_says(void **state)
{
	torus_workload_t workload = {0};
	torus_error_t err;
	char *text;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(torus_workload_add(&workload, &three_jobs[i], &err), 0);
	text = torus_swf_format(&workload, 320, "made\nup", &err);
	assert_non_null(text);
	assert_string_equal(text,
			    "; Version: 2.2\n"
			    "; Note: made\\x0aup\n"
			    "; MaxJobs: 3\n"
			    "; MaxRecords: 3\n"
			    "; MaxNodes: 320\n"
			    "; MaxProcs: 320\n"
			    "; Shape: 1 2x2x1\n"
			    "; Shape: 2 4x3x2\n"
			    "1 0 -1 5 3 -1 -1 3 7 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
			    "2 12 0 1.5 24 -1 -1 24 1.500001 -1 1 -1 -1 2 -1 -1 -1 -1\n"
			    "10 12 60 0 4 -1 -1 4 0 -1 1 -1 -1 1 -1 -1 -1 -1\n");
	free(text);
	torus_workload_clear(&workload);
	text = torus_swf_format(&workload, 1, "", &err);
	assert_non_null(strstr(text, "; MaxJobs: 0\n"));
	free(text);
}

static torus_sim_job_t random_job(uint64_t number, int64_t submit)
{
	torus_sim_job_t job = {.number = number, .submit = submit};

	job.wait = random_in(0, 1) ? (int64_t)random_in(0, 1000000000) : -1;
	job.run_time = random_in(0, 2) ? (int64_t)random_in(0, 1000000000)
				       : random_in(0, 9999) * TORUS_SECOND;
	job.estimate = job.run_time + random_in(0, 1) * random_in(0, 1000000000);
	job.nodes = random_in(1, 100000);
	job.has_shape = random_in(0, 1);
	if (job.has_shape) {
		job.shape.dims = (int)random_in(1, 3);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			job.shape.side[axis] =
				axis < job.shape.dims ? (int32_t)random_in(1, 5) : 1;
	}
	return job;
}

static void the_reader_reads_it_back(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_workload_t workload = {0}, back = {0};
		uint32_t count = random_in(0, 50);
		int64_t submit = 0;
		torus_error_t err;
		char *text;

		for (uint32_t i = 0; i < count; i++) {
			torus_sim_job_t job = random_job(i + 1, submit);

			assert_int_equal(torus_workload_add(&workload, &job, &err), 0);
			submit += random_in(0, 5000000);
		}
		text = torus_swf_format(&workload, 100000, "random", &err);
		assert_non_null(text);
		assert_int_equal(torus_swf_read(text, strlen(text), 1, &back, &err), 0);
		assert_int_equal(torus_skipped_total(&back.skipped), 0);
		assert_int_equal(back.count, count);
		for (uint32_t i = 0; i < count; i++) {
			const torus_sim_job_t *is = &back.job[i], *was = &workload.job[i];

			assert_true(is->number == was->number &&
				    is->submit == was->submit && is->wait == was->wait &&
				    is->run_time == was->run_time &&
				    is->estimate == was->estimate &&
				    is->nodes == was->nodes &&
				    is->has_shape == was->has_shape);
			if (is->has_shape)
				assert_memory_equal(&is->shape, &was->shape,
						    sizeof(is->shape));
		}
		free(text);
		torus_workload_clear(&workload);
		torus_workload_clear(&back);
	}
}

/* What is no box, or not the next, is a comment as any other. */
static void other_comments_are_passed_over(void **state)
{
	static const char text[] = "; Shape: 2 9x9\n"
				   ";Shape:1 2x3\r\n"
				   "; Shape: 1 4x4\n"
				   "; Shape: 2 4x0\n"
				   "; Shape: 2 4x4x4x4x4x4x4x4\n"
				   "; Shape: 18446744073709551618 5x5\n"
				   "; shape: 2 5x5\n"
				   "; Shape:\n"
				   ";\n"
				   ";   Shape:\t2  7   ; of all\n"
				   "1 0 -1 5 6 -1 -1 6 7 -1 1 -1 -1 1 -1 -1 -1 -1\n"
				   "2 0 -1 5 7 -1 -1 7 7 -1 1 -1 -1 2 -1 -1 -1 -1\n"
				   "3 0 -1 5 7 -1 -1 7 7 -1 1 -1 -1 3 -1 -1 -1 -1\n"
				   "4 0 -1 5 7 -1 -1 7 7 -1 1 -1 -1 0 -1 -1 -1 -1\n";
	torus_workload_t workload;

	(void)state;
	assert_int_equal(torus_swf_read(text, strlen(text), 1, &workload, NULL), 0);
	assert_int_equal(workload.count, 4);
	assert_true(workload.job[0].has_shape && workload.job[0].shape.dims == 2 &&
		    workload.job[0].shape.side[0] == 2 &&
		    workload.job[0].shape.side[1] == 3);
	assert_true(workload.job[1].has_shape && workload.job[1].shape.dims == 1 &&
		    workload.job[1].shape.side[0] == 7);
	assert_false(workload.job[2].has_shape || workload.job[3].has_shape);
	torus_workload_clear(&workload);
}

static void out_of_memory_is_an_error(void **state)
{
	torus_workload_t workload = {0};
	torus_error_t err;
	char *text = NULL;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(torus_workload_add(&workload, &three_jobs[i], &err), 0);
	for (long count = 0; !text; count++) {
		err.text[0] = '\0';
		allow(count);
		text = torus_swf_format(&workload, 320, "note", &err);
		if (allow_all())
			assert_true(!text && !strncmp(err.text, "out of memory", 13));
		assert_in_range(count, 0, 20);
	}
	torus_workload_clear(&workload);
	/* The reader of its boxes, too */
	for (long count = 0; !workload.count; count++) {
		int rc;

		err.text[0] = '\0';
		allow(count);
		rc = torus_swf_read(text, strlen(text), 1, &workload, &err);
		if (allow_all())
			assert_true(rc && !workload.count &&
				    !strncmp(err.text, "out of memory", 13));
		assert_in_range(count, 0, 20);
	}
	assert_int_equal(workload.count, 3);
	free(text);
	torus_workload_clear(&workload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_what_the_format_says),
		cmocka_unit_test(the_reader_reads_it_back),
		cmocka_unit_test(other_comments_are_passed_over),
		cmocka_unit_test(out_of_memory_is_an_error),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
