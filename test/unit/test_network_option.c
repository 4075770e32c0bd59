/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --network texts: ours, other people's, and wrong ones. */
#define _GNU_SOURCE /* strsep(), strcasestr() */
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/duration.h"
#include "machine/network_option.h"
#include "random.h"

static void reads(void **state)
{
	static const struct {
		const char *text;
		const char *shape; /* NULL: nothing is ours */
	} table[] = {
		{NULL, NULL},
		{"", NULL},
		{"Instances=4,User_Space", NULL},
		{"myshape=4x4x2,shapes=3,shape,reshape:2", NULL},
		{"devname=ib0,protocol=mpi,bulk_xfer=3,cau=5,immed=2", NULL},
		{"job_vni,single_node_vni=all,tcs=low_latency,def_tles=4", NULL},
		{"torus2=x:y,torusshape", NULL},
		{"torus2,torus-fast,torus_a;torus.b", NULL},
		{"ib0,,devtype=ib;2x2", NULL},
		{"torus:shape=4x4x2", "4x4x2"},
		{"TORUS:Shape=4X4", "4x4"},
		{"sn_all;torus:shape=8", "8"},
		{";;torus:shape=1x2x3x4x5x6", "1x2x3x4x5x6"},
		{"ib0,torus:shape=2x2", "2x2"},
		{" torus:shape=2x2", "2x2"},
		{"torus:shape=2x2,sn_single", "2x2"},
		{"ib0;sn_all , \tTorus : Shape = 2x3\t, Instances=4,User_Space", "2x3"},
		{"2x2,torus:shape=2", "2"},
		{"torus:shape=any", "any"},
		{"torus:shape=ANY;stencil=27,grid=2x2", "any"},
		{"torus:shape=4x4x4|8x4x2", "4x4x4|8x4x2"},
		{"ib0,torus:shape= 4x4 | 8x2\t|16 , sn_all", "4x4|8x2|16"},
		{"torus:shape=4x4x8,twist,ib0", "4x4x8"},
		{"torus:Twist;chips=4x4x8", "4x4x8"},
		{"torus:chips=4x4x8", "4x4x8"},
		{"ib0, Torus: Chips = 4x4 | 8x2 , chip", "4x4|8x2"},
		{"torus:grid=4x4,chips=2x2x4;periodic=x", "2x2x4"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request = {.has_shape = !table[i].shape};
		torus_error_t err = {""};
		char text[TORUS_SHAPES_TEXT];

		assert_int_equal(torus_network_parse(table[i].text, &request, &err), 0);
		assert_int_equal(request.has_shape, table[i].shape != NULL);
		assert_string_equal(torus_shapes_format(&request.shapes, text),
				    table[i].shape ? table[i].shape : "");
		assert_int_equal(torus_shapes_in_chips(&request.shapes),
				 table[i].text && strcasestr(table[i].text, "chips"));
		if (request.shapes.count)
			assert_int_equal(request.shapes.shape[0].twist,
					 strcasestr(table[i].text, "twist") != NULL);
	}
}

static void reads_wishes(void **state)
{
	static const struct {
		const char *text;
		bool has_shape, has_within;
		int64_t within;
		uint32_t near;
	} table[] = {
		{"torus:shape=2x2,within=30", true, true, 1800, 0},
		{"torus:within=0:20;shape=any", true, true, 20, 0},
		{"torus:Near = 1.25 , WITHIN=1-0,ib0", false, true, 86400, 1250},
		{"torus:near=1", false, false, 0, 1000},
		{"ib0,torus:within=0", false, true, 0, 0},
		{"torus:near=1,within=Infinite", false, true, TORUS_DURATION_MAX, 1000},
		{"torus:grid=4x4,near=2,periodic=1,0,within=5", false, true, 300, 2000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request;
		torus_error_t err = {""};

		if (torus_network_parse(table[i].text, &request, &err))
			fail_msg("'%s': %s", table[i].text, err.text);
		assert_int_equal(request.has_shape, table[i].has_shape);
		assert_int_equal(request.has_within, table[i].has_within);
		assert_int_equal(request.within, table[i].within);
		assert_int_equal(request.near, table[i].near);
	}
}

/* The words of tasks as storus map would take them: "grid periodic stencil". */
static const char *words_text(const torus_task_words_t *words, char *text, size_t size)
{
	const torus_task_grid_t *grid = &words->grid;
	char lengths[TORUS_DIMS_TEXT] = "auto", periodic[TORUS_MAX_DIMS + 1] = "";

	if (words->kind == TORUS_GRID_ANY)
		return "any";
	if (words->kind == TORUS_GRID_GIVEN)
		torus_lengths_format(grid->dims, grid->length, lengths);
	for (int axis = 0; axis < grid->dims; axis++)
		strcat(periodic, grid->periodic[axis] ? "1" : "0");
	snprintf(text, size, "%s %s %s%s", lengths, periodic,
		 grid->stencil == TORUS_STENCIL_CORNERS ? "corners" : "faces",
		 words->free_head ? " free" : "");
	return text;
}

static void reads_words_of_tasks(void **state)
{
	static const struct {
		const char *text;
		bool has_shape;
		const char *words;
	} table[] = {
		{"torus:shape=2x2", true, "any"},
		{"torus:grid=any", false, "any"},
		{"torus:grid=8x8x4", false, "8x8x4 000 faces"},
		{"torus:Grid = 8X8 , Periodic = XY , Stencil = 27", false,
		 "8x8 11 corners"},
		{"torus:grid=8x8;periodic=y;stencil=9,sn_all", false, "8x8 01 corners"},
		{"torus:stencil=5,grid=AUTO", false, "auto 000 faces"},
		{"torus:periodic=all,grid=auto", false, "auto 111 faces"},
		{"torus:grid=4x4x4,periodic=1,0,1", false, "4x4x4 101 faces"},
		{"torus:periodic=0,1;grid=4x4;shape=4", true, "4x4 01 faces"},
		{"torus:periodic=1,1,grid=4x4,stencil=27,ib0", false, "4x4 11 corners"},
		{"torus:periodic=none,grid=4", false, "4 0 faces"},
		{"ib0, torus:shape=2x2,grid=4x4x4", true, "4x4x4 000 faces"},
		{"torus:grid=2x3x4x5x6x7", false, "2x3x4x5x6x7 000000 faces"},
		{"torus:grid=mpi:8x4x2", false, "2x4x8 000 faces"},
		{"torus:Grid=MPI:8x4x2,periodic=1,0,0", false, "2x4x8 001 faces"},
		{"torus:grid=mpi:8x4x2,periodic=yz,stencil=9", false,
		 "2x4x8 110 corners"},
		{"torus:grid=mpi:12", false, "12 0 faces"},
		{"torus:grid=auto,periodic=x", false, "auto 001 faces"},
		{"torus:grid=4x2,head=free", false, "4x2 00 faces free"},
		{"torus:grid=4x4,grid", false, "4x4 00 faces"},
		{"mygrid=4x4,torus:grid=4x4", false, "4x4 00 faces"},
		{"xperiodic=1,0,torus:grid=4x4,yperiodic=1", false, "4x4 00 faces"},
		{"ib0", false, "any"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request;
		torus_error_t err = {""};
		char text[100];

		if (torus_network_parse(table[i].text, &request, &err))
			fail_msg("'%s': %s", table[i].text, err.text);
		assert_int_equal(request.has_shape, table[i].has_shape);
		assert_string_equal(words_text(&request.tasks, text, sizeof(text)),
				    table[i].words);
	}
}

/* What is said of the order of tasks. */
static void reads_words_of_order(void **state)
{
	static const struct {
		const char *text;
		bool off, free_head;
	} table[] = {
		{"torus:order=off", true, false},
		{"ib0,torus:ORDER = Off,sn_all", true, false},
		{"torus:grid=any,order=off", true, false},
		{"torus:shape=2x2;order=off", true, false},
		{"torus:head=free", false, true},
		{"torus:grid=2x2,head=free", false, true},
		{"torus:Head = FREE,shape=2x2", false, true},
		{"torus:shape=2x2", false, false},
		{"myorder=off,ahead=free", false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request;

		assert_int_equal(torus_network_parse(table[i].text, &request, NULL), 0);
		assert_int_equal(request.order_off, table[i].off);
		assert_int_equal(request.tasks.free_head, table[i].free_head);
	}
}

/* Flags as "shape closed isolate loose", or what is wrong with them. */
static void reads_flags(void **state)
{
	static const struct {
		const char *text, *flags, *wrong;
	} table[] = {
		{"torus:shape=8x4,closed", "8x4 closed", NULL},
		{"torus:closed,shape=any", "any closed", NULL},
		{"torus:Closed;shape=8|4x2 , sn_all", "8|4x2 closed", NULL},
		{"torus:shape=8x4", "8x4", NULL},
		{"torus:isolate", " isolate", NULL},
		{"ib0, Torus : ISOLATE ,sn_all", " isolate", NULL},
		{"torus:grid=4x4,loose", " loose", NULL},
		{"torus:loose;grid=4x4", " loose", NULL},
		{"torus:periodic=1,0,grid=4x4,loose", " loose", NULL},
		{"torus:shape=4x4,isolate,closed", "4x4 closed isolate", NULL},
		{"torus:closed", NULL, "closed is said of a box: give shape="},
		{"torus:closed,isolate", NULL, "closed is said of a box"},
		{"torus:loose,isolate", NULL, "does not go with isolate"},
		{"torus:loose,shape=4", NULL, "does not go with a shape"},
		{"torus:loose=1", NULL, "loose takes no value"},
		{"torus:isolate=", NULL, "isolate takes no value"},
		{"torus:isolate,isolate", NULL, "isolate is given twice"},
		{"torus:isolated", NULL, "closed, isolate and loose"},
		{"torus:shape=closed", NULL, "'closed'"},
		{"torus:shape=4x4;ib0;closed", NULL, "'ib0'"},
		{"loose", NULL, "'loose'"},
		{"ib0,isolate,torus:shape=4", NULL, "'isolate'"},
		{"ib0,isolated,closed_net,torus:loose", " loose", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request;
		torus_error_t err = {""};
		char text[TORUS_SHAPES_TEXT + 30];
		int result = torus_network_parse(table[i].text, &request, &err);

		if (result != (table[i].wrong ? -1 : 0))
			fail_msg("'%s': %s", table[i].text, err.text);
		if (table[i].wrong) {
			if (!strstr(err.text, table[i].wrong))
				fail_msg("'%s': %s", table[i].text, err.text);
			assert_false(request.isolated || request.loose);
			continue;
		}
		torus_shapes_format(&request.shapes, text);
		for (int shape = 0; shape < request.shapes.count; shape++)
			assert_int_equal(request.shapes.shape[shape].closed,
					 request.shapes.closed);
		strcat(text, request.shapes.closed ? " closed" : "");
		strcat(text, request.isolated ? " isolate" : "");
		strcat(text, request.loose ? " loose" : "");
		assert_string_equal(text, table[i].flags);
	}
}

static void grids_are_held_to_the_tasks(void **state)
{
	torus_network_request_t request;
	torus_task_grid_t grid;
	torus_error_t err = {""};

	(void)state;
	assert_int_equal(
		torus_network_parse("torus:grid=8x8x4,periodic=z", &request, &err), 0);
	assert_int_equal(torus_task_words_check(&request.tasks, 256, &err), 0);
	assert_int_equal(torus_task_words_check(&request.tasks, 128, &err), -1);
	assert_string_equal(err.text,
			    "grid 8x8x4 is for 256 tasks, and the job has 128: ask for "
			    "--ntasks=256, give a grid of 128 tasks, or grid=auto");
	torus_task_words_grid(&request.tasks, 256, &grid);
	assert_int_equal(grid.length[2], 4);
	assert_true(grid.periodic[2] && !grid.periodic[1]);
	assert_int_equal(
		torus_network_parse("torus:grid=auto,periodic=x", &request, &err), 0);
	assert_int_equal(torus_task_words_check(&request.tasks, 1, &err), 0);
	torus_task_words_grid(&request.tasks, 24, &grid);
	assert_int_equal(grid.dims, 3);
	assert_int_equal(torus_task_grid_tasks(&grid), 24);
	/* MPI_Dims_create() gives 4x3x2, and MPI_Cart_create() has the 2 fastest. */
	assert_int_equal(grid.length[0], 2);
	assert_int_equal(grid.length[1], 3);
	assert_int_equal(grid.length[2], 4);
	assert_true(grid.periodic[2] && !grid.periodic[1] && !grid.periodic[0]);
	assert_int_equal(torus_network_parse("torus:grid=mpi:8x4x2", &request, &err), 0);
	assert_int_equal(torus_task_words_check(&request.tasks, 63, &err), -1);
	assert_string_equal(err.text,
			    "grid mpi:8x4x2 is for 64 tasks, and the job has 63: ask for "
			    "--ntasks=64, give a grid of 63 tasks, or grid=auto");
}

/* Where the number of tasks is not known, to the CPUs. */
static void grids_are_held_to_the_cpus(void **state)
{
	static const struct {
		const char *text;
		uint64_t cpus;
		const char *says; /* NULL: nothing */
	} table[] = {
		{"torus:grid=8x9", 72, NULL},
		{"torus:grid=8x9", 73, NULL},
		{"torus:grid=8x9", UINT64_MAX, NULL},
		{"torus:grid=8x9", 71,
		 "grid=8x9 is for 72 tasks, and the job could have 71 CPUs at most: give "
		 "a smaller grid, more nodes or --overcommit"},
		{"torus:grid=4096x4096x16", 4,
		 "grid=4096x4096x16 is for 268435456 tasks, and the job could have 4 "
		 "CPUs at most: give a smaller grid, more nodes or --overcommit"},
		{"torus:grid=2x1", 0,
		 "grid=2x1 is for 2 tasks, and the job could have 0 CPUs at most: give a "
		 "smaller grid, more nodes or --overcommit"},
		{"torus:grid=auto", 0, NULL},
		{"torus:grid=any", 0, NULL},
		{"torus:shape=4x4", 1, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request;
		torus_error_t err = {""};

		assert_int_equal(torus_network_parse(table[i].text, &request, NULL), 0);
		assert_int_equal(
			torus_task_words_check_cpus(&request.tasks, table[i].cpus, &err),
			table[i].says ? -1 : 0);
		assert_string_equal(err.text, table[i].says ? table[i].says : "");
	}
}

static void rejects(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} table[] = {
		{"torus", "'torus' asks for nothing: a colon and a request follow torus"},
		{"ib0, TORUS ,x", "'TORUS' asks for nothing"},
		{"torus;shape=2x2", "'torus' asks for nothing"},
		{"torus=2x2", "'torus=2x2' asks for nothing"},
		{"torus shape=2x2", "'torus shape=2x2' asks for nothing"},
		{"xtorus:shape=2x2", "'xtorus:shape=2x2': torus: must begin an item"},
		{"a;b xTorus:", "'b xTorus:': torus: must begin an item"},
		{"torus:shape=2,ib0 torus:", "'ib0 torus:': torus: must begin an item"},
		{"\"torus:shape=2x2\"", "torus: must begin an item"},
		{"\ntorus:shape=2x2", "'\\x0atorus:shape=2x2': torus: must begin"},
		{"torus:", "'' is not of the form key=value"},
		{"torus:,shape=2x2", "'' is not of the form key=value"},
		{"torus:;shape=2x2", "'' is not of the form key=value"},
		{"torus:shape=2x2;", "'' is not of the form key=value"},
		{"torus:shape=2x2;,ib0", "'' is not of the form key=value"},
		{"torus:shape", "'shape' is not of the form key=value"},
		{"torus:=2x2", "'=2x2' is not of the form key=value"},
		{"torus::shape=2x2", "unknown key ':shape='"},
		{"torus:shape=", "shape='' is not of the form 8x8x5"},
		{"torus:shape=2x2 foo", "shape='2x2 foo' is not of the form 8x8x5"},
		{"torus:shape==2x2", "shape='=2x2' is not of the form 8x8x5"},
		{"torus:shape=0x2", "has a side of length 0"},
		{"torus:shape=2x2;shape=2x2", "shape= is given twice"},
		{"torus:shape=2x2,torus:shape=2x2",
		 "'torus:shape=2x2': torus: is given twice"},
		{"shape=2x2x2",
		 "'shape=2x2x2' looks like a request for a shape or a grid, "
		 "which has to be written as in "
		 "--network=torus:shape=4x4x2 or "
		 "--network=torus:grid=8x8x4,periodic=xy"},
		{"ib0, Shape : 2x2", "'Shape : 2x2' looks like a request for a shape"},
		{"torus3d:shape=2x2", "'torus3d:shape=2x2' looks like a request"},
		{"torus3d:2x2", "'torus3d:2x2' looks like a request"},
		{"sn_all;TORUS-3D :4", "'TORUS-3D :4' looks like a request"},
		{"topology/torus3d:shape=2", "'topology/torus3d:shape=2' looks like"},
		{"torus:shape=2x2,shape=2x2", "shape= is given twice"},
		{"torus:shape=2x2,ib0,grid=2x2", "'grid=2x2' looks like a request"},
		{"grid=2x2,torus:shape=2", "'grid=2x2' looks like a request"},
		{"torus:shape=2x2,grid:2x2", "'grid:2x2' looks like a request"},
		{"torus:grid=2x2;sn_all,stencil=9", "'sn_all' is not of the form"},
		{"ib0;periodic=x", "'periodic=x' looks like a request"},
		{"torus:grid=2x2,Grid=2x2", "grid= is given twice"},
		{"torus:grid=2x2,periodic=x;periodic=y", "periodic= is given twice"},
		{"torus:grid=", "grid='' is not of the form 8x8x5"},
		{"torus:grid=every", "grid='every' is not of the form 8x8x5"},
		{"torus:grid=4x0", "grid='4x0' has a side of length 0"},
		{"torus:grid=4x4,periodic=", "periodic=wrap is empty"},
		{"torus:grid=4x4,periodic=z", "'z' is not one of the dimensions xy"},
		{"torus:grid=auto,periodic=u", "'u' is not one of the dimensions xyz"},
		{"torus:grid=4x4,periodic=1,0,1", "periodic=wrap '1,0,1'"},
		{"torus:grid=4x4,periodic=1,2", "'2' behind torus: the sides"},
		{"torus:grid=4x4,periodic=1 ,0", "'0' behind torus: the sides"},
		{"torus:grid=4x4,stencil=6", "stencil=stencil '6' is not one of"},
		{"torus:periodic=x", "periodic= goes with a grid: give grid=8x8x4 or "
				     "grid=auto, too"},
		{"torus:shape=2x2,stencil=9", "stencil= goes with a grid"},
		{"torus:grid=any,stencil=9",
		 "give grid=8x8x4 or grid=auto instead of any"},
		{"torus2,shape=2x2", "'shape=2x2' looks like a request"},
		{"torus:size=2x2",
		 "unknown key 'size=': the keys are shape=, chips=, grid=, periodic=, "
		 "stencil=, order=, head=, within= and near="},
		{"torus:grid=mpi:", "grid='' is not of the form 8x8x5"},
		{"torus:grid=mpi:auto", "grid='auto' is not of the form 8x8x5"},
		{"torus:grid=mpi:8,4,2", "'4' behind torus: the sides"},
		{"torus:grid=mpi:4x0", "grid='4x0' has a side of length 0"},
		{"torus:order=on", "order='on': order=off is all that can be said"},
		{"torus:order=", "order='': order=off is all that can be said"},
		{"torus:order", "'order' is not of the form key=value"},
		{"torus:order=off,grid=4x4", "order=off does not go with a grid"},
		{"torus:head=free;order=off", "order=off does not go with head="},
		{"torus:order=off,order=off", "order= is given twice"},
		{"torus:head=first", "head='first': head=free is all that can be said"},
		{"torus:head=free,head=free", "head= is given twice"},
		{"order=off", "'order=off' looks like a request"},
		{"ib0,head=free", "'head=free' looks like a request"},
		{"torus:chips=4x4,shape=2x2",
		 "shape= and chips= exclude each other: the sides of one are in nodes, of "
		 "the other in chips"},
		{"torus:chips=any",
		 "chips='any' is no box of chips, such as 4x4x8: a box "
		 "of any sides is asked for as shape any"},
		{"torus:chips=4x0", "chips='4x0' has a side of length 0"},
		{"torus:chips=4;chips=4", "chips= is given twice"},
		{"torus:twist", "twist: of which shape? Add one, such as shape=4x4x8"},
		{"torus:shape=any,twist", "twist: of which shape?"},
		{"torus:shape=4x8,twist=yes", "twist"},
		{"chips=4x4", "'chips=4x4' looks like a request"},
		{"torus:shape=2x2,within=", "within='' is no duration"},
		{"torus:shape=2x2,within=1h",
		 "within='1h' is no duration: write minutes"},
		{"torus:near=0.9,within=5", "near='0.9'"},
		{"torus:near=,within=5", "near=''"},
		{"torus:shape=2x2,near=1.2", "near= does not go with a shape"},
		{"torus:near=1.2,near=1.2", "near= is given twice"},
		{"torus:near=1.2,loose", "near= does not go with loose"},
		{"ib0,within=30", "'within=30' looks like a request"},
		{"near=1.2,torus:within=30", "'near=1.2' looks like a request"},
		{"torus:shape=2x2;torus:shape=2x2", "unknown key 'torus:shape='"},
		{"torus:shape=2x2;sn_all", "'sn_all' is not of the form key=value"},
		{"torus:shape=4,4,2",
		 "'4' behind torus: the sides of a shape or a grid are separated by x"},
		{"torus:shape=2x2\nslurmctld: error: forged",
		 "'2x2\\x0aslurmctld: error: forged' is not of the form 8x8x5"},
		{"torus:\x9b"
		 "2J=1",
		 "unknown key '\\x9b2J='"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_network_request_t request;
		torus_error_t err = {""};

		assert_int_equal(torus_network_parse(table[i].text, &request, &err), -1);
		assert_false(request.has_shape);
		assert_int_equal(strncmp(err.text, "--network=torus: ", 17), 0);
		if (!strstr(err.text, table[i].says))
			fail_msg("'%s': \"%s\" lacks \"%s\"", table[i].text, err.text,
				 table[i].says);
	}
}

/* The pattern compiled, once. */
static const regex_t *compiled(const char *pattern)
{
	static struct {
		char *pattern;
		regex_t regex;
	} table[40];
	size_t at = 0;

	while (at < 40 && table[at].pattern && strcmp(table[at].pattern, pattern) != 0)
		at++;
	assert_true(at < 40);
	if (!table[at].pattern) {
		assert_int_equal(regcomp(&table[at].regex, pattern,
					 REG_EXTENDED | REG_ICASE | REG_NOSUB),
				 0);
		table[at].pattern = strdup(pattern);
		assert_non_null(table[at].pattern);
	}
	return &table[at].regex;
}

static bool matches(const char *text, const char *pattern)
{
	return regexec(compiled(pattern), text, 0, NULL, 0) == 0;
}

/* Parts between separators. */
#define B "[ \t]*"
#define LENGTHS "[1-9]{1,3}(x[1-9]{1,3}){0,5}"
#define NUMBER "[0-9]{1,6}"
#define TIME NUMBER "((:" NUMBER "){1,2}|-" NUMBER "(:" NUMBER "){0,2})?"
#define OPTION                                                                           \
	"((shape|chips)" B "=" B LENGTHS "|grid" B "=" B "(" LENGTHS "|mpi:" LENGTHS     \
	"|any|auto)|order" B "=" B "off|head" B "=" B "free|periodic" B "=" B            \
	"(all|none|x)|stencil" B "=" B "(5|7|9|27)|twist|within" B "=" B TIME "|near" B  \
	"=" B "([1-9]|1[0-6]))" B "$"
#define KEY "(shape|chips|grid|periodic|stencil|order|head|within|near)"
#define FLAG "(twist)"

/* Note the key of [option] in [keys]; whether it was there before. */
static bool is_second(const char *option, int *keys)
{
	static const char *const known[] = {"shape", "grid",  "periodic", "stencil",
					    "chips", "twist", "within",	  "near",
					    "order", "head"};
	bool second = false;

	for (int key = 0; key < 10; key++) {
		char pattern[40];

		snprintf(pattern, sizeof(pattern), "(^|:)" B "%s" B "(=|$)", known[key]);
		if (matches(option, pattern)) {
			second = *keys >> key & 1;
			*keys |= 1 << key;
		}
	}
	return second;
}

/* The grammar in regular expressions: 1 ours, 0 somebody else's, -1 to be refused. */
static int slow_parse(const char *text)
{
	char copy[200], *items = copy, *item;
	int ours = 0, keys = 0;
	bool wrong = false, goes_on = false, any = false;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((item = strsep(&items, ","))) {
		int before = ours;
		bool inside =
			goes_on && matches(item, "^" B "(" KEY B "=|" FLAG B "(;|$))");
		char *part;

		while ((part = strsep(&item, ";"))) {
			bool begins =
				!inside && matches(part, "^" B "torus" B ":" B OPTION);

			if (inside || begins) {
				if (inside && !matches(part, "^" B OPTION))
					wrong = true;
				wrong |= is_second(part, &keys);
				any |= matches(part, "grid" B "=" B "any");
				ours += begins;
				inside = true;
			} else if (matches(part, "torus:") ||
				   matches(part, "^" B "torus([^-a-z0-9_.]|$)") ||
				   matches(part, "^" B "torus[-a-z0-9_.]+" B ":") ||
				   matches(part, "(^|[^-a-z0-9_.])(" KEY "|" FLAG ")" B
						 "[=:]") ||
				   matches(part, "^" B FLAG B "$") ||
				   (before && matches(part, "^" B "[0-9]"))) {
				wrong = true;
			}
		}
		goes_on = inside;
	}
	if (keys & 12 && (any || !(keys & 2))) /* periodic or stencil without a grid */
		wrong = true;
	if (keys & 128 && keys & 17) /* near with a shape */
		wrong = true;
	if (keys & 32 && !(keys & 17)) /* twist without a shape */
		wrong = true;
	if (keys & 256 && (keys & 512 || (keys & 2 && !any))) /* order, and of what */
		wrong = true;
	if (keys & 1 && keys & 16) /* shape and chips */
		wrong = true;
	return wrong || ours > 1 ? -1 : ours;
}

/* A text of any length is read in one go: each of a million "1," once. */
static void long_texts(void **state)
{
	static const char *const pieces[] = {"a", "a,", "1,", ";", "torus", "4x4|"};
	static const char *const begins[] = {
		"", "torus:periodic=", "torus:grid=", "torus:shape=", "torus:"};
	size_t size = 2000000;
	char *text = malloc(size + 1);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		for (size_t j = 0; j < sizeof(begins) / sizeof(begins[0]); j++) {
			size_t begin = strlen(begins[j]), length = strlen(pieces[i]);
			torus_network_request_t request;
			torus_error_t err = {""};
			clock_t start = clock();

			memcpy(text, begins[j], begin);
			for (size_t at = begin; at < size; at++)
				text[at] = pieces[i][(at - begin) % length];
			text[size] = '\0';
			if (torus_network_parse(text, &request, &err))
				assert_true(*err.text);
			else
				assert_false(request.has_shape);
			/* 0.2 s were seen; what looks at all of it each time takes
			 * minutes. */
			assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
		}
	}
	free(text);
}

static void random_texts(void **state)
{
	static const char *const tokens[] = {
		"torus",
		"TORUS",
		"torus:shape=",
		"torus:",
		"torus3d",
		"shape=",
		"chips=",
		"torus:shape=3x2",
		"torus:chips=3x2",
		"torus:grid=3x2",
		"grid=auto",
		"Grid = any",
		"periodic=x",
		"stencil=27",
		",stencil=9",
		";periodic=all",
		"twist",
		",twist",
		"order=",
		",order=off",
		";head=free",
		"grid=mpi:2x3",
		"off",
		"within=",
		",near=2",
		";within=30",
		"torus:near=1",
		"grid",
		"shape",
		":",
		",",
		";",
		"=",
		" ",
		"\t",
		"2x3",
		"4",
		"x",
		"ib0",
		"-",
		"sn_all",
	};
	int seen[3] = {0};

	(void)state;
	for (int round = 0; round < RANDOM_CASES(20000); round++) {
		torus_network_request_t request;
		char text[200] = "";
		int expected, got;

		for (uint32_t i = random_in(1, 9); i > 0; i--)
			strcat(text, tokens[random_in(
					     0, sizeof(tokens) / sizeof(tokens[0]) - 1)]);
		if (matches(text, "[0-9]{4}")) /* sides that make too large a box */
			continue;
		expected = slow_parse(text);
		got = torus_network_parse(text, &request, NULL);
		if (got == 0)
			got = request.has_shape || request.tasks.kind != TORUS_GRID_ANY ||
			      request.has_within || request.near || request.order_off ||
			      request.tasks.free_head ||
			      (expected == 1 && matches(text, "=" B "any"));
		if (got != expected)
			fail_msg("'%s' gives %d, not %d", text, got, expected);
		seen[got + 1]++;
	}
	for (int i = 0; i < 3; i++)
		assert_true(seen[i] > RANDOM_CASES(200));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads),
		cmocka_unit_test(reads_wishes),
		cmocka_unit_test(reads_words_of_tasks),
		cmocka_unit_test(reads_words_of_order),
		cmocka_unit_test(reads_flags),
		cmocka_unit_test(grids_are_held_to_the_tasks),
		cmocka_unit_test(grids_are_held_to_the_cpus),
		cmocka_unit_test(rejects),
		cmocka_unit_test(long_texts),
		cmocka_unit_test(random_texts),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
