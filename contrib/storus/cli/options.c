/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the option loops of the subcommands share. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/options.h"
#include "storus/commands.h"

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

char *storus_help_compose(const char *begin, void (*print_tables)(FILE *file))
{
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	if (file) {
		fputs(begin, file);
		print_tables(file);
		if (fclose(file) == 0)
			return text;
		free(text);
	}
	warnx("out of memory");
	return NULL;
}

int storus_option_next(int argc, char **argv, const struct option *options,
		       const char *help)
{
	int code = getopt_long(argc, argv, "", options, NULL);

	switch (code) {
	case -1:
		return STORUS_OPTIONS_END;
	case '?':
		point_to_help();
		return STORUS_OPTIONS_WRONG;
	case STORUS_OPTION_HELP:
		fputs(help, stdout);
		return STORUS_OPTIONS_HELPED;
	case STORUS_OPTION_VERSION:
		puts("storus (" PACKAGE_NAME ") " PACKAGE_VERSION);
		return STORUS_OPTIONS_HELPED;
	default:
		return code;
	}
}

int storus_no_arguments(int argc, char **argv)
{
	if (optind == argc)
		return 0;
	storus_misuse("unexpected argument '%s'", argv[optind]);
	return -1;
}

int storus_number_parse(const char *name, const char *text, uint64_t minimum,
			uint64_t maximum, uint64_t *value)
{
	uint64_t number = 0;

	/* By hand: strtoull() takes signs and blanks. */
	if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') {
		warnx("--%s: '%s' is not a number", name, text);
		return -1;
	}
	errno = 0;
	number = strtoull(text, NULL, 10);
	if (errno || number < minimum || number > maximum) {
		bool low = !errno && number < minimum;

		warnx("--%s: %s is too %s, at %s %" PRIu64 " is possible", name, text,
		      low ? "small" : "large", low ? "least" : "most",
		      low ? minimum : maximum);
		return -1;
	}
	*value = number;
	return 0;
}

int storus_format_parse(const char *text, storus_format_t *format)
{
	static const char *const names[] = {
		[STORUS_FORMAT_TEXT] = "text",
		[STORUS_FORMAT_CSV] = "csv",
		[STORUS_FORMAT_JSON] = "json",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			*format = (storus_format_t)i;
			return 0;
		}
	}
	warnx("--format: unknown format '%s'; known are text, csv, json", text);
	return -1;
}
