/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The OpenMetrics text format, version 1.0, in the part of it that readers of the older
 * Prometheus text format (node_exporter's textfile collector) understand in the same
 * way: gauges and histograms. Samples of a family follow its storus_om_family() at once,
 * and storus_om_end() ends the text.
 */
#ifndef STORUS_METRICS_OPENMETRICS_H
#define STORUS_METRICS_OPENMETRICS_H

#include <stdint.h>
#include <stdio.h>

typedef struct storus_om_family {
	const char *name; /* ends with "_UNIT" if there is one */
	const char *type; /* "gauge" or "histogram" */
	const char *unit; /* NULL: none */
	const char *help; /* one sentence */
} storus_om_family_t;

/* A label; values are any text in UTF-8. */
typedef struct storus_om_label {
	const char *name;
	const char *value;
} storus_om_label_t;

void storus_om_family(FILE *file, const storus_om_family_t *family);

/* A sample "NAMESUFFIX{labels} value"; labels end with one that is {NULL, NULL}. */
void storus_om_count(FILE *file, const storus_om_family_t *family, const char *suffix,
		     const storus_om_label_t *labels, uint64_t value);
void storus_om_number(FILE *file, const storus_om_family_t *family, const char *suffix,
		      const storus_om_label_t *labels, double value);

void storus_om_end(FILE *file);

#endif
