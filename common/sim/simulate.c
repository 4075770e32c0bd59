/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulator: see simulate.h. */
#include "sim/simulate.h"

#include <stdlib.h>

int torus_simulate(const torus_workload_t *workload, const torus_sim_config_t *config,
		   torus_sim_result_t *result, torus_error_t *err)
{
	(void)workload;
	(void)config;
	*result = (torus_sim_result_t){0};
	return torus_fail(err, "the simulator is not there yet");
}

void torus_sim_result_clear(torus_sim_result_t *result)
{
	free(result->record);
	free(result->lost);
	free(result->run);
	*result = (torus_sim_result_t){0};
}
