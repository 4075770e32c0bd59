/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading files that tell of places: short ones, and none that is no file. */
#ifndef STORUS_LOCATE_FILES_H
#define STORUS_LOCATE_FILES_H

#include <stddef.h>

#include "base/error.h"

/*
 * Read the regular file [path], at most [most] bytes, with [root] in front of its name.
 * *text receives them, malloc'ed, and a 0 behind them. Returns 1; 0 if there is no such
 * file, or the directory that it should be in is none; or -1 with [err] filled: it cannot
 * be read, is longer, is no file or holds a 0.
 */
int storus_file_read(const char *root, const char *path, size_t most, char **text,
		     torus_error_t *err);

/*
 * The same for a file of one short line: [line] receives it, without the blanks around
 * it, with its control characters as base/printable.h has them.
 */
int storus_file_line(const char *root, const char *path, char line[64],
		     torus_error_t *err);

#endif
