/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of the subcommands: reading them, and the errors. */
#include "torus_config.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/edit_distance.h"
#include "storus/cli/complete.h"
#include "storus/cli/help.h"
#include "storus/cli/options.h"
#include "storus/commands.h"

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

/* A word of the command line that is an option: "--name", "--name=VALUE", "-x",
 * "-xVALUE".
 */
typedef struct given {
	const storus_option_t *option; /* NULL: --help, --version or none that there is */
	char name[64];		       /* as typed, with the dashes, for messages */
	const char *value;	       /* NULL: none in the same word */
} given_t;

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/* Read [word], which is_option(), without knowing what it means. */
static given_t read_word(const storus_option_t *options, const char *word)
{
	bool is_long = word[1] == '-';
	size_t length = is_long ? strcspn(word, "=") : 2;
	given_t given = {.value = word[length] ? word + length + is_long : NULL};

	snprintf(given.name, sizeof(given.name), "%.*s", (int)length, word);
	for (; options->help && !given.option; options++) {
		if (is_long ? options->name && strcmp(given.name + 2, options->name) == 0
			    : options->letter && word[1] == options->letter)
			given.option = options;
	}
	return given;
}

/* How far the typed [name] is from an option's: nothing where that begins like it. */
static size_t distance_to(const char *name, const char *known)
{
	return strncmp(name, known, strlen(name)) == 0 ? 0
						       : torus_edit_distance(name, known);
}

/* The name that [typed] may be meant for: of one of the options, or of those that each
 * command has. NULL: none is near. */
static const char *nearest_name(const storus_option_t *options, const char *typed)
{
	static const char *const everywhere[] = {"help", "version"};
	const char *nearest = NULL;
	size_t least = 3; /* farther away than two typing errors: no guess */

	for (; options->help; options++) {
		size_t distance =
			options->name ? distance_to(typed, options->name) : least;

		if (distance < least) {
			least = distance;
			nearest = options->name;
		}
	}
	for (size_t i = 0; i < sizeof(everywhere) / sizeof(everywhere[0]); i++) {
		size_t distance = distance_to(typed, everywhere[i]);

		if (distance < least) {
			least = distance;
			nearest = everywhere[i];
		}
	}
	return nearest;
}

/* Say that there is no such option, and which one may be meant. Returns STORUS_BAD. */
static int unknown_option(const storus_option_t *options, const char *typed)
{
	/* One letter or two may be anything. */
	const char *name = strlen(typed) > 3 ? nearest_name(options, typed + 2) : NULL;

	return name ? storus_misuse("unknown option '%s'; did you mean '--%s'?", typed,
				    name)
		    : storus_misuse("unknown option '%s'", typed);
}

/*
 * Act on what is [given]; [next] is the following word, or NULL. Returns how many words
 * that took; or -1 with *status filled, a message or help printed.
 */
static int take_option(const given_t *given, const char *next,
		       const storus_usage_t *usage, int *status)
{
	const storus_option_t *option = given->option;
	const char *value = given->value;
	torus_error_t error;
	int words = 1;

	*status = STORUS_BAD;
	if (!option &&
	    (strcmp(given->name, "--help") == 0 || strcmp(given->name, "-h") == 0)) {
		storus_help_print(stdout, usage);
		*status = STORUS_OK;
		return -1;
	}
	if (!option && strcmp(given->name, "--version") == 0) {
		puts("storus (" PACKAGE_NAME ") " PACKAGE_VERSION);
		*status = STORUS_OK;
		return -1;
	}
	if (!option) {
		unknown_option(usage->options, given->name);
		return -1;
	}
	if (!option->argument && value) {
		storus_misuse("option '%s' takes no value", given->name);
		return -1;
	}
	if (option->argument && option->argument[0] != '[' && !value) {
		if (!next) {
			storus_misuse("option '%s' needs a value, %s", given->name,
				      option->argument);
			return -1;
		}
		value = next;
		words = 2;
	}
	if (take_value(option, value, &error) == 0)
		return words;
	warnx("--%s: %s", option->name, error.text);
	return -1;
}

/* Move [words] words at argv[from] to argv[to], before what is in between. */
static void move_forward(char **argv, int from, int words, int to)
{
	for (int i = 0; i < words; i++) {
		char *word = argv[from + i];

		memmove(&argv[to + i + 1], &argv[to + i],
			(size_t)(from - to) * sizeof(*argv));
		argv[to + i] = word;
	}
}

int storus_options_read(int argc, char **argv, const storus_usage_t *usage, int *status)
{
	int at = 1;

	*status = STORUS_OK;
	if (storus_completing()) {
		storus_complete(argc, argv, usage);
		return -1;
	}
	optind = 1; /* where the next option goes, behind those that were read */
	while (at < argc) {
		int words = 1;
		bool last = strcmp(argv[at], "--") == 0;

		if (!last && !is_option(argv[at])) {
			at++;
			continue;
		}
		if (!last) {
			given_t given = read_word(usage->options, argv[at]);

			words = take_option(&given, at + 1 < argc ? argv[at + 1] : NULL,
					    usage, status);
		}
		if (words < 0)
			return -1;
		move_forward(argv, at, words, optind);
		optind += words;
		at += words;
		if (last)
			break;
	}
	*status = STORUS_BAD;
	return 0;
}
