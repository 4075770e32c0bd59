/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results as text, CSV or JSON: records (one thing with named fields) and tables (many).
 *
 *         record                 table
 * text    "name value" lines     one line a row, values separated by blanks, no heading
 * csv     heading and one row    heading and rows, quoted where need be (RFC 4180)
 * json    one object             an array of objects, one a line
 *
 * In JSON, numbers are numbers and yes/no is true/false. A missing value is
 * null in JSON, empty in CSV, "-" in a text table, left out of a text record.
 */
#ifndef STORUS_CLI_OUTPUT_H
#define STORUS_CLI_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum storus_format {
	STORUS_FORMAT_TEXT,
	STORUS_FORMAT_CSV,
	STORUS_FORMAT_JSON,
} storus_format_t;

typedef struct storus_field {
	const char *name; /* borrowed */
	enum {
		STORUS_TEXT,
		STORUS_COUNT,
		STORUS_RATIO,
		STORUS_YES_NO,
		STORUS_MISSING
	} kind;
	union {
		const char *text; /* borrowed */
		uint64_t count;
		double ratio;
		bool yes;
	};
} storus_field_t;

static inline storus_field_t storus_text(const char *name, const char *text)
{
	return (storus_field_t){
		name, text ? STORUS_TEXT : STORUS_MISSING, {.text = text}};
}

static inline storus_field_t storus_count(const char *name, uint64_t count)
{
	return (storus_field_t){name, STORUS_COUNT, {.count = count}};
}

static inline storus_field_t storus_ratio(const char *name, double ratio)
{
	return (storus_field_t){name, STORUS_RATIO, {.ratio = ratio}};
}

static inline storus_field_t storus_yes_no(const char *name, bool yes)
{
	return (storus_field_t){name, STORUS_YES_NO, {.yes = yes}};
}

/* Print the bare value as records do in text: counts as integers, ratios with 9 digits.
 */
void storus_field_print(FILE *file, const storus_field_t *field);

/* The value as JSON: a new reference; NULL: out of memory, or text that is not UTF-8. */
json_t *storus_field_json(const storus_field_t *field);

/* Print a record. */
void storus_record_print(FILE *file, storus_format_t format, const storus_field_t *fields,
			 size_t count);

/* A table being printed: begin it, print its rows as they come, end it. */
typedef struct storus_table {
	FILE *file;
	storus_format_t format;
	bool headed; /* private: the heading, or the first row of an array, is out */
} storus_table_t;

void storus_table_begin(storus_table_t *table, FILE *file, storus_format_t format);
/* Every row has the same fields, though some may be missing. */
void storus_table_row(storus_table_t *table, const storus_field_t *fields, size_t count);
/* A CSV table without a row still has its heading: that of fields[0 .. count-1]. */
void storus_table_end(storus_table_t *table, const storus_field_t *fields, size_t count);

#endif
