/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of the subcommands. Each subcommand has a table of them; from it the
 * command line is read, --help is printed, shells complete (complete.h) and errors are
 * reported. Every subcommand also has --help or -h, and --version, which stand in no
 * table.
 *
 * All functions print their own messages, prefixed with the subcommand's name.
 */
#ifndef STORUS_CLI_OPTIONS_H
#define STORUS_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h> /* optind */

#include "base/error.h"
#include "storus/cli/output.h"

/*
 * An option, or with [help] alone a line of --help such as "The machine:". A table ends
 * with an entry of zeros.
 *
 * One of the pointers from [text] on says what kind of value the option takes and where
 * the value goes; [flag], which may stand beside it, becomes true when the option is
 * given. What a pointer leads to keeps its value, the default, when the option is not
 * given. An option that is given twice counts as the last one.
 */
typedef struct storus_option {
	const char *name; /* without the dashes */
	/* What --help calls the value: "FILE"; "[=WHEN]" if it may be left out; NULL if
	 * there is none. */
	const char *argument;
	const char *help; /* --help breaks it into lines; a '\n' begins a new one */

	bool *flag;
	const char **text; /* any text, borrowed from argv */
	uint64_t *count;   /* a whole number in [least] .. [most] */
	double *number;	   /* a decimal number in [low] .. [high] */
	double *seconds;   /* the same */
	int *choice;	   /* which of [choices], counted from 0 */
	/* Read [value], NULL if left out, into [to]. Returns 0, or -1 with [err]. */
	int (*read)(const char *value, void *to, torus_error_t *err);
	void *to;

	uint64_t least, most;
	double low, high;
	bool above_low;		    /* [low] itself is too low */
	const char *const *choices; /* names, ended by NULL */
	char letter;		    /* -X is the same; 0: there is none */
} storus_option_t;

/* The option --format. */
#define STORUS_FORMAT_OPTION(format_, help_)                                             \
	{                                                                                \
		"format", "FORMAT", help_, .choice = (int *)(format_),                   \
					   .choices = storus_format_names                \
	}
extern const char *const storus_format_names[]; /* of storus_format_t */

/* What a subcommand says of itself, and its options. */
typedef struct storus_usage {
	const char *begin; /* of --help: "Usage: ..." and a sentence or two */
	const storus_option_t *options;
	const char *end;		  /* of --help; may be NULL */
	void (*print_tables)(FILE *file); /* what comes behind that; may be NULL */
} storus_usage_t;

/*
 * Read the options as getopt_long() does, options and arguments mixed, but that names may
 * not be shortened: what a short one means would change with the next option that begins
 * like it. Moves the arguments behind the options. Returns 0 with optind at the first
 * argument; or -1 with *status what the subcommand is to return, as help, a message or
 * what a shell asked for was printed.
 */
int storus_options_read(int argc, char **argv, const storus_usage_t *usage, int *status);

/* Print "PREFIX: text" and where help is. Returns STORUS_BAD. */
int storus_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Complain if arguments are left from optind on. Returns 0, or -1 (message printed). */
int storus_no_arguments(int argc, char **argv);

/*
 * Read the whole of [text] as a whole number in [least] .. [most]. Returns 0, or -1 with
 * [err] filled.
 */
int storus_count_parse(const char *text, uint64_t least, uint64_t most, uint64_t *value,
		       torus_error_t *err);

#endif
