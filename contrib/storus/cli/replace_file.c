/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output files that appear whole or not at all. */
#include "torus_config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storus/cli/leftovers.h"
#include "storus/cli/replace_file.h"

/* Release all, keeping errno; the temporary file, if there is one, goes. */
static void release(storus_replacement_t *replacement)
{
	int saved = errno;

	if (replacement->file)
		fclose(replacement->file);
	if (replacement->temporary) {
		unlink(replacement->temporary);
		storus_leftovers_drop(replacement->temporary);
	}
	free(replacement->temporary);
	free(replacement->path);
	memset(replacement, 0, sizeof(*replacement));
	errno = saved;
}

/*
 * mkstemps(), and a signal that ends storus removes the file. -1: errno is set, and there
 * is none.
 */
static int make_temporary(char *path, int suffix)
{
	sigset_t before;
	int descriptor;

	storus_leftovers_hold(&before);
	descriptor = mkstemps(path, suffix);
	if (descriptor >= 0 && storus_leftovers_add(path) != 0) {
		close(descriptor);
		unlink(path);
		descriptor = -1;
		errno = ENOMEM;
	}
	storus_leftovers_release(&before);
	return descriptor;
}

/* Make the temporary file of [replacement]; its [file] stays NULL on error. */
static void open_temporary(storus_replacement_t *replacement)
{
	mode_t mask = umask(0);
	char *name;
	int descriptor;

	umask(mask);
	if (asprintf(&name, "%s.XXXXXX", replacement->path) < 0)
		return;
	descriptor = make_temporary(name, 0);
	if (descriptor < 0) {
		free(name);
		return;
	}
	replacement->temporary = name;
	/* mkstemp() makes it private; the file shall be as if made by open(). */
	if (fchmod(descriptor, 0666 & ~mask) == 0)
		replacement->file = fdopen(descriptor, "w");
	if (!replacement->file)
		close(descriptor);
}

int storus_replacement_begin(storus_replacement_t *replacement, const char *path,
			     torus_error_t *err)
{
	struct stat status;
	bool exists = stat(path, &status) == 0;

	memset(replacement, 0, sizeof(*replacement));
	if (exists && !S_ISREG(status.st_mode)) {
		replacement->path = strdup(path);
		if (replacement->path)
			replacement->file = fopen(path, "w");
	} else {
		/* A link stays a link: what it points to is replaced. */
		replacement->path = exists ? realpath(path, NULL) : strdup(path);
		if (replacement->path)
			open_temporary(replacement);
	}
	if (!replacement->file) {
		release(replacement);
		return torus_fail(err, "cannot write '%s': %s", path, strerror(errno));
	}
	return 0;
}

int storus_replacement_begin_new(storus_replacement_t *replacement, char *path,
				 int suffix, torus_error_t *err)
{
	int descriptor;

	memset(replacement, 0, sizeof(*replacement));
	descriptor = make_temporary(path, suffix);
	if (descriptor >= 0) {
		replacement->path = strdup(path);
		replacement->temporary = strdup(path); /* it goes if it is given up */
		if (replacement->path && replacement->temporary)
			replacement->file = fdopen(descriptor, "w");
		if (!replacement->file) {
			close(descriptor);
			unlink(path);
			storus_leftovers_drop(path);
		}
	}
	if (!replacement->file) {
		release(replacement);
		return torus_fail(err, "cannot write '%s': %s", path, strerror(errno));
	}
	return 0;
}

int storus_replacement_commit(storus_replacement_t *replacement, torus_error_t *err)
{
	/* A buffer lost earlier shows only in ferror(), and its reason is gone by then.
	 */
	bool lost = ferror(replacement->file);
	FILE *file = replacement->file;

	errno = lost ? EIO : 0;
	replacement->file = NULL;
	if (fclose(file) != 0 || lost ||
	    (replacement->temporary &&
	     rename(replacement->temporary, replacement->path) != 0)) {
		torus_fail(err, "cannot write '%s': %s", replacement->path,
			   strerror(errno));
		release(replacement);
		return -1;
	}
	/* Renamed: there is nothing to remove. */
	if (replacement->temporary)
		storus_leftovers_drop(replacement->temporary);
	free(replacement->temporary);
	replacement->temporary = NULL;
	release(replacement);
	return 0;
}

void storus_replacement_abandon(storus_replacement_t *replacement)
{
	release(replacement);
}
