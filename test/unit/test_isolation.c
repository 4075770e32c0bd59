/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links and isolation: examples counted by hand, and all against routes that are walked
 * hop by hop, pair by pair.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "measures/isolation.h"
#include "metrics/metrics.h"
#include "no_memory.h"
#include "random.h"

#define MOST_CELLS 700
#define MOST_RANKS 900
#define MOST_LINKS (2 * TORUS_MAX_DIMS * MOST_CELLS)
#define MOST_JOBS 6

typedef struct job {
	uint32_t n;
	uint32_t rank[MOST_RANKS], cell[MOST_RANKS];
	torus_links_t links;
	bool uses[MOST_LINKS]; /* by walking */
} job_t;

typedef struct machine {
	torus_geometry_t geometry;
	uint32_t ranks;
	uint32_t cell_of_rank[MOST_RANKS];
	int jobs;
	job_t job[MOST_JOBS];
} machine_t;

static machine_t machine;

/* Whether a message from coordinate [from] to [to] goes upward. */
static bool goes_up(const torus_geometry_t *geometry, int axis, int32_t from, int32_t to)
{
	int32_t length = geometry->length[axis];
	int32_t upward = (to - from + length) % length;

	return geometry->wrap[axis] ? upward <= length - upward : to > from;
}

/* Mark the links of the route between two cells; returns how many hops it has. */
static uint32_t walk(const torus_geometry_t *geometry, uint32_t from, uint32_t to,
		     bool *uses)
{
	int32_t at[TORUS_MAX_DIMS], end[TORUS_MAX_DIMS];
	uint32_t hops = 0;

	torus_cell_to_coord(geometry, from, at);
	torus_cell_to_coord(geometry, to, end);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis];
		bool up = goes_up(geometry, axis, at[axis], end[axis]);

		for (; at[axis] != end[axis]; hops++) {
			uses[torus_link_number(
				geometry, torus_coord_to_cell(geometry, at), axis, !up)] =
				true;
			at[axis] = (at[axis] + (up ? 1 : length - 1)) % length;
		}
	}
	return hops;
}

/* Walk all routes of the job, and check its links against them. */
static void check_links(job_t *job)
{
	const torus_geometry_t *geometry = &machine.geometry;
	uint32_t total = torus_links_total(geometry), used = 0;
	bool found[MOST_LINKS] = {false};

	memset(job->uses, 0, sizeof(job->uses));
	for (uint32_t i = 0; i < job->n; i++) {
		for (uint32_t j = 0; j < job->n; j++)
			assert_int_equal(
				walk(geometry, job->cell[i], job->cell[j], job->uses),
				torus_hops_cells(geometry, job->cell[i], job->cell[j]));
	}
	assert_int_equal(torus_links_used(geometry, job->cell, job->n, &job->links, NULL),
			 0);
	for (size_t i = 0; i < job->links.ranges; i++) {
		const torus_link_range_t *range = &job->links.range[i];

		assert_true(range->count > 0);
		for (uint32_t link = 0; link < range->count; link++) {
			assert_true(range->first + link < total);
			assert_false(found[range->first + link]); /* in one range only */
			found[range->first + link] = true;
		}
	}
	for (uint32_t link = 0; link < total; link++)
		used += job->uses[link];
	assert_int_equal(job->links.count, used);
	assert_memory_equal(found, job->uses, total);
}

/* Holes, and routers with several nodes, which are spread over the ranks. */
static void make_machine(void)
{
	uint32_t cells;

	machine.geometry = random_geometry(TORUS_MAX_DIMS, random_in(1, MOST_CELLS));
	if (machine.geometry.dims == 1)
		machine.geometry.length[0] = (int32_t)random_in(1, 40);
	cells = torus_geometry_cells(&machine.geometry);
	machine.ranks = random_in(1, cells + cells / 4);
	for (uint32_t rank = 0; rank < machine.ranks; rank++)
		machine.cell_of_rank[rank] = random_in(0, cells - 1);
}

static bool holds(const job_t *job, uint32_t rank)
{
	for (uint32_t i = 0; i < job->n; i++) {
		if (job->rank[i] == rank)
			return true;
	}
	return false;
}

/* Nodes anywhere or in a part of the machine; others may have them, too. */
static void make_job(job_t *job)
{
	const torus_geometry_t *geometry = &machine.geometry;
	int32_t corner[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS], coord[TORUS_MAX_DIMS];
	uint32_t most = random_in(1, machine.ranks < 60 ? machine.ranks : 60);
	bool compact = random_in(0, 1);

	torus_cell_to_coord(geometry, machine.cell_of_rank[0], corner);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = (int32_t)random_in(1, (uint32_t)geometry->length[axis]);
	job->n = 1;
	job->rank[0] = compact ? 0 : random_in(0, machine.ranks - 1);
	for (uint32_t tries = 1; tries < most; tries++) {
		uint32_t rank = random_in(0, machine.ranks - 1);
		bool inside = true;

		torus_cell_to_coord(geometry, machine.cell_of_rank[rank], coord);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
			int32_t length = geometry->length[axis];

			inside &= (coord[axis] - corner[axis] + length) % length <
				  side[axis];
		}
		if ((!compact || inside) && !holds(job, rank))
			job->rank[job->n++] = rank;
	}
	for (uint32_t i = 0; i < job->n; i++)
		job->cell[i] = machine.cell_of_rank[job->rank[i]];
}

/* Nodes of the jobs in [others] (bits) inside the bounding box of [job]. */
static uint32_t slow_foreign_nodes(const job_t *job, unsigned others)
{
	const torus_geometry_t *geometry = &machine.geometry;
	int32_t side[TORUS_MAX_DIMS], origin[TORUS_MAX_DIMS], coord[TORUS_MAX_DIMS];
	uint32_t foreign = 0;

	assert_int_equal(
		torus_bounding_box(geometry, job->cell, job->n, side, origin, NULL), 0);
	for (uint32_t rank = 0; rank < machine.ranks; rank++) {
		bool inside = true, taken = false;

		torus_cell_to_coord(geometry, machine.cell_of_rank[rank], coord);
		for (int axis = 0; axis < geometry->dims; axis++) {
			int32_t length = geometry->length[axis];

			inside &= (coord[axis] - origin[axis] + length) % length <
				  side[axis];
		}
		for (int i = 0; inside && i < machine.jobs; i++)
			taken |= (others >> i & 1) && holds(&machine.job[i], rank);
		foreign += taken;
	}
	return foreign;
}

static uint32_t slow_links_shared(const job_t *job, unsigned others)
{
	uint32_t total = torus_links_total(&machine.geometry), shared = 0;

	for (uint32_t link = 0; link < total; link++) {
		bool elsewhere = false;

		for (int i = 0; i < machine.jobs; i++)
			elsewhere |= (others >> i & 1) && machine.job[i].uses[link];
		shared += job->uses[link] && elsewhere;
	}
	return shared;
}

static void check_load(const torus_occupancy_t *occupancy, unsigned present)
{
	uint32_t total = torus_links_total(&machine.geometry);
	torus_link_load_t expected = {0};
	torus_link_load_t load = torus_occupancy_load(occupancy);

	for (uint32_t link = 0; link < total; link++) {
		uint32_t jobs = 0;

		for (int i = 0; i < machine.jobs; i++)
			jobs += (present >> i & 1) && machine.job[i].uses[link];
		expected.used += jobs >= 1;
		expected.shared += jobs >= 2;
		expected.sharers += jobs >= 2 ? jobs : 0;
		expected.most = jobs > expected.most ? jobs : expected.most;
	}
	assert_int_equal(load.used, expected.used);
	assert_int_equal(load.shared, expected.shared);
	assert_int_equal(load.sharers, expected.sharers);
	assert_int_equal(load.most, expected.most);
}

/* Every job, those that are there and those that are not, against the others there. */
static void check_jobs(const torus_occupancy_t *occupancy, unsigned present)
{
	uint64_t sharers = 0;

	for (int i = 0; i < machine.jobs; i++) {
		const job_t *job = &machine.job[i];
		bool there = present >> i & 1;
		unsigned others = present & ~(1u << i);
		torus_isolation_t isolation;

		assert_int_equal(torus_occupancy_measure(occupancy, job->rank, job->n,
							 &job->links, there, &isolation,
							 NULL),
				 0);
		assert_int_equal(isolation.links_used, job->links.count);
		assert_int_equal(isolation.links_shared, slow_links_shared(job, others));
		assert_int_equal(isolation.foreign_nodes,
				 slow_foreign_nodes(job, others));
		assert_true(torus_isolation_value(&isolation, 2) ==
			    isolation.links_shared);
		sharers += there ? isolation.links_shared : 0;
	}
	check_load(occupancy, present);
	assert_int_equal(torus_occupancy_load(occupancy).sharers, sharers);
}

static void jobs_that_come_and_go(void **state)
{
	(void)state;
	for (int round = 0; round < 4000; round++) {
		torus_occupancy_t *occupancy;
		unsigned present = 0;

		make_machine();
		machine.jobs = (int)random_in(1, MOST_JOBS);
		for (int i = 0; i < machine.jobs; i++) {
			make_job(&machine.job[i]);
			check_links(&machine.job[i]);
		}
		occupancy = torus_occupancy_create(
			&machine.geometry, machine.cell_of_rank, machine.ranks, NULL);
		assert_non_null(occupancy);
		for (int change = 0; change < 8; change++) {
			int i = (int)random_in(0, (uint32_t)machine.jobs - 1);
			const job_t *job = &machine.job[i];

			if (present >> i & 1)
				torus_occupancy_remove(occupancy, job->rank, job->n,
						       &job->links);
			else
				assert_int_equal(torus_occupancy_add(occupancy, job->rank,
								     job->n, &job->links,
								     NULL),
						 0);
			present ^= 1u << i;
			check_jobs(occupancy, present);
		}
		torus_occupancy_destroy(occupancy);
		for (int i = 0; i < machine.jobs; i++)
			torus_links_clear(&machine.job[i].links);
	}
}

/* Rings and lines of all lengths, odd and even, all sets: where halves and ends are. */
static void every_set_on_short_rings(void **state)
{
	job_t *job = &machine.job[0];

	(void)state;
	for (int32_t length = 1; length <= 9; length++) {
		for (uint32_t set = 1; set < 2u << length; set++) {
			/* The lowest bit: whether it is a ring. */
			if (!(set >> 1))
				continue;
			machine.geometry =
				(torus_geometry_t){.dims = 1,
						   .length = {length, 1, 1, 1, 1, 1},
						   .wrap = {set & 1}};
			job->n = 0;
			for (int32_t at = 0; at < length; at++) {
				if (set >> (at + 1) & 1)
					job->cell[job->n++] = (uint32_t)at;
			}
			check_links(job);
			torus_links_clear(&job->links);
		}
	}
}

static void link_numbers_are_a_bijection(void **state)
{
	(void)state;
	for (int round = 0; round < 200; round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, MOST_CELLS);
		uint32_t total = torus_links_total(&geometry);
		bool seen[MOST_LINKS] = {false};

		for (uint32_t cell = 0; cell < torus_geometry_cells(&geometry); cell++) {
			for (int i = 0; i < 2 * geometry.dims; i++) {
				uint32_t link =
					torus_link_number(&geometry, cell, i / 2, i % 2);

				assert_true(link < total);
				assert_false(seen[link]);
				seen[link] = true;
			}
		}
		assert_int_equal(total, 2u * (uint32_t)geometry.dims *
						torus_geometry_cells(&geometry));
	}
}

/*
 * 4x3 mesh, two jobs, y downwards:   A A . .
 *                                    . B B .
 *                                    A . . .
 * A: x first along the rows of the sources. Row 0: (0,0) <-> (1,0), for messages between
 * these two and from (1,0) to (0,2): 2 links. Row 2: (0,2) -> (1,2) for the message to
 * (1,0): 1; nothing in row 2 comes back. Then y along the columns of the destinations.
 * Column 0: from (0,0) and (1,0) down to (0,2), 2 links, and from (0,2) up to (0,0), 2.
 * Column 1: from (1,2) up to (1,0), 2. Together 9. B: 2. They share none: A crosses B's
 * router (1,1) in column 1, B's links are in row 1. A's box is 2x3 and holds one of B's
 * nodes, B's box none of A's. If B has (1,2) instead of (2,1), it uses column 1 up and
 * down, of which A has the one up.
 */
static void two_jobs_counted_by_hand(void **state)
{
	static const uint32_t cells[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	static const uint32_t a[] = {0, 1, 8}, b[] = {5, 6}, c[] = {5, 9};
	torus_links_t links_a, links_b, links_c;
	torus_isolation_t isolation;
	torus_geometry_t geometry;
	torus_occupancy_t *occupancy;
	torus_link_load_t load;

	(void)state;
	assert_int_equal(torus_geometry_parse("4x3", "none", &geometry, NULL), 0);
	occupancy = torus_occupancy_create(&geometry, cells, 12, NULL);
	assert_non_null(occupancy);
	assert_int_equal(torus_links_used(&geometry, a, 3, &links_a, NULL), 0);
	assert_int_equal(torus_links_used(&geometry, b, 2, &links_b, NULL), 0);
	assert_int_equal(torus_links_used(&geometry, c, 2, &links_c, NULL), 0);
	assert_int_equal(torus_occupancy_add(occupancy, a, 3, &links_a, NULL), 0);
	assert_int_equal(torus_occupancy_measure(occupancy, b, 2, &links_b, false,
						 &isolation, NULL),
			 0);
	assert_int_equal(isolation.foreign_nodes, 0);
	assert_int_equal(isolation.links_used, 2);
	assert_int_equal(isolation.links_shared, 0);
	assert_int_equal(torus_occupancy_measure(occupancy, c, 2, &links_c, false,
						 &isolation, NULL),
			 0);
	assert_int_equal(isolation.links_used, 2);
	assert_int_equal(isolation.links_shared, 1);
	assert_int_equal(torus_occupancy_add(occupancy, b, 2, &links_b, NULL), 0);
	assert_int_equal(torus_occupancy_measure(occupancy, a, 3, &links_a, true,
						 &isolation, NULL),
			 0);
	assert_int_equal(isolation.foreign_nodes, 1);
	assert_int_equal(isolation.links_used, 9);
	assert_int_equal(isolation.links_shared, 0);
	torus_occupancy_remove(occupancy, b, 2, &links_b);
	assert_int_equal(torus_occupancy_add(occupancy, c, 2, &links_c, NULL), 0);
	load = torus_occupancy_load(occupancy);
	assert_int_equal(load.used, 10);
	assert_int_equal(load.shared, 1);
	assert_int_equal(load.sharers, 2);
	assert_int_equal(load.most, 2);
	torus_links_clear(&links_a);
	torus_links_clear(&links_b);
	torus_links_clear(&links_c);
	torus_occupancy_destroy(occupancy);
}

/*
 * A ring of 8: opposite places are equally far both ways, and messages go upward. 0 to 4
 * takes 0-3, 4 to 0 takes 4-7: all 8 upward links and none downward. 0 and 3: 0-2 upward,
 * 3-1 downward, 6 links.
 */
static void ties_on_a_ring_go_upward(void **state)
{
	static const uint32_t opposite[] = {0, 4}, near[] = {0, 3};
	torus_geometry_t geometry;
	torus_links_t links;

	(void)state;
	assert_int_equal(torus_geometry_parse("8", "all", &geometry, NULL), 0);
	assert_int_equal(torus_links_used(&geometry, opposite, 2, &links, NULL), 0);
	assert_int_equal(links.count, 8);
	for (size_t i = 0; i < links.ranges; i++)
		assert_true(links.range[i].first + links.range[i].count <= 8);
	torus_links_clear(&links);
	assert_int_equal(torus_links_used(&geometry, near, 2, &links, NULL), 0);
	assert_int_equal(links.count, 6);
	torus_links_clear(&links);
}

/* A router has no links to itself, however many nodes it has; nodes count all the same.
 */
static void one_router(void **state)
{
	static const uint32_t cells[] = {5, 5, 5, 5}, mine[] = {0, 2}, others[] = {1, 3};
	const torus_links_t none = {0};
	torus_geometry_t geometry;
	torus_occupancy_t *occupancy;
	torus_isolation_t isolation;
	torus_links_t links;

	(void)state;
	assert_int_equal(torus_geometry_parse("4x3", "all", &geometry, NULL), 0);
	assert_int_equal(torus_links_used(&geometry, cells, 4, &links, NULL), 0);
	assert_int_equal(links.count, 0);
	assert_int_equal(torus_links_used(&geometry, cells, 1, &links, NULL), 0);
	assert_int_equal(links.count, 0);
	occupancy = torus_occupancy_create(&geometry, cells, 4, NULL);
	assert_non_null(occupancy);
	assert_int_equal(torus_occupancy_add(occupancy, others, 2, &none, NULL), 0);
	assert_int_equal(torus_occupancy_measure(occupancy, mine, 2, &none, false,
						 &isolation, NULL),
			 0);
	assert_int_equal(isolation.foreign_nodes, 2);
	assert_int_equal(isolation.links_used, 0);
	assert_int_equal(isolation.links_shared, 0);
	assert_int_equal(torus_occupancy_load(occupancy).used, 0);
	torus_occupancy_destroy(occupancy);
	assert_string_equal(torus_isolation_name(0), "foreign_nodes");
	assert_string_equal(torus_isolation_name(2), "links_shared");
}

/* Build a state and measure in it; -1 with [err] filled. */
static int use_memory(const torus_geometry_t *geometry, torus_error_t *err)
{
	static const uint32_t cells[] = {0, 3, 5, 6, 9, 14, 17, 20, 22, 26, 29, 30};
	static const uint32_t ranks[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	torus_occupancy_t *occupancy = torus_occupancy_create(geometry, cells, 12, err);
	torus_links_t links = {0};
	torus_isolation_t isolation;
	int result = -1;

	if (occupancy && torus_links_used(geometry, cells, 12, &links, err) == 0 &&
	    torus_occupancy_add(occupancy, ranks, 12, &links, err) == 0)
		result = torus_occupancy_measure(occupancy, ranks, 12, &links, true,
						 &isolation, err);
	torus_links_clear(&links);
	torus_occupancy_destroy(occupancy);
	return result;
}

static void each_allocation_fails_once(void **state)
{
	torus_geometry_t geometry;
	long count = 0;

	(void)state;
	assert_int_equal(torus_geometry_parse("4x4x2", "xy", &geometry, NULL), 0);
	for (;; count++) {
		torus_error_t error = {""};
		int status;

		allow(count);
		status = use_memory(&geometry, &error);
		if (!allow_all()) {
			assert_int_equal(status, 0);
			break;
		}
		assert_int_equal(status, -1);
		assert_string_not_equal(error.text, "");
	}
	assert_true(count > 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_that_come_and_go),
		cmocka_unit_test(every_set_on_short_rings),
		cmocka_unit_test(link_numbers_are_a_bijection),
		cmocka_unit_test(two_jobs_counted_by_hand),
		cmocka_unit_test(ties_on_a_ring_go_upward),
		cmocka_unit_test(one_router),
		cmocka_unit_test(each_allocation_fails_once),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
