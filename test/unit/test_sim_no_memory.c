/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every allocation of the simulator and its readers fails once: each time there is an
 * error and a message, and (under a leak checker) nothing is lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "conf/torus_conf.h"
#include "no_memory.h"
#include "sim/outages.h"
#include "sim/sacct.h"
#include "sim/simulate.h"
#include "sim/swf.h"
#include "sim/transform.h"

static const char log_text[] = "1 0 0 9 4 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n"
			       "2 1 0 5 3 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
			       "3 1 0 5 2 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n"
			       "4 2 0 5 4 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n";
static const char history_text[] = "JobIDRaw|Submit|Start|End|AllocNodes|State\n"
				   "1|0|0|9|4|COMPLETED\n";
static const char outages_text[] = "0 3 5\n2-3 3 6\n";

/* Read all, and simulate under [scheduler]. */
static int run(const torus_cluster_t *cluster, torus_scheduler_t scheduler,
	       torus_error_t *err)
{
	const torus_transform_t transform = {.replicate = 2, .work_multiple = 2};
	torus_workload_t workload = {0};
	torus_outages_t outages = {0};
	torus_sim_config_t config = {
		.map = (const torus_map_t *const *)cluster->map,
		.tori = cluster->maps,
		.scheduler = scheduler,
		.slowdown = {0, 0.5},
		.outages = &outages,
		.isolation = true,
	};
	torus_sim_result_t result = {0};
	int status = -1;

	if (torus_sacct_read(history_text, strlen(history_text), "history", &workload,
			     err) != 0)
		return -1;
	torus_workload_clear(&workload);
	if (torus_swf_read(log_text, strlen(log_text), 1, &workload, err) != 0)
		return -1;
	/* A box, for what only boxes need. */
	workload.job[2].has_shape = true;
	workload.job[2].shape = (torus_shape_t){.dims = 1, .side = {2, 1, 1, 1, 1, 1}};
	if (torus_workload_transform(&workload, &transform, err) == 0 &&
	    torus_outages_read(outages_text, strlen(outages_text), "outages", cluster,
			       &outages, err) == 0)
		status = torus_simulate(&workload, &config, &result, err);
	torus_sim_result_clear(&result);
	torus_outages_clear(&outages);
	torus_workload_clear(&workload);
	return status;
}

static torus_cluster_t *make_cluster(void)
{
	torus_geometry_t geometry = {.dims = 1, .length = {4, 1, 1, 1, 1, 1}};
	torus_map_t **maps = malloc(sizeof(torus_map_t *));
	torus_cluster_t *cluster;

	assert_non_null(maps);
	*maps = torus_map_create("m", &geometry, TORUS_CURVE_ROW_MAJOR, 1, NULL);
	cluster = torus_cluster_create(maps, 1, NULL, NULL);
	assert_non_null(cluster);
	return cluster;
}

static void each_allocation_fails_once(void **state)
{
	torus_cluster_t *cluster = make_cluster();

	(void)state;
	for (int s = TORUS_FCFS; s <= TORUS_RECORDED; s++) {
		long count = 0;

		for (;; count++) {
			torus_error_t error = {""};
			int status;

			allow(count);
			status = run(cluster, (torus_scheduler_t)s, &error);
			if (!allow_all()) {
				assert_int_equal(status, 0);
				break;
			}
			assert_int_equal(status, -1);
			assert_string_not_equal(error.text, "");
		}
		assert_true(count > 20);
	}
	torus_cluster_destroy(cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
