/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading files that tell of places: see files.h. */
#include "torus_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/printable.h"
#include "base/textfile.h"
#include "storus/locate/files.h"

/* Read the file, which is there. Returns 0, or -1 with [err]; then *text is NULL. */
static int read_regular(const char *name, const struct stat *status, size_t most,
			char **text, torus_error_t *err)
{
	const char *reason = NULL;
	size_t length = 0;

	if (!S_ISREG(status->st_mode)) /* a pipe would make us wait */
		reason = "it is no regular file";
	else if (status->st_size <= (off_t)most &&
		 torus_textfile_read(name, text, &length, err) != 0)
		return -1;
	else if (status->st_size > (off_t)most || length > most)
		reason = "it is too long to be what it is taken for";
	else if (strlen(*text) != length)
		reason = "it is no text";
	if (!reason)
		return 0;
	free(*text);
	*text = NULL;
	return torus_fail(err, "cannot read '%s': %s", name, reason);
}

int storus_file_read(const char *root, const char *path, size_t most, char **text,
		     torus_error_t *err)
{
	struct stat status;
	char *name;
	int found = -1;

	*text = NULL;
	if (asprintf(&name, "%s%s", root, path) < 0)
		return torus_fail(err, "out of memory");
	if (stat(name, &status) == 0) {
		found = read_regular(name, &status, most, text, err) == 0 ? 1 : -1;
	} else if (errno == ENOENT || errno == ENOTDIR) {
		torus_fail(err, "there is no '%s'", name);
		found = 0;
	} else {
		torus_fail(err, "cannot read '%s': %s", name, strerror(errno));
	}
	free(name);
	return found;
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
