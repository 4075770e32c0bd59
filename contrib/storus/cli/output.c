/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as text, CSV or JSON. */
#include "torus_config.h"

#include <err.h>
#include <string.h>

#include <jansson.h>

#include "storus/cli/output.h"
#include "storus/commands.h"

/* Digits of a ratio: as many as a float holds, more than the six that are promised. */
#define RATIO_DIGITS 9

/* printf() takes five times as long, and tables may have many millions of numbers. */
static void print_count(FILE *file, uint64_t count)
{
	char digits[20], *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + count % 10);
		count /= 10;
	} while (count);
	fwrite(at, 1, (size_t)(digits + sizeof(digits) - at), file);
}

void storus_field_print(FILE *file, const storus_field_t *field)
{
	switch (field->kind) {
	case STORUS_TEXT:
		fputs(field->text, file);
		break;
	case STORUS_COUNT:
		print_count(file, field->count);
		break;
	case STORUS_RATIO:
		/* With '#' trailing zeros count among the digits and stay. */
		fprintf(file, "%#.*g", RATIO_DIGITS, field->ratio);
		break;
	case STORUS_YES_NO:
		fputs(field->yes ? "yes" : "no", file);
		break;
	case STORUS_MISSING:
		fputc('-', file);
		break;
	}
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

static void print_csv_row(FILE *file, const storus_field_t *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc(',', file);
		if (fields[i].kind == STORUS_TEXT)
			print_csv_text(file, fields[i].text);
		else if (fields[i].kind != STORUS_MISSING)
			storus_field_print(file, &fields[i]);
	}
	fputc('\n', file);
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
	json_dumpf(object, file, flags | JSON_REAL_PRECISION(RATIO_DIGITS));
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
