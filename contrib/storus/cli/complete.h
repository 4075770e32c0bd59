/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a shell offers while somebody types. `storus --complete WORD...` has the words
 * behind "storus", the last of which is being typed and may be empty, and prints what
 * that may become, one a line, a tab and what it means behind it where that is known. A
 * line that is STORUS_COMPLETE_FILES stands for the names of files.
 *
 * The words go the way of a command that runs: a subcommand asks for its options by
 * storus_options_read(), and that prints them instead, so that there is no second list.
 */
#ifndef STORUS_CLI_COMPLETE_H
#define STORUS_CLI_COMPLETE_H

#include "storus/cli/options.h"

#define STORUS_COMPLETE_FILES ":files"

/* From now on subcommands print what their last word may become. */
void storus_complete_begin(void);

/* Whether that is so. */
bool storus_completing(void);

/* Print [word] with [meaning] if it begins as [typed] does. */
void storus_complete_offer(const char *typed, const char *word, const char *meaning);

/* Print what the last of argv[1 .. argc-1] may become. */
void storus_complete(int argc, char **argv, const storus_usage_t *usage);

#endif
