/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the option loops of the subcommands share: --help, --version, --format, numbers,
 * and the errors. All print their own messages, prefixed with the subcommand's name.
 */
#ifndef STORUS_CLI_OPTIONS_H
#define STORUS_CLI_OPTIONS_H

#include <getopt.h>
#include <stdint.h>

#include "storus/cli/output.h"

/*
 * Option codes. They stay clear of characters (getopt's own '?') and of each other: the
 * options every subcommand has, then those of machine_options.h, then a subcommand's own
 * from STORUS_OPTION_OWN on.
 */
enum {
	STORUS_OPTION_HELP = 256,
	STORUS_OPTION_VERSION,
	STORUS_OPTION_FORMAT,
	STORUS_OPTION_CONF,
	STORUS_OPTION_TORUS,
	STORUS_OPTION_DIMS,
	STORUS_OPTION_WRAP,
	STORUS_OPTION_CURVE,
	STORUS_OPTION_NODES_PER_ROUTER,
	STORUS_OPTION_OWN,
};

/* The lines of a struct option table for the options of every subcommand. */
#define STORUS_COMMON_OPTIONS                                                            \
	{"help", no_argument, NULL, STORUS_OPTION_HELP},                                 \
	{                                                                                \
		"version", no_argument, NULL, STORUS_OPTION_VERSION                      \
	}
#define STORUS_FORMAT_OPTION                                                             \
	{                                                                                \
		"format", required_argument, NULL, STORUS_OPTION_FORMAT                  \
	}

/* What storus_option_next() returns beside the codes of options. */
enum {
	STORUS_OPTIONS_END = -1, /* no option is left; optind is at the first argument */
	STORUS_OPTIONS_HELPED = -2, /* help or version printed: the subcommand is done */
	STORUS_OPTIONS_WRONG = -3,  /* message printed: STORUS_BAD */
};

/*
 * getopt_long() over [options], which include STORUS_COMMON_OPTIONS; [help] is the text
 * of --help.
 */
int storus_option_next(int argc, char **argv, const struct option *options,
		       const char *help);

/*
 * The text of --help of a subcommand with tables: [begin], and what [print_tables] prints
 * behind it. malloc'ed, NULL: out of memory (message printed).
 */
char *storus_help_compose(const char *begin, void (*print_tables)(FILE *file));

/* Print "PREFIX: text" and where help is. Returns STORUS_BAD. */
int storus_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Complain if arguments are left from optind on. Returns 0, or -1 (message printed). */
int storus_no_arguments(int argc, char **argv);

/*
 * Read the whole of [text] as a decimal number in minimum .. maximum, for the option
 * called [name]. Returns 0, or -1 (message printed).
 */
int storus_number_parse(const char *name, const char *text, uint64_t minimum,
			uint64_t maximum, uint64_t *value);

/* Read the value of --format. Returns 0, or -1 (message printed). */
int storus_format_parse(const char *text, storus_format_t *format);

#endif
