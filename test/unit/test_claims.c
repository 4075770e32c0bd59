/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of a table that say where they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "machine/claims.h"
#include "node_list.h"

#define LINE                                                                             \
	"TorusName=main Dims=4 Nodes=by_registration\nTorusName=old Dims=2 Nodes=n[1-2]\n"

/* Where the node is on the line, or -1. */
static int cell_of(const torus_cluster_t *cluster, const char *name)
{
	uint32_t node;
	int t;

	if (!torus_cluster_find(cluster, name, &t, &node) || t != 0)
		return -1;
	return (int)torus_map_cell(cluster->map[0], node);
}

static void must_register(torus_claims_t *claims, torus_cluster_t *cluster,
			  const torus_listed_node_t *list, int nodes)
{
	torus_node_table_t table = table_of(list, nodes);
	torus_error_t err;

	told = 0;
	if (torus_claims_register(claims, cluster, &table, &err))
		fail_msg("%s", err.text);
	assert_int_equal(claims->nodes, nodes);
}

static void features_get_another_place(void **state)
{
	static const struct {
		const char *features, *place, *now; /* NULL: there are none */
	} table[] = {
		{NULL, NULL, NULL},
		{"", NULL, NULL},
		{NULL, "main:1", "torus=main:1"},
		{"", "main:1", "torus=main:1"},
		{"gpu", NULL, "gpu"},
		{"gpu", "main:1", "gpu,torus=main:1"},
		{"torus=main:0", NULL, NULL},
		{"torus=main:0", "main:1", "torus=main:1"},
		{"a,torus=main:0,b", "main:1", "a,b,torus=main:1"},
		{"torus=main:0,a,torus=main:2", NULL, "a"},
		{"torus", NULL, "torus"},
		{"mytorus=1,a", "x:2", "mytorus=1,a,torus=x:2"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		size_t room = (table[i].features ? strlen(table[i].features) : 0) +
			      (table[i].place ? strlen(table[i].place) : 0) +
			      sizeof(TORUS_PLACE_FEATURE) + 1;
		char *text = test_malloc(room); /* which sees what is written behind it */

		assert_int_equal(
			torus_features_place(table[i].features, table[i].place, text),
			table[i].now != NULL);
		assert_string_equal(text, table[i].now ? table[i].now : "");
		test_free(text);
	}
}

static void what_was_refused_is_told_once(void **state)
{
	torus_listed_node_t list[LIST_MOST] = {
		{.name = "a", .features = "gpu,torus=main:2"},
		{.name = NULL, .features = "torus=main:3"},
		{.name = "b", .features = "torus=main:2"},
		{.name = "c"},
	};
	torus_cluster_t *cluster = make_cluster(LINE);
	torus_claims_t claims = {0};

	(void)state;
	must_register(&claims, cluster, list, 4);
	assert_int_equal(told, 1);
	assert_string_equal(told_text, "node b says main:2, where node a is");
	assert_int_equal(cell_of(cluster, "a"), 2);
	assert_int_equal(cell_of(cluster, "b"), -1);
	assert_int_equal(torus_map_vacancies(cluster->map[0]), 3);
	must_register(&claims, cluster, list, 4);
	assert_int_equal(told, 0);
	/* Another reason is told, and the old one once more when it comes back. */
	list[2].features = "torus=main:4";
	must_register(&claims, cluster, list, 4);
	assert_int_equal(told, 1);
	list[2].features = "torus=main:2";
	must_register(&claims, cluster, list, 4);
	assert_int_equal(told, 1);
	/* So it is when the node was where it said in the meantime. */
	list[2].features = "torus=main:1";
	must_register(&claims, cluster, list, 4);
	assert_int_equal(told, 0);
	assert_int_equal(cell_of(cluster, "b"), 1);
	list[2].features = "torus=main:4";
	must_register(&claims, cluster, list, 4);
	assert_int_equal(told, 1);
	torus_claims_clear(&claims);
	torus_cluster_destroy(cluster);
}

/* Nothing is kept of it where nobody will ask later. */
static void registers_without_memory_of_it(void **state)
{
	torus_listed_node_t list[LIST_MOST] = {
		{"a", "torus=main:2", false, false, false},
		{"b", "torus=main:2", false, false, false}};
	torus_cluster_t *cluster = make_cluster(LINE);
	torus_node_table_t table = table_of(list, 2);
	torus_error_t err;

	(void)state;
	told = 0;
	table.find = NULL;
	assert_int_equal(torus_claims_register(NULL, cluster, &table, &err), 0);
	assert_int_equal(told, 0);
	assert_int_equal(cell_of(cluster, "a"), 2);
	torus_cluster_destroy(cluster);
}

static void is_old_when_something_else_would_come_of_it(void **state)
{
	torus_listed_node_t list[LIST_MOST] = {
		{.name = "a", .features = "torus=main:0", .has_jobs = true},
		{.name = "b", .features = "torus=main:1"},
		{.name = "c"},
	};
	torus_node_table_t table = table_of(list, 3);
	torus_cluster_t *cluster = make_cluster(LINE);
	torus_claims_t claims = {0};

	(void)state;
	must_register(&claims, cluster, list, 3);
	assert_false(torus_claims_are_old(&claims, &table));
	/* Any feature, also one more, or a node in place of none. */
	list[2].features = "gpu";
	assert_true(torus_claims_are_old(&claims, &table));
	list[2].features = NULL;
	assert_false(torus_claims_are_old(&claims, &table));
	list[1].name = NULL;
	assert_true(torus_claims_are_old(&claims, &table));
	list[1].name = "b";
	assert_false(torus_claims_are_old(&claims, &table));
	/* A node with jobs stays until they have ended. */
	list[0].features = "torus=main:2";
	assert_true(torus_claims_are_old(&claims, &table));
	must_register(&claims, cluster, list, 3);
	assert_int_equal(cell_of(cluster, "a"), 0);
	assert_int_equal(claims.deferred, 1);
	assert_false(torus_claims_are_old(&claims, &table));
	list[0].has_jobs = false;
	assert_true(torus_claims_are_old(&claims, &table));
	must_register(&claims, cluster, list, 3);
	assert_int_equal(cell_of(cluster, "a"), 2);
	assert_false(torus_claims_are_old(&claims, &table));
	/* Who was refused is looked at again in the next second. */
	list[2].features = "torus=main:1";
	must_register(&claims, cluster, list, 3);
	assert_true(claims.refused);
	claims.when = time(NULL) + 100;
	assert_true(torus_claims_are_old(&claims, &table));
	claims.refused = false;
	assert_false(torus_claims_are_old(&claims, &table));
	torus_claims_clear(&claims);
	assert_int_equal(claims.nodes, 0);
	torus_cluster_destroy(cluster);
}

static void a_place_is_promised_to_one(void **state)
{
	torus_listed_node_t list[LIST_MOST] = {
		{.name = "a", .features = "torus=main:0"},
		{.name = "b", .features = "torus=main:1", .away = true},
		{.name = "c"},
		{.name = "d"},
	};
	static const struct {
		const char *node, *place;
		bool can;
		torus_claim_result_t result;
	} asked[] = {
		{"c", "main:0", false, TORUS_CLAIM_TAKEN}, /* a is there */
		{"a", "main:0", true, TORUS_CLAIM_GRANTED},
		{"c", "main:1", true, TORUS_CLAIM_GRANTED}, /* b is away */
		{"d", "main:1", false, TORUS_CLAIM_TAKEN},  /* now it is c's */
		{"d", "main:2", true, TORUS_CLAIM_GRANTED}, /* vacant */
		{"c", "main:2", false, TORUS_CLAIM_TAKEN},
		{"d", "main:4", false, TORUS_CLAIM_OUTSIDE},
		{"d", "old:0", false, TORUS_CLAIM_ALIEN},
		{"n1", "old:0", false, TORUS_CLAIM_GRANTED}, /* by torus.conf, not so */
		{"n1", "main:3", false, TORUS_CLAIM_WRITTEN},
	};
	torus_cluster_t *cluster = make_cluster(LINE);
	torus_node_table_t table = table_of(list, 4);
	torus_claims_t claims = {0};

	(void)state;
	must_register(&claims, cluster, list, 4);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		torus_claim_t claim = {.node = asked[i].node, .place = asked[i].place};

		assert_int_equal(torus_claims_ask(&claims, cluster, &table, &claim),
				 asked[i].can);
		assert_int_equal(claim.result, asked[i].result);
	}
	/* Nothing is promised any more. */
	must_register(&claims, cluster, list, 4);
	torus_claim_t claim = {.node = "d", .place = "main:1"};
	assert_true(torus_claims_ask(&claims, cluster, &table, &claim));
	torus_claims_clear(&claims);
	torus_cluster_destroy(cluster);
}

static void tells_of_nodes_that_came_later(void **state)
{
	torus_listed_node_t list[LIST_MOST] = {{.name = "a"}};
	torus_node_table_t table = table_of(list, 1);
	torus_claims_t claims = {0};

	(void)state;
	told = 0;
	torus_claims_tell(&claims, &table, 7, "");
	assert_int_equal(told, 0);
	torus_claims_tell(&claims, &table, 7, "so");
	torus_claims_tell(&claims, &table, 7, "so");
	assert_int_equal(told, 1);
	torus_claims_tell(&claims, &table, 3, "so");
	assert_int_equal(told, 2);
	torus_claims_clear(&claims);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(features_get_another_place),
		cmocka_unit_test(what_was_refused_is_told_once),
		cmocka_unit_test(registers_without_memory_of_it),
		cmocka_unit_test(is_old_when_something_else_would_come_of_it),
		cmocka_unit_test(a_place_is_promised_to_one),
		cmocka_unit_test(tells_of_nodes_that_came_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
