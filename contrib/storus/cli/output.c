/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as text, CSV or JSON. */
#include "torus_config.h"

#include <err.h>
#include <string.h>

#include <jansson.h>

#include "base/digits.h"
#include "storus/cli/output.h"
#include "storus/commands.h"

/* Write a number or a yes or no, at most TORUS_DIGITS long. Returns what is behind it. */
static char *write_short(const storus_field_t *field, char *at)
{
	switch (field->kind) {
	case STORUS_COUNT:
		return torus_digits(field->count, at);
	case STORUS_RATIO:
		return torus_digits_of_ratio(field->ratio, at);
	case STORUS_YES_NO:
		return stpcpy(at, field->yes ? "yes" : "no");
	case STORUS_TEXT:
	case STORUS_MISSING:
		break;
	}
	return at;
}

void storus_field_print(FILE *file, const storus_field_t *field)
{
	char text[TORUS_DIGITS];

	if (field->kind == STORUS_TEXT)
		fputs(field->text, file);
	else if (field->kind == STORUS_MISSING)
		fputc('-', file);
	else
		fwrite(text, 1, (size_t)(write_short(field, text) - text), file);
}

static void print_csv_text(FILE *file, const char *text)
{
	if (text[strcspn(text, ",\"\r\n")] == '\0') {
		fputs(text, file);
		return;
	}
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void print_csv_heading(FILE *file, const storus_field_t *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%s", i ? "," : "", fields[i].name);
	fputc('\n', file);
}

/* What stands between two texts is written at once: there may be millions of rows. */
static void print_csv_row(FILE *file, const storus_field_t *fields, size_t count)
{
	char part[512], *at = part;

	for (size_t i = 0; i < count; i++) {
		if (fields[i].kind == STORUS_TEXT ||
		    at > part + sizeof(part) - TORUS_DIGITS - 2) {
			fwrite(part, 1, (size_t)(at - part), file);
			at = part;
		}
		if (fields[i].kind == STORUS_TEXT)
			print_csv_text(file, fields[i].text);
		at = write_short(&fields[i], at);
		*at++ = i + 1 < count ? ',' : '\n';
	}
	fwrite(part, 1, (size_t)(at - part), file);
}

json_t *storus_field_json(const storus_field_t *field)
{
	switch (field->kind) {
	case STORUS_TEXT:
		return json_string(field->text);
	case STORUS_COUNT:
		return json_integer((json_int_t)field->count);
	case STORUS_RATIO:
		return json_real(field->ratio);
	case STORUS_YES_NO:
		return json_boolean(field->yes);
	case STORUS_MISSING:
		break;
	}
	return json_null();
}

static void print_json_object(FILE *file, const storus_field_t *fields, size_t count,
			      size_t flags)
{
	json_t *object = json_object();
	bool whole = object != NULL;

	for (size_t i = 0; whole && i < count; i++)
		whole = json_object_set_new(object, fields[i].name,
					    storus_field_json(&fields[i])) == 0;
	/* Half an answer is worse than none. */
	if (!whole)
		err(STORUS_BAD, "cannot build the JSON output");
	json_dumpf(object, file, flags | JSON_REAL_PRECISION(TORUS_RATIO_DIGITS));
	json_decref(object);
}

void storus_record_print(FILE *file, storus_format_t format, const storus_field_t *fields,
			 size_t count)
{
	switch (format) {
	case STORUS_FORMAT_TEXT:
		for (size_t i = 0; i < count; i++) {
			if (fields[i].kind == STORUS_MISSING)
				continue;
			fprintf(file, "%s ", fields[i].name);
			storus_field_print(file, &fields[i]);
			fputc('\n', file);
		}
		break;
	case STORUS_FORMAT_CSV:
		print_csv_heading(file, fields, count);
		print_csv_row(file, fields, count);
		break;
	case STORUS_FORMAT_JSON:
		print_json_object(file, fields, count, JSON_INDENT(2));
		fputc('\n', file);
		break;
	}
}

void storus_table_begin(storus_table_t *table, FILE *file, storus_format_t format)
{
	table->file = file;
	table->format = format;
	table->headed = false;
	if (format == STORUS_FORMAT_JSON)
		fputc('[', file);
}

void storus_table_row(storus_table_t *table, const storus_field_t *fields, size_t count)
{
	switch (table->format) {
	case STORUS_FORMAT_TEXT:
		for (size_t i = 0; i < count; i++) {
			if (i)
				fputc(' ', table->file);
			storus_field_print(table->file, &fields[i]);
		}
		fputc('\n', table->file);
		break;
	case STORUS_FORMAT_CSV:
		if (!table->headed)
			print_csv_heading(table->file, fields, count);
		print_csv_row(table->file, fields, count);
		break;
	case STORUS_FORMAT_JSON:
		fputs(table->headed ? ",\n" : "\n", table->file);
		print_json_object(table->file, fields, count, JSON_COMPACT);
		break;
	}
	table->headed = true;
}

void storus_table_end(storus_table_t *table, const storus_field_t *fields, size_t count)
{
	if (table->format == STORUS_FORMAT_CSV && !table->headed)
		print_csv_heading(table->file, fields, count);
	else if (table->format == STORUS_FORMAT_JSON)
		fputs(table->headed ? "\n]\n" : "]\n", table->file);
}
