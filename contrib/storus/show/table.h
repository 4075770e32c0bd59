/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of storus show with their metrics, as a table or in full. */
#ifndef STORUS_SHOW_TABLE_H
#define STORUS_SHOW_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "storus/cli/output.h"
#include "storus/cli/view.h"

/*
 * Print a row for each part of a job, i.e. each torus that it is on, in CSV or JSON with
 * all its fields.
 */
void storus_show_rows(FILE *file, storus_format_t format, const storus_view_t *view);

/* The same as "name value" lines, an empty line between parts. */
void storus_show_records(FILE *file, const storus_view_t *view);

/*
 * The same as an aligned table under headings, each row led by the job's letter in the
 * picture, in its colour if [colour]. If [width] is not 0, columns at the right that do
 * not fit into so many characters are left out. Returns 0, or -1 with [err] filled
 * (memory).
 */
int storus_show_aligned(FILE *file, const storus_view_t *view, int width, bool colour,
			torus_error_t *err);

/*
 * A line for each torus that has jobs: how many links they use, how many are shared by
 * several, and the mean over the jobs of the links they share.
 */
void storus_show_links(FILE *file, const storus_view_t *view);

#endif
