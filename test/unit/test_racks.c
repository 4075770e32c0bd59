/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Racks= of torus.conf: places of nodes, and each fault named with file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "storus/view/racks.h"
#include "random.h"

/* What the files say that a torus.conf names: "dir/r", and for two tori "dir/other". */
typedef struct files {
	const char *r, *other;
} files_t;

static int read_file(void *context, const char *path, char **text, size_t *length,
		     torus_error_t *err)
{
	const files_t *files = context;
	const char *found = NULL;

	if (strcmp(path, "dir/r") == 0)
		found = files->r;
	if (strcmp(path, "dir/other") == 0)
		found = files->other;
	if (!found)
		return torus_fail(err, "cannot read '%s': gone", path);
	*text = strdup(found);
	assert_non_null(*text);
	*length = strlen(*text);
	return 0;
}

static torus_cluster_t *read_conf(const char *text)
{
	torus_error_t err = {""};
	/* The plugins read no such file: one that is asked for here is an error. */
	torus_cluster_t *cluster = torus_conf_read_text(
		text, strlen(text), "dir/torus.conf", read_file, &(files_t){0}, &err);

	if (!cluster)
		fail_msg("refused: %s\n%s", err.text, text);
	return cluster;
}

static int read_racks(const torus_cluster_t *cluster, files_t files, torus_racks_t *racks,
		      torus_error_t *err)
{
	return torus_racks_read_with(cluster, read_file, &files, racks, err);
}

/* The row, cabinet, cage and slot of a node. */
static void where(const torus_cluster_t *cluster, const torus_racks_t *racks,
		  const char *name, uint32_t at[TORUS_RACK_LEVELS])
{
	uint32_t node, place;
	int torus;

	assert_true(torus_cluster_find(cluster, name, &torus, &node));
	place = racks->place[torus_cluster_number(cluster, torus, node)];
	assert_int_not_equal(place, TORUS_NO_PLACE);
	for (int level = TORUS_RACK_LEVELS - 1; level >= 0; level--) {
		at[level] = racks->number[level][place % racks->count[level]];
		place /= racks->count[level];
	}
	assert_int_equal(place, 0);
}

static void assert_at(const torus_cluster_t *cluster, const torus_racks_t *racks,
		      const char *name, uint32_t row, uint32_t cabinet, uint32_t cage,
		      uint32_t slot)
{
	uint32_t at[TORUS_RACK_LEVELS];
	const uint32_t expected[TORUS_RACK_LEVELS] = {row, cabinet, cage, slot};

	where(cluster, racks, name, at);
	assert_memory_equal(at, expected, sizeof(at));
}

static void reads_places(void **state)
{
	torus_cluster_t *cluster =
		read_conf("TorusName=m Dims=4x3 Nodes=n[00-11] Racks=r\n");
	const files_t files = {"# the room\n"
			       "n00 7 100 0 3\r\n"
			       "\n"
			       "n01\t7 100 0 \\\n 65535  # continued\n"
			       "n[02-09] 0-1 0 1-2 4-5\n"
			       "n[11,10] 0 100 0 1-2\n",
			       NULL};
	torus_racks_t racks;
	torus_error_t err = {""};

	(void)state;
	assert_int_equal(read_racks(cluster, files, &racks, &err), 0);
	assert_at(cluster, &racks, "n00", 7, 100, 0, 3);
	assert_at(cluster, &racks, "n01", 7, 100, 0, 65535);
	/* The slot is fastest, the row slowest. */
	assert_at(cluster, &racks, "n02", 0, 0, 1, 4);
	assert_at(cluster, &racks, "n03", 0, 0, 1, 5);
	assert_at(cluster, &racks, "n04", 0, 0, 2, 4);
	assert_at(cluster, &racks, "n06", 1, 0, 1, 4);
	assert_at(cluster, &racks, "n09", 1, 0, 2, 5);
	/* In the order of the list. */
	assert_at(cluster, &racks, "n11", 0, 100, 0, 1);
	assert_at(cluster, &racks, "n10", 0, 100, 0, 2);
	assert_int_equal(racks.count[TORUS_RACK_ROW], 3);
	assert_int_equal(racks.count[TORUS_RACK_CABINET], 2);
	assert_int_equal(racks.count[TORUS_RACK_CAGE], 3);
	assert_int_equal(racks.count[TORUS_RACK_SLOT], 6);
	torus_racks_clear(&racks);
	assert_null(racks.place);
	torus_cluster_destroy(cluster);
}

/* One file for all tori, one for each, and one for those that have none of their own. */
static void reads_several_tori(void **state)
{
	static const struct {
		const char *conf;
		files_t files;
		bool a, b;
	} table[] = {
		{"Racks=r\nTorusName=a Dims=2 Nodes=a[1-2]\nTorusName=b Dims=2 Nodes=b[1-2]\n",
		 {"b[1-2] 0 0 0 0-1\na[1-2] 0 1 0 0-1\n", NULL},
		 true,
		 true},
		{"TorusName=a Dims=2 Nodes=a[1-2] RACKS=r\n"
		 "TorusName=b Dims=2 Nodes=b[1-2] Racks=other\n",
		 {"a[1-2] 0 1 0 0-1\n", "b[1-2] 0 0 0 0-1\n"},
		 true,
		 true},
		{"TorusName=a Dims=2 Nodes=a[1-2] Racks=other\n"
		 "TorusName=b Dims=2 Nodes=b[1-2]\nRacks=r\n",
		 {"b[1-2] 0 0 0 0-1\n", "a[1-2] 0 1 0 0-1\n"},
		 true,
		 true},
		{"TorusName=a Dims=2 Nodes=a[1-2]\n"
		 "TorusName=b Dims=2 Nodes=b[1-2] Racks=r\n",
		 {"b[1-2] 0 0 0 0-1\n", NULL},
		 false,
		 true},
		{"TorusName=a Dims=2 Nodes=a[1-2]\nTorusName=b Dims=2 Nodes=b[1-2]\n",
		 {NULL, NULL},
		 false,
		 false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_cluster_t *cluster = read_conf(table[i].conf);
		torus_racks_t racks;
		torus_error_t err = {""};

		if (read_racks(cluster, table[i].files, &racks, &err) != 0)
			fail_msg("%zu: %s", i, err.text);
		if (table[i].a)
			assert_at(cluster, &racks, "a2", 0, 1, 0, 1);
		else if (racks.place)
			assert_int_equal(racks.place[0], TORUS_NO_PLACE);
		if (table[i].b)
			assert_at(cluster, &racks, "b1", 0, 0, 0, 0);
		else
			assert_null(racks.place);
		torus_racks_clear(&racks);
		torus_cluster_destroy(cluster);
	}
}

#define ONE "TorusName=m Dims=4 Nodes=n[0-3] Racks=r\n"
#define TWO                                                                              \
	"TorusName=a Dims=2 Nodes=a[1-2] Racks=r\n"                                      \
	"TorusName=b Dims=2 Nodes=b[1-2] Racks=other\n"

static void rejects(void **state)
{
	static const struct {
		const char *conf;
		files_t files;
		const char *says;
	} table[] = {
		{ONE,
		 {NULL, NULL},
		 "dir/torus.conf:1: Racks=: cannot read 'dir/r': gone"},
		{ONE,
		 {"", NULL},
		 "dir/r:1: the file ends without node 'n0'; 4 of 4 nodes"},
		{ONE,
		 {"n[0-1] 0 0 0 0-1\n# end\nn3 0 0 0 3\n", NULL},
		 "dir/r:3: the file ends without node 'n2'; 1 of 4 nodes are missing"},
		{ONE, {"n0 0 0 0\n", NULL}, "dir/r:1: 4 words instead of five: node row"},
		{ONE, {"\nn0 0 0 0 0 0\n", NULL}, "dir/r:2: 6 words instead of five"},
		{ONE, {"n0 x 0 0 0\n", NULL}, "dir/r:1: 'x' is not a row: a number or"},
		{ONE, {"n0 0 -1 0 0\n", NULL}, "dir/r:1: '-1' is not a cabinet"},
		{ONE, {"n0 0 0 1.5 0\n", NULL}, "dir/r:1: '1.5' is not a cage"},
		{ONE, {"n0 0 0 0 0-\n", NULL}, "dir/r:1: '0-' is not a slot"},
		{ONE, {"n[0-1] 0 0 0 1-0\n", NULL}, "dir/r:1: '1-0' is not a slot"},
		{ONE, {"n[0-1] 0 0 0 0-1-2\n", NULL}, "dir/r:1: '0-1-2' is not a slot"},
		{ONE, {"n[0-1] 0 0 0 0,1\n", NULL}, "dir/r:1: '0,1' is not a slot"},
		{ONE,
		 {"n0 65536 0 0 0\n", NULL},
		 "dir/r:1: row 65536 is too large: the most is 65535"},
		{ONE,
		 {"n0 0 0 0 99999999999999999999999999\n", NULL},
		 "dir/r:1: slot 99999999999999999999999999 is too large"},
		{ONE,
		 {"n0 0 0 0-4294967296 0\n", NULL},
		 "dir/r:1: cage 0-4294967296 is too"},
		{ONE,
		 {"n[0-1] 0 0 0 0\n", NULL},
		 "dir/r:1: 2 nodes for 1 places: each node has one"},
		{ONE, {"n[0-3] 0 0 0-1 0-2\n", NULL}, "dir/r:1: 4 nodes for 6 places"},
		{ONE,
		 {"n0 0-65535 0-65535 0-65535 0-65535\n", NULL},
		 "dir/r:1: 1 nodes for 18446744073709551615 places"},
		{ONE, {"n[0-9999999] 0 0 0 0\n", NULL}, "10000000 nodes for 1 places"},
		{ONE, {"n[0 0 0 0 0\n", NULL}, "dir/r:1: hostlist: 'n[0' lacks"},
		{ONE, {"<b> 0 0 0 0\n", NULL}, "dir/r:1: hostlist: "},
		{ONE,
		 {"n0 0 0 0 0\nn4 0 0 0 1\n", NULL},
		 "dir/r:2: node 'n4' is on no torus of this cluster"},
		{ONE,
		 {"n[0-1] 0 0 0 0-1\nn1 0 0 0 2\n", NULL},
		 "dir/r:2: node 'n1' was given before, on line 1"},
		{ONE,
		 {"n[0,0] 0 0 0 0-1\n", NULL},
		 "node 'n0' was given before, on line 1"},
		{ONE,
		 {"n3 1 2 3 4\nn[1-2] 0 0 0 0-1\nn0 1 2 3 4\n", NULL},
		 "dir/r:3: node 'n0' is in row 1, cabinet 2, cage 3, slot 4, where node "
		 "'n3' is (dir/r:1): a slot has one node"},
		{ONE,
		 {"n0 0 0 0 0\n\x01 0 0 0 1\n", NULL},
		 "dir/r:2: a control character"},
		{TWO,
		 {"a[1-2] 0 0 0 0-1\n", "b[1-2] 0 0 0 1-2\n"},
		 "dir/other:1: node 'b1' is in row 0, cabinet 0, cage 0, slot 1, where node "
		 "'a2' is (dir/r:1)"},
		{TWO,
		 {"a1 0 0 0 0\nb1 0 0 0 1\n", "b[1-2] 1 0 0 0-1\n"},
		 "dir/r:2: node 'b1' is on torus b, whose Racks= is another one"},
		{"Racks=r\n" TWO,
		 {"a[1-2] 0 0 0 0-1\n", "b[1-2] 1 0 0 0-1\n"},
		 "dir/r:1: node 'a1' is on torus a, whose Racks= is another one"},
		{"Racks=other\nTorusName=a Dims=2 Nodes=a[1-2] Racks=r\n"
		 "TorusName=b Dims=2 Nodes=b[1-2]\n",
		 {"a[1-2] 0 0 0 0-1\n", "b[1-2] 1 0 0 0-1\na1 0 0 1 0\n"},
		 "dir/other:2: node 'a1' is on torus a, whose Racks= is another one"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_cluster_t *cluster = read_conf(table[i].conf);
		torus_racks_t racks;
		torus_error_t err = {""};
		int rc = read_racks(cluster, table[i].files, &racks, &err);

		assert_int_equal(rc, -1);
		assert_null(racks.place);
		if (!strstr(err.text, table[i].says))
			fail_msg("%zu: \"%s\" lacks \"%s\"", i, err.text, table[i].says);
		torus_cluster_destroy(cluster);
	}
}

/* Numbers of 500 nodes that have nothing to do with each other */
static void rejects_too_many_places(void **state)
{
	torus_cluster_t *cluster =
		read_conf("# first\nTorusName=m Dims=500 Nodes=n[0-499] Curve=row_major\n"
			  "Racks=r\n");
	char text[500 * 40], *at = text;
	torus_racks_t racks;
	torus_error_t err = {""};

	(void)state;
	for (int i = 0; i < 500; i++)
		at += sprintf(at, "n%d %d %d %d %d\n", i, i, 3 * i, 7 * i, 131 * i);
	assert_int_equal(read_racks(cluster, (files_t){text, NULL}, &racks, &err), -1);
	assert_non_null(strstr(err.text,
			       "dir/torus.conf:3: Racks=: 500 rows of 500 cabinets of "
			       "500 cages of 500 slots are more than 268435456 places: "
			       "number cabinets within their row"));
	torus_cluster_destroy(cluster);
}

/*
 * Random places of random machines, one line a node in any order, are read as they were
 * written, or refused exactly when a comparison of all pairs finds two in one slot.
 */
static void random_places(void **state)
{
	uint32_t refused = 0, read = 0;

	(void)state;
	for (int round = 0; round < RANDOM_CASES(500); round++) {
		uint32_t nodes = random_in(1, 60), most = random_in(0, 5);
		uint32_t scale = random_in(0, 1) ? 1 : random_in(1, 1000);
		uint32_t at[60][TORUS_RACK_LEVELS], order[60];
		char conf[100], text[60 * 60], *end = text;
		torus_cluster_t *cluster;
		torus_racks_t racks;
		torus_error_t err = {""};
		bool same = false;

		sprintf(conf, "TorusName=m Dims=%u Nodes=n[0-%u] Curve=row_major Racks=r",
			nodes, nodes - 1);
		for (uint32_t i = 0; i < nodes; i++) {
			uint32_t other = random_in(0, i);

			order[i] = order[other];
			order[other] = i;
			for (int level = 0; level < TORUS_RACK_LEVELS; level++)
				at[i][level] = scale * random_in(0, most);
			for (uint32_t j = 0; j < i; j++)
				same |= memcmp(at[i], at[j], sizeof(at[i])) == 0;
		}
		for (uint32_t i = 0; i < nodes; i++) {
			const uint32_t *place = at[order[i]];

			end += sprintf(end, "n%u %u %u %u %u\n", order[i], place[0],
				       place[1], place[2], place[3]);
		}
		cluster = read_conf(conf);
		assert_int_equal(read_racks(cluster, (files_t){text, NULL}, &racks, &err),
				 same ? -1 : 0);
		if (same) {
			assert_non_null(strstr(err.text, "a slot has one node"));
			refused++;
		} else {
			for (uint32_t i = 0; i < nodes; i++) {
				char name[16];

				sprintf(name, "n%u", i);
				assert_at(cluster, &racks, name, at[i][0], at[i][1],
					  at[i][2], at[i][3]);
			}
			read++;
		}
		torus_racks_clear(&racks);
		torus_cluster_destroy(cluster);
	}
	assert_true(refused > 10 && read > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_places),
		cmocka_unit_test(reads_several_tori),
		cmocka_unit_test(rejects),
		cmocka_unit_test(rejects_too_many_places),
		cmocka_unit_test(random_places),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
