/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes whose logarithm is uniform, which Downey, "A parallel workload model and its
 * implications for processor allocation" (1997), found to fit the logs of two large
 * machines: as many jobs of 1 to 2 nodes as of 16 to 32. Poisson arrivals at a given
 * load.
 */
#include "sim/synthetic/kinds.h"

#include "sim/synthetic/variates.h"

enum { LEAST = TORUS_SYNTHETIC_OWN, MOST, JOBS };

static int draw(const double *value, const torus_synthetic_machine_t *machine,
		uint64_t *random, torus_workload_t *workload, torus_error_t *err)
{
	uint32_t least = (uint32_t)value[LEAST], most = (uint32_t)value[MOST];

	if (!most)
		most = machine->nodes > 4 ? machine->nodes / 4 : 1;
	if (most > machine->nodes)
		return torus_fail(err,
				  "log-uniform: max=%u is more than the machine's %u "
				  "nodes",
				  most, machine->nodes);
	if (least > most)
		return torus_fail(err, "log-uniform: min=%u is more than max=%u", least,
				  most);
	for (uint32_t i = 0; i < (uint32_t)value[JOBS]; i++) {
		torus_sim_job_t job = {
			.nodes = torus_variate_log_uniform(random, least, most)};

		if (torus_workload_add(workload, &job, err))
			return -1;
	}
	return 0;
}

const torus_synthetic_kind_t torus_synthetic_log_uniform = {
	.name = "log-uniform",
	.summary = "numbers of nodes whose logarithm is uniform",
	.parameter = {TORUS_SYNTHETIC_RUN_PARAMETER(
			      "mean of exponential run times, in seconds", 3600),
		      TORUS_SYNTHETIC_LOAD_PARAMETER(0.8),
		      TORUS_SYNTHETIC_TIMES_PARAMETER, TORUS_SYNTHETIC_F_PARAMETER,
		      [LEAST] = {.name = "min",
				 .summary = "nodes of the smallest jobs",
				 .minimum = 1,
				 .maximum = TORUS_MAX_CELLS,
				 .whole = true,
				 .standard = 1},
		      [MOST] = {.name = "max",
				.summary = "nodes of the largest jobs; 0: a quarter of "
					   "the machine",
				.maximum = TORUS_MAX_CELLS,
				.whole = true},
		      [JOBS] = TORUS_SYNTHETIC_JOBS_PARAMETER(1000)},
	.draw = draw,
};
