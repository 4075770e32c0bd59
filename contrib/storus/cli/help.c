/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --help of a subcommand prints. */
#include "torus_config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/help.h"

/* The columns that texts begin and end in. */
enum { BEGIN = 21, END = STORUS_HELP_COLUMNS };

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
	int column = option->letter ? fprintf(file, "  -%c,", option->letter)
				    : fprintf(file, " ");

	column += fprintf(file, " --%s%s%s", option->name, between, argument);
	/* The text of a long option begins two blanks behind it. */
	column += fprintf(file, "%*s", column + 2 > BEGIN ? 2 : BEGIN - column, "");
	print_text(file, option->help, column);
}

/* Where a line goes on that is too long: below its text behind a gap, or further in. */
static int continuation(const char *line, int length)
{
	int indent = (int)strspn(line, " ");

	for (int i = indent; i + 2 < length; i++) {
		if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ')
			return i + 2 < END / 2 ? i + 2 : indent + 4;
	}
	return strncmp(line, "Usage:", 6) == 0 ? 7 + 4 : indent ? indent + 4 : 0;
}

/* Print a line, broken between words where it is too long. */
static void wrap_line(FILE *file, const char *line, int length)
{
	int next = continuation(line, length), indent = 0;

	while (indent + length > END) {
		int end = END - indent;

		while (end > 0 && line[end] != ' ')
			end--;
		/* A word without a blank to break at stays whole. */
		if (end <= (int)strspn(line, " "))
			break;
		fprintf(file, "%*s%.*s\n", indent, "", end, line);
		line += end;
		length -= end;
		while (length && *line == ' ') {
			line++;
			length--;
		}
		indent = next;
	}
	fprintf(file, "%*s%.*s\n", indent, "", length, line);
}

/* Whether the line goes on in the next one: both are of a text, not of a table. */
static bool goes_on(const char *line, const char *next)
{
	return *line != '\n' && *line != ' ' && strncmp(line, "Usage:", 6) != 0 &&
	       *next && *next != '\n' && *next != ' ';
}

void storus_help_wrap(FILE *file, char *text)
{
	while (*text) {
		char *end = text;

		for (;;) {
			end += strcspn(end, "\n");
			if (!*end || !goes_on(text, end + 1))
				break;
			*end = ' ';
		}
		wrap_line(file, text, (int)(end - text));
		text = end + (*end != '\0');
	}
}

static void print_all(FILE *file, const storus_usage_t *usage)
{
	fputs(usage->begin, file);
	for (const storus_option_t *option = usage->options; option->help; option++) {
		if (option->name)
			print_option(file, option);
		else
			fprintf(file, "%s\n", option->help);
	}
	fputs("  -h, --help, --version\n", file);
	if (usage->end)
		fprintf(file, "\n%s", usage->end);
	if (usage->print_tables) {
		fputc('\n', file);
		usage->print_tables(file);
	}
}

void storus_help_print(FILE *file, const storus_usage_t *usage)
{
	size_t size;
	char *text = NULL;
	FILE *memory = open_memstream(&text, &size);

	if (memory) {
		print_all(memory, usage);
		if (fclose(memory) != 0) {
			free(text);
			text = NULL;
		}
	}
	if (text)
		storus_help_wrap(file, text);
	else /* no memory: long lines are better than none */
		print_all(file, usage);
	free(text);
}
