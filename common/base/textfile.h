/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a whole text file into memory. */
#ifndef TORUS_BASE_TEXTFILE_H
#define TORUS_BASE_TEXTFILE_H

#include <stddef.h>

#include "base/error.h"

/* Bytes that a file may have; a longer one is an error, not a memory hog. */
#define TORUS_TEXTFILE_MAX ((size_t)1 << 30)

/*
 * Read the file [path]. On success *text is malloc'ed, *length bytes and a NUL behind
 * them. Returns 0, or -1 with [err] as "cannot read 'PATH': reason"; then *text is NULL.
 */
int torus_textfile_read(const char *path, char **text, size_t *length,
			torus_error_t *err);

/*
 * The name [path] as seen from the directory of the file [base]: [path] itself when it is
 * absolute or [base] has no directory. Returns malloc'ed text, NULL: out of memory.
 */
char *torus_textfile_beside(const char *base, const char *path);

#endif
