/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --help of a subcommand prints. */
#ifndef STORUS_CLI_HELP_H
#define STORUS_CLI_HELP_H

#include <stdio.h>

#include "storus/cli/options.h"

/* No line of a help is longer, unless a word is. */
#define STORUS_HELP_COLUMNS 80

/* Print the text of [usage], its options as in their table. */
void storus_help_print(FILE *file, const storus_usage_t *usage);

/*
 * Print [text], which is overwritten, in lines of that length. Lines that follow each
 * other and begin without a blank are one paragraph, but for those of "Usage:"; the
 * others stay lines, and go on below their text where they are too long.
 */
void storus_help_wrap(FILE *file, char *text);

#endif
