/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The promises of an order for jobs that say nothing (docs/mapping.md), on the machines
 * of that page with nodes as our own placement chooses them: for each job, by a scorer of
 * its own, task 0 on the first node, no pattern longer than in the order of names, lines
 * and rings of nodes in their order. TORUS_TEST_ANY_JOBS is the number of jobs on each
 * machine; without it there are few enough for every run of the tests.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "any_scorer.h"
#include "base/bitmap.h"
#include "curve/curve.h"
#include "place/place.h"
#include "random.h"
#include "taskmap/any/any.h"
#include "torus/cubes.h"
#include "torus/joined.h"

/* Nodes of the largest machine. */
#define MACHINE_NODES 9216

typedef struct machine {
	const char *dims, *wrap; /* of routers */
	const char *node_shape;	 /* or NULL */
	const char *cubes;	 /* or NULL */
	uint32_t on_router;
	/* The hops of all jobs, to those by names, are below that; on a line none are to
	 * be had. Of fewer than ENOUGH_JOBS jobs one or two decide about a machine's:
	 * then all machines' together are below that. */
	double worth;
} machine_t;

static const machine_t machines[] = {
	{"8x8x8", "all", NULL, NULL, 1, 0.9},
	{"8x8x8", "none", NULL, NULL, 1, 0.9},
	{"16x12x24", "all", NULL, NULL, 1, 0.9},
	{"16x12x24", "none", NULL, NULL, 1, 0.9},
	{"8x8x4", "all", NULL, NULL, 2, 0.9},
	{"16x12x24", "all", NULL, NULL, 2, 0.9},
	{"16x16", "all", NULL, NULL, 1, 0.9},
	{"6x4x4x4x3", "xyz", NULL, NULL, 1, 0.9},
	{"4x4x8", "all", "2x2x1", NULL, 1, 1},
	{"1x1x16", "all", "4x4x1", NULL, 1, 1.01},
	{"8x8x8", "none", NULL, "4x4x4", 1, 0.9},
	{"8x8x4", "all", "1x1x4", NULL, 1, 1},
	{"64", "all", NULL, NULL, 1, 1.01},
	{"6x6", "all", "1x2", NULL, 1, 1},
};

#define ENOUGH_JOBS 100

#define MACHINES (sizeof(machines) / sizeof(machines[0]))

/* A machine with jobs on it. */
typedef struct site {
	const machine_t *of;
	torus_geometry_t geometry;
	uint32_t nodes, free;
	uint32_t cell_of_rank[MACHINE_NODES];
	uint64_t usable[TORUS_WORDS(MACHINE_NODES)];
	uint16_t owner[MACHINE_NODES]; /* by rank: the job that has it; 0: none */
	torus_placer_t *placer;
} site_t;

static site_t site;

static uint32_t jobs_on_each(void)
{
	const char *text = getenv("TORUS_TEST_ANY_JOBS");

	return text ? (uint32_t)strtoul(text, NULL, 10) : RANDOM_CASES(100);
}

static void open_site(const machine_t *of)
{
	static uint32_t curve[MACHINE_NODES];
	uint32_t cells;
	torus_error_t err;

	memset(&site, 0, sizeof(site));
	site.of = of;
	if (torus_geometry_parse(of->dims, of->wrap, &site.geometry, &err) ||
	    (of->node_shape &&
	     torus_node_shape_parse(of->node_shape, &site.geometry, &err)) ||
	    (of->cubes && torus_cubes_parse(of->cubes, &site.geometry, &err)) ||
	    torus_curve_order(&site.geometry, TORUS_CURVE_HILBERT, curve, &err))
		fail_msg("%s", err.text);
	cells = torus_geometry_cells(&site.geometry);
	for (uint32_t rank = 0; rank < cells * of->on_router; rank++)
		site.cell_of_rank[rank] = curve[rank / of->on_router];
	site.nodes = site.free = cells * of->on_router;
	for (uint32_t rank = 0; rank < site.nodes; rank++)
		torus_bit_set(site.usable, rank);
	site.placer = torus_placer_create(site.nodes);
	assert_non_null(site.placer);
}

/* End jobs until [nodes] nodes, and about a fifth of the machine, are free. */
static void make_room(uint32_t nodes)
{
	while (site.free < nodes || site.free < site.nodes / 5) {
		uint32_t rank = random_in(0, site.nodes - 1);
		uint16_t job_there = site.owner[rank];

		for (rank = 0; job_there && rank < site.nodes; rank++) {
			if (site.owner[rank] != job_there)
				continue;
			site.owner[rank] = 0;
			torus_bit_set(site.usable, rank);
			site.free++;
		}
	}
}

static int ascending(const void *a, const void *b)
{
	const uint32_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/* Nodes in the order of their names: x fastest, or, of every fifth job, another one. */
static void name_nodes(void)
{
	uint32_t nodes = job.any.nodes, kind = random_in(0, 9);

	qsort(job.cell, nodes, sizeof(*job.cell), ascending);
	for (uint32_t i = 0; i < nodes && kind < 2; i++) {
		uint32_t other = kind ? random_in(0, i) : nodes - 1 - i,
			 cell = job.cell[i];

		if (!kind && other <= i)
			break;
		job.cell[i] = job.cell[other];
		job.cell[other] = cell;
	}
}

/* Place the [number]-th job. */
static void take_nodes(uint16_t number, uint32_t nodes)
{
	static uint32_t chosen[MACHINE_NODES];
	const torus_place_request_t request = {
		.nodes = nodes,
		.allocator = random_in(0, 1) ? &torus_compact : &torus_best_fit,
		.span = torus_geometry_wraps(&site.geometry) ? TORUS_SPAN_RING
							     : TORUS_SPAN_LINEAR,
		.geometry = &site.geometry,
		.cell_of_rank = site.cell_of_rank,
	};

	make_room(nodes);
	assert_true(torus_place_weighted(site.placer, site.usable, NULL, &request, chosen,
					 NULL, NULL) > 0);
	for (uint32_t i = 0; i < nodes; i++) {
		torus_bit_clear(site.usable, chosen[i]);
		site.owner[chosen[i]] = number;
		job.cell[i] = site.cell_of_rank[chosen[i]];
	}
	site.free -= nodes;
}

/* Whole cubes of a machine of them, or nodes in one: a job's own torus. */
static void take_cubes(void)
{
	uint32_t in_cube = torus_geometry_cells(&(torus_geometry_t){
		.dims = site.geometry.dims,
		.length = {site.geometry.cube[0], site.geometry.cube[1],
			   site.geometry.cube[2], 1, 1, 1}});
	uint32_t cubes = site.nodes / in_cube, count = 0;
	bool whole = random_in(0, 1);
	uint32_t some = random_in(0, cubes - 1);

	for (uint32_t cube = 0; cube < cubes; cube++) {
		bool taken = whole ? cube == some || random_in(0, 2) == 0 : cube == some;

		for (uint32_t inner = 0; taken && inner < in_cube; inner++) {
			if (whole || inner == 0 || random_in(0, 1))
				job.cell[count++] =
					torus_cube_cell(&site.geometry, cube, inner);
		}
	}
	job.any.nodes = count;
}

/* Tasks as jobs have them: one a node, several alike, by what is in a node, uneven. */
static void give_tasks(void)
{
	uint32_t nodes = job.any.nodes, chips = torus_node_chips(&job.geometry);
	uint32_t kind = random_in(0, 9), each = kind < 4 ? 1 : random_in(2, 6);

	if (chips > 1 && kind < 8)
		each = chips;
	job.any.tasks = 0;
	for (uint32_t node = 0; node < nodes; node++) {
		job.counts[node] = kind == 9 ? random_in(1, each) : each;
		job.any.tasks += job.counts[node];
	}
	job.any.tasks_on_node = job.counts;
	if (kind == 8) { /* -n that does not come out even */
		job.any.tasks -= random_in(0, nodes * (each - 1));
		job.any.tasks_on_node = NULL;
	}
	job.any.deal = random_in(0, 2) ? TORUS_DEAL_BLOCK : TORUS_DEAL_CYCLIC;
	job.on_chips = chips > 1 && job.any.tasks == nodes * chips && kind < 9;
}

static void make_job(uint16_t number)
{
	uint32_t most = site.nodes / 4 < SCORER_NODES ? site.nodes / 4 : SCORER_NODES;
	double share = random_in(0, 1000000) / 1e6;

	memset(&job, 0, sizeof(job));
	job.geometry = site.geometry;
	job.any.nodes = (uint32_t)exp(share * log(most) + 1e-9);
	if (site.nodes <= 64 && random_in(0, 4) == 0)
		job.any.nodes = site.nodes; /* all around */
	if (site.of->cubes && random_in(0, 1))
		take_cubes();
	else
		take_nodes(number, job.any.nodes);
	name_nodes();
	if (site.of->cubes)
		assert_int_equal(torus_join_cells(&job.geometry, job.cell, job.any.nodes,
						  NULL, NULL),
				 0);
	job.any.geometry = &job.geometry;
	job.any.cell = job.cell;
	give_tasks();
}

/* --- lines and rings ------------------------------------------------------ */

/* A line of nodes: places along the one dimension in which they differ. */
typedef struct slow_line {
	int32_t place[SCORER_NODES]; /* of each node */
	int32_t length;		     /* of the dimension */
	bool taken[512];	     /* [length] */
	bool closed;
} slow_line_t;

/* Whether the nodes are a line or a ring without a gap. */
static bool are_line(slow_line_t *line)
{
	int32_t coord[TORUS_MAX_DIMS], first[TORUS_MAX_DIMS];
	uint32_t places = 0, ends = 0;
	int along = -1;

	memset(line, 0, sizeof(*line));
	if (job.geometry.twist)
		return false;
	torus_cell_to_coord(&job.geometry, job.cell[0], first);
	for (uint32_t node = 1; node < job.any.nodes; node++) {
		torus_cell_to_coord(&job.geometry, job.cell[node], coord);
		for (int axis = 0; axis < job.geometry.dims; axis++) {
			if (coord[axis] == first[axis])
				continue;
			if (along >= 0 && along != axis)
				return false;
			along = axis;
		}
	}
	if (along < 0)
		return false;
	line->length = job.geometry.length[along];
	for (uint32_t node = 0; node < job.any.nodes; node++) {
		torus_cell_to_coord(&job.geometry, job.cell[node], coord);
		line->place[node] = coord[along];
		places += !line->taken[coord[along]];
		line->taken[coord[along]] = true;
	}
	for (int32_t at = 0; at < line->length; at++) {
		int32_t next = at + 1;

		if (next == line->length && job.geometry.wrap[along])
			next = 0;
		ends += line->taken[at] && (next == line->length || !line->taken[next]);
	}
	line->closed = !ends;
	return ends < 2 && places > 1;
}

/* The nodes along [line] from the first one on, one way ([step] 1) or the other (-1).
 * False: others are on that way's other side. */
static bool walk(const slow_line_t *line, int32_t step, uint32_t *order)
{
	uint32_t count = 0;
	int32_t at = line->place[0];

	for (int32_t i = 0; i < line->length && line->taken[at]; i++) {
		for (uint32_t node = 0; node < job.any.nodes; node++) {
			if (line->place[node] == at)
				order[count++] = node;
		}
		at = (at + step + line->length) % line->length;
	}
	return count == job.any.nodes;
}

/* Whether the rules allow [order]: of a line, the nodes along it may be against them. */
static bool is_allowed(const uint32_t *order, const uint64_t bound[3])
{
	uint64_t hops[3];

	for (uint32_t i = 0; job.any.tasks_on_node && i < job.any.nodes; i++) {
		if (job.counts[order[i]] != job.counts[i])
			return false;
	}
	slow_hops(order, hops);
	return hops[0] <= bound[0] && hops[1] <= bound[1] && hops[2] <= bound[2];
}

/* Whether it was a line that could be kept. */
static bool line_is_kept(const uint32_t *order, const uint64_t bound[3])
{
	static slow_line_t line;
	uint32_t along[SCORER_NODES];
	bool possible = false, kept = false;

	if (!are_line(&line))
		return false;
	for (int32_t step = 1; step >= -1; step -= 2) {
		if (!walk(&line, step, along) || !is_allowed(along, bound))
			continue;
		possible = true;
		kept |= !memcmp(along, order, job.any.nodes * sizeof(*order));
	}
	if (possible && !kept)
		fail_msg("a line of %u nodes is not kept", job.any.nodes);
	reached("a closed ring", possible && line.closed);
	return possible;
}

/* --- the rules ------------------------------------------------------------ */

/* Order one job, add its values, by names and in our order. */
static void check_job(double *before, double *after)
{
	uint32_t order[SCORER_NODES], given[SCORER_NODES];
	uint64_t hops[3], bound[3];
	torus_error_t err;

	if (torus_any_order(&job.any, order, &err))
		fail_msg("%s", err.text);
	assert_permutation(order, job.any.nodes);
	if (order[0] != head())
		fail_msg("task 0 is on node %u, not on the first one", order[0]);
	names(given);
	slow_hops(given, bound);
	slow_hops(order, hops);
	for (int k = 0; k < 3; k++) {
		if (hops[k] > bound[k])
			fail_msg("pattern %d: %llu hops, by names %llu", k,
				 (unsigned long long)hops[k],
				 (unsigned long long)bound[k]);
	}
	*before += slow_value(bound);
	*after += slow_value(hops);
	reached("a line", line_is_kept(order, bound));
}

static void note_kinds(void)
{
	uint32_t tasks = job.any.tasks, nodes = job.any.nodes;
	bool uneven = false;

	for (uint32_t node = 1; job.any.tasks_on_node && node < nodes; node++)
		uneven |= job.counts[node] != job.counts[0];
	reached("one task a node", tasks == nodes);
	reached("several", tasks > nodes && !uneven);
	reached("several, cyclic", tasks > nodes && job.any.deal == TORUS_DEAL_CYCLIC);
	reached("unequal counts", uneven);
	reached("a task a chip", job.on_chips);
	reached("several nodes a router", site.of->on_router > 1);
	reached("an own torus of cubes", site.of->cubes && !job.geometry.cube[0]);
	reached("a hundred nodes and more", nodes >= 100);
}

static void test_promises_on_every_machine(void **state)
{
	uint32_t jobs = jobs_on_each();
	double all_before = 0, all_after = 0;

	(void)state;
	for (size_t i = 0; i < MACHINES; i++) {
		double before = 0, after = 0;

		open_site(&machines[i]);
		for (uint32_t number = 1; number <= jobs; number++) {
			make_job((uint16_t)number);
			note_kinds();
			check_job(&before, &after);
		}
		torus_placer_destroy(site.placer);
		print_message(
			"# %s, wraps: %s, nodes of %s, %u a router: hops to those by "
			"names %.3f\n",
			machines[i].dims, machines[i].wrap,
			machines[i].node_shape ? machines[i].node_shape : "1",
			machines[i].on_router, after / before);
		if (jobs >= ENOUGH_JOBS)
			assert_true(after < machines[i].worth * before);
		all_before += machines[i].worth * before;
		all_after += after;
	}
	assert_true(all_after < all_before);
	assert_true(reached_all(jobs / 20));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_promises_on_every_machine),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
