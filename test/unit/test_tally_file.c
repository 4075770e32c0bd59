/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of decisions: when it is made, what takes whose place, and what if it cannot
 * be written. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "decide/tally_file.h"
#include "random.h"

static char directory[] = "/tmp/test_tally_file.XXXXXX";
static char path[64], new[72];

static torus_tally_news_t count(torus_tally_file_t *file, int64_t now, torus_error_t *err)
{
	return torus_tally_file_count(file, directory, TORUS_TALLY_PLAN, TORUS_BY_SLURM,
				      1, now, err);
}

/* Whether the file has all that is counted. */
static void check(const torus_tally_t *tally)
{
	torus_tally_t read;

	assert_int_equal(torus_tally_read(path, &read, NULL), 0);
	assert_memory_equal(&read, tally, sizeof(read));
	assert_int_equal(access(new, F_OK), -1);
}

/* The file has each decision as soon as it is counted. */
static void has_all_that_is_counted(void **state)
{
	torus_tally_file_t file = {0};
	torus_tally_t slow = {0};
	int64_t now = 0;

	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_tally_mode_t mode = random_in(0, TORUS_TALLY_MODES - 1);
		torus_tally_by_t by = random_in(0, TORUS_TALLY_BYS - 1);
		uint64_t nanoseconds = UINT64_C(1) << random_in(0, 50);

		now += random_in(0, 5);
		torus_tally_add(&slow, mode, by, nanoseconds);
		assert_int_equal(torus_tally_file_count(&file, directory, mode, by,
							nanoseconds, now, NULL),
				 round ? TORUS_TALLY_NO_NEWS : TORUS_TALLY_BEGUN);
		check(&slow);
	}
	torus_tally_file_close(&file);
	torus_tally_file_close(&file);
	check(&slow);
	/* Counted again, it is a new file with all that was before. */
	torus_tally_add(&slow, TORUS_TALLY_PLAN, TORUS_BY_SLURM, 1);
	assert_int_equal(count(&file, now, NULL), TORUS_TALLY_BEGUN);
	check(&slow);
	torus_tally_file_close(&file);
}

/* Who has the older file open writes to that, and a file that was left half-written under
 * the other name, or a link to one, is no obstacle and not written to. */
static void takes_the_place_of_an_older_one(void **state)
{
	torus_tally_file_t older = {0}, newer = {0};
	torus_tally_t expected = {0};
	struct stat before, after;
	char text[8] = "";
	int fd;

	(void)state;
	assert_int_equal(count(&older, 0, NULL), TORUS_TALLY_BEGUN);
	assert_int_equal(stat(path, &before), 0);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(symlink(path, new), 0);
	assert_int_equal(torus_tally_file_count(&newer, directory, TORUS_TALLY_START,
						TORUS_BY_ENGINE, 7, 0, NULL),
			 TORUS_TALLY_BEGUN);
	torus_tally_add(&expected, TORUS_TALLY_START, TORUS_BY_ENGINE, 7);
	assert_int_equal(stat(path, &after), 0);
	assert_true(before.st_ino != after.st_ino);
	assert_int_equal(after.st_mode & 07777, 0644);
	assert_int_equal(count(&older, 100, NULL), TORUS_TALLY_NO_NEWS);
	check(&expected);
	/* The number of decisions of the older one, which has gone on. */
	assert_int_equal(pread(fd, text, 1,
			       torus_tally_offset(TORUS_TALLY_PLAN, TORUS_BY_SLURM) + 19),
			 1);
	assert_string_equal(text, "2");
	close(fd);
	torus_tally_file_close(&older);
	torus_tally_file_close(&newer);
}

static atomic_bool stop;

/* One slurmctld after the other begins a file. */
static void *keep_beginning(void *begun)
{
	while (!atomic_load(&stop)) {
		torus_tally_file_t file = {0};

		for (int i = 0; i < 3; i++)
			(void)count(&file, 0, NULL);
		torus_tally_file_close(&file);
		atomic_fetch_add((atomic_int *)begun, 1);
	}
	return NULL;
}

static void nobody_reads_half_of_it(void **state)
{
	torus_tally_file_t file = {0};
	atomic_int begun = 0;
	pthread_t writer;

	(void)state;
	assert_int_equal(count(&file, 0, NULL), TORUS_TALLY_BEGUN);
	torus_tally_file_close(&file);
	atomic_store(&stop, false);
	assert_int_equal(pthread_create(&writer, NULL, keep_beginning, &begun), 0);
	for (int round = 0;
	     round < 1000 || (atomic_load(&begun) < 100 && round < 1000000); round++) {
		torus_tally_t read;
		torus_error_t err = {0};

		if (torus_tally_read(path, &read, &err))
			fail_msg("%s", err.text);
	}
	atomic_store(&stop, true);
	assert_int_equal(pthread_join(writer, NULL), 0);
	assert_true(atomic_load(&begun) >= 100);
}

/* A failure is said once, tried again later, and nothing that is counted is lost. */
static void is_tried_again(void **state)
{
	torus_tally_file_t file = {0};
	torus_tally_t expected = {0};
	torus_error_t err = {0};
	char said[160], away[80];

	(void)state;
	snprintf(away, sizeof(away), "%s.away", directory);
	snprintf(said, sizeof(said),
		 "cannot count decisions in %s: No such file or directory; trying again "
		 "every 10 seconds",
		 path);
	assert_int_equal(rename(directory, away), 0);
	assert_int_equal(count(&file, 1000, &err), TORUS_TALLY_FAILED);
	assert_string_equal(err.text, said);
	assert_int_equal(count(&file, 1010, &err), TORUS_TALLY_NO_NEWS); /* again */
	assert_int_equal(rename(away, directory), 0);
	(void)unlink(path);
	assert_int_equal(count(&file, 1019, &err), TORUS_TALLY_NO_NEWS); /* too early */
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(count(&file, 1020, &err), TORUS_TALLY_BEGUN);
	for (int i = 0; i < 4; i++)
		torus_tally_add(&expected, TORUS_TALLY_PLAN, TORUS_BY_SLURM, 1);
	check(&expected);
	assert_int_equal(count(&file, 1020, &err), TORUS_TALLY_NO_NEWS);
	torus_tally_file_close(&file);
}

/* A file system that is full later on. */
static void a_line_cannot_be_written(void **state)
{
	torus_tally_file_t file = {0};
	torus_tally_t expected = {0};
	torus_error_t err = {0};
	int full = open("/dev/full", O_WRONLY), kept;

	(void)state;
	assert_true(full >= 0);
	assert_int_equal(count(&file, 0, NULL), TORUS_TALLY_BEGUN);
	kept = file.fd;
	assert_int_equal(dup2(full, kept), kept);
	close(full);
	assert_int_equal(count(&file, 50, &err), TORUS_TALLY_FAILED);
	assert_non_null(strstr(err.text, ": No space left on device; "));
	assert_int_equal(fcntl(kept, F_GETFD), -1);
	assert_int_equal(count(&file, 59, &err), TORUS_TALLY_NO_NEWS);
	assert_int_equal(count(&file, 60, &err), TORUS_TALLY_BEGUN);
	for (int i = 0; i < 4; i++)
		torus_tally_add(&expected, TORUS_TALLY_PLAN, TORUS_BY_SLURM, 1);
	check(&expected);
	torus_tally_file_close(&file);
}

/* What has the file's name and cannot be replaced stays, and nothing is left behind. */
static void the_place_is_taken(void **state)
{
	torus_tally_file_t file = {0};
	torus_error_t err = {0};
	char within[80];

	(void)state;
	(void)unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(within, sizeof(within), "%s/full", path);
	assert_int_equal(mkdir(within, 0700), 0);
	assert_int_equal(count(&file, 0, &err), TORUS_TALLY_FAILED);
	assert_int_equal(access(new, F_OK), -1);
	assert_int_equal(rmdir(within), 0);
	assert_int_equal(rmdir(path), 0);
	torus_tally_file_close(&file);
}

/* A name that is longer than any may be. */
static void the_name_is_too_long(void **state)
{
	torus_tally_file_t file = {0};
	torus_error_t err = {0};
	char *name = malloc(5001);

	(void)state;
	assert_non_null(name);
	memset(name, 'a', 5000);
	name[5000] = '\0';
	assert_int_equal(torus_tally_file_count(&file, name, TORUS_TALLY_PLAN,
						TORUS_BY_SLURM, 1, 0, &err),
			 TORUS_TALLY_FAILED);
	assert_int_equal(strncmp(err.text, "cannot count decisions in aaa", 29), 0);
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_all_that_is_counted),
		cmocka_unit_test(takes_the_place_of_an_older_one),
		cmocka_unit_test(nobody_reads_half_of_it),
		cmocka_unit_test(is_tried_again),
		cmocka_unit_test(a_line_cannot_be_written),
		cmocka_unit_test(the_place_is_taken),
		cmocka_unit_test(the_name_is_too_long),
	};
	int status;

	if (!mkdtemp(directory))
		return 1;
	snprintf(path, sizeof(path), "%s/" TORUS_TALLY_FILE, directory);
	snprintf(new, sizeof(new), "%s.new", path);
	random_begin();
	status = cmocka_run_group_tests(tests, NULL, NULL);
	(void)unlink(path);
	rmdir(directory);
	return status;
}
