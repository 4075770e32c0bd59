/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm's accounts say, by its own command sacct. */
#ifndef STORUS_CLI_SACCT_H
#define STORUS_CLI_SACCT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Run the sacct in PATH for the jobs of all users from [from] to [to] (seconds since
 * 1970): all runs of each, without steps, times in seconds, the columns [format], as
 * sim/history.h reads them. Users see what sacct shows them: all jobs, or with
 * PrivateData=jobs their own. On success *text is malloc'ed, *length bytes. Returns 0, or
 * -1 with [err] filled: no sacct, its exit status (it has said why on standard error),
 * more than TORUS_TEXTFILE_MAX bytes, memory.
 */
int storus_sacct_run(int64_t from, int64_t to, const char *format, char **text,
		     size_t *length, torus_error_t *err);

#endif
