/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One simulation of a comparison, and what all of them share: machines and traces. */
#ifndef STORUS_SIM_COMPARE_CELL_H
#define STORUS_SIM_COMPARE_CELL_H

#include "machine/cluster.h"
#include "sim/workload.h"
#include "storus/sim/compare_plan.h"
#include "storus/sim/measures.h"

/* The machines and traces of the simulations, made when first needed. */
typedef struct storus_inputs {
	const storus_plan_t *plan; /* borrowed */
	torus_cluster_t **cluster; /* [machines * curves], NULL until needed */
	torus_workload_t *trace;   /* [traces] */
	bool *has_trace;	   /* [traces]: read */
} storus_inputs_t;

/* Begin with none. Returns 0, or -1 with [err] filled (memory). */
int storus_inputs_create(const storus_plan_t *plan, storus_inputs_t *inputs,
			 torus_error_t *err);
void storus_inputs_free(storus_inputs_t *inputs);

/*
 * Make the machine and read the trace of [cell], unless that was done. Returns 0, or -1
 * with [err] filled; the reason why a machine cannot be made has been printed.
 */
int storus_inputs_prepare(storus_inputs_t *inputs, const storus_cell_t *cell,
			  torus_error_t *err);

/*
 * Simulate [cell], whose inputs are prepared. It changes them, so it must be called in a
 * process of its own. Returns 0, or -1 with [err] filled.
 */
int storus_cell_simulate(storus_inputs_t *inputs, const storus_cell_t *cell,
			 double value[STORUS_MEASURES], torus_error_t *err);

#endif
