/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting decisions: see decisions.h. */
#include "slurm/decisions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "slurm/lock_order.h"

static ordered_lock_t lock = ORDERED_LOCK(LOCK_DECISIONS);
static torus_tally_t tally;
static int file = -1;

/* After a failure, which is said once: when to try again, by the monotonic clock. */
enum { RETRY_SECONDS = 10 };
static bool has_failed;
static time_t retry;

static bool write_line(int fd, torus_tally_mode_t mode, torus_tally_by_t by)
{
	char line[TORUS_TALLY_LINE + 1];

	torus_tally_format(&tally, mode, by, line);
	return pwrite(fd, line, TORUS_TALLY_LINE, torus_tally_offset(mode, by)) ==
	       TORUS_TALLY_LINE;
}

static bool write_all(int fd)
{
	const size_t heading = sizeof(TORUS_TALLY_HEADING) - 1;
	bool written = pwrite(fd, TORUS_TALLY_HEADING, heading, 0) == (ssize_t)heading;

	for (int mode = 0; written && mode < TORUS_TALLY_MODES; mode++) {
		for (int by = 0; written && by < TORUS_TALLY_BYS; by++)
			written = write_line(fd, mode, by);
	}
	return written;
}

/*
 * A new file takes the place of an older one, so that no other slurmctld writes to the
 * same.
 */
static int make_file(const char *path)
{
	char *new = xstrdup_printf("%s.new", path);
	int fd;

	(void)unlink(new);
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd >= 0 && (!write_all(fd) || rename(new, path) != 0)) {
		(void)unlink(new);
		close(fd);
		fd = -1;
	}
	xfree(new);
	return fd;
}

static void give_up(const char *path, const struct timespec *now)
{
	if (!has_failed)
		error("%s: cannot count decisions in %s: %m; trying again every %d seconds",
		      plugin_type, path, RETRY_SECONDS);
	has_failed = true;
	retry = now->tv_sec + RETRY_SECONDS;
	if (file >= 0)
		close(file);
	file = -1;
}

struct timespec decisions_begin(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now;
}

void decisions_count(torus_tally_mode_t mode, torus_tally_by_t by,
		     const struct timespec *begin)
{
	struct timespec end = decisions_begin();
	int64_t nanoseconds = (int64_t)(end.tv_sec - begin->tv_sec) * 1000000000 +
			      (end.tv_nsec - begin->tv_nsec);
	char *path;

	lock_in_order(&lock);
	torus_tally_add(&tally, mode, by, nanoseconds > 0 ? (uint64_t)nanoseconds : 0);
	if (has_failed && end.tv_sec < retry)
		goto done;
	if (file >= 0 && write_line(file, mode, by))
		goto done;
	path = xstrdup_printf("%s/%s", slurm_conf.state_save_location, TORUS_TALLY_FILE);
	if (file < 0 && (file = make_file(path)) >= 0) {
		info("%s: decisions are counted in %s", plugin_type, path);
		has_failed = false;
	} else {
		give_up(path, &end);
	}
	xfree(path);
done:
	unlock_in_order(&lock);
}

void decisions_end(void)
{
	lock_in_order(&lock);
	if (file >= 0)
		close(file);
	file = -1;
	unlock_in_order(&lock);
}
