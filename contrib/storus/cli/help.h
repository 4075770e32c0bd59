/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --help of a subcommand prints. */
#ifndef STORUS_CLI_HELP_H
#define STORUS_CLI_HELP_H

#include <stdio.h>

#include "storus/cli/options.h"

/* Print the text of [usage], its options as in their table, in lines of 80 columns. */
void storus_help_print(FILE *file, const storus_usage_t *usage);

#endif
