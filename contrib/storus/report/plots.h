/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots of the report as SVG elements of its page, which styles their classes. Errors of
 * [file] are the caller's to find. */
#ifndef STORUS_REPORT_PLOTS_H
#define STORUS_REPORT_PLOTS_H

#include <stdio.h>

#include "storus/report/rows.h"

/* What became of the nodes, week by week, as shares of all, with a legend. */
void storus_plot_use(FILE *file, const storus_section_t *weeks);

/* The ratio of hops to those alone, week by week. */
void storus_plot_weeks(FILE *file, const storus_section_t *weeks);

/* A bar for each of the first rows, up to a dozen, of which [of] is known. */
void storus_plot_bars(FILE *file, const char *title, const storus_section_t *section,
		      storus_mean_t (*of)(const storus_means_t *means), int digits);

#endif
