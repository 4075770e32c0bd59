/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --help says about synthetic workloads. */
#include "torus_config.h"

#include "sim/synthetic/synthetic.h"
#include "storus/sim/synthetic_help.h"

static void print_parameter(FILE *file, const torus_synthetic_parameter_t *parameter)
{
	fprintf(file, "    %s=", parameter->name);
	if (parameter->choices) {
		for (int i = 0; parameter->choices[i]; i++)
			fprintf(file, "%s%s", i ? "|" : "", parameter->choices[i]);
		fprintf(file, "  %s (default %s)\n", parameter->summary,
			parameter->choices[(int)parameter->standard]);
	} else {
		fprintf(file, "%.15g..%.15g  %s (default %.15g)\n", parameter->minimum,
			parameter->maximum, parameter->summary, parameter->standard);
	}
}

void storus_synthetic_help(FILE *file)
{
	const torus_synthetic_kind_t *kind;

	fputs("Workloads, KIND or KIND:NAME=VALUE,NAME=VALUE...:\n", file);
	for (int i = 0; (kind = torus_synthetic_kind(i)); i++) {
		const torus_synthetic_parameter_t *parameter;

		fprintf(file, "  %-14s %s\n", torus_synthetic_kind_name(kind),
			torus_synthetic_kind_summary(kind));
		for (int k = 0; (parameter = torus_synthetic_kind_parameter(kind, k));
		     k++)
			print_parameter(file, parameter);
	}
}
