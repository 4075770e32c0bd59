/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of a comparison's simulations on disk: see compare_store.h. */
#include "torus_config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/textfile.h"
#include "storus/cli/replace_file.h"
#include "storus/sim/compare_store.h"

/* Separates the description of the simulation from its result. */
static const char rule[] = "--\n";

int storus_store_open(const char *directory, torus_error_t *err)
{
	struct stat status;

	if (mkdir(directory, 0777) == 0)
		return 0;
	if (errno == EEXIST && stat(directory, &status) == 0 && !S_ISDIR(status.st_mode))
		errno = ENOTDIR;
	if (errno == EEXIST)
		return 0;
	return torus_fail(err, "cannot make the directory '%s': %s", directory,
			  strerror(errno));
}

/* malloc'ed, NULL: out of memory. */
static char *path_of(const char *directory, const storus_cell_t *cell)
{
	char *path;

	if (asprintf(&path, "%s/cell-%016" PRIx64, directory,
		     storus_hash(STORUS_HASH_BEGIN, cell->text, strlen(cell->text))) < 0)
		return NULL;
	return path;
}

/* Whether all of [text] is the result of [cell]. */
static bool read_text(const char *text, const storus_cell_t *cell,
		      double value[STORUS_MEASURES])
{
	size_t head = strlen(cell->text);

	if (strncmp(text, cell->text, head) != 0 ||
	    strncmp(text + head, rule, strlen(rule)) != 0)
		return false;
	text += head + strlen(rule);
	for (int i = 0; i < STORUS_MEASURES; i++) {
		char name[STORUS_MEASURE_NAME], *end;
		size_t length = strlen(storus_measure_name(i, name));

		if (strncmp(text, name, length) != 0 || text[length] != ' ')
			return false;
		value[i] = strtod(text + length, &end);
		if (end == text + length || *end != '\n')
			return false;
		text = end + 1;
	}
	return !*text;
}

int storus_store_read(const char *directory, const storus_cell_t *cell,
		      double value[STORUS_MEASURES], torus_error_t *err)
{
	char *path = path_of(directory, cell), *text = NULL;
	size_t length;
	int rc = 0;

	if (!path)
		return torus_fail(err, "out of memory");
	if (access(path, F_OK) == 0)
		rc = torus_textfile_read(path, &text, &length, err);
	if (text)
		rc = read_text(text, cell, value);
	free(text);
	free(path);
	return rc;
}

int storus_store_write(const char *directory, const storus_cell_t *cell,
		       const double value[STORUS_MEASURES], torus_error_t *err)
{
	char *path = path_of(directory, cell);
	storus_replacement_t replacement;
	int rc = -1;

	if (!path)
		return torus_fail(err, "out of memory");
	if (storus_replacement_begin(&replacement, path, err))
		goto done;
	fprintf(replacement.file, "%s%s", cell->text, rule);
	for (int i = 0; i < STORUS_MEASURES; i++) {
		char name[STORUS_MEASURE_NAME];

		/* With all digits, so that it prints the same when it is read again. */
		fprintf(replacement.file, "%s %.17g\n", storus_measure_name(i, name),
			value[i]);
	}
	rc = storus_replacement_commit(&replacement, err);
done:
	free(path);
	return rc;
}
