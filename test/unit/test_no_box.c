/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job is told that never gets its box. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "conf/torus_conf.h"
#include "machine/network_option.h"
#include "machine/no_box.h"

#define ONE "TorusName=main Dims=4x2 Wrap=x Nodes=n[1-8]\n"
#define TWO ONE "TorusName=other Dims=3 Nodes=m[1-3]\n"
#define CHIPS "TorusName=main ChipDims=8x4 NodeShape=2x2 Nodes=n[1-8]\n"
#define CUBES "TorusName=cubes Dims=4x4 Cube=2x2 Nodes=c[01-16]\n"

static torus_cluster_t *make(const char *text)
{
	torus_error_t err;
	torus_cluster_t *cluster = torus_conf_read_text(text, strlen(text), "torus.conf",
							torus_file_from_disk, NULL, &err);

	if (!cluster)
		fail_msg("%s", err.text);
	return cluster;
}

static const struct {
	const char *conf, *network;
	uint32_t min_nodes, max_nodes, of_other_size;
	const char *never;  /* NULL: it depends on the nodes that the job may use */
	const char *no_box; /* NULL: as never */
} table[] = {
	/* What no torus has, whichever nodes the job may use. */
	{ONE, "shape=8", 8, 8, 0,
	 "no box of shape 8 fits into the 4x2 machine; 2x4 has as many nodes", NULL},
	{ONE, "shape=9x2", 18, 18, 0,
	 "no box of shape 9x2 fits into the 4x2 machine; the next size is 8", NULL},
	{ONE, "shape=any", 5, 5, 0,
	 "no box of 5 nodes fits into the 4x2 machine; the next sizes are 4 and 6", NULL},
	{ONE, "shape=any,closed", 3, 3, 0,
	 "no closed box of 3 nodes fits into the 4x2 machine; the next sizes are 2 and 4; "
	 "sides close that are 1, 2 or 4",
	 NULL},
	{ONE, "shape=3x2,closed", 6, 6, 0,
	 "no box of shape 3x2 is ever closed: sides close that are 1, 2 or 4", NULL},
	{TWO, "shape=3x2,closed", 6, 6, 0,
	 "no box of shape 3x2 is ever closed: sides close that are 1, 2 or as long as a "
	 "wrapped dimension",
	 NULL},
	{CHIPS, "chips=3x4", 6, 6, 0,
	 "no rotation of chips 3x4 is a box of whole nodes, which have 2x2 chips: ask for "
	 "chips 4x4",
	 NULL},
	{CUBES, "shape=3x2", 6, 6, 0,
	 "3x2 is neither within a cube of 2x2 nor made of whole ones; made of whole ones is "
	 "4x2",
	 NULL},
	{ONE, "shape=4x2,twist", 8, 8, 0,
	 "only cubes can be joined to a twisted torus: Cube= in torus.conf, or storus place "
	 "--cube",
	 NULL},
	{ONE CUBES, "shape=2x2,twist", 4, 4, 0,
	 "2x2 cannot be twisted: a twisted torus has sides k and 2k, as 4x4x8 and 4x8x8",
	 NULL},
	{ONE CUBES, "shape=8x1,closed", 8, 8, 0,
	 "no box of shape 8x1 is ever closed: sides close that are 1, 2 or as long as a "
	 "wrapped dimension",
	 NULL},
	/* What depends on them. */
	{CUBES, "shape=4x2,closed", 8, 8, 0, NULL,
	 "no closed box of shape 4x2 fits into the nodes it may use"},
	{ONE CUBES, "shape=4x4,closed", 16, 16, 0, NULL,
	 "no closed box of shape 4x4 fits into the nodes it may use"},
	{ONE CUBES, "shape=3x2", 6, 6, 0, NULL,
	 "no box of shape 3x2 fits into the nodes it may use"},
	{ONE, "shape=2x2", 4, 4, 0, NULL,
	 "no box of shape 2x2 fits into the nodes it may use"},
	{ONE, "shape=4x2,closed", 8, 8, 0, NULL,
	 "no closed box of shape 4x2 fits into the nodes it may use"},
	{TWO, "shape=8", 8, 8, 0, NULL,
	 "no box of shape 8 fits into the nodes it may use"},
	{ONE, "shape=any", 4, 4, 0, NULL,
	 "no box of 4 nodes fits into the nodes it may use"},
	{ONE, "shape=any", 5, 7, 0, NULL,
	 "no box of 5 to 7 nodes fits into the nodes it may use"},
	{ONE, "shape=any,closed", 4, 6, 0, NULL,
	 "no closed box of 4 to 6 nodes fits into the nodes it may use; sides close that are "
	 "1, 2 or 4"},
	{CHIPS, "chips=4x4", 4, 4, 0, NULL,
	 "no box of chips 4x4 fits into the nodes it may use"},
	/* There is a box, of another number of nodes than the job asks for. */
	{ONE, "shape=2x2", 5, 6, 4, NULL,
	 "a box of shape 2x2 has 4 nodes, and the job asks for 5 to 6: give --nodes=4 or "
	 "none"},
	{ONE, "shape=2x2|3x2", 5, 5, 4, NULL,
	 "no box of shape 2x2|3x2 has the 5 to 5 nodes that the job asks for"},
	{CHIPS, "chips=4x4", 5, 6, 4, NULL,
	 "a box of chips 4x4 has 4 nodes, and the job asks for 5 to 6: give --nodes=4 or "
	 "none"},
};

static void says_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		torus_cluster_t *cluster = make(table[i].conf);
		char text[64], reason[TORUS_NO_BOX_TEXT] = "untouched";
		torus_network_request_t request;
		torus_error_t err;
		bool never;

		snprintf(text, sizeof(text), "torus:%s", table[i].network);
		if (torus_network_parse(text, &request, &err))
			fail_msg("%s: %s", text, err.text);
		never = torus_explain_never(cluster, &request.shapes, table[i].min_nodes,
					    table[i].max_nodes, reason, sizeof(reason));
		if (never != (table[i].never != NULL))
			fail_msg("%s: %s", table[i].network, reason);
		assert_string_equal(reason, never ? table[i].never : "untouched");
		torus_explain_no_box(cluster, &request.shapes, table[i].min_nodes,
				     table[i].max_nodes, table[i].of_other_size, reason,
				     sizeof(reason));
		assert_string_equal(reason, never ? table[i].never : table[i].no_box);
		torus_cluster_destroy(cluster);
	}
}

/* A text that is longer than its room ends with it. */
static void keeps_within_its_room(void **state)
{
	torus_cluster_t *cluster = make(ONE);
	torus_network_request_t request;
	char reason[16];

	(void)state;
	assert_int_equal(torus_network_parse("torus:shape=8", &request, NULL), 0);
	assert_true(torus_explain_never(cluster, &request.shapes, 8, 8, reason,
					sizeof(reason)));
	assert_string_equal(reason, "no box of shape");
	torus_cluster_destroy(cluster);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_why),
		cmocka_unit_test(keeps_within_its_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
