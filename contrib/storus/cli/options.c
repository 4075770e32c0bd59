/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of the subcommands: reading them, and the errors. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/help.h"
#include "storus/cli/options.h"
#include "storus/commands.h"

/*
 * Codes for getopt_long(). They begin above its own '?'; the code of an option is
 * CODE_FIRST plus its place in the table.
 */
enum { CODE_HELP = 256, CODE_VERSION, CODE_FIRST };

const char *const storus_format_names[] = {
	[STORUS_FORMAT_TEXT] = "text",
	[STORUS_FORMAT_CSV] = "csv",
	[STORUS_FORMAT_JSON] = "json",
	NULL,
};

static void point_to_help(void)
{
	fprintf(stderr, "Try `%s --help`.\n", program_invocation_name);
}

int storus_misuse(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vwarnx(format, arguments);
	va_end(arguments);
	point_to_help();
	return STORUS_BAD;
}

int storus_no_arguments(int argc, char **argv)
{
	if (optind == argc)
		return 0;
	storus_misuse("unexpected argument '%s'", argv[optind]);
	return -1;
}

int storus_count_parse(const char *text, uint64_t least, uint64_t most, uint64_t *value,
		       torus_error_t *err)
{
	uint64_t number;

	/* By hand: strtoull() takes signs and blanks. */
	if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0')
		return torus_fail(err, "'%s' is not a number", text);
	errno = 0;
	number = strtoull(text, NULL, 10);
	if (!errno && number < least)
		return torus_fail(err,
				  "%s is too small, at least %" PRIu64 " is possible",
				  text, least);
	if (errno || number > most)
		return torus_fail(err, "%s is too large, at most %" PRIu64 " is possible",
				  text, most);
	*value = number;
	return 0;
}

/* Read a decimal number; [unit] is " of seconds" or empty. */
static int parse_number(const storus_option_t *option, const char *text, const char *unit,
			double *value, torus_error_t *err)
{
	char *end;
	double number;

	/* strtod() also takes blanks, hexadecimal digits, infinities and NaN. */
	if (text[strspn(text, "0123456789.eE+-")] == '\0') {
		number = strtod(text, &end);
		if (end != text && !*end && number <= option->high &&
		    (number > option->low ||
		     (number == option->low && !option->above_low))) {
			*value = number;
			return 0;
		}
	}
	return torus_fail(err, "'%s' is not a number%s %s %.15g %s %.15g", text, unit,
			  option->above_low ? "above" : "from", option->low,
			  option->above_low ? "up to" : "to", option->high);
}

static int parse_choice(const storus_option_t *option, const char *text, int *value,
			torus_error_t *err)
{
	char known[256] = "";
	size_t length = 0;

	for (int i = 0; option->choices[i]; i++) {
		if (strcmp(text, option->choices[i]) == 0) {
			*value = i;
			return 0;
		}
		length += (size_t)snprintf(known + length, sizeof(known) - length, "%s%s",
					   i ? ", " : "", option->choices[i]);
		if (length >= sizeof(known))
			length = sizeof(known) - 1;
	}
	return torus_fail(err, "unknown %s '%s'; known are %s", option->name, text,
			  known);
}

/* Put [value], NULL if it was left out, where [option] says. 0, or -1 with [err]. */
static int take_value(const storus_option_t *option, const char *value,
		      torus_error_t *err)
{
	if (option->flag)
		*option->flag = true;
	if (option->read)
		return option->read(value, option->to, err);
	if (!value)
		return 0;
	if (option->text)
		*option->text = value;
	if (option->count)
		return storus_count_parse(value, option->least, option->most,
					  option->count, err);
	if (option->number)
		return parse_number(option, value, "", option->number, err);
	if (option->seconds)
		return parse_number(option, value, " of seconds", option->seconds, err);
	return option->choice ? parse_choice(option, value, option->choice, err) : 0;
}

/* The table for getopt_long(), malloc'ed; NULL: out of memory. */
static struct option *table_for_getopt(const storus_option_t *options)
{
	size_t count = 0, used = 0;
	struct option *table;

	while (options[count].help)
		count++;
	table = calloc(count + 3, sizeof(*table)); /* --help, --version and the end */
	if (!table)
		return NULL;
	table[used++] = (struct option){"help", no_argument, NULL, CODE_HELP};
	table[used++] = (struct option){"version", no_argument, NULL, CODE_VERSION};
	for (size_t i = 0; i < count; i++) {
		const char *argument = options[i].argument;
		int kind = !argument		? no_argument
			   : argument[0] == '[' ? optional_argument
						: required_argument;

		if (options[i].name)
			table[used++] = (struct option){options[i].name, kind, NULL,
							CODE_FIRST + (int)i};
	}
	return table;
}

/* Act on what getopt_long() returned. Returns 0 to go on; or -1 with *status filled. */
static int take_code(int code, const storus_usage_t *usage, int *status)
{
	const storus_option_t *option = usage->options + (code - CODE_FIRST);
	torus_error_t error;

	*status = code == CODE_HELP || code == CODE_VERSION ? STORUS_OK : STORUS_BAD;
	switch (code) {
	case '?':
		point_to_help();
		return -1;
	case CODE_HELP:
		storus_help_print(stdout, usage);
		return -1;
	case CODE_VERSION:
		puts("storus (" PACKAGE_NAME ") " PACKAGE_VERSION);
		return -1;
	default:
		if (take_value(option, optarg, &error) == 0)
			return 0;
		warnx("--%s: %s", option->name, error.text);
		return -1;
	}
}

int storus_options_read(int argc, char **argv, const storus_usage_t *usage, int *status)
{
	struct option *table = table_for_getopt(usage->options);
	int code, rc = 0;

	*status = STORUS_BAD;
	if (!table) {
		warnx("out of memory");
		return -1;
	}
	while (rc == 0 && (code = getopt_long(argc, argv, "", table, NULL)) != -1)
		rc = take_code(code, usage, status);
	free(table);
	return rc;
}
