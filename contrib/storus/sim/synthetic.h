/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Synthetic workloads as the command line has them: --workload, and their help. */
#ifndef STORUS_SIM_SYNTHETIC_H
#define STORUS_SIM_SYNTHETIC_H

#include <stdio.h>

#include "machine/cluster.h"
#include "sim/workload.h"

/* Print the kinds of workloads with their parameters. */
void storus_synthetic_help(FILE *file);

/*
 * Generate the workload that [text] describes for the machine [cluster]: boxes are drawn
 * for its first torus. [load] is that parameter's value, or NULL. Returns 0, or -1 with
 * [err] filled; as torus_synthetic_generate().
 */
int storus_synthetic_generate(const char *text, const char *load,
			      const torus_cluster_t *cluster, uint64_t seed,
			      torus_workload_t *workload, torus_error_t *err);

#endif
