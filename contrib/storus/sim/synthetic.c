/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Synthetic workloads as the command line has them. */
#include "torus_config.h"

#include "sim/synthetic/synthetic.h"
#include "storus/sim/synthetic.h"

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

int storus_synthetic_generate(const char *text, const char *load,
			      const torus_cluster_t *cluster, uint64_t seed,
			      torus_workload_t *workload, torus_error_t *err)
{
	torus_synthetic_machine_t machine = {.geometry = cluster->map[0]->geometry};
	torus_synthetic_t synthetic;

	for (int t = 0; t < cluster->maps; t++)
		machine.nodes += cluster->map[t]->nodes;
	if (torus_synthetic_parse(text, &synthetic, err) ||
	    (load && torus_synthetic_set(&synthetic, "load", load, err)))
		return -1;
	return torus_synthetic_generate(&synthetic, &machine, seed, workload, err);
}
