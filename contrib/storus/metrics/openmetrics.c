/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The OpenMetrics text format: see openmetrics.h. */
#include "torus_config.h"

#include <inttypes.h>

#include "storus/metrics/openmetrics.h"

/* Within quotes a quote, a backslash and the end of a line are escaped. */
static void print_value(FILE *file, const char *value)
{
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", file);
		else if (*value == '"' || *value == '\\')
			fprintf(file, "\\%c", *value);
		else
			fputc(*value, file);
	}
}

static void print_labels(FILE *file, const storus_om_label_t *label)
{
	if (!label->name)
		return;
	for (char before = '{'; label->name; label++, before = ',') {
		fprintf(file, "%c%s=\"", before, label->name);
		print_value(file, label->value);
		fputc('"', file);
	}
	fputc('}', file);
}

void storus_om_family(FILE *file, const storus_om_family_t *family)
{
	fprintf(file, "# TYPE %s %s\n", family->name, family->type);
	if (family->unit)
		fprintf(file, "# UNIT %s %s\n", family->name, family->unit);
	fprintf(file, "# HELP %s ", family->name);
	print_value(file, family->help);
	fputc('\n', file);
}

void storus_om_count(FILE *file, const storus_om_family_t *family, const char *suffix,
		     const storus_om_label_t *labels, uint64_t value)
{
	fprintf(file, "%s%s", family->name, suffix);
	print_labels(file, labels);
	fprintf(file, " %" PRIu64 "\n", value);
}

void storus_om_number(FILE *file, const storus_om_family_t *family, const char *suffix,
		      const storus_om_label_t *labels, double value)
{
	fprintf(file, "%s%s", family->name, suffix);
	print_labels(file, labels);
	fprintf(file, " %.9g\n", value);
}

void storus_om_end(FILE *file)
{
	fputs("# EOF\n", file);
}
