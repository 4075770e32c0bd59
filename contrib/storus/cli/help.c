/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --help of a subcommand prints. */
#include "torus_config.h"

#include <string.h>

#include "storus/cli/help.h"

/* The columns that texts begin and end in. */
enum { BEGIN = 21, END = 80 };

/* Print [text] from [column] on, broken between words. */
static void print_text(FILE *file, const char *text, int column)
{
	const char *blank = "";

	while (*text) {
		int length = (int)strcspn(text, " \n");

		if (column > BEGIN && column + (int)strlen(blank) + length > END) {
			fprintf(file, "\n%*s", BEGIN, "");
			column = BEGIN;
			blank = "";
		}
		column += fprintf(file, "%s%.*s", blank, length, text);
		text += length;
		blank = " ";
		if (*text == '\n') {
			fprintf(file, "\n%*s", BEGIN, "");
			column = BEGIN;
			blank = "";
		}
		text += *text != '\0';
	}
	fputc('\n', file);
}

static void print_option(FILE *file, const storus_option_t *option)
{
	const char *argument = option->argument ? option->argument : "";
	const char *between = *argument && *argument != '[' ? " " : "";
	int column = fprintf(file, "  --%s%s%s", option->name, between, argument);

	/* The text of a long option begins two blanks behind it. */
	column += fprintf(file, "%*s", column + 2 > BEGIN ? 2 : BEGIN - column, "");
	print_text(file, option->help, column);
}

void storus_help_print(FILE *file, const storus_usage_t *usage)
{
	fputs(usage->begin, file);
	for (const storus_option_t *option = usage->options; option->help; option++) {
		if (option->name)
			print_option(file, option);
		else
			fprintf(file, "%s\n", option->help);
	}
	fputs("  --help, --version\n", file);
	if (usage->end)
		fprintf(file, "\n%s", usage->end);
	if (usage->print_tables) {
		fputc('\n', file);
		usage->print_tables(file);
	}
}
