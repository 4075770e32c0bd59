/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exponentially distributed sizes and Poisson arrivals, the usual workload of studies of
 * allocation on meshes, e.g. Mache and Lo, "Dispersal Metrics for Non-Contiguous
 * Processor Allocation" (1996), there with a mean of 16 nodes.
 *
 * A size is the exponential variate x rounded up. So that sizes then have the mean m that
 * was asked for, not one half more, x has the mean -1 / ln(1 - 1/m): the sizes are then
 * geometrically distributed with mean m. Sizes above the machine's are drawn again, which
 * lowers the mean when it is not small against the machine.
 */
#include "sim/synthetic/kinds.h"

#include <math.h>

#include "sim/synthetic/variates.h"

enum { MEAN = TORUS_SYNTHETIC_OWN, JOBS };

static int draw(const double *value, const torus_synthetic_machine_t *machine,
		uint64_t *random, torus_workload_t *workload, torus_error_t *err)
{
	double scale = value[MEAN] > 1 ? -1 / log1p(-1 / value[MEAN]) : 0;

	if (value[MEAN] > machine->nodes)
		return torus_fail(err,
				  "exponential: a mean of %.15g nodes is more than the "
				  "machine's %u",
				  value[MEAN], machine->nodes);
	for (uint32_t i = 0; i < (uint32_t)value[JOBS]; i++) {
		torus_sim_job_t job = {0};
		double size;

		do
			size = floor(torus_variate_exponential(random) * scale) + 1;
		while (size > machine->nodes);
		job.nodes = (uint32_t)size;
		if (torus_workload_add(workload, &job, err))
			return -1;
	}
	return 0;
}

const torus_synthetic_kind_t torus_synthetic_exponential = {
	.name = "exponential",
	.summary = "exponentially distributed numbers of nodes",
	.parameter = {TORUS_SYNTHETIC_RUN_PARAMETER(
			      "mean of exponential run times, in seconds", 3600),
		      TORUS_SYNTHETIC_LOAD_PARAMETER(0.8),
		      TORUS_SYNTHETIC_TIMES_PARAMETER, TORUS_SYNTHETIC_F_PARAMETER,
		      [MEAN] = {.name = "mean",
				.summary = "mean number of nodes",
				.minimum = 1,
				.maximum = TORUS_MAX_CELLS,
				.standard = 16},
		      [JOBS] = TORUS_SYNTHETIC_JOBS_PARAMETER(1000)},
	.draw = draw,
};
