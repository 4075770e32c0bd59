/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs of workloads as files. */
#include "torus_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "base/textfile.h"
#include "storus/cli/logfile.h"

/* Bytes to begin with; doubled as need be. */
#define FIRST_ROOM ((size_t)1 << 20)

/* Why zlib failed to read. */
static const char *reason_of(gzFile file)
{
	int saved = errno, code;
	const char *text = gzerror(file, &code);

	return code == Z_ERRNO ? strerror(saved) : text;
}

/* Read all of [file]; NULL or the reason why not. */
static const char *read_all(gzFile file, char **text, size_t *length)
{
	size_t room = 0;

	*text = NULL;
	*length = 0;
	for (;;) {
		int got;

		if (*length == room) {
			char *more;

			if (room >= TORUS_TEXTFILE_MAX)
				return "it is larger than 1 GiB";
			room = room ? 2 * room : FIRST_ROOM;
			more = realloc(*text, room);
			if (!more)
				return "out of memory";
			*text = more;
		}
		errno = 0;
		got = gzread(file, *text + *length, (unsigned)(room - *length));
		if (got < 0)
			return reason_of(file);
		if (got == 0)
			return NULL;
		*length += (size_t)got;
	}
}

/* Read [file], NULL if it could not be opened, and close it. */
static int read_and_close(gzFile file, const char *path, char **text, size_t *length,
			  torus_error_t *err)
{
	const char *reason = NULL;

	if (!file)
		return torus_fail(err, "cannot read '%s': %s", path,
				  errno ? strerror(errno) : "out of memory");
	reason = read_all(file, text, length);
	if (reason)
		torus_fail(err, "cannot read '%s': %s", path, reason);
	/* A missing end is reported only here. */
	if (gzclose_r(file) == Z_BUF_ERROR && !reason) {
		reason = "its end is missing";
		torus_fail(err, "cannot read '%s': %s", path, reason);
	}
	if (!reason)
		return 0;
	free(*text);
	return -1;
}

int storus_logfile_read_from(int descriptor, const char *path, char **text,
			     size_t *length, torus_error_t *err)
{
	gzFile file;

	errno = 0;
	file = gzdopen(descriptor, "r");
	if (!file && descriptor >= 0)
		close(descriptor);
	return read_and_close(file, path, text, length, err);
}

int storus_logfile_read(const char *path, char **text, size_t *length, torus_error_t *err)
{
	if (strcmp(path, "-") == 0)
		return storus_logfile_read_from(dup(STDIN_FILENO), path, text, length,
						err);
	errno = 0;
	return read_and_close(gzopen(path, "r"), path, text, length, err);
}
