/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What another command prints. */
#ifndef STORUS_CLI_RUN_COMMAND_H
#define STORUS_CLI_RUN_COMMAND_H

#include <stddef.h>

#include "base/error.h"

/*
 * Run arguments[0], as found by PATH, with these arguments (the last is NULL) and nothing
 * on its standard input. *text receives all that it prints, malloc'ed, with a 0 behind
 * the *length bytes. Returns 0, or -1 with [err] filled: no such command, its exit status
 * (it has said why on standard error), more than TORUS_TEXTFILE_MAX bytes, memory.
 */
int storus_run_command(char *const *arguments, char **text, size_t *length,
		       torus_error_t *err);

#endif
