/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing the file of decisions: see tally_file.h. */
#include "decide/tally_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".new"

static bool write_line(int fd, const torus_tally_t *tally, torus_tally_mode_t mode,
		       torus_tally_by_t by)
{
	char line[TORUS_TALLY_LINE + 1];

	torus_tally_format(tally, mode, by, line);
	return pwrite(fd, line, TORUS_TALLY_LINE, torus_tally_offset(mode, by)) ==
	       TORUS_TALLY_LINE;
}

static bool write_all(int fd, const torus_tally_t *tally)
{
	const size_t heading = sizeof(TORUS_TALLY_HEADING) - 1;
	bool written = pwrite(fd, TORUS_TALLY_HEADING, heading, 0) == (ssize_t)heading;

	for (int mode = 0; written && mode < TORUS_TALLY_MODES; mode++) {
		for (int by = 0; written && by < TORUS_TALLY_BYS; by++)
			written = write_line(fd, tally, (torus_tally_mode_t)mode,
					     (torus_tally_by_t)by);
	}
	return written;
}

/* Written under another name, it takes the place of an older one. False: errno says why
 * not. */
static bool begin(torus_tally_file_t *file, const char *path)
{
	char new[PATH_MAX + sizeof(SUFFIX)];
	int fd;

	snprintf(new, sizeof(new), "%s" SUFFIX, path);
	(void)unlink(new);
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd >= 0 && (!write_all(fd, &file->tally) || rename(new, path) != 0)) {
		int why = errno;

		(void)unlink(new);
		close(fd);
		errno = why;
		return false;
	}
	file->fd = fd;
	file->is_open = fd >= 0;
	return file->is_open;
}

torus_tally_news_t torus_tally_file_count(torus_tally_file_t *file, const char *directory,
					  torus_tally_mode_t mode, torus_tally_by_t by,
					  uint64_t nanoseconds, int64_t now,
					  torus_error_t *err)
{
	char path[PATH_MAX];
	bool said = file->has_failed;

	torus_tally_add(&file->tally, mode, by, nanoseconds);
	if (file->has_failed && now < file->retry)
		return TORUS_TALLY_NO_NEWS;
	if (file->is_open && write_line(file->fd, &file->tally, mode, by))
		return TORUS_TALLY_NO_NEWS;
	if (snprintf(path, sizeof(path), "%s/" TORUS_TALLY_FILE, directory) >=
	    (int)sizeof(path))
		errno = ENAMETOOLONG;
	else if (!file->is_open && begin(file, path)) {
		file->has_failed = false;
		return TORUS_TALLY_BEGUN;
	}
	torus_fail(err, "cannot count decisions in %s: %s; trying again every %d seconds",
		   path, strerror(errno), TORUS_TALLY_RETRY);
	torus_tally_file_close(file);
	file->has_failed = true;
	file->retry = now + TORUS_TALLY_RETRY;
	return said ? TORUS_TALLY_NO_NEWS : TORUS_TALLY_FAILED;
}

void torus_tally_file_close(torus_tally_file_t *file)
{
	if (file->is_open)
		close(file->fd);
	file->is_open = false;
}
