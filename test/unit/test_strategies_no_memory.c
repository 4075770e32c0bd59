/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every allocation of every strategy fails once: each time there is an error and a
 * message, and (under a leak checker) nothing is lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "machine/cluster_place.h"
#include "no_memory.h"
#include "strategies/strategies.h"

/* Eight nodes of a machine of 64, of which some are taken: a decision, and one for a
 * shape. On a hypercube, the only machine that suits all. */
static bool decide(const torus_allocator_t *allocator, const torus_shape_t *shape,
		   torus_error_t *err)
{
	const uint64_t usable = UINT64_MAX;
	const torus_candidates_t torus = {.free = &usable};
	const torus_cluster_request_t request = {
		.nodes = 8, .shape = shape, .torus = &torus, .seed = 1};
	torus_cluster_placement_t placement;
	torus_cluster_placer_t *placer;
	const torus_map_t *maps[1];
	torus_geometry_t geometry;
	torus_map_t *map;
	int placed = -1;

	assert_int_equal(torus_geometry_parse("2x2x2x2x2x2", "all", &geometry, NULL), 0);
	map = torus_map_create("m", &geometry, TORUS_CURVE_ROW_MAJOR, 1, err);
	if (!map)
		return false;
	map->allocator = allocator;
	map->isolation = 100;
	maps[0] = map;
	placer = torus_cluster_placer_create(maps, 1);
	if (!placer)
		torus_fail(err, "no memory for the placer");
	else
		placed = torus_cluster_place(placer, &request, &placement, err);
	torus_cluster_placer_destroy(placer);
	torus_map_destroy(map);
	return placed == 1;
}

/* Returns how many allocations a decision makes. */
static long fail_each(const torus_allocator_t *allocator, const torus_shape_t *shape)
{
	long count = 0;
	bool ok;

	do {
		torus_error_t err = {""};

		allow(count++);
		ok = decide(allocator, shape, &err);
		assert_int_equal(ok, !allow_all());
		assert_int_equal(ok, !strstr(err.text, "memory"));
	} while (!ok);
	return count;
}

static void each_allocation_of_each_strategy_fails_once(void **state)
{
	const torus_shape_t shape = {.dims = 2, .side = {2, 2, 1, 1, 1, 1}};
	long on_the_line = fail_each(&torus_best_fit, NULL);

	(void)state;
	for (int i = 0; torus_strategies[i]; i++) {
		if (torus_strategies[i]->interval)
			continue;
		/* At least the index of the machine: six. */
		assert_true(fail_each(torus_strategies[i], NULL) >= on_the_line + 6);
		fail_each(torus_strategies[i], &shape);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_of_each_strategy_fails_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
