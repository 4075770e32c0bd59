/* SPDX-License-Identifier: GPL-2.0-or-later */
/* torus.conf: what it says reaches the map, and each fault is named with file and line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "conf/keys.h"
#include "random.h"
#include "base/textfile.h"
#include "geometry/chips.h"
#include "geometry/chords.h"
#include "conf/torus_conf.h"

/* The files that a configuration may name, all in the directory "dir". */
static const struct {
	const char *path;
	const char *text;
} files[] = {
	{"dir/holes.coords", "a 0 0\nb 1 1\nc 1 1\n"},
	{"dir/cells.coords", "p 0 0\nq 1 0\n"},
	{"dir/bad.coords", "# x beyond\na 0 0\nb 2 0\n"},
	{"dir/dup.coords", "a 0 0\nb 1 0\n\na 1 1\n"},
	{"/abs/line.coords", "a 0\n"},
	{"dir/good.links", "# columns\n0:0-2:0,\n0:1-2:1 3:1-1:1\n"},
	{"dir/bad.links", "0:0-2:0\n0:0-4:0\n"},
	{"dir/dup.links", "0:0-2:0\n\n# and back\n2:0-0:0\n"},
	{"dir/no.links", "# none\n\n"},
	{"dir/reverse.order", "n4\nn3\nn2\nn1\n"},
	{"dir/short.order", "n4\nn3\nn2\n"},
	{"dir/a b.order", "n[2,1,4,3]\n"},
};

static int read_file(void *context, const char *path, char **text, size_t *length,
		     torus_error_t *err)
{
	(void)context;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (strcmp(files[i].path, path) != 0)
			continue;
		*text = strdup(files[i].text);
		assert_non_null(*text);
		*length = strlen(*text);
		return 0;
	}
	return torus_fail(err, "cannot read '%s': gone", path);
}

static torus_cluster_t *read_text(const char *text, torus_error_t *err)
{
	return torus_conf_read_text(text, strlen(text), "dir/torus.conf", read_file, NULL,
				    err);
}

static torus_cluster_t *must_read(const char *text)
{
	torus_error_t err = {""};
	torus_cluster_t *cluster = read_text(text, &err);

	if (!cluster)
		fail_msg("refused: %s\n%s", err.text, text);
	assert_string_equal(err.text, "");
	return cluster;
}

/* Each accepted text and what its first torus is; texts differ in writing, not in sense.
 */
static void accepts(void **state)
{
	static const struct {
		const char *text;
		const char *dims;
		bool wrap[3];
		uint32_t nodes;
		torus_curve_t curve;
		const torus_allocator_t *allocator;
		torus_span_t span;
	} table[] = {
		{"TorusName=main Dims=4x2x2 Wrap=xyz Nodes=n[00-15]\n"
		 "Curve=hilbert\nAllocator=best_fit\n",
		 "4x2x2",
		 {1, 1, 1},
		 16,
		 TORUS_CURVE_HILBERT,
		 &torus_best_fit,
		 TORUS_SPAN_RING},
		{"TorusName=main Dims=4x4 Nodes=n[00-15]",
		 "4x4",
		 {0},
		 16,
		 TORUS_CURVE_HILBERT,
		 &torus_compact,
		 TORUS_SPAN_LINEAR},
		{"torusname=m DIMS=4X4 wrap=Y nodes=n[00-15] # here\r\n"
		 "CURVE=Snake allocator=FIRST_FIT span=Linear\r\n",
		 "4x4",
		 {0, 1, 0},
		 16,
		 TORUS_CURVE_SNAKE,
		 &torus_first_fit,
		 TORUS_SPAN_LINEAR},
		{"\xef\xbb\xbf# made elsewhere\nNodes=n[1-2] Dims=2 TorusName=m Span=ring\n",
		 "2",
		 {0},
		 2,
		 TORUS_CURVE_HILBERT,
		 &torus_compact,
		 TORUS_SPAN_RING},
		{"TorusName=m Dims=2x2x2 \\\n  Wrap=1,0,1 \\\n  Nodes=n[1-4],\\\nm[1-4]\n",
		 "2x2x2",
		 {1, 0, 1},
		 8,
		 TORUS_CURVE_HILBERT,
		 &torus_compact,
		 TORUS_SPAN_RING},
		{"TorusName=\"m\" Dims=\"2x2\" Wrap=\"all\" Nodes=\"n[1-8]\" NodesPerRouter=\"2\"",
		 "2x2",
		 {1, 1, 0},
		 8,
		 TORUS_CURVE_HILBERT,
		 &torus_compact,
		 TORUS_SPAN_RING},
		/* A torus's own settings go before those for all, wherever these stand.
		 */
		{"Curve=snake Span=linear\nTorusName=m Dims=2 Wrap=x Nodes=a,b Curve=z_order\n"
		 "Allocator=sum_of_squares\n",
		 "2",
		 {1},
		 2,
		 TORUS_CURVE_Z_ORDER,
		 &torus_sum_of_squares,
		 TORUS_SPAN_LINEAR},
		{"TorusName=m Dims=2x2 Coords=holes.coords Allocator=free_list\n"
		 "Curve=row_major\nAllocator=first_fit",
		 "2x2",
		 {0},
		 3,
		 TORUS_CURVE_ROW_MAJOR,
		 &torus_free_list,
		 TORUS_SPAN_LINEAR},
		{"TorusName=m Dims=1 Coords=/abs/line.coords",
		 "1",
		 {0},
		 1,
		 TORUS_CURVE_HILBERT,
		 &torus_compact,
		 TORUS_SPAN_LINEAR},
		{"TorusName=m Dims=2x2 Nodes=n[1-4] Curve=file:reverse.order",
		 "2x2",
		 {0},
		 4,
		 TORUS_CURVE_FILE,
		 &torus_compact,
		 TORUS_SPAN_LINEAR},
		{"Curve=\"file:a b.order\"\nTorusName=m Dims=4 Nodes=n[1-4]",
		 "4",
		 {0},
		 4,
		 TORUS_CURVE_FILE,
		 &torus_compact,
		 TORUS_SPAN_LINEAR},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_cluster_t *cluster = must_read(table[i].text);
		const torus_map_t *map = cluster->map[0];
		char dims[TORUS_DIMS_TEXT];

		assert_int_equal(cluster->maps, 1);
		torus_lengths_format(map->geometry.dims, map->geometry.length, dims);
		assert_string_equal(dims, table[i].dims);
		for (int axis = 0; axis < 3; axis++)
			assert_int_equal(map->geometry.wrap[axis], table[i].wrap[axis]);
		assert_int_equal(map->nodes, table[i].nodes);
		assert_int_equal(map->curve, table[i].curve);
		assert_ptr_equal(map->allocator, table[i].allocator);
		assert_int_equal(map->span, table[i].span);
		torus_cluster_destroy(cluster);
	}
}

/* Of a torus, or of all, in thousandths; none unless it is said. */
static void reads_weights_of_isolation(void **state)
{
	static const struct {
		const char *text;
		uint32_t weight;
	} table[] = {
		{"0", 0},	   {"0.0", 0},	  {"0.05", 50},	     {"0.125", 125},
		{"0.001", 1},	   {"1", 1000},	  {"1.5", 1500},     {"007.25", 7250},
		{"15.999", 15999}, {"16", 16000}, {"16.000", 16000},
	};
	static const char *const wrong[] = {
		"",    ".",	     ".5",
		"1.",  "-1",	     "+1",
		" 1",  "1 ",	     "0,5",
		"1e1", "0.0001",     "16.001",
		"17",  "4294967296", "4.29x",
		"0x1", "0.1.2",	     "nan",
		"inf", "1.-5",	     "18446744073709551616",
	};
	torus_cluster_t *cluster;
	torus_error_t err;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		uint32_t weight = 77;

		assert_int_equal(
			torus_isolation_weight_parse(table[i].text, &weight, &err), 0);
		assert_int_equal(weight, table[i].weight);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint32_t weight = 77;

		assert_int_equal(torus_isolation_weight_parse(wrong[i], &weight, &err),
				 -1);
		assert_int_equal(weight, 77);
		assert_non_null(strstr(err.text, "is not a number from 0 to 16"));
	}
	cluster = must_read("TorusName=a Dims=2 Nodes=a[1-2] Isolation=0.25\n"
			    "TorusName=b Dims=2 Nodes=b[1-2]\n"
			    "ISOLATION=\"1.5\" Allocator=compact\n"
			    "TorusName=c Dims=2 Nodes=c[1-2] isolation=0\n");
	assert_int_equal(cluster->map[0]->isolation, 250);
	assert_int_equal(cluster->map[1]->isolation, 1500);
	assert_int_equal(cluster->map[2]->isolation, 0);
	torus_cluster_destroy(cluster);
	cluster = must_read("TorusName=a Dims=2 Nodes=a[1-2]\n");
	assert_int_equal(cluster->map[0]->isolation, 0);
	torus_cluster_destroy(cluster);
}

static void assert_node(const torus_cluster_t *cluster, const char *name,
			int expected_map, uint32_t cell)
{
	const torus_map_t *map;
	uint32_t node;
	int which;

	assert_true(torus_cluster_find(cluster, name, &which, &node));
	assert_int_equal(which, expected_map);
	map = cluster->map[which];
	assert_string_equal(map->node_name[node], name);
	assert_int_equal(map->cell_of_rank[map->rank_of_node[node]], cell);
}

static void puts_nodes_where_they_are(void **state)
{
	torus_cluster_t *cluster =
		must_read("TorusName=a Dims=2x2 Nodes=n[1-4]\n"
			  "TorusName=b Dims=2x2 Nodes=m[1-8] NodesPerRouter=2\n"
			  "TorusName=c Dims=2x2 Coords=holes.coords\n");

	(void)state;
	assert_int_equal(cluster->maps, 3);
	assert_string_equal(cluster->map[1]->name, "b");
	assert_node(cluster, "n1", 0, 0);
	assert_node(cluster, "n2", 0, 1); /* x fastest */
	assert_node(cluster, "n3", 0, 2);
	assert_node(cluster, "m1", 1, 0);
	assert_node(cluster, "m2", 1, 0);
	assert_node(cluster, "m3", 1, 1);
	assert_node(cluster, "m8", 1, 3);
	assert_node(cluster, "a", 2, 0);
	assert_node(cluster, "b", 2, 3);
	assert_node(cluster, "c", 2, 3);
	torus_cluster_destroy(cluster);
}

static void ranks_follow_the_order_file(void **state)
{
	torus_cluster_t *cluster =
		must_read("TorusName=a Dims=2x2 Nodes=n[1-4] Curve=file:reverse.order");

	(void)state;
	for (uint32_t rank = 0; rank < 4; rank++)
		assert_int_equal(cluster->map[0]->node_of_rank[rank], 3 - rank);
	torus_cluster_destroy(cluster);
}

/* Each message begins with file, line and reason. */
static void rejects(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		/* Not the form of a configuration. */
		{"", "dir/torus.conf:1: no TorusName= in this file"},
		{"# nothing\n\n# here\n", "dir/torus.conf:3: no TorusName= in this file"},
		{"Curve=snake\n", "dir/torus.conf:1: no TorusName= in this file"},
		{"TorusName=a Dims = 4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: 'Dims' is not of the form Key=value"},
		{"TorusName=a Dims= 4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: Dims= has no value"},
		{"TorusName=a Dims=4 Nodes=n[1, 2-4]\n",
		 "dir/torus.conf:1: '2-4]' is not of the form Key=value"},
		{"TorusName=a Dims=4 Nodes=\"n[1, 2-4]\"\n",
		 "dir/torus.conf:1: Nodes=: hostlist: '1, 2-4' is not of the form"},
		{"TorusName=a Dims=4 =4\n",
		 "dir/torus.conf:1: '=4' is not of the form Key=value"},
		{"TorusName=a Dims=\"4\n", "dir/torus.conf:1: a quote is not closed"},
		{"# \xc3\xa9\nTorusName=a\x01\n",
		 "dir/torus.conf:2: a control character"},

		/* Unknown keys and keys in the wrong place. */
		{"\nTorusName=a Dim=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: unknown key 'Dim=': did you mean Dims=?"},
		{"TorusName=a Dims=4 NodePerRouter=1 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: unknown key 'NodePerRouter=': did you mean NodesPerRouter=?"},
		{"TorusName=a Dims=4 Nodes=n[1-4]\nAlocator=best_fit\n",
		 "dir/torus.conf:2: unknown key 'Alocator=': did you mean Allocator=?"},
		{"Isolate=1\nTorusName=a Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: unknown key 'Isolate=': did you mean Isolation=?"},
		{"TorusName=a Dims=4 \\\n Nodes=n[1-4] \\\n Routing=xyz\n",
		 "dir/torus.conf:3: unknown key 'Routing=': the keys are TorusName, Dims,"},
		{"SwitchName=s1 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: unknown key 'SwitchName='"},
		{"Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: Dims= stands on a line without TorusName=: put it on"},
		{"TorusName=a Dims=4\nNodes=n[1-4]\n",
		 "dir/torus.conf:2: Nodes= stands on a line without TorusName=: put it on"},
		{"TorusName=a Dims=4 Nodes=n[1-4] \\\nContiguous=nodes\n",
		 "dir/torus.conf:2: Contiguous= stands on the line of a torus: it is for all"},
		{"TorusName=a Dims=4 Nodes=n[1-4] TaskOrder=none\n",
		 "dir/torus.conf:1: TaskOrder= stands on the line of a torus: it is for all"},
		{"TorusName=a Dims=4 Nodes=n[1-4] WaitForTorus=no\n",
		 "dir/torus.conf:1: WaitForTorus= stands on the line of a torus: it is"},

		/* Duplicates. */
		{"TorusName=a Dims=4 Nodes=n[1-4] Dims=4\n",
		 "dir/torus.conf:1: Dims= is given twice for the same torus, first on line 1"},
		{"TorusName=a dims=4 Nodes=n[1-4] \\\nDIMS=4\n",
		 "dir/torus.conf:2: Dims= is given twice for the same torus, first on line 1"},
		{"TorusName=a TorusName=b Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: TorusName= is given twice for the same torus"},
		{"Curve=snake\nTorusName=a Dims=4 Nodes=n[1-4]\nCurve=snake\n",
		 "dir/torus.conf:3: Curve= is given twice, first on line 1"},
		{"TorusName=a Dims=4 Nodes=n[1-4]\n\nTorusName=a Dims=4 Nodes=m[1-4]\n",
		 "dir/torus.conf:3: TorusName=a is given twice, first on line 1"},

		/* Chips. */
		{"TorusName=a \\\nDims=4 Nodes=n[1-4] \\\nChipDims=8\n",
		 "dir/torus.conf:3: ChipDims=: does not go with Dims=, which gives the same "
		 "in nodes: leave one of them out"},
		{"TorusName=a ChipDims=8 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: ChipDims=: how many chips has a node? Add NodeShape=, "
		 "such as NodeShape=2x2x1, or give Dims= in nodes instead"},
		{"TorusName=a ChipDims=8x6x5 NodeShape=2x4x1 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: ChipDims=: dimension y has 6 chips, and a node of "
		 "NodeShape=2x4x1 has 4 of them: make it a multiple, such as 8"},
		{"TorusName=a ChipDims=8x NodeShape=2 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: ChipDims=: '8x' is not of the form 8x8x5"},
		{"TorusName=a \\\nDims=4 NodeShape=2x2 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: NodeShape=: '2x2' has 2 dimensions, and the machine has "
		 "1"},
		{"TorusName=a ChipDims=8 \\\nNodeShape=2x1x3 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: NodeShape=: '2x1x3' has 3 dimensions, and the machine "
		 "has 1"},
		{"TorusName=a Dims=4 NodeShape=2,2 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: NodeShape=: '2,2' is not of the form 8x8x5"},
		{"TorusName=a Dims=65536x4 NodeShape=1025 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: NodeShape=: '1025' makes 268697600 chips in all, more "
		 "than 268435456"},
		{"TorusName=a Dims=2 NodeShape=2 NodesPerRouter=1 Nodes=n[1-2]\n",
		 "dir/torus.conf:1: NodesPerRouter=: does not go with NodeShape=: a node "
		 "that is a box of chips has its place to itself"},
		{"TorusName=a Dims=2x2 Coords=holes.coords \\\nNodeShape=2\n",
		 "dir/torus.conf:2: NodeShape=: nodes 'b' and 'c' have the same coordinates "
		 "in the file of Coords=, and a node that is a box of chips has its place to "
		 "itself"},
		{"TorusName=a Dims=8x8 \\\nCube=4x3 Nodes=n[1-64]\n",
		 "dir/torus.conf:2: Cube=: cubes of 4x3 do not fill the machine 8x8: each of "
		 "its sides has to be a multiple of the cube's"},
		{"TorusName=a Dims=8x8 Cube=4 Nodes=n[1-64]\n",
		 "dir/torus.conf:1: Cube=: '4' has 1 sides, the machine 8x8 has 2: give one "
		 "for each dimension"},
		{"TorusName=a Dims=8x8 Cube=4x4 Wrap=y Nodes=n[1-64]\n",
		 "dir/torus.conf:1: Cube=: a machine of cubes does not wrap: the switches "
		 "close the rings of each job"},
		{"TorusName=a Dims=8x8 Cube=4*4 Nodes=n[1-64]\n",
		 "dir/torus.conf:1: Cube=: '4*4' is not of the form 8x8x5"},
		{"Cube=4\nTorusName=a Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: Cube= stands on a line without TorusName=: put it"},
		{"NodeShape=2\nTorusName=a Dims=2x2 Coords=holes.coords\n",
		 "dir/torus.conf:1: NodeShape= stands on a line without TorusName=: put it"},
		{"TorusName=a ChipDims=8 NodeShape=2 Nodes=n[1-3]\n",
		 "dir/torus.conf:1: Nodes=: 3 nodes for Dims=4 with NodesPerRouter=1, which"},

		/* Missing keys. */
		{"TorusName=a Nodes=n[1-4]\n",
		 "dir/torus.conf:1: torus 'a' has no Dims= on its line, such as Dims=8x8x5"},
		{"\nTorusName=a Dims=4\n",
		 "dir/torus.conf:2: torus 'a' has neither Nodes= nor Coords= on its line"},
		{"TorusName= Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: TorusName= has no value"},

		/* Values. */
		{"TorusName=a,b Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: TorusName='a,b' is not made of letters"},
		{"TorusName=\"a b\" Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: TorusName='a b' is not made of letters"},
		{"TorusName=a234567890123456789012345678901234567890123456789012345678901234 Dims=4\n",
		 "dir/torus.conf:1: TorusName='a234567890123456...' is longer than 63"},
		{"TorusName=a \\\nDims=4,4 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: Dims=: '4,4' is not of the form 8x8x5"},
		{"TorusName=a Dims=4x0 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: Dims=: '4x0' has a side of length 0"},
		{"TorusName=a Dims=1x1x1x1x1x1x4 Nodes=n[1-4]\n",
		 "dir/torus.conf:1: Dims=: '1x1x1x1x1x1x4' has more than 6 dimensions"},
		{"TorusName=a Dims=4 Nodes=n[1-4] \\\nWrap=y\n",
		 "dir/torus.conf:2: Wrap=: wrap 'y': 'y' is not one of the dimensions x"},
		{"TorusName=a Dims=2x2 Nodes=n[1-4] Wrap=1,0,1\n",
		 "dir/torus.conf:1: Wrap=: wrap '1,0,1' does not have one 0 or 1"},
		{"TorusName=a Dims=4 Nodes=n[1-4]\nCurve=peano\n",
		 "dir/torus.conf:2: Curve=: "},
		{"TorusName=a Dims=4 Nodes=n[1-4] Allocator=mc1x1\n",
		 "dir/torus.conf:1: Allocator=: unknown allocator 'mc1x1': give "
		 "best_fit, first_fit, sum_of_squares, free_list or compact; others are "
		 "only to compare with, in storus place and storus sim"},
		{"TorusName=a Dims=4 Nodes=n[1-4]\nAllocator=worst_fit\n",
		 "dir/torus.conf:2: Allocator=: "},
		{"TorusName=a Dims=4 Nodes=n[1-4]\n\nSpan=round\n",
		 "dir/torus.conf:3: Span=: "},
		{"TorusName=a Dims=4 Nodes=n[1-4] \\\nIsolation=0.2x\n",
		 "dir/torus.conf:2: Isolation=: '0.2x' is not a number from 0 to 16 with "
		 "at most three digits behind the point"},
		{"TorusName=a Dims=4 Nodes=n[1-4]\nIsolation=16.001\n",
		 "dir/torus.conf:2: Isolation=: '16.001' is not a number"},
		{"TorusName=a Dims=4 Nodes=n[1-4] Isolation=0.2 Isolation=0.3\n",
		 "dir/torus.conf:1: Isolation= is given twice for the same torus"},
		{"\nContiguous=node\nTorusName=a Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: Contiguous=: 'node' is neither curve nor nodes"},
		{"\nWaitForTorus=never\nTorusName=a Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: WaitForTorus=: 'never' is neither yes nor no"},
		{"\nTaskOrder=batch,,long\nTorusName=a Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: TaskOrder=: 'batch,,long' is not a list of partitions"},
		{"\nTaskOrder=except:\nTorusName=a Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: TaskOrder=: '' is not a list of partitions"},
		{"\nPatience=30\nTorusName=a Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: Patience=: '30' is neither none nor of the form"},
		{"TorusName=a Dims=4 Nodes=n[1-4]\nPatienceMax=1h\n",
		 "dir/torus.conf:2: PatienceMax=: '1h' is no duration"},
		{"Patience=1.2@30\nPatienceMax=29:59\nTorusName=a Dims=4 Nodes=n[1-4]\n",
		 "dir/torus.conf:2: PatienceMax=: '29:59' is less than the time of "
		 "Patience=1.2@30"},
		{"Patience=1.2@30\nTorusName=a Dims=4 Nodes=n[1-4] PatienceMax=10\n",
		 "dir/torus.conf:2: PatienceMax=: '10' is less than the time of "
		 "Patience=1.2@30"},
		{"PatienceMax=10\nTorusName=a Dims=4 Nodes=n[1-4] Patience=1.2@30\n",
		 "dir/torus.conf:1: PatienceMax=: '10' is less than the time of "
		 "Patience=1.2@30"},
		{"TorusName=a Dims=4 Nodes=n[1-4] NodesPerRouter=0\n",
		 "dir/torus.conf:1: NodesPerRouter=: '0' is not a number of at least 1"},
		{"TorusName=a Dims=4 Nodes=n[1-4] NodesPerRouter=-1\n",
		 "dir/torus.conf:1: NodesPerRouter=: '-1' is not a number of at least 1"},
		{"TorusName=a Dims=4 Nodes=n[1-4] NodesPerRouter=2x\n",
		 "dir/torus.conf:1: NodesPerRouter=: '2x' is not a number of at least 1"},
		{"TorusName=a Dims=4 Nodes=n[4-1]\n",
		 "dir/torus.conf:1: Nodes=: hostlist: '4-1' is a range that descends"},

		/* Counts that do not match. */
		{"TorusName=a Dims=2x2 Nodes=n[1-3]\n",
		 "dir/torus.conf:1: Nodes=: 3 nodes for Dims=2x2 with NodesPerRouter=1, which "
		 "takes 4; for a machine with holes say with Coords=FILE where each node is"},
		/* The tori before it are freed: a leak checker watches this. */
		{"TorusName=a Dims=2 Nodes=n[1-2]\nTorusName=b Dims=2 Nodes=m[1-2]\n"
		 "TorusName=c Dims=2 Nodes=o\n",
		 "dir/torus.conf:3: Nodes=: 1 nodes for Dims=2 with NodesPerRouter=1, which "
		 "takes 2;"},
		{"TorusName=a Dims=2x2 Nodes=n[1-4] NodesPerRouter=2\n",
		 "dir/torus.conf:1: Nodes=: 4 nodes for Dims=2x2 with NodesPerRouter=2, which "
		 "takes 8;"},
		{"TorusName=a Dims=4 Nodes=n[0-9999999]\n",
		 "dir/torus.conf:1: Nodes=: 10000000 nodes for Dims=4"},
		{"TorusName=a Dims=268435456 Nodes=n[0-9] NodesPerRouter=268435456\n",
		 "dir/torus.conf:1: Nodes=: 10 nodes for Dims=268435456 with "
		 "NodesPerRouter=268435456, which takes 72057594037927936;"},

		/* Nodes in two places. */
		{"TorusName=a Dims=4 Nodes=n[1-3],n2\n",
		 "dir/torus.conf:1: Nodes=: node 'n2' is named twice"},
		{"TorusName=a Dims=4 Nodes=n[1-3],n2 Curve=file:reverse.order\n",
		 "dir/torus.conf:1: Nodes=: node 'n2' is named twice"},
		{"TorusName=a Dims=4 Nodes=n[1-4]\nTorusName=b Dims=2 \\\n  Nodes=m1,n4\n",
		 "dir/torus.conf:3: Nodes=: node 'n4' is in torus 'a' and in torus 'b'"},
		{"TorusName=a Dims=2 Nodes=a,q\nTorusName=b Dims=2x1 Coords=cells.coords\n",
		 "dir/torus.conf:2: Coords=: node 'q' is in torus 'a' and in torus 'b'"},

		/* Links beside the torus's own. */
		{"TorusName=a Dims=4x2 Nodes=n[1-8] \\\n  Links=0:0-2\n",
		 "dir/torus.conf:2: Links=: '0:0-2': a place has 2 coordinates"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0:0-2:0\n",
		 "dir/torus.conf:1: Links=: '0:0:0-2:0': a place has 2 coordinates"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0-2:0:1\n",
		 "dir/torus.conf:1: Links=: '0:0-2:0:1': a place has 2 coordinates"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0\n",
		 "dir/torus.conf:1: Links=: '0:0' is not of the form 0:0-16:0"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0-2:0,,1:0-3:0\n",
		 "dir/torus.conf:1: Links=: '' is not of the form 0:0-16:0"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0-2:-1\n",
		 "dir/torus.conf:1: Links=: '0:0-2:-1' is not of the form"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0-2:2\n",
		 "dir/torus.conf:1: Links=: '0:0-2:2': a coordinate in dimension y is below "
		 "2"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0-18446744073709551616:0\n",
		 "dir/torus.conf:1: Links=: '0:0-18446744073709551616:0': a coordinate in "
		 "dimension x is below 4"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=1:1-1:1\n",
		 "dir/torus.conf:1: Links=: '1:1-1:1': a link from a place to itself"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=1:1-1:0\n",
		 "dir/torus.conf:1: Links=: '1:1-1:0': a link that the torus has already"},
		{"TorusName=a Dims=4x2 Wrap=x Nodes=n[1-8] Links=3:1-0:1\n",
		 "dir/torus.conf:1: Links=: '3:1-0:1': a link that the torus has already"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0-2:0,2:0-0:0\n",
		 "dir/torus.conf:1: Links=: '0:0-2:0' is given twice: a link leads both "
		 "ways"},
		{"TorusName=a Dims=8x8 Cube=4x4 Nodes=n[1-64] Links=0:0-4:4\n",
		 "dir/torus.conf:1: Links=: does not go with Cube="},
		{"TorusName=a Dims=128x128 Nodes=n[1-16384] Links=0:0-64:64\n",
		 "dir/torus.conf:1: Links=: on a torus of 16384 places"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=file:gone\n",
		 "dir/torus.conf:1: Links=: cannot read 'dir/gone': gone"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=file:bad.links\n",
		 "dir/bad.links:2: '0:0-4:0': a coordinate in dimension x is below 4"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=file:dup.links\n",
		 "dir/dup.links:4: '0:0-2:0' was given before, on line 1"},
		{"TorusName=a Dims=4x2 Nodes=n[1-8] Links=file:no.links\n",
		 "dir/no.links:2: no link in this file"},
		{"Links=0:0-2:0\nTorusName=a Dims=4x2 Nodes=n[1-8]\n",
		 "dir/torus.conf:1: Links= stands on a line without TorusName="},

		/* Coordinate files. */
		{"TorusName=a Dims=4 Nodes=n[1-4] Coords=holes.coords\n",
		 "dir/torus.conf:1: Coords=: does not go with Nodes="},
		{"TorusName=a Dims=2x2 Coords=holes.coords NodesPerRouter=2\n",
		 "dir/torus.conf:1: NodesPerRouter=: does not go with Coords="},
		{"\nTorusName=a Dims=2x2 Coords=none.coords\n",
		 "dir/torus.conf:2: Coords=: cannot read 'dir/none.coords': gone"},
		{"TorusName=a Dims=2x2 Coords=bad.coords\n",
		 "dir/bad.coords:3: coordinate 2 in dimension x is not below 2"},
		{"TorusName=a Dims=2x2 Coords=dup.coords\n",
		 "dir/dup.coords:4: node 'a' was given before, on line 1"},
		{"TorusName=a Dims=16384x16384 Coords=holes.coords\n",
		 "dir/torus.conf:1: Dims=: 268435456 positions for the 3 nodes of "
		 "Coords="},
		{"TorusName=a Dims=65537 Coords=/abs/line.coords\n",
		 "dir/torus.conf:1: Dims=: 65537 positions for the 1 nodes of Coords="},
		{"TorusName=a Dims=2x2x1 Coords=holes.coords\n",
		 "dir/holes.coords:1: 3 words instead of a node and 3 coordinates"},

		/* Order files. */
		{"TorusName=a Dims=4 Nodes=n[1-4]\nCurve=file:none.order\n",
		 "dir/torus.conf:2: Curve=: cannot read 'dir/none.order': gone"},
		{"TorusName=a Dims=4 Nodes=n[1-4] Curve=file:short.order\n",
		 "dir/short.order:3: the file ends without node 'n1'; 1 of 4 nodes"},
		{"TorusName=a Dims=4 Nodes=m[1-4] Curve=file:short.order\n",
		 "dir/short.order:1: node 'n4' is not on this torus"},
		{"TorusName=a Dims=4 Nodes=n[1-4]\nTorusName=b Dims=1 Nodes=m\n"
		 "Curve=file:reverse.order\n",
		 "dir/torus.conf:3: Curve=: a file names the nodes of one torus: put Curve= on "
		 "the line of each torus"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err = {""};
		if (read_text(table[i].text, &err))
			fail_msg("accepted: %s", table[i].text);
		if (strncmp(err.text, table[i].says, strlen(table[i].says)) != 0)
			fail_msg("\"%s\" is not \"%s\"", err.text, table[i].says);
	}
}

/* From the line itself or a file, and between chips where nodes are boxes of them. */
static void reads_links(void **state)
{
	static const char *const texts[] = {
		"TorusName=a Dims=4x2 Nodes=n[1-8] Links=0:0-2:0,1:1-3:1,2:1-0:1",
		"TorusName=a Dims=4x2 Nodes=n[1-8] Links=\"0:0-2:0, 1:1-3:1 0:1-2:1,\"",
		"TorusName=a Dims=4x2 Nodes=n[1-8] links=FILE:good.links",
	};
	torus_cluster_t *cluster;
	torus_geometry_t chips;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const torus_chords_t *chords;

		cluster = must_read(texts[i]);
		chords = cluster->map[0]->geometry.chords;
		assert_non_null(chords);
		assert_int_equal(chords->count, 3);
		assert_int_equal(torus_hops_cells(&cluster->map[0]->geometry, 0, 2), 1);
		assert_int_equal(torus_hops_cells(&cluster->map[0]->geometry, 5, 3), 2);
		torus_cluster_destroy(cluster);
	}
	cluster = must_read("TorusName=a ChipDims=8x2 NodeShape=2x2 Nodes=n[1-4] "
			    "Links=1:0-4:1\n"
			    "TorusName=b Dims=4 Nodes=m[1-4]\n");
	chips = torus_chip_machine(&cluster->map[0]->geometry);
	assert_int_equal(cluster->map[0]->geometry.chords->count, 1);
	assert_int_equal(torus_hops_cells(&cluster->map[0]->geometry, 0, 2), 1);
	assert_int_equal(torus_hops_cells(&cluster->map[0]->geometry, 0, 3), 2);
	assert_int_equal(chips.chords->count, 1);
	assert_int_equal(torus_hops_cells(&chips, 1, 12), 1);
	assert_null(cluster->map[1]->geometry.chords);
	torus_cluster_destroy(cluster);
}

static void rejects_bytes_that_are_no_text(void **state)
{
	static const char text[] = "TorusName=a Dims=4 Nodes=n[1-4]\nCurve=sn\0ke\n";
	torus_error_t err = {""};

	(void)state;
	assert_null(torus_conf_read_text(text, sizeof(text) - 1, "f.conf", read_file,
					 NULL, &err));
	assert_string_equal(err.text, "f.conf:2: a NUL byte: this is not a text file");
}

static void write_file(const char *path, const char *text)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	assert_int_equal(fwrite(text, 1, strlen(text), stream), strlen(text));
	assert_int_equal(fclose(stream), 0);
}

/* [directory], a template, and the names of a configuration and of coordinates in it. */
static void make_directory(char *directory, char *conf, char *coords)
{
	assert_non_null(mkdtemp(directory));
	sprintf(conf, "%s/torus.conf", directory);
	sprintf(coords, "%s/nodes", directory);
}

/* From the disk, with the coordinate file beside it. */
static void reads_files(void **state)
{
	char directory[] = "test_torus_conf.XXXXXX", conf[64], coords[64], expected[256];
	torus_error_t err = {""};
	torus_cluster_t *cluster;

	(void)state;
	make_directory(directory, conf, coords);
	assert_null(torus_conf_read(conf, &err));
	sprintf(expected, "cannot read '%s': No such file or directory", conf);
	assert_string_equal(err.text, expected);

	write_file(conf, "TorusName=t Dims=2x2 Coords=nodes\n");
	assert_null(torus_conf_read(conf, &err));
	sprintf(expected, "%s:1: Coords=: cannot read '%s': No such file or directory",
		conf, coords);
	assert_string_equal(err.text, expected);

	write_file(coords, "a 0 0\nb 1 1\n");
	cluster = torus_conf_read(conf, &err);
	assert_non_null(cluster);
	assert_node(cluster, "b", 0, 3);
	torus_cluster_destroy(cluster);

	unlink(coords);
	assert_null(torus_conf_read(directory, &err));
	sprintf(expected, "cannot read '%s': Is a directory", directory);
	assert_string_equal(err.text, expected);
	unlink(conf);
	rmdir(directory);
}

/* Where nodes are, without an order: the same cells, and nothing read that only the order
 * needs. */
static void reads_places(void **state)
{
	char directory[] = "test_torus_conf.XXXXXX", conf[64], coords[64];
	torus_error_t err = {""};
	torus_cluster_t *cluster;

	(void)state;
	make_directory(directory, conf, coords);
	write_file(conf, "TorusName=a Dims=3x2 Wrap=xy Nodes=n[0-5]\n"
			 "TorusName=b Dims=2x2 Coords=nodes Curve=file:missing\n");
	write_file(coords, "z 1 1\ny 0 0\nx 1 0\n");
	cluster = torus_conf_read_places(conf, &err);
	assert_string_equal(err.text, "");
	assert_node(cluster, "n4", 0, 4);
	assert_node(cluster, "z", 1, 3);
	assert_node(cluster, "y", 1, 0);
	assert_node(cluster, "x", 1, 1);
	for (int t = 0; t < cluster->maps; t++) {
		const torus_map_t *map = cluster->map[t];

		assert_int_equal(map->curve, TORUS_CURVE_FILE);
		for (uint32_t node = 0; node < map->nodes; node++)
			assert_int_equal(map->rank_of_node[node], node);
	}
	torus_cluster_destroy(cluster);

	write_file(conf, "TorusName=a Dims=3x2 Nodes=n[0-4]\n");
	assert_null(torus_conf_read_places(conf, &err));
	assert_non_null(strstr(err.text, ":1: Nodes=: 5 nodes for Dims=3x2"));
	unlink(conf);
	unlink(coords);
	rmdir(directory);
}

static void reads_keys_of_the_cluster(void **state)
{
	static const struct {
		const char *lines;
		bool by_nodes; /* Contiguous=nodes */
		bool spreads;  /* WaitForTorus=no */
	} table[] = {
		{"", false, false},
		{"Contiguous=curve\n", false, false},
		{"contiguous=NODES\n", true, false},
		{"Curve=snake Contiguous=nodes Span=ring\n", true, false},
		{"WaitForTorus=Yes\n", false, false},
		{"waitfortorus=NO\n", false, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_cluster_t *cluster;
		char text[128];

		sprintf(text,
			"TorusName=a Dims=2 Nodes=n[1-2]\n%sTorusName=b Dims=1 Nodes=m\n",
			table[i].lines);
		cluster = must_read(text);
		assert_int_equal(cluster->maps, 2);
		assert_int_equal(cluster->contiguous_by_nodes, table[i].by_nodes);
		assert_int_equal(cluster->spreads_at_once, table[i].spreads);
		torus_cluster_destroy(cluster);
	}
}

static void reads_whose_tasks_are_ordered(void **state)
{
	static const struct {
		const char *line;
		bool batch, debug,
			deb; /* whether jobs of such a partition are among them */
	} table[] = {
		{"", true, true, true},
		{"TaskOrder=All\n", true, true, true},
		{"taskorder=NONE\n", false, false, false},
		{"TaskOrder=batch\n", true, false, false},
		{"TaskOrder=long,debug,batch\n", true, true, false},
		{"TaskOrder=except:debug\n", true, false, true},
		{"TaskOrder=Except:debug,deb\n", true, false, false},
		{"TaskOrder=Batch,debugging\n", false, false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const torus_order_scope_t *scope;
		torus_cluster_t *cluster;
		char text[128];

		sprintf(text, "%sTorusName=a Dims=2 Nodes=n[1-2]\n", table[i].line);
		cluster = must_read(text);
		scope = &cluster->task_order;
		assert_int_equal(torus_order_scope_has(scope, "batch"), table[i].batch);
		assert_int_equal(torus_order_scope_has(scope, "debug"), table[i].debug);
		assert_int_equal(torus_order_scope_has(scope, "deb"), table[i].deb);
		torus_cluster_destroy(cluster);
	}
}

static void expect_patience(torus_patience_site_t site, torus_patience_site_t expected)
{
	assert_int_equal(site.near, expected.near);
	assert_int_equal(site.within, expected.within);
	assert_int_equal(site.is_limited, expected.is_limited);
	assert_int_equal(site.most, expected.most);
}

static void reads_patience(void **state)
{
	static const struct {
		const char *lines;
		torus_patience_site_t site;
	} table[] = {
		{"", {0, 0, false, 0}},
		{"Patience=none\n", {0, 0, false, 0}},
		{"patience=1.2@30\n", {1200, 1800, false, 0}},
		{"PatienceMax=1-0\n", {0, 0, true, 86400}},
		{"Patience=2@0:30 PatienceMax=0:30\n", {2000, 30, true, 30}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_cluster_t *cluster;
		char text[128];

		sprintf(text, "%sTorusName=a Dims=2 Nodes=n[1-2]\n", table[i].lines);
		cluster = must_read(text);
		expect_patience(cluster->map[0]->patience, table[i].site);
		torus_cluster_destroy(cluster);
	}
}

/* A torus's own words count before those for all. */
static void reads_patience_of_each_torus(void **state)
{
	static const char text[] = "TorusName=a Dims=2 Nodes=a[1-2] Patience=1.5@10\n"
				   "Patience=1.2@30 PatienceMax=1-0\n"
				   "TorusName=b Dims=2 Nodes=b[1-2] PatienceMax=30\n"
				   "TorusName=c Dims=2 Nodes=c[1-2] Patience=none\n";
	static const torus_patience_site_t site[] = {
		{1500, 600, true, 86400},
		{1200, 1800, true, 1800},
		{0, 0, true, 86400},
	};
	static const bool first_two[] = {true, true, false}, no_torus[3];
	torus_cluster_t *cluster = must_read(text);

	(void)state;
	for (int t = 0; t < 3; t++)
		expect_patience(cluster->map[t]->patience, site[t]);
	expect_patience(torus_cluster_patience(cluster, first_two),
			(torus_patience_site_t){1500, 600, true, 1800});
	expect_patience(torus_cluster_patience(cluster, NULL),
			(torus_patience_site_t){0, 0, true, 1800});
	expect_patience(torus_cluster_patience(cluster, no_torus),
			(torus_patience_site_t){0});
	torus_cluster_destroy(cluster);
}

/* Whether a cluster read from [conf] is still the same after path holds [text]. */
static bool unchanged_with(const torus_cluster_t *cluster, const char *conf,
			   const char *path, const char *text)
{
	write_file(path, text);
	return torus_conf_unchanged(cluster, conf);
}

/* Any byte of any of the three files counts, and so does a file that is gone. */
static void knows_when_nothing_has_changed(void **state)
{
	static const char conf_text[] =
		"TorusName=t Dims=2x2 Coords=nodes Curve=file:order\n"
		"TorusName=u Dims=2 Nodes=n[1-2] Curve=snake\n";
	static const char coords_text[] = "a 0 0\nb 1 1\n", order_text[] = "b\na\n";
	char directory[] = "test_torus_conf.XXXXXX", conf[64], coords[64], order[64],
	     link_path[64];
	torus_cluster_t *cluster;

	(void)state;
	make_directory(directory, conf, coords);
	sprintf(order, "%s/order", directory);
	sprintf(link_path, "%s/link", directory);
	write_file(conf, conf_text);
	write_file(coords, coords_text);
	write_file(order, order_text);
	cluster = torus_conf_read(conf, NULL);
	assert_non_null(cluster);
	assert_true(torus_conf_unchanged(cluster, conf));

	assert_false(unchanged_with(cluster, conf, coords, "a 0 0\nb 1 0\n"));
	assert_true(unchanged_with(cluster, conf, coords, coords_text));
	assert_false(unchanged_with(cluster, conf, order, "a\nb\n"));
	assert_false(unchanged_with(cluster, conf, order, "b\na\n\n"));
	assert_false(unchanged_with(cluster, conf, order, "b\na"));
	assert_true(unchanged_with(cluster, conf, order, order_text));
	assert_false(unchanged_with(cluster, conf, conf,
				    "TorusName=t Dims=2x2 Coords=nodes Curve=file:order\n"
				    "TorusName=u Dims=2 Nodes=n[1-2] Curve=Snake\n"));
	assert_true(unchanged_with(cluster, conf, conf, conf_text));

	assert_int_equal(unlink(order), 0);
	assert_false(torus_conf_unchanged(cluster, conf));
	write_file(order, order_text);
	/* The same text, but another file to be named in messages from now on. */
	assert_int_equal(symlink("torus.conf", link_path), 0);
	assert_false(torus_conf_unchanged(cluster, link_path));
	assert_true(torus_conf_unchanged(cluster, conf));
	torus_cluster_destroy(cluster);
	unlink(link_path);
	unlink(conf);
	unlink(coords);
	unlink(order);
	rmdir(directory);
}

/* As many tori as a cluster may have, and one more. */
static void bounds_the_number_of_tori(void **state)
{
	size_t room = (size_t)(TORUS_MAX_TORI + 1) * 40, length = 0;
	char *text = malloc(room), expected[64];
	torus_error_t err = {""};
	torus_cluster_t *cluster;

	(void)state;
	assert_non_null(text);
	for (int t = 0; t < TORUS_MAX_TORI; t++)
		length += (size_t)sprintf(text + length,
					  "TorusName=t%d Dims=1 Nodes=n%d\n", t, t);
	cluster = torus_conf_read_text(text, length, "f.conf", read_file, NULL, &err);
	assert_non_null(cluster);
	assert_int_equal(cluster->maps, TORUS_MAX_TORI);
	torus_cluster_destroy(cluster);
	length += (size_t)sprintf(text + length, "TorusName=last Dims=1 Nodes=last\n");
	assert_null(torus_conf_read_text(text, length, "f.conf", read_file, NULL, &err));
	sprintf(expected, "f.conf:%d: more than %d tori", TORUS_MAX_TORI + 1,
		TORUS_MAX_TORI);
	assert_string_equal(err.text, expected);
	free(text);
}

/* The example is a machine, and it and the manual know every key. */
static void documents_every_key(void **state)
{
	static const char *const documents[] = {TOP_SRCDIR "/torus.conf.example",
						TOP_SRCDIR "/docs/man/torus.conf.5"};
	torus_error_t err = {""};
	torus_cluster_t *cluster = torus_conf_read(documents[0], &err);

	(void)state;
	assert_string_equal(err.text, "");
	assert_int_equal(cluster->map[0]->nodes, 320);
	torus_cluster_destroy(cluster);
	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++) {
		size_t length;
		char *text;

		assert_int_equal(torus_textfile_read(documents[i], &text, &length, &err),
				 0);
		for (int key = 0; key < TORUS_KEYS; key++) {
			char written[32];

			sprintf(written, "%s=", torus_key_name((torus_key_t)key));
			if (!strstr(text, written))
				fail_msg("%s does not mention %s", documents[i], written);
		}
		free(text);
	}
}

/* Dims= and ChipDims= are two ways to say the same. */
static void reads_nodes_of_chips(void **state)
{
	torus_cluster_t *cluster =
		must_read("TorusName=a Dims=4x2 Nodes=n[1-8]\n"
			  "TorusName=b Dims=4x2 NODESHAPE=2 Nodes=m[1-8]\n"
			  "TorusName=c Dims=2x2 NodeShape=2x3x1 Coords=cells.coords\n");
	static const int32_t none[TORUS_MAX_DIMS], two[TORUS_MAX_DIMS] = {2, 1};
	static const int32_t six[TORUS_MAX_DIMS] = {2, 3};

	(void)state;
	assert_memory_equal(cluster->map[0]->geometry.chips, none, sizeof(none));
	assert_memory_equal(cluster->map[1]->geometry.chips, two, sizeof(two));
	assert_memory_equal(cluster->map[2]->geometry.chips, six, sizeof(six));
	torus_cluster_destroy(cluster);
	for (int round = 0; round < RANDOM_CASES(1000); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 60);
		int32_t chips[TORUS_MAX_DIMS], given;
		char text[512], dims[TORUS_DIMS_TEXT], shape[TORUS_DIMS_TEXT];
		char all[TORUS_DIMS_TEXT];

		given = (int32_t)random_in(1, (uint32_t)geometry.dims);
		for (int axis = 0; axis < geometry.dims; axis++) {
			geometry.chips[axis] =
				axis < given ? (int32_t)random_in(1, 4) : 1;
			chips[axis] = geometry.length[axis] * geometry.chips[axis];
		}
		torus_lengths_format(geometry.dims, geometry.length, dims);
		torus_lengths_format(geometry.dims, chips, all);
		torus_lengths_format(given, geometry.chips, shape);
		sprintf(text,
			"TorusName=a Dims=%s NodeShape=%s Nodes=a[1-%u]\n"
			"TorusName=b ChipDims=%s NodeShape=%s Nodes=b[1-%u]\n",
			dims, shape, torus_geometry_cells(&geometry), all, shape,
			torus_geometry_cells(&geometry));
		cluster = must_read(text);
		memset(geometry.wrap, 0, sizeof(geometry.wrap));
		for (int t = 0; t < 2; t++)
			assert_memory_equal(&cluster->map[t]->geometry, &geometry,
					    sizeof(geometry));
		torus_cluster_destroy(cluster);
	}
}

/* Random machines written as configuration and read back. */
static void round_trips(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 400);
		uint32_t per_router = random_in(1, 3);
		uint32_t nodes = torus_geometry_cells(&geometry) * per_router;
		torus_curve_t curve = (torus_curve_t)random_in(0, TORUS_CURVE_HILBERT);
		torus_span_t span = random_in(0, 1) ? TORUS_SPAN_RING : TORUS_SPAN_LINEAR;
		char text[512], dims[TORUS_DIMS_TEXT], wrap[16] = "";
		torus_cluster_t *cluster;
		const torus_map_t *map;

		for (int axis = 0; axis < geometry.dims; axis++)
			sprintf(wrap + strlen(wrap), "%s%d", axis ? "," : "",
				geometry.wrap[axis]);
		sprintf(text,
			"Curve=%s Span=%s\nTorusName=t%d Dims=%s Wrap=%s Nodes=n[0001-%u] "
			"NodesPerRouter=%u",
			torus_curve_name(curve), torus_span_name(span), round,
			torus_lengths_format(geometry.dims, geometry.length, dims), wrap,
			nodes, per_router);
		cluster = must_read(text);
		map = cluster->map[0];
		assert_memory_equal(&map->geometry, &geometry, sizeof(geometry));
		assert_int_equal(map->nodes, nodes);
		assert_int_equal(map->curve, curve);
		assert_int_equal(map->span, span);
		for (uint32_t rank = 0; rank < nodes; rank++) {
			uint32_t node = map->node_of_rank[rank];

			assert_int_equal(map->rank_of_node[node], rank);
			assert_int_equal(map->cell_of_rank[rank], node / per_router);
		}
		torus_cluster_destroy(cluster);
	}
}

/* A machine of cubes, also where nodes are boxes of chips. */
static void reads_cubes(void **state)
{
	torus_cluster_t *cluster = must_read(
		"TorusName=a Dims=8x6 CUBE=4x2 Nodes=a[1-48]\n"
		"TorusName=b ChipDims=8x8x8 NodeShape=2x2x1 Cube=2x2x4 Nodes=b[1-128]\n");
	static const int32_t cube[] = {4, 2, 1, 1, 1, 1}, of_chips[] = {2, 2, 4, 1, 1, 1};

	(void)state;
	assert_memory_equal(cluster->map[0]->geometry.cube, cube, sizeof(cube));
	assert_memory_equal(cluster->map[1]->geometry.cube, of_chips, sizeof(of_chips));
	assert_int_equal(cluster->map[0]->span, TORUS_SPAN_LINEAR);
	torus_cluster_destroy(cluster);
}

/* Some torus of a cluster may be of cubes, or none. */
static void has_cubes(void **state)
{
	torus_cluster_t *some = must_read("TorusName=a Dims=2x2 Nodes=a[1-4]\n"
					  "TorusName=b Dims=4x2 Cube=2x2 Nodes=b[1-8]\n");
	torus_cluster_t *none = must_read("TorusName=a Dims=2x2 Nodes=a[1-4]\n");

	(void)state;
	assert_true(torus_cluster_has_cubes(some));
	assert_false(torus_cluster_has_cubes(none));
	torus_cluster_destroy(some);
	torus_cluster_destroy(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_cubes),
		cmocka_unit_test(has_cubes),
		cmocka_unit_test(accepts),
		cmocka_unit_test(reads_weights_of_isolation),
		cmocka_unit_test(puts_nodes_where_they_are),
		cmocka_unit_test(ranks_follow_the_order_file),
		cmocka_unit_test(rejects),
		cmocka_unit_test(reads_links),
		cmocka_unit_test(rejects_bytes_that_are_no_text),
		cmocka_unit_test(reads_files),
		cmocka_unit_test(reads_places),
		cmocka_unit_test(reads_keys_of_the_cluster),
		cmocka_unit_test(reads_whose_tasks_are_ordered),
		cmocka_unit_test(reads_patience),
		cmocka_unit_test(reads_patience_of_each_torus),
		cmocka_unit_test(knows_when_nothing_has_changed),
		cmocka_unit_test(bounds_the_number_of_tori),
		cmocka_unit_test(documents_every_key),
		cmocka_unit_test(reads_nodes_of_chips),
		cmocka_unit_test(round_trips),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
