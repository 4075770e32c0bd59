/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of decisions: their buckets, their file, and reading it while it is written. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "decide/tally.h"
#include "random.h"

static char path[] = "/tmp/test_tally.XXXXXX";

static void write_line(int fd, const torus_tally_t *tally, int mode, int by)
{
	char line[TORUS_TALLY_LINE + 1];

	torus_tally_format(tally, (torus_tally_mode_t)mode, (torus_tally_by_t)by, line);
	assert_int_equal(strlen(line), TORUS_TALLY_LINE);
	assert_ptr_equal(strchr(line, '\n'), line + TORUS_TALLY_LINE - 1);
	assert_int_equal(pwrite(fd, line, TORUS_TALLY_LINE,
				torus_tally_offset((torus_tally_mode_t)mode,
						   (torus_tally_by_t)by)),
			 TORUS_TALLY_LINE);
}

static int write_all(const torus_tally_t *tally)
{
	int fd = open(path, O_RDWR | O_TRUNC);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, TORUS_TALLY_HEADING, strlen(TORUS_TALLY_HEADING), 0),
			 strlen(TORUS_TALLY_HEADING));
	for (int mode = 0; mode < TORUS_TALLY_MODES; mode++) {
		for (int by = 0; by < TORUS_TALLY_BYS; by++)
			write_line(fd, tally, mode, by);
	}
	return fd;
}

/* Each limit belongs to the bucket below it. */
static void buckets(void **state)
{
	static const struct {
		uint64_t nanoseconds;
		int bucket;
	} cases[] = {{0, 0},	       {100000, 0},	 {100001, 1},	 {1000000, 1},
		     {10000000000, 5}, {10000000001, 6}, {UINT64_MAX, 6}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		torus_tally_t tally = {0};
		const torus_tally_count_t *count =
			&tally.count[TORUS_TALLY_PLAN][TORUS_BY_SLURM];

		torus_tally_add(&tally, TORUS_TALLY_PLAN, TORUS_BY_SLURM,
				cases[i].nanoseconds);
		assert_int_equal(count->bucket[cases[i].bucket], 1);
		assert_int_equal(torus_tally_total(count), 1);
		assert_true(count->nanoseconds == cases[i].nanoseconds);
	}
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		torus_tally_t tally = {0}, read;
		torus_error_t err;

		for (uint32_t i = random_in(0, 100); i > 0; i--)
			torus_tally_add(&tally, random_in(0, TORUS_TALLY_MODES - 1),
					random_in(0, TORUS_TALLY_BYS - 1),
					UINT64_C(1) << random_in(0, 50));
		close(write_all(&tally));
		assert_int_equal(torus_tally_read(path, &read, &err), 0);
		assert_memory_equal(&read, &tally, sizeof(read));
	}
}

/* Any byte that is another one is refused, with the line. */
static void what_is_not_such_a_file(void **state)
{
	torus_tally_t tally = {0}, read;
	torus_error_t err;
	char expected[64], byte;

	(void)state;
	torus_tally_add(&tally, TORUS_TALLY_START, TORUS_BY_ENGINE, 5);
	for (int round = 0; round < 300; round++) {
		const long heading = torus_tally_offset(0, 0);
		long at = random_in(
			0, (uint32_t)(heading + TORUS_TALLY_LINE * TORUS_TALLY_MODES *
							TORUS_TALLY_BYS) -
				   1);
		int fd = write_all(&tally);

		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte = byte == '7' ? 'x' : '7';
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		close(fd);
		if (torus_tally_read(path, &read, &err) == 0) {
			/* The nanoseconds may be any number. */
			assert_true((at - heading) % TORUS_TALLY_LINE / 21 == 1);
			continue;
		}
		snprintf(expected, sizeof(expected), "%s:%ld: ", path,
			 at < heading ? 1 : 2 + (at - heading) / TORUS_TALLY_LINE);
		assert_memory_equal(err.text, expected, strlen(expected));
		assert_int_equal(errno, 0);
	}
	close(open(path, O_RDWR | O_TRUNC));
	assert_int_equal(torus_tally_read(path, &read, &err), -1);
	assert_int_equal(torus_tally_read("/nonexistent/file", &read, &err), -1);
	assert_string_equal(err.text, "/nonexistent/file: No such file or directory");
	assert_int_equal(errno, ENOENT);
}

static atomic_bool stop;

static void *keep_writing(void *fd)
{
	torus_tally_t tally = {0};

	while (!atomic_load(&stop)) {
		torus_tally_add(&tally, TORUS_TALLY_START, TORUS_BY_ENGINE, 1);
		write_line(*(int *)fd, &tally, TORUS_TALLY_START, TORUS_BY_ENGINE);
	}
	return NULL;
}

static void read_while_it_is_written(void **state)
{
	const torus_tally_t none = {0};
	uint64_t before = 0, most = 0;
	int fd = write_all(&none);
	pthread_t writer;

	(void)state;
	atomic_store(&stop, false);
	assert_int_equal(pthread_create(&writer, NULL, keep_writing, &fd), 0);
	for (int round = 0; round < 2000 || (!most && round < 1000000); round++) {
		torus_tally_t read;
		torus_error_t err;
		int rc = torus_tally_read(path, &read, &err);

		assert_int_equal(rc, 0);
		most = torus_tally_total(&read.count[TORUS_TALLY_START][TORUS_BY_ENGINE]);
		assert_true(most >= before);
		before = most;
	}
	atomic_store(&stop, true);
	assert_int_equal(pthread_join(writer, NULL), 0);
	assert_true(most > 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets),
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(what_is_not_such_a_file),
		cmocka_unit_test(read_while_it_is_written),
	};
	int fd = mkstemp(path), status;

	if (fd < 0)
		return 1;
	close(fd);
	random_begin();
	status = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return status;
}
