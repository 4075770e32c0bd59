/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every allocation of the readers, of placement and of the metrics fails once: each time
 * there is an error and a message, and (under a leak checker) nothing is lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "curve/curve.h"
#include "measures/score.h"
#include "geometry/chips.h"
#include "geometry/chords.h"
#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "metrics/metrics.h"
#include "no_memory.h"
#include "place/place.h"
#include "lists/ranklist.h"
#include "machine/cluster_place.h"
#include "machine/network_option.h"
#include "machine/registration.h"
#include "place/any_box.h"
#include "place/box.h"
#include "capacity/holders.h"
#include "capacity/largest_in_cube.h"
#include "capacity/packing.h"
#include "torus/cubes.h"
#include "torus/segments.h"
#include "machine/token.h"
#include "storus/view/racks.h"

static int read_file(void *context, const char *path, char **text, size_t *length,
		     torus_error_t *err)
{
	(void)context;
	(void)err;
	*text = __real_strdup(strstr(path, "order") ? "n3\nn[1-2]\nn4\n"
						    : "a 0 0\nb[1-9] 1 1\n");
	*length = strlen(*text);
	return 0;
}

static bool read_conf(torus_error_t *err)
{
	static const char text[] =
		"TorusName=a Dims=2x2 Coords=coords Curve=snake\n"
		"TorusName=b Dims=4 Nodes=n[1-4] Curve=file:order\n"
		"TorusName=c Dims=3x5x7 Nodes=c[1-105] Wrap=all Curve=z_order\n"
		"TorusName=d Dims=3 Nodes=by_registration\n"
		"TorusName=e ChipDims=8x2 NodeShape=2x2 Nodes=e[1-4] \\\n"
		"  Links=0:0-4:1,1:0-6:0\n"
		"Allocator=first_fit\n";
	torus_cluster_t *cluster = torus_conf_read_text(
		text, sizeof(text) - 1, "torus.conf", read_file, NULL, err);

	torus_cluster_destroy(cluster);
	return cluster != NULL;
}

/* Where there is no memory, all nodes are where they were. */
static bool register_nodes(torus_error_t *err)
{
	static torus_cluster_t *cluster;
	torus_claim_t claim[] = {{.node = "a", .place = "d:1"}, {.node = "b", .place = "d:2"}};
	uint32_t node;
	bool done;
	int t;

	if (!cluster) {
		cluster = torus_conf_read_text("TorusName=d Dims=3 Nodes=by_registration\n",
					       41, "t", read_file, NULL, err);
		if (!cluster)
			return false;
	}
	done = torus_cluster_register(cluster, claim, 2, err) == 0;
	assert_true(torus_cluster_find(cluster, "d:0", &t, &node));
	assert_int_equal(torus_cluster_find(cluster, "a", &t, &node), done);
	assert_int_equal(torus_cluster_find(cluster, "d:1", &t, &node), !done);
	if (done) {
		torus_cluster_destroy(cluster);
		cluster = NULL;
	}
	return done;
}

static int read_rack_file(void *context, const char *path, char **text, size_t *length,
			  torus_error_t *err)
{
	(void)context;
	(void)path;
	(void)err;
	*text = __real_strdup("n[1-4] 0 0 0-1 0-1\n");
	*length = strlen(*text);
	return 0;
}

static bool read_racks(torus_error_t *err)
{
	static const char text[] = "TorusName=a Dims=2x2 Nodes=n[1-4] Racks=r\n"
				   "Curve=row_major\n";
	torus_cluster_t *cluster =
		torus_conf_read_text(text, sizeof(text) - 1, "t", read_file, NULL, err);
	torus_racks_t racks;
	int rc = -1;

	if (cluster)
		rc = torus_racks_read_with(cluster, read_rack_file, NULL, &racks, err);
	if (rc == 0)
		torus_racks_clear(&racks);
	torus_cluster_destroy(cluster);
	return rc == 0;
}

static bool make_map(torus_error_t *err)
{
	torus_geometry_t geometry;
	torus_map_t *map;

	assert_int_equal(torus_geometry_parse("5x3x3", "all", &geometry, NULL), 0);
	map = torus_map_create("m", &geometry, TORUS_CURVE_Z_ORDER, 2, err);
	torus_map_destroy(map);
	return map != NULL;
}

static bool plan_and_score_hilbert(torus_error_t *err)
{
	torus_curve_score_t score;
	torus_geometry_t geometry;
	uint32_t order[60];

	assert_int_equal(torus_geometry_parse("5x4x3", "all", &geometry, NULL), 0);
	return !torus_curve_order(&geometry, TORUS_CURVE_HILBERT, order, err) &&
	       !torus_curve_score(&geometry, order, 60, NULL, NULL, &score, err);
}

static bool expand(torus_error_t *err)
{
	uint32_t count;
	char **names;
	int result = torus_hostlist_expand("n[1-3]", &names, &count, err);

	free(names);
	return !result;
}

static bool format_names(torus_error_t *err)
{
	static const char *const names[] = {"n1", "n2"};
	char *text = torus_hostlist_format(names, 2);

	free(text);
	return text || !torus_fail(err, "no memory for the text");
}

static bool read_sequence(torus_error_t *err)
{
	uint32_t *list, count;
	int result = torus_ranklist_parse_sequence("0-9", 10, &list, &count, err);

	free(list);
	return !result;
}

static bool read_network(torus_error_t *err)
{
	torus_network_request_t request;

	return !torus_network_parse("torus:shape=2x2", &request, err);
}

static bool format_token(torus_error_t *err)
{
	torus_geometry_t geometry;
	uint32_t ranks[] = {0, 2, 3}, cells[6] = {0, 1, 2, 3, 4, 5};
	torus_map_t map = {
		.name = "m", .nodes = 6, .cell_of_rank = cells, .span = TORUS_SPAN_RING};
	char *token;

	assert_int_equal(torus_geometry_parse("3x2", "all", &geometry, NULL), 0);
	map.geometry = geometry;
	token = torus_token_format(&map, ranks, 3, NULL, err);
	free(token);
	return token != NULL;
}

static bool add_chips_to_token(torus_error_t *err)
{
	uint32_t ranks[] = {0, 2, 3}, cells[6] = {0, 1, 2, 3, 4, 5};
	uint64_t chips[] = {1, 2, 3};
	torus_map_t map = {.name = "m", .nodes = 6, .cell_of_rank = cells};
	char *token;

	assert_int_equal(torus_geometry_parse("3x2", "all", &map.geometry, NULL), 0);
	assert_int_equal(torus_node_shape_parse("2x1", &map.geometry, NULL), 0);
	token = torus_token_add_chips(__real_strdup("t"), &map, ranks, 3, NULL, chips,
				      err);
	free(token);
	return token != NULL;
}

/* A whole ring, so that the diameter needs its grid; its span has to be sorted for. */
static bool measure(torus_error_t *err)
{
	torus_geometry_t geometry;
	torus_metrics_t metrics;
	uint32_t ranks[40];

	assert_int_equal(torus_geometry_parse("40", "all", &geometry, NULL), 0);
	for (uint32_t rank = 0; rank < 40; rank++)
		ranks[rank] = 39 - rank;
	return !torus_metrics(&geometry, ranks, ranks, 40, 40, true, &metrics, err);
}

static bool measure_by_links(torus_error_t *err)
{
	const torus_chord_t chord = {{0, 20}};
	torus_geometry_t geometry;
	torus_metrics_t metrics;
	uint32_t ranks[40];
	bool ok;

	assert_int_equal(torus_geometry_parse("40", "all", &geometry, NULL), 0);
	for (uint32_t rank = 0; rank < 40; rank++)
		ranks[rank] = 39 - rank;
	geometry.chords = torus_chords_create(&geometry, &chord, 1, err);
	ok = geometry.chords &&
	     !torus_metrics(&geometry, ranks, ranks, 40, 40, true, &metrics, err);
	torus_chords_release(geometry.chords);
	return ok;
}

static bool place_by_weight(torus_error_t *err)
{
	uint64_t weights[4] = {1, 2, 1, 2}, usable = 0xf;
	torus_place_request_t request = {.nodes = 3};
	uint32_t chosen[4];
	torus_placer_t *placer = torus_placer_create(4);
	int placed;

	if (!placer)
		return !torus_fail(err, "no memory for the placer");
	placed = torus_place_weighted(placer, &usable, weights, &request, chosen, NULL,
				      err);
	torus_placer_destroy(placer);
	return placed == 1;
}

static bool find_box(torus_error_t *err)
{
	torus_shape_t shape = {.dims = 2, .side = {2, 1, 1, 1, 1, 1}};
	uint32_t cell_of_rank[4] = {0, 1, 2, 3}, chosen[4], count;
	torus_geometry_t geometry;
	uint64_t usable = 0xf;

	assert_int_equal(torus_geometry_parse("2x2", "none", &geometry, NULL), 0);
	return torus_box_place(&geometry, cell_of_rank, 4, &usable, NULL, &shape, chosen,
			       &count, err) == 1;
}

static bool find_box_of_chips(torus_error_t *err)
{
	torus_shape_t shape = {.dims = 2, .side = {4, 1, 1, 1, 1, 1}, .in_chips = true};
	uint32_t cell_of_rank[4] = {0, 1, 2, 3}, chosen[4], count;
	torus_geometry_t geometry;
	uint64_t usable = 0xf;

	assert_int_equal(torus_geometry_parse("2x2", "none", &geometry, NULL), 0);
	assert_int_equal(torus_node_shape_parse("2x1", &geometry, NULL), 0);
	return torus_box_place(&geometry, cell_of_rank, 4, &usable, NULL, &shape, chosen,
			       &count, err) == 1;
}

static bool find_any_box(const uint64_t *weights, torus_error_t *err)
{
	uint32_t cell_of_rank[4] = {0, 1, 2, 3}, chosen[4];
	torus_geometry_t geometry;
	uint64_t usable = 0xf, distance;

	assert_int_equal(torus_geometry_parse("2x2", "none", &geometry, NULL), 0);
	return torus_any_box_place(&geometry, cell_of_rank, 4, &usable, weights, 2, false,
				   chosen, &distance, err) == 1;
}

static bool find_compact_box(torus_error_t *err)
{
	return find_any_box(NULL, err);
}

static bool find_light_box(torus_error_t *err)
{
	static const uint64_t weights[4] = {1, 2, 3, 4};

	return find_any_box(weights, err);
}

/* Everything that storus capacity works out: a 2x2 with a job on one cell. */
static bool find_room(torus_error_t *err)
{
	static const uint32_t first[5] = {0, 1, 1, 1, 1}, holder[1] = {0};
	static const uint64_t usable = 0xe, never = 0;
	static const int64_t end[1] = {7};
	const torus_holders_t holders = {.holders = 1,
					 .end = end,
					 .first = first,
					 .holder = holder,
					 .never = &never};
	torus_shape_t shape = {.dims = 2, .side = {2, 2, 1, 1, 1, 1}};
	torus_in_the_way_t box;
	torus_largest_t largest;
	torus_packing_t packing;
	torus_geometry_t geometry;
	int64_t when;

	assert_int_equal(torus_geometry_parse("2x2", "none", &geometry, NULL), 0);
	return torus_largest_box(&geometry, &usable, 2, &largest, err) == 0 &&
	       torus_largest_cube(&geometry, &usable, &largest, err) == 0 &&
	       torus_packing(&geometry, &usable, &shape, 100, &packing, err) == 0 &&
	       torus_fewest_holders(&geometry, &holders, &shape, &box, NULL, err) == 1 &&
	       torus_first_time(&geometry, &holders, &shape, &when, err) == 1;
}

/* The same on a machine of two cubes of two, both of which the job has. */
static bool find_room_in_cubes(torus_error_t *err)
{
	static const uint32_t first[5] = {0, 0, 1, 2, 2}, holder[2] = {0, 0};
	static const uint64_t usable = 0x3, never = 0;
	static const int64_t end[1] = {7};
	const torus_holders_t holders = {.holders = 1,
					 .end = end,
					 .first = first,
					 .holder = holder,
					 .never = &never};
	torus_shape_t whole = {.dims = 1, .side = {4, 1, 1, 1, 1, 1}};
	torus_shape_t inside = {.dims = 1, .side = {1, 1, 1, 1, 1, 1}};
	torus_in_the_way_t box;
	torus_largest_t largest;
	torus_packing_t packing;
	torus_geometry_t geometry;
	int64_t when;

	assert_int_equal(torus_geometry_parse("4", "none", &geometry, NULL), 0);
	assert_int_equal(torus_cubes_parse("2", &geometry, NULL), 0);
	return torus_largest_room(&geometry, &usable, 1, &largest, err) == 0 &&
	       torus_packing(&geometry, &usable, &inside, 100, &packing, err) == 0 &&
	       torus_fewest_holders(&geometry, &holders, &inside, &box, NULL, err) == 1 &&
	       torus_fewest_holders(&geometry, &holders, &whole, &box, NULL, err) == 1 &&
	       torus_first_time(&geometry, &holders, &whole, &when, err) == 1;
}

/* Segments of whole cubes, and within one, on that machine, and cut again. */
static bool find_segments_in_cubes(torus_error_t *err)
{
	static const uint32_t cell_of_rank[4] = {0, 1, 2, 3};
	static const uint64_t all = 0xf, weights[4] = {1, 2, 1, 1};
	uint32_t chosen[4], order[4], count;
	torus_segments_hops_t hops;
	torus_geometry_t geometry;
	const torus_segments_site_t site = {.geometry = &geometry,
					    .cell_of_rank = cell_of_rank,
					    .ranks = 4,
					    .span = TORUS_SPAN_LINEAR};
	bool pieces;

	assert_int_equal(torus_geometry_parse("4", "none", &geometry, NULL), 0);
	assert_int_equal(torus_cubes_parse("2", &geometry, NULL), 0);
	return torus_choose_segments(&site, &all, NULL, 2, 2, TORUS_SEGMENTS_SPREAD,
				     chosen, &hops, err) == 1 &&
	       torus_cut_segments(&site, chosen, 2, 2, order, &pieces, &hops, err) == 0 &&
	       torus_choose_segments(&site, &all, weights, 1, 2, TORUS_SEGMENTS_ANYWHERE,
				     chosen, &hops, err) == 1 &&
	       torus_cut_segments(&site, chosen, 1, 2, order, &pieces, &hops, err) == 0 &&
	       torus_count_segments(&site, &all, 1, TORUS_SEGMENTS_ANYWHERE, &count,
				    err) == 0;
}

/* Two tori of two nodes, and as many nodes of low weight [elsewhere]. */
static bool place_in_cluster(uint32_t nodes, uint32_t elsewhere, torus_error_t *err)
{
	static const uint64_t weights[2] = {1, 2}, light[2] = {1, 1}, both = 3;
	const torus_candidates_t candidates = {.free = &both, .weights = weights};
	const torus_candidates_t tori[2] = {candidates, candidates};
	torus_cluster_request_t request = {.nodes = nodes,
					   .spread = true,
					   .torus = tori,
					   .elsewhere = {.free = &both, .weights = light},
					   .elsewhere_nodes = elsewhere};
	torus_cluster_placement_t placement;
	torus_cluster_placer_t *placer = NULL;
	const torus_map_t *map[2];
	torus_map_t *line;
	torus_geometry_t geometry;
	int placed = -1;

	assert_int_equal(torus_geometry_parse("2", "none", &geometry, NULL), 0);
	line = torus_map_create("m", &geometry, TORUS_CURVE_ROW_MAJOR, 1, err);
	if (!line)
		return false;
	map[0] = map[1] = line;
	placer = torus_cluster_placer_create(map, 2);
	if (!placer)
		torus_fail(err, "no memory for the placer");
	else
		placed = torus_cluster_place(placer, &request, &placement, err);
	torus_cluster_placer_destroy(placer);
	torus_map_destroy(line);
	return placed == 1;
}

static bool place_on_one_torus(torus_error_t *err)
{
	return place_in_cluster(1, 2, err);
}

static bool spread_over_tori(torus_error_t *err)
{
	return place_in_cluster(3, 0, err);
}

static bool mix_torus_and_others(torus_error_t *err)
{
	return place_in_cluster(3, 2, err);
}

static void each_allocation_fails_once(void **state)
{
	static const struct {
		bool (*run)(torus_error_t *err);
		long least; /* allocations that it is known to make */
	} table[] = {{read_conf, 50},
		     {register_nodes, 6},
		     {read_racks, 30},
		     {make_map, 5},
		     {expand, 1},
		     {format_names, 1},
		     {read_sequence, 1},
		     {read_network, 1},
		     {format_token, 1},
		     {add_chips_to_token, 2},
		     {measure, 9},
		     {measure_by_links, 15},
		     {place_by_weight, 4},
		     {find_box, 1},
		     {find_box_of_chips, 2},
		     {find_compact_box, 4},
		     {find_light_box, 6},
		     {find_room, 12},
		     {find_room_in_cubes, 12},
		     {find_segments_in_cubes, 20},
		     {plan_and_score_hilbert, 100},
		     {place_on_one_torus, 20},
		     {spread_over_tori, 20},
		     {mix_torus_and_others, 20}};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		long count = 0;
		bool ok;

		do {
			torus_error_t err = {""};

			allow(count++);
			ok = table[i].run(&err);
			assert_int_equal(ok, !allow_all());
			assert_int_equal(ok, !strstr(err.text, "memory"));
		} while (!ok);
		assert_true(count > table[i].least);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
