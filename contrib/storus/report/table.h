/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report for people: its sections as tables of texts, on a terminal or in a page. */
#ifndef STORUS_REPORT_TABLE_H
#define STORUS_REPORT_TABLE_H

#include <stdio.h>

#include "storus/report/rows.h"

/* A table of texts with a title. */
typedef struct storus_texts {
	const char *title;
	const char *heading[16]; /* [columns] constant strings */
	const char *meaning[16]; /* the same: what the column says, in a sentence */
	bool right[16];		 /* numbers stand at the right */
	size_t columns, rows;
	char **cell; /* [rows * columns] malloc'ed */
} storus_texts_t;

/*
 * The section as texts; numbers have the digits that matter. Returns 0, and then it is to
 * be cleared; or -1 with [err] filled (memory).
 */
int storus_texts_of(const storus_rows_t *report, storus_by_t by, storus_texts_t *texts,
		    torus_error_t *err);

/* What became of the nodes: a row for the whole span, one for each week and replay. */
int storus_texts_of_use(const storus_rows_t *report, storus_texts_t *texts,
			torus_error_t *err);

void storus_texts_clear(storus_texts_t *texts);

/* One line on the span, the machine and the number of jobs. malloc'ed; NULL: memory. */
char *storus_report_headline(const storus_rows_t *report);

/* Print all of it, columns aligned. Returns 0, or -1 with [err] filled (memory). */
int storus_report_print(FILE *file, const storus_rows_t *report, torus_error_t *err);

#endif
