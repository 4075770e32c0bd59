/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading files that tell of places: see files.h. */
#include "torus_config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "storus/locate/files.h"

/* Bytes to begin with; sysfs says 4096 of all of its files. */
#define FIRST_ROOM ((size_t)4096)

/* Read all of it. Returns NULL, or why not; *text is the caller's in either case. */
static const char *read_all(int file, size_t most, char **text)
{
	size_t room = 0, length = 0;

	for (;;) {
		ssize_t got;

		if (length + 1 >= room) {
			char *more;

			room = room ? 2 * room : FIRST_ROOM;
			more = realloc(*text, room);
			if (!more)
				return "out of memory";
			*text = more;
		}
		got = read(file, *text + length, room - length - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return strerror(errno);
		length += (size_t)got;
		if (length > most)
			return "it is too long to be what it is taken for";
		(*text)[length] = '\0';
		if (got == 0)
			return strlen(*text) == length ? NULL : "it is no text";
	}
}

int storus_file_read(const char *root, const char *path, size_t most, char **text,
		     torus_error_t *err)
{
	const char *reason = NULL;
	struct stat status;
	char *name;
	int file;

	*text = NULL;
	if (asprintf(&name, "%s%s", root, path) < 0)
		return torus_fail(err, "out of memory");
	/* One that is no file, such as a pipe, must not make us wait. */
	file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		torus_fail(err, "there is no '%s'", name);
		free(name);
		return 0;
	}
	if (file < 0)
		reason = strerror(errno);
	else if (fstat(file, &status) != 0)
		reason = strerror(errno);
	else if (!S_ISREG(status.st_mode))
		reason = "it is no regular file";
	else
		reason = read_all(file, most, text);
	if (reason)
		torus_fail(err, "cannot read '%s': %s", name, reason);
	if (file >= 0)
		close(file);
	free(name);
	if (!reason)
		return 1;
	free(*text);
	*text = NULL;
	return -1;
}

int storus_file_line(const char *root, const char *path, char line[64],
		     torus_error_t *err)
{
	static const char blanks[] = " \t\r\n";
	int found;
	char *text, *at;

	found = storus_file_read(root, path, 4096, &text, err);
	if (found <= 0)
		return found;
	at = text + strspn(text, blanks);
	for (size_t end = strlen(at); end > 0 && strchr(blanks, at[end - 1]); end--)
		at[end - 1] = '\0';
	torus_printable(at, line, 64);
	free(text);
	return 1;
}
