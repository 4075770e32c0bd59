/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori by registration: against the rules of machine/registration.h, the slow way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "conf/torus_conf.h"
#include "machine/registration.h"
#include "random.h"

static torus_cluster_t *make(const char *text)
{
	torus_error_t err;
	torus_cluster_t *cluster = torus_conf_read_text(
		text, strlen(text), "torus.conf", torus_file_from_disk, NULL, &err);

	if (!cluster)
		fail_msg("%s", err.text);
	return cluster;
}

/* Where the node is, as "main:1:0:0". */
static void assert_at(const torus_cluster_t *cluster, const char *node, const char *place)
{
	char text[64];
	int32_t coord[TORUS_MAX_DIMS];
	const torus_map_t *map;
	uint32_t number;
	int t, used;

	if (!place) {
		assert_false(torus_cluster_find(cluster, node, &t, &number));
		return;
	}
	assert_true(torus_cluster_find(cluster, node, &t, &number));
	map = cluster->map[t];
	torus_cell_to_coord(&map->geometry, torus_map_cell(map, number), coord);
	used = snprintf(text, sizeof(text), "%s", map->name);
	for (int axis = 0; axis < map->geometry.dims; axis++)
		used += snprintf(text + used, sizeof(text) - (size_t)used, ":%d",
				 coord[axis]);
	assert_string_equal(text, place);
	assert_false(torus_map_is_vacant(map, number));
}

static void all_is_vacant_at_first(void **state)
{
	torus_cluster_t *cluster = make("TorusName=main Dims=4x2 Wrap=x "
					"Nodes=By_Registration NodesPerRouter=2\n"
					"TorusName=old Dims=2 Nodes=n[1-2]\n");

	(void)state;
	assert_true(torus_cluster_is_open(cluster));
	assert_int_equal(cluster->map[0]->nodes, 16);
	assert_int_equal(torus_map_vacancies(cluster->map[0]), 16);
	assert_int_equal(torus_map_vacancies(cluster->map[1]), 0);
	assert_string_equal(cluster->map[0]->node_name[2], "main:1:0");
	assert_string_equal(cluster->map[0]->node_name[3], "main:1:0/1");
	assert_false(torus_map_is_vacant(cluster->map[1], 0));
	torus_cluster_destroy(cluster);
	cluster = make("TorusName=old Dims=2 Nodes=n[1-2]\n");
	assert_false(torus_cluster_is_open(cluster));
	torus_cluster_destroy(cluster);
}

static void each_claim_has_its_answer(void **state)
{
	static const struct {
		torus_claim_t claim;
		const char *place; /* where it comes to be */
		const char *why;
	} table[] = {
		{{.node = "a", .place = "main:1:0:0", .result = TORUS_CLAIM_GRANTED},
		 "main:1:0:0",
		 ""},
		{{.node = "b", .place = "main:1:0:0", .result = TORUS_CLAIM_TAKEN},
		 NULL,
		 "node b says main:1:0:0, where node a is"},
		{{.node = "c", .place = "main:4:0:0", .result = TORUS_CLAIM_OUTSIDE},
		 NULL,
		 "node c says main:4:0:0, which is no place on torus 'main' of 4x2x2: it "
		 "takes a number from 0 for each of its 3 dimensions"},
		{{.node = "d", .place = "main:1:0", .result = TORUS_CLAIM_OUTSIDE}, NULL, NULL},
		{{.node = "e", .place = "main:1:0:0:0", .result = TORUS_CLAIM_OUTSIDE},
		 NULL,
		 NULL},
		{{.node = "f", .place = "main", .result = TORUS_CLAIM_OUTSIDE}, NULL, NULL},
		{{.node = "g", .place = "main:1:0:x", .result = TORUS_CLAIM_OUTSIDE},
		 NULL,
		 NULL},
		{{.node = "h", .place = "main:1:0:99999999999", .result = TORUS_CLAIM_OUTSIDE},
		 NULL,
		 NULL},
		{{.node = "i", .place = "mainx:1:0:0", .result = TORUS_CLAIM_ALIEN}, NULL, NULL},
		{{.node = "j", .place = "old:0", .result = TORUS_CLAIM_ALIEN},
		 NULL,
		 "node j says old:0, but torus.conf has no torus of that name with "
		 "Nodes=by_registration"},
		{{.node = "k", .place = "", .result = TORUS_CLAIM_ALIEN},
		 NULL,
		 "node k has the feature 'torus=' without a place: one is such as "
		 "torus=main:1:0:0"},
		{{.node = "n1", .place = "main:2:0:0", .result = TORUS_CLAIM_WRITTEN},
		 "old:0",
		 "node n1 says main:2:0:0, but torus.conf has it elsewhere on torus 'old', "
		 "and what is written there counts"},
		{{.node = "n2", .place = "old:1", .result = TORUS_CLAIM_GRANTED}, "old:1", ""},
		{{.node = "l", .result = TORUS_CLAIM_NONE}, NULL, ""},
		{{.node = "m", .place = "main:003:1:1", .result = TORUS_CLAIM_GRANTED},
		 "main:3:1:1",
		 ""},
	};
	enum { CLAIMS = sizeof(table) / sizeof(table[0]) };
	torus_cluster_t *cluster = make("TorusName=main Dims=4x2x2 Nodes=by_registration\n"
					"TorusName=old Dims=2 Nodes=n[1-2]\n");
	torus_claim_t claim[CLAIMS];
	torus_error_t err;

	(void)state;
	for (int i = 0; i < CLAIMS; i++)
		claim[i] = table[i].claim;
	assert_int_equal(torus_cluster_register(cluster, claim, CLAIMS, &err), 0);
	for (int i = 0; i < CLAIMS; i++) {
		torus_error_t why;

		assert_int_equal(claim[i].result, table[i].claim.result);
		assert_at(cluster, claim[i].node, table[i].place);
		torus_claim_explain(cluster, &claim[i], &why);
		if (table[i].why)
			assert_string_equal(why.text, table[i].why);
	}
	assert_int_equal(torus_map_vacancies(cluster->map[0]), 14);
	assert_int_equal(torus_cluster_register(cluster, NULL, 0, &err), 0);
	assert_int_equal(torus_map_vacancies(cluster->map[0]), 16);
	torus_cluster_destroy(cluster);
}

static void a_node_with_jobs_stays(void **state)
{
	torus_cluster_t *cluster = make("TorusName=main Dims=4 Nodes=by_registration\n");
	torus_claim_t claim[] = {{.node = "a", .place = "main:1"},
				 {.node = "b", .place = "main:2"}};
	torus_error_t err, why;

	(void)state;
	assert_int_equal(torus_cluster_register(cluster, claim, 2, &err), 0);
	claim[0].stays = true;
	claim[0].place = "main:3";
	claim[1].place = "main:1";
	assert_int_equal(torus_cluster_register(cluster, claim, 2, &err), 0);
	assert_int_equal(claim[0].result, TORUS_CLAIM_DEFERRED);
	torus_claim_explain(cluster, &claim[0], &why);
	assert_string_equal(why.text, "node a stays where it is until its jobs have ended, "
				      "though it says main:3 now");
	assert_int_equal(claim[1].result, TORUS_CLAIM_TAKEN);
	assert_at(cluster, "a", "main:1");
	assert_at(cluster, "b", NULL);
	claim[0].place = NULL; /* nor does it vanish */
	assert_int_equal(torus_cluster_register(cluster, claim, 2, &err), 0);
	assert_int_equal(claim[0].result, TORUS_CLAIM_DEFERRED);
	assert_at(cluster, "a", "main:1");
	claim[0].stays = false;
	claim[0].place = "main:3";
	assert_int_equal(torus_cluster_register(cluster, claim, 2, &err), 0);
	assert_at(cluster, "a", "main:3");
	assert_at(cluster, "b", "main:1");
	torus_cluster_destroy(cluster);
}

/* ---- the slow twin: of all claims that can still have a place, the first by rule ---- */

enum { NODES = 12, CELLS = 6, PER_CELL = 2 };

typedef struct model {
	int at[NODES]; /* cell, or -1 */
} model_t;

/* How early a claim is served; -1: it gets nothing. */
static int turn(const model_t *before, const torus_claim_t *claim, const int *wants, int i)
{
	bool there = before->at[i] >= 0 && before->at[i] == wants[i];

	if (claim[i].stays && before->at[i] >= 0)
		return 0;
	if (wants[i] < 0)
		return -1;
	return (claim[i].away ? 3 : 1) + (there ? 0 : 1);
}

static model_t expect(const model_t *before, const torus_claim_t *claim, const int *wants)
{
	model_t after;
	int on_cell[CELLS] = {0};

	for (int i = 0; i < NODES; i++)
		after.at[i] = -1;
	for (int now = 0; now <= 4; now++) {
		for (int i = 0; i < NODES; i++) {
			int cell = now ? wants[i] : before->at[i];

			if (turn(before, claim, wants, i) == now && on_cell[cell] < PER_CELL) {
				after.at[i] = cell;
				on_cell[cell]++;
			}
		}
	}
	return after;
}

static void random_claims(void **state)
{
	static char name[NODES][8], place[CELLS + 1][16];
	uint32_t granted = 0, taken = 0, deferred = 0, kept = 0;

	(void)state;
	for (int i = 0; i < NODES; i++)
		snprintf(name[i], sizeof(name[i]), "n%d", i);
	for (int cell = 0; cell <= CELLS; cell++)
		snprintf(place[cell], sizeof(place[cell]), "main:%d:%d", cell % 3, cell / 3);
	for (int round = 0; round < RANDOM_CASES(2000); round++) {
		torus_cluster_t *cluster = make("TorusName=main Dims=3x2 NodesPerRouter=2 "
						"Nodes=by_registration\n");
		model_t before;

		memset(&before, 0xff, sizeof(before));
		for (int step = 0; step < 4; step++) {
			torus_claim_t claim[NODES];
			uint32_t number_before[NODES];
			int wants[NODES], t;
			torus_error_t err;
			model_t after;

			for (int i = 0; i < NODES; i++) {
				wants[i] = (int)random_in(0, (CELLS + 2) - 1) - 1;
				claim[i] = (torus_claim_t){
					.node = name[i],
					.place = wants[i] < 0 ? NULL : place[wants[i]],
					.stays = random_in(0, (4) - 1) == 0,
					.away = random_in(0, (3) - 1) == 0,
				};
				if (wants[i] == CELLS)
					wants[i] = -1; /* outside */
				if (!torus_cluster_find(cluster, name[i], &t,
							&number_before[i]))
					number_before[i] = UINT32_MAX;
			}
			after = expect(&before, claim, wants);
			assert_int_equal(
				torus_cluster_register(cluster, claim, NODES, &err), 0);
			for (int i = 0; i < NODES; i++) {
				uint32_t number;

				assert_at(cluster, name[i],
					  after.at[i] < 0 ? NULL : place[after.at[i]]);
				granted += claim[i].result == TORUS_CLAIM_GRANTED;
				taken += claim[i].result == TORUS_CLAIM_TAKEN;
				deferred += claim[i].result == TORUS_CLAIM_DEFERRED;
				assert_int_equal(claim[i].result == TORUS_CLAIM_GRANTED ||
							 claim[i].result ==
								 TORUS_CLAIM_DEFERRED,
						 after.at[i] >= 0);
				if (after.at[i] < 0 || after.at[i] != before.at[i])
					continue;
				assert_true(torus_cluster_find(cluster, name[i], &t,
							       &number));
				if (claim[i].stays) {
					kept++;
					assert_int_equal(number, number_before[i]);
				}
			}
			before = after;
		}
		torus_cluster_destroy(cluster);
	}
	assert_true(granted > 100 && taken > 100 && deferred > 100 && kept > 100);
}

static void refuses_too_many_places(void **state)
{
	static const char text[] = "TorusName=main Dims=64x64x32 Nodes=by_registration\n";
	torus_error_t err;

	(void)state;
	assert_null(torus_conf_read_text(text, strlen(text), "torus.conf",
					 torus_file_from_disk, NULL, &err));
	assert_string_equal(err.text,
			    "torus.conf:1: Dims=: 131072 places by registration, which are at "
			    "most 65536: make the dimensions as long as the machine can become, "
			    "or divide it into several tori");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_vacant_at_first),
		cmocka_unit_test(each_claim_has_its_answer),
		cmocka_unit_test(a_node_with_jobs_stays),
		cmocka_unit_test(random_claims),
		cmocka_unit_test(refuses_too_many_places),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
