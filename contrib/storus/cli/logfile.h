/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs of workloads as files, plain or compressed. */
#ifndef STORUS_CLI_LOGFILE_H
#define STORUS_CLI_LOGFILE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Read the file [path] ("-": the standard input), unpacked if it is gzip'ed, up to
 * TORUS_TEXTFILE_MAX bytes. On success *text is malloc'ed, *length bytes. Returns 0, or
 * -1 with [err] as "cannot read 'PATH': reason".
 */
int storus_logfile_read(const char *path, char **text, size_t *length,
			torus_error_t *err);

/* The same from an open [descriptor], which is closed in either case; [path] is what
 * messages call it.
 */
int storus_logfile_read_from(int descriptor, const char *path, char **text,
			     size_t *length, torus_error_t *err);

#endif
