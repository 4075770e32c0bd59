/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as one HTML file: tables and plots, no script at all, nothing fetched. Its
 * Content-Security-Policy allows only its own style.
 */
#ifndef STORUS_REPORT_PAGE_H
#define STORUS_REPORT_PAGE_H

#include <stdio.h>

#include "storus/report/rows.h"

/*
 * Write the page. Errors of [file] are the caller's to find. Returns 0, or -1 with [err]
 * filled (memory, no random numbers).
 */
int storus_report_page(FILE *file, const storus_rows_t *report, torus_error_t *err);

#endif
