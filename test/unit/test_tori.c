/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori joined with a table of nodes: against a search for each node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "machine/tori.h"
#include "node_list.h"
#include "random.h"

#define CASES RANDOM_CASES(3000)
#define TWO                                                                              \
	"TorusName=a Dims=4x2 Nodes=a[0-7]\n"                                            \
	"TorusName=b Dims=3 NodesPerRouter=2 Nodes=b[0-5]\n"

/* Names that a table may have: those of TWO and others. */
static const char *const names[] = {"a0", "a1", "a2", "a3", "a4", "a5", "a6",
				    "a7", "b0", "b1", "b2", "b3", "b4", "b5",
				    "c0", "c1", "c2", "c3", "c4", "c5"};
enum { NAMES = sizeof(names) / sizeof(*names), ON_TORI = 14 };

typedef struct strangers {
	const char *unknown[LIST_MOST], *missing[LIST_MOST];
	int unknowns, missings;
} strangers_t;

static void add_unknown(void *context, const char *name)
{
	strangers_t *strangers = context;

	strangers->unknown[strangers->unknowns++] = name;
}

static void add_missing(void *context, const char *name)
{
	strangers_t *strangers = context;

	strangers->missing[strangers->missings++] = name;
}

static torus_tori_t *must_create(const char *conf)
{
	torus_error_t err;
	torus_tori_t *tori = torus_tori_create(make_cluster(conf), &err);

	if (!tori)
		fail_msg("%s", err.text);
	return tori;
}

static void must_join(torus_tori_t *tori, const torus_node_table_t *table)
{
	torus_error_t err;

	if (torus_tori_join(tori, table, &err))
		fail_msg("%s", err.text);
	assert_true(torus_tori_are_joined(tori, table));
}

/* Each of the names at most once, in any order, with gaps and nodes that may go. */
static int random_list(torus_listed_node_t *list)
{
	int nodes = (int)random_in(0, NAMES), order[NAMES];

	for (int i = 0; i < NAMES; i++) {
		int j = (int)random_in(0, (uint32_t)i);

		order[i] = order[j];
		order[j] = i;
	}
	memset(list, 0, LIST_MOST * sizeof(*list));
	for (int i = 0; i < nodes; i++) {
		if (random_in(0, 7))
			list[i].name = names[order[i]];
		list[i].passing = random_in(0, 1);
	}
	return nodes;
}

static void check_join(const torus_tori_t *tori, const torus_listed_node_t *list,
		       int nodes)
{
	int elsewhere = 0, there = 0;

	assert_int_equal(tori->nodes, nodes);
	for (int i = 0; i < nodes; i++) {
		uint32_t number;
		int t;

		if (list[i].name &&
		    torus_cluster_find(tori->cluster, list[i].name, &t, &number)) {
			uint32_t rank = tori->cluster->map[t]->rank_of_node[number];

			assert_int_equal(tori->torus_of_node[i], t);
			assert_int_equal(tori->rank_of_node[i], rank);
			assert_int_equal(tori->torus[t].node_of_rank[rank], i);
			there++;
		} else {
			assert_int_equal(tori->torus_of_node[i], -1);
			assert_int_equal(tori->rank_of_node[i], elsewhere);
			assert_int_equal(tori->node_of_elsewhere[elsewhere++], i);
		}
	}
	assert_int_equal(tori->elsewhere_nodes, elsewhere);
	for (int t = 0; t < tori->count; t++) {
		for (uint32_t rank = 0; rank < tori->torus[t].map->nodes; rank++)
			there -= tori->torus[t].node_of_rank[rank] != TORUS_TORI_NO_NODE;
	}
	assert_int_equal(there, 0);
}

/* In the order of the table, and of the ranks. */
static void check_strangers(const torus_tori_t *tori, const torus_node_table_t *table,
			    const torus_listed_node_t *list)
{
	strangers_t strangers = {.unknowns = 0};
	int unknowns = 0, missings = 0;

	torus_tori_each_stranger(tori, table, add_unknown, add_missing, &strangers);
	for (int i = 0; i < table->nodes; i++) {
		if (list[i].name && list[i].name[0] == 'c')
			assert_string_equal(strangers.unknown[unknowns++], list[i].name);
	}
	assert_int_equal(strangers.unknowns, unknowns);
	for (int t = 0; t < tori->count; t++) {
		const torus_map_t *map = tori->torus[t].map;

		for (uint32_t rank = 0; rank < map->nodes; rank++) {
			const char *name = map->node_name[map->node_of_rank[rank]];

			if (list_find(list, name) < 0)
				assert_string_equal(strangers.missing[missings++], name);
		}
	}
	assert_int_equal(strangers.missings, missings);
}

static void joins_any_table(void **state)
{
	torus_tori_t *tori = must_create(TWO);

	(void)state;
	assert_false(tori->open);
	for (int i = 0; i < CASES; i++) {
		torus_listed_node_t list[LIST_MOST];
		torus_node_table_t table = table_of(list, random_list(list));

		must_join(tori, &table);
		check_join(tori, list, table.nodes);
		check_strangers(tori, &table, list);
		assert_false(tori->grows);
		assert_int_equal(tori->torus[0].on_router, 1);
		assert_int_equal(tori->torus[1].on_router, 2);
	}
	torus_tori_destroy(tori);
}

/* A change at one index; nodes that stay are not looked at again. */
static void sees_who_comes_and_goes(void **state)
{
	torus_tori_t *tori = must_create(TWO);
	uint32_t seen = 0, unseen = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		torus_listed_node_t list[LIST_MOST];
		torus_node_table_t table = table_of(list, random_list(list));
		bool loose;
		int at;

		if (!table.nodes)
			continue;
		must_join(tori, &table);
		at = (int)random_in(0, (uint32_t)table.nodes - 1);
		loose = !list[at].name || list[at].passing;
		list[at].name = list[at].name && random_in(0, 1) ? NULL : "other";
		assert_int_equal(torus_tori_are_joined(tori, &table), !loose);
		seen += loose;
		unseen += !loose;
		table.nodes += random_in(0, 1) ? 1 : -1;
		assert_false(torus_tori_are_joined(tori, &table));
	}
	assert_true(seen > 100 && unseen > 100);
	torus_tori_destroy(tori);
}

static void nodes_come_to_where_they_say(void **state)
{
	torus_listed_node_t list[LIST_MOST] = {{.name = "x", .features = "torus=m:1"},
					       {.name = "y"}};
	torus_tori_t *tori = must_create("TorusName=m Dims=3 Nodes=by_registration\n"
					 "TorusName=n Dims=2 Nodes=n[0-1]\n");
	torus_node_table_t table = table_of(list, 2);
	strangers_t strangers = {.unknowns = 0};

	(void)state;
	assert_true(tori->open);
	must_join(tori, &table);
	assert_true(tori->grows);
	assert_int_equal(tori->torus_of_node[0], 0);
	assert_int_equal(tori->torus_of_node[1], -1);
	/* Vacant places are not missing. */
	torus_tori_each_stranger(tori, &table, add_unknown, add_missing, &strangers);
	assert_int_equal(strangers.unknowns, 1);
	assert_int_equal(strangers.missings, 2);
	list[1].features = "torus=m:0";
	assert_false(torus_tori_are_joined(tori, &table));
	must_join(tori, &table);
	assert_int_equal(tori->torus_of_node[1], 0);
	list[2] = (torus_listed_node_t){.name = "z", .features = "torus=m:2"};
	table.nodes = 3;
	must_join(tori, &table);
	assert_false(tori->grows);
	torus_tori_destroy(tori);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joins_any_table),
		cmocka_unit_test(sees_who_comes_and_goes),
		cmocka_unit_test(nodes_come_to_where_they_say),
	};

	random_begin();
	torus_tori_destroy(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
