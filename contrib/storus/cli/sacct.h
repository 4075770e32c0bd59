/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm's accounts say, by its own command sacct. */
#ifndef STORUS_CLI_SACCT_H
#define STORUS_CLI_SACCT_H

#include <stdint.h>

#include "base/error.h"
#include "sim/history.h"

/*
 * Read the history in the file [path] that sacct -P has printed ("-": the standard input;
 * it may be gzip'ed), or with NULL what the sacct in PATH says of the jobs of all users
 * from [from] to [to] (seconds since 1970). Users see what sacct shows them: all jobs, or
 * with PrivateData=jobs in slurmdbd.conf their own, which a warning on standard error
 * then says. Shows progress.
 *
 * *text, which *history borrows, is to be freed after torus_history_clear(), whatever
 * this returns: 0, or -1 with [err] filled: no such file, no sacct, its exit status (it
 * has said why on standard error), more than TORUS_TEXTFILE_MAX bytes, memory, what
 * torus_history_read() does not understand.
 */
int storus_sacct_history(const char *path, int64_t from, int64_t to, char **text,
			 torus_history_t *history, torus_error_t *err);

#endif
