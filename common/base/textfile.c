/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a whole text file into memory: see textfile.h. */
#include "base/textfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns 0 or an errno value; *text is the caller's to free in either case. */
static int read_stream(FILE *stream, char **text, size_t *length)
{
	size_t room = 0;

	for (;;) {
		if (room - *length < 2) {
			char *larger;

			room = room ? 2 * room : 65536;
			larger = realloc(*text, room);
			if (!larger)
				return ENOMEM;
			*text = larger;
		}
		/* One byte stays free for the NUL. */
		*length += fread(*text + *length, 1, room - *length - 1, stream);
		if (ferror(stream))
			return errno;
		if (*length > TORUS_TEXTFILE_MAX)
			return EFBIG;
		if (feof(stream))
			break;
	}
	(*text)[*length] = '\0';
	return 0;
}

int torus_textfile_read(const char *path, char **text, size_t *length, torus_error_t *err)
{
	/*
	 * 'e': a daemon that reads this forks, and its children must not inherit the
	 * file.
	 */
	FILE *stream = fopen(path, "re");
	int error;

	*text = NULL;
	*length = 0;
	if (!stream)
		return torus_fail(err, "cannot read '%s': %s", path, strerror(errno));
	error = read_stream(stream, text, length);
	fclose(stream);
	if (!error)
		return 0;
	free(*text);
	*text = NULL;
	return torus_fail(err, "cannot read '%s': %s", path, strerror(error));
}

char *torus_textfile_beside(const char *base, const char *path)
{
	const char *slash = strrchr(base, '/');
	size_t directory = slash ? (size_t)(slash + 1 - base) : 0;
	size_t rest = strlen(path) + 1;
	char *joined;

	if (*path == '/')
		directory = 0;
	joined = malloc(directory + rest);
	if (!joined)
		return NULL;
	memcpy(joined, base, directory);
	memcpy(joined + directory, path, rest);
	return joined;
}
