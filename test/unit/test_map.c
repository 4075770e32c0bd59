/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps and clusters on random machines against their definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/hostlist.h"
#include "count_memory.h"
#include "machine/cluster.h"
#include "machine/cluster_place.h"
#include "random.h"

/* The nodes sorted by (position of the cell on the curve, node), one by one. */
static void assert_ranks(const torus_map_t *map, const uint32_t *cell_of_node)
{
	uint32_t cells = torus_geometry_cells(&map->geometry), rank = 0;
	uint32_t *order = malloc(cells * sizeof(*order));

	assert_non_null(order);
	assert_int_equal(torus_curve_order(&map->geometry, map->curve, order, NULL), 0);
	for (uint32_t i = 0; i < cells; i++) {
		for (uint32_t node = 0; node < map->nodes; node++) {
			if (cell_of_node[node] != order[i])
				continue;
			assert_int_equal(map->node_of_rank[rank], node);
			assert_int_equal(map->rank_of_node[node], rank);
			assert_int_equal(map->cell_of_rank[rank], order[i]);
			rank++;
		}
	}
	assert_int_equal(rank, map->nodes);
	free(order);
}

static torus_curve_t random_curve(void)
{
	return (torus_curve_t)random_in(TORUS_CURVE_ROW_MAJOR, TORUS_CURVE_HILBERT);
}

static void full_machines(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 200);
		uint32_t per_router = random_in(1, 4);
		uint32_t nodes = torus_geometry_cells(&geometry) * per_router;
		uint32_t cell_of_node[800];
		torus_map_t *map;

		map = torus_map_create("m", &geometry, random_curve(), per_router, NULL);
		assert_non_null(map);
		assert_string_equal(map->name, "m");
		assert_int_equal(map->nodes, nodes);
		assert_null(map->node_name);
		assert_ptr_equal(map->allocator, TORUS_DEFAULT_ALLOCATOR);
		assert_int_equal(map->span, torus_geometry_wraps(&geometry)
						    ? TORUS_SPAN_RING
						    : TORUS_SPAN_LINEAR);
		for (uint32_t node = 0; node < nodes; node++)
			cell_of_node[node] = node / per_router;
		assert_ranks(map, cell_of_node);
		torus_map_destroy(map);
	}
}

/* Machines with holes and with several nodes on some routers. */
static void machines_with_holes(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 200);
		uint32_t cells = torus_geometry_cells(&geometry),
			 nodes = random_in(1, 300);
		uint32_t cell_of_node[300];
		torus_map_t *map;

		for (uint32_t node = 0; node < nodes; node++)
			cell_of_node[node] = random_in(0, cells - 1);
		map = torus_map_create_nodes("m", &geometry, random_curve(), cell_of_node,
					     nodes, NULL, NULL, NULL);
		assert_non_null(map);
		assert_ranks(map, cell_of_node);
		torus_map_destroy(map);
	}
}

static void orders_of_the_site(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 200);
		uint32_t cells = torus_geometry_cells(&geometry),
			 nodes = random_in(1, 300);
		uint32_t cell_of_node[300], order[300], bad;
		torus_error_t err = {""};
		torus_map_t *map;

		for (uint32_t node = 0; node < nodes; node++) {
			uint32_t other = random_in(0, node);

			cell_of_node[node] = random_in(0, cells - 1);
			order[node] = order[other];
			order[other] = node;
		}
		map = torus_map_create_nodes("m", &geometry, TORUS_CURVE_FILE,
					     cell_of_node, nodes, NULL, order, NULL);
		assert_non_null(map);
		for (uint32_t rank = 0; rank < nodes; rank++) {
			assert_int_equal(map->node_of_rank[rank], order[rank]);
			assert_int_equal(map->rank_of_node[order[rank]], rank);
			assert_int_equal(map->cell_of_rank[rank],
					 cell_of_node[order[rank]]);
		}
		torus_map_destroy(map);

		bad = random_in(0, nodes - 1);
		order[bad] = bad ? order[0] : nodes;
		assert_null(torus_map_create_nodes("m", &geometry, TORUS_CURVE_FILE,
						   cell_of_node, nodes, NULL, order,
						   &err));
		assert_non_null(strstr(err.text, "does not name each"));
	}
}

static void rejects_bad_machines(void **state)
{
	torus_geometry_t geometry;
	torus_error_t err = {""};
	uint32_t cells[] = {0, 3, 4}, count;
	char **names;

	(void)state;
	assert_int_equal(torus_geometry_parse("2x2", NULL, &geometry, NULL), 0);
	/* The names are freed although the map is refused: a leak checker watches this.
	 */
	assert_int_equal(torus_hostlist_expand("n[1-3]", &names, &count, NULL), 0);
	assert_null(torus_map_create_nodes("m", &geometry, TORUS_CURVE_SNAKE, cells, 3,
					   names, NULL, &err));
	assert_non_null(strstr(err.text, "cell 4 of 4"));
	assert_null(torus_map_create_nodes("m", &geometry, TORUS_CURVE_SNAKE, cells, 0,
					   NULL, NULL, &err));
	assert_non_null(strstr(err.text, "has 0 nodes"));
	assert_null(torus_map_create("m", &geometry, TORUS_CURVE_SNAKE, 0, &err));
	assert_non_null(strstr(err.text, "has 0 nodes"));
	assert_null(torus_map_create("m", &geometry, TORUS_CURVE_SNAKE, 1 << 27, &err));
	assert_non_null(strstr(err.text, "has 536870912 nodes"));
	err.text[0] = '\0';
	assert_null(torus_map_create("m", &geometry, TORUS_CURVE_FILE, 1, &err));
	assert_string_not_equal(err.text, "");
	torus_map_destroy(NULL);
}

/* A line of as many nodes as the hostlist names. */
static torus_map_t *named_map(const char *name, const char *hostlist)
{
	torus_geometry_t geometry = {.dims = 1, .length = {1, 1, 1, 1, 1, 1}};
	torus_map_t *map;
	uint32_t count, *cells;
	char **names;

	assert_int_equal(torus_hostlist_expand(hostlist, &names, &count, NULL), 0);
	geometry.length[0] = (int32_t)count;
	cells = malloc(count * sizeof(*cells));
	assert_non_null(cells);
	for (uint32_t i = 0; i < count; i++)
		cells[i] = i;
	map = torus_map_create_nodes(name, &geometry, TORUS_CURVE_ROW_MAJOR, cells, count,
				     names, NULL, NULL);
	assert_non_null(map);
	free(cells);
	return map;
}

static torus_cluster_t *make_cluster(const char *const *hostlists, int maps,
				     int *offender, torus_error_t *err)
{
	static const char *const names[] = {"a", "b", "c"};
	torus_map_t **map = calloc((size_t)maps, sizeof(*map));

	assert_non_null(map);
	for (int i = 0; i < maps; i++)
		map[i] = named_map(names[i], hostlists[i]);
	return torus_cluster_create(map, maps, offender, err);
}

static void finds_nodes(void **state)
{
	static const char *const hostlists[] = {"n[0-9]", "login", "m[00-99],n10"};
	torus_cluster_t *cluster = make_cluster(hostlists, 3, NULL, NULL);
	uint32_t node = 77;
	int map = 77;

	(void)state;
	assert_non_null(cluster);
	assert_false(torus_cluster_find(cluster, "n11", &map, &node));
	assert_false(torus_cluster_find(cluster, "", &map, &node));
	assert_false(torus_cluster_find(cluster, "m0", &map, &node));
	assert_int_equal(map, 77);
	assert_int_equal(node, 77);
	for (int i = 0; i < cluster->maps; i++) {
		for (uint32_t j = 0; j < cluster->map[i]->nodes; j++) {
			const char *name = cluster->map[i]->node_name[j];

			assert_true(torus_cluster_find(cluster, name, &map, &node));
			assert_int_equal(map, i);
			assert_int_equal(node, j);
		}
	}
	torus_cluster_destroy(cluster);
	torus_cluster_destroy(NULL);
}

/* The nodes of a job, by name: their numbers, and their cells on their one torus. */
static void finds_cells(void **state)
{
	static const char *const hostlists[] = {"n[0-9]", "m[00-99],n10"};
	char *names[] = {"n10", "m07", "n10"}, *unknown[] = {"n1", "n12"};
	torus_cluster_t *cluster = make_cluster(hostlists, 2, NULL, NULL);
	uint32_t number[] = {7, 9, 110, 111}, cell[3];
	torus_geometry_t geometry;
	torus_error_t err = {""};

	(void)state;
	assert_non_null(cluster);
	assert_int_equal(torus_cluster_numbers(cluster, unknown, 2, number, &err), -1);
	assert_string_equal(err.text, "node 'n12' has no coordinates: no torus has it");
	assert_int_equal(torus_cluster_numbers(cluster, names, 3, number, &err), 0);
	assert_int_equal(number[0], 110);
	assert_int_equal(number[1], 17);
	assert_int_equal(number[2], 110);
	assert_int_equal(
		torus_cluster_cells(cluster, number, 3, NULL, &geometry, cell, &err), 0);
	assert_memory_equal(&geometry, &cluster->map[1]->geometry, sizeof(geometry));
	assert_int_equal(cell[0], 100);
	assert_int_equal(cell[1], 7);
	assert_int_equal(cell[2], 100);
	number[2] = 9;
	assert_int_equal(
		torus_cluster_cells(cluster, number, 3, NULL, &geometry, cell, &err), -1);
	assert_string_equal(err.text,
			    "nodes of different tori: 'n10' is on 'b', 'n9' on 'a'");
	number[2] = 111;
	assert_int_equal(
		torus_cluster_cells(cluster, number, 3, NULL, &geometry, cell, &err), -1);
	assert_string_equal(err.text, "node number 111 is not in 0 .. 110");
	torus_cluster_destroy(cluster);
}

static void refuses_nodes_in_two_places(void **state)
{
	static const char *const across[] = {"n[0-9]", "m[0-9]", "x,n7"};
	static const char *const within[] = {"n[0-9]", "m[0-9],m3", "x"};
	torus_error_t err = {""};
	int offender = -1;

	(void)state;
	assert_null(make_cluster(across, 3, &offender, &err));
	assert_string_equal(err.text, "node 'n7' is in torus 'a' and in torus 'c'");
	assert_int_equal(offender, 2);
	assert_null(make_cluster(within, 3, &offender, &err));
	assert_string_equal(err.text, "node 'm3' is twice in torus 'b'");
	assert_int_equal(offender, 1);
}

/* Never asked: the index stays empty, which takes as much memory. */
static const char *no_name(const void *owner, uint32_t number)
{
	(void)owner;
	(void)number;
	return "";
}

/*
 * Design target: what the engine keeps of a machine, all but the names themselves, is
 * within 32 bytes a node.
 */
static void fits_in_memory(void **state)
{
	size_t before = memory_in_use, map_bytes, index_bytes, placer_bytes, bytes;
	torus_name_index_t *index;
	torus_cluster_placer_t *placer;
	torus_geometry_t geometry;
	const torus_map_t *maps[1];
	torus_map_t *map;
	double nodes;

	(void)state;
	assert_int_equal(torus_geometry_parse("32x32x64", "all", &geometry, NULL), 0);
	map = torus_map_create("m", &geometry, TORUS_CURVE_HILBERT, 1, NULL);
	assert_non_null(map);
	nodes = map->nodes;
	map_bytes = memory_in_use - before;
	index = torus_name_index_create(map->nodes, no_name, NULL);
	index_bytes = memory_in_use - before - map_bytes;
	maps[0] = map;
	placer = torus_cluster_placer_create(maps, 1);
	placer_bytes = memory_in_use - before - map_bytes - index_bytes;
	assert_non_null(index);
	assert_non_null(placer);
	bytes = memory_in_use - before;
	printf("# %.1f bytes a node: map %.1f, name index %.1f, placer %.1f\n",
	       (double)bytes / nodes, (double)map_bytes / nodes,
	       (double)index_bytes / nodes, (double)placer_bytes / nodes);
	assert_true(bytes >= 12 * (size_t)nodes); /* the counting works */
	assert_true(bytes <= 32 * (size_t)nodes);
	torus_cluster_placer_destroy(placer);
	torus_name_index_destroy(index);
	torus_map_destroy(map);
	assert_int_equal(memory_in_use, before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_machines),
		cmocka_unit_test(machines_with_holes),
		cmocka_unit_test(orders_of_the_site),
		cmocka_unit_test(rejects_bad_machines),
		cmocka_unit_test(finds_nodes),
		cmocka_unit_test(finds_cells),
		cmocka_unit_test(refuses_nodes_in_two_places),
		cmocka_unit_test(fits_in_memory),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
