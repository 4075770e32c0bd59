/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row of the report as named fields, for CSV and JSON. */
#ifndef STORUS_REPORT_FIELDS_H
#define STORUS_REPORT_FIELDS_H

#include "storus/cli/output.h"
#include "storus/report/rows.h"

#define STORUS_REPORT_FIELDS 29

/* The texts that fields refer to. */
typedef struct storus_row_texts {
	char user[128], account[128], partition[128], box[TORUS_DIMS_TEXT];
} storus_row_texts_t;

/*
 * Fill fields[0 .. result-1]; what is not of the row is missing. [chips] is what
 * storus_report_chips() says: without chips the fields of these are left out.
 */
size_t storus_row_fields(storus_by_t by, const storus_row_t *row, uint32_t chips,
			 storus_row_texts_t *texts,
			 storus_field_t fields[STORUS_REPORT_FIELDS]);

/* Print all sections as one table of CSV. */
void storus_report_csv(FILE *file, const storus_rows_t *report);

/*
 * Print the report as one JSON object. Returns 0, or -1 with [err] filled (memory).
 */
int storus_report_json(FILE *file, const storus_rows_t *report, torus_error_t *err);

#endif
