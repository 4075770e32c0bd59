/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments on machines of cubes: against the rule followed cube by cube. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "random.h"
#include "torus/cubes.h"
#include "torus/joined.h"
#include "torus/segments.h"

#define MOST 128

typedef struct machine {
	torus_geometry_t geometry;
	torus_segments_site_t site;
	uint32_t cell_of_rank[MOST];
	uint64_t free_ranks[TORUS_WORDS(MOST)];
	uint64_t weights[MOST];
	uint32_t cubes, per_cube; /* nodes of the cube with most */
} machine_t;

static uint32_t cube_of(const machine_t *machine, uint32_t rank)
{
	return torus_cube_of(&machine->geometry, machine->cell_of_rank[rank], NULL);
}

static uint32_t nodes_in(const machine_t *machine, uint32_t cube, const uint64_t *among)
{
	uint32_t nodes = 0;

	for (uint32_t rank = 0; rank < machine->site.ranks; rank++)
		nodes += cube_of(machine, rank) == cube &&
			 (!among || torus_bit_test(among, rank));
	return nodes;
}

static void random_machine(machine_t *machine)
{
	uint32_t cells, taken = random_in(0, 1) ? random_in(0, 12) : 0, rank = 0;
	uint32_t per_router = random_in(0, 3) ? 1 : 2, room = 6;

	memset(machine, 0, sizeof(*machine));
	machine->geometry.dims = (int)random_in(1, 2);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		bool is_axis = axis < machine->geometry.dims;
		uint32_t along = is_axis ? random_in(1, room) : 1;

		machine->geometry.cube[axis] = is_axis ? (int32_t)random_in(1, 3) : 1;
		machine->geometry.length[axis] =
			machine->geometry.cube[axis] * (int32_t)along;
		room /= along;
	}
	cells = torus_geometry_cells(&machine->geometry);
	for (uint32_t cell = 0; cell < cells; cell++) {
		for (uint32_t i = 0; i < per_router; i++)
			machine->cell_of_rank[rank++] = cell;
	}
	machine->site = (torus_segments_site_t){.geometry = &machine->geometry,
						.cell_of_rank = machine->cell_of_rank,
						.ranks = rank,
						.span = TORUS_SPAN_LINEAR};
	for (uint32_t i = 0; i < rank && random_in(0, 1); i++) {
		uint32_t other = random_in(i, rank - 1), cell = machine->cell_of_rank[i];

		machine->cell_of_rank[i] = machine->cell_of_rank[other];
		machine->cell_of_rank[other] = cell;
	}
	for (uint32_t i = 0; i < rank; i++) {
		machine->weights[i] = random_in(1, 3);
		if (random_in(1, 40) > taken)
			torus_bit_set(machine->free_ranks, i);
	}
	for (uint32_t cell = 0; cell < cells; cell++) {
		uint32_t cube = torus_cube_of(&machine->geometry, cell, NULL);

		machine->cubes = cube + 1 > machine->cubes ? cube + 1 : machine->cubes;
	}
	machine->per_cube = nodes_in(machine, 0, NULL);
}

/* As many segments of the [left] as cube [cube] has, of the ranks in [among]: their ranks
 * are set in [chosen]. */
static uint32_t slow_fill(const machine_t *machine, const uint64_t *among, uint32_t cube,
			  uint32_t size, uint32_t left, uint64_t *chosen)
{
	const torus_geometry_t one = torus_cubes_one(&machine->geometry);
	uint32_t cells[MOST], ranks[MOST], count = 0, here[MOST];
	uint64_t within[TORUS_WORDS(MOST)] = {0};
	torus_segments_site_t site = {
		.geometry = &one, .cell_of_rank = cells, .span = TORUS_SPAN_LINEAR};
	torus_segments_hops_t hops;
	torus_error_t err;

	for (uint32_t rank = 0; rank < machine->site.ranks; rank++) {
		uint32_t inner;

		if (torus_cube_of(&machine->geometry, machine->cell_of_rank[rank],
				  &inner) != cube)
			continue;
		if (torus_bit_test(among, rank))
			torus_bit_set(within, count);
		cells[count] = inner;
		ranks[count++] = rank;
	}
	site.ranks = count;
	for (uint32_t segments = left; segments; segments--) {
		if (torus_segments_place(&site, within, size, segments, here, &hops,
					 &err) <= 0)
			continue;
		for (uint32_t i = 0; i < segments * size; i++)
			torus_bit_set(chosen, ranks[here[i]]);
		return segments;
	}
	return 0;
}

/* The rule: cubes by their free nodes of all weights. Whether there are enough. */
static bool slow_place(const machine_t *machine, const uint64_t *among, uint32_t size,
		       uint32_t count, torus_segments_where_t where, uint64_t *chosen)
{
	bool done[MOST] = {false};
	uint32_t left = count;

	memset(chosen, 0, TORUS_WORDS(MOST) * sizeof(*chosen));
	for (uint32_t turn = 0; turn < machine->cubes && left; turn++) {
		uint32_t best = UINT32_MAX, fewest = UINT32_MAX, made;
		uint64_t before[TORUS_WORDS(MOST)];

		for (uint32_t cube = 0; cube < machine->cubes; cube++) {
			uint32_t nodes = nodes_in(machine, cube, machine->free_ranks);

			if (!done[cube] && nodes < fewest) {
				fewest = nodes;
				best = cube;
			}
		}
		done[best] = true;
		memcpy(before, chosen, sizeof(before));
		made = slow_fill(machine, among, best, size,
				 where == TORUS_SEGMENTS_SPREAD ? 1 : left, chosen);
		if (where == TORUS_SEGMENTS_CONSOLIDATED && made < count) {
			memcpy(chosen, before, sizeof(before));
			made = 0;
		}
		left -= made;
	}
	return !left;
}

/* The lowest whole cubes, by their weight. */
static bool slow_whole(const machine_t *machine, const uint64_t *weights, uint32_t needed,
		       uint64_t *chosen)
{
	memset(chosen, 0, TORUS_WORDS(MOST) * sizeof(*chosen));
	for (; needed; needed--) {
		uint64_t least = UINT64_MAX;
		uint32_t best = UINT32_MAX;

		for (uint32_t cube = 0; cube < machine->cubes; cube++) {
			uint64_t weight = 0;

			if (nodes_in(machine, cube, machine->free_ranks) !=
				    machine->per_cube ||
			    nodes_in(machine, cube, chosen))
				continue;
			for (uint32_t rank = 0; weights && rank < machine->site.ranks;
			     rank++)
				weight += cube_of(machine, rank) == cube ? weights[rank]
									 : 0;
			if (weight < least) {
				least = weight;
				best = cube;
			}
		}
		if (best == UINT32_MAX)
			return false;
		for (uint32_t rank = 0; rank < machine->site.ranks; rank++) {
			if (cube_of(machine, rank) == best)
				torus_bit_set(chosen, rank);
		}
	}
	return true;
}

/* The lowest weight with which there are enough. */
static bool slow_choice(const machine_t *machine, const uint64_t *weights, uint32_t size,
			uint32_t count, torus_segments_where_t where, uint64_t *chosen)
{
	if (size % machine->per_cube == 0)
		return slow_whole(machine, weights, size / machine->per_cube * count,
				  chosen);
	if (size > machine->per_cube)
		return false;
	if (size * count > machine->per_cube && where == TORUS_SEGMENTS_CONSOLIDATED)
		where = TORUS_SEGMENTS_ANYWHERE;
	for (uint64_t limit = weights ? 1 : 3; limit <= 3; limit++) {
		uint64_t among[TORUS_WORDS(MOST)] = {0};

		for (uint32_t rank = 0; rank < machine->site.ranks; rank++) {
			if (torus_bit_test(machine->free_ranks, rank) &&
			    (!weights || weights[rank] <= limit))
				torus_bit_set(among, rank);
		}
		if (slow_place(machine, among, size, count, where, chosen))
			return true;
	}
	return false;
}

/* Whether the cut is into segments of whole cubes, or within one cube each. */
static void check_cut(const machine_t *machine, const uint32_t *chosen, uint32_t size,
		      uint32_t count, torus_segments_where_t where,
		      const torus_segments_hops_t *placed)
{
	uint32_t order[MOST], last = UINT32_MAX;
	torus_segments_hops_t hops;
	torus_error_t err;
	bool pieces = false, in_cube[MOST] = {false};

	assert_int_equal(torus_cut_segments(&machine->site, chosen, size, count, order,
					    &pieces, &hops, &err),
			 0);
	assert_true(pieces);
	assert_true(hops.all == placed->all);
	assert_true(size % machine->per_cube || hops.within == placed->within);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *segment = order + i * size;
		uint32_t cube = cube_of(machine, segment[0]), cubes = 1;
		bool seen[MOST] = {false};

		assert_true(last == UINT32_MAX || segment[0] > last);
		last = segment[0];
		seen[cube] = true;
		for (uint32_t j = 1; j < size; j++) {
			assert_true(segment[j] > segment[j - 1]);
			cubes += !seen[cube_of(machine, segment[j])];
			seen[cube_of(machine, segment[j])] = true;
		}
		assert_int_equal(cubes,
				 size % machine->per_cube ? 1 : size / machine->per_cube);
		if (where == TORUS_SEGMENTS_SPREAD)
			assert_false(in_cube[cube]);
		in_cube[cube] = true;
	}
}

static void segments_by_the_rule(void **state)
{
	static machine_t machine;

	(void)state;
	for (uint32_t i = 0; i < RANDOM_CASES(6000); i++) {
		torus_segments_where_t where = (torus_segments_where_t)random_in(0, 2);
		const uint64_t *weights;
		uint64_t expected[TORUS_WORDS(MOST)];
		uint32_t size, count, chosen[MOST], held;
		torus_segments_hops_t hops;
		torus_error_t err;
		bool found;

		random_machine(&machine);
		weights = random_in(0, 3) ? NULL : machine.weights;
		size = random_in(0, 3) ? random_in(1, machine.per_cube)
				       : machine.per_cube * random_in(1, 2);
		if (!random_in(0, 9))
			size = random_in(1, machine.site.ranks);
		count = random_in(1, 4);
		if (size * count > machine.site.ranks)
			continue;
		found = slow_choice(&machine, weights, size, count, where, expected);
		assert_int_equal(torus_choose_segments(&machine.site, machine.free_ranks,
						       weights, size, count, where,
						       chosen, &hops, &err),
				 found);
		assert_int_equal(torus_count_segments(&machine.site, machine.free_ranks,
						      size, where, &held, &err),
				 0);
		assert_true(found || held < count);
		reached("no place", !found);
		reached("whole cubes", found && size % machine.per_cube == 0);
		reached("several cubes a segment",
			found && size % machine.per_cube == 0 && size > machine.per_cube);
		reached("within cubes", found && size % machine.per_cube && count > 1);
		reached("neither", size > machine.per_cube && size % machine.per_cube);
		reached("spread", found && where == TORUS_SEGMENTS_SPREAD && count > 1);
		reached("consolidated", found && where == TORUS_SEGMENTS_CONSOLIDATED &&
						count > 1 && size % machine.per_cube);
		reached("too many for one cube",
			found && where == TORUS_SEGMENTS_CONSOLIDATED &&
				size * count > machine.per_cube);
		if (!found)
			continue;
		for (uint32_t rank = 0, next = 0; rank < machine.site.ranks; rank++) {
			bool is_chosen = next < size * count && chosen[next] == rank;

			assert_int_equal(is_chosen, torus_bit_test(expected, rank));
			next += is_chosen;
		}
		check_cut(&machine, chosen, size, count, where, &hops);
	}
	assert_true(reached_all(RANDOM_CASES(6000) / 300));
}

/* Whether the set is cut into pieces of [size] on a mesh of cubes with these nodes. */
static bool cut_into_pieces(const char *dims, const char *cube,
			    const uint32_t *cell_of_rank, uint32_t ranks,
			    const uint32_t *set, uint32_t size, uint32_t count,
			    torus_segments_hops_t *hops)
{
	torus_geometry_t geometry;
	const torus_segments_site_t site = {.geometry = &geometry,
					    .cell_of_rank = cell_of_rank,
					    .ranks = ranks,
					    .span = TORUS_SPAN_LINEAR};
	torus_error_t err;
	uint32_t order[4];
	bool pieces = true;

	assert_int_equal(torus_geometry_parse(dims, NULL, &geometry, &err), 0);
	assert_int_equal(torus_cubes_parse(cube, &geometry, &err), 0);
	assert_int_equal(
		torus_cut_segments(&site, set, size, count, order, &pieces, hops, &err),
		0);
	return pieces;
}

/* A set that is not made of segments is cut along the grid, and that is said. */
static void other_sets_are_no_pieces(void **state)
{
	static const uint32_t cell_of_rank[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	static const uint32_t set[4] = {1, 2, 5, 6};
	torus_segments_hops_t hops;

	(void)state;
	assert_false(cut_into_pieces("8", "4", cell_of_rank, 8, set, 4, 1, &hops));
	assert_true(cut_into_pieces("8", "4", cell_of_rank, 8, set, 2, 2, &hops));
	assert_int_equal(hops.within, 4);
}

/* Cubes that have no nodes on some routers are not whole, though the set has all nodes of
 * each. */
static void cubes_with_holes_are_not_whole(void **state)
{
	static const uint32_t cell_of_rank[4] = {1, 2, 5, 6};
	static const uint32_t set[4] = {0, 1, 2, 3};
	torus_segments_hops_t hops;

	(void)state;
	assert_false(cut_into_pieces("8", "2", cell_of_rank, 4, set, 2, 2, &hops));
	assert_true(cut_into_pieces("8", "2", cell_of_rank, 4, set, 1, 4, &hops));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(segments_by_the_rule),
		cmocka_unit_test(other_sets_are_no_pieces),
		cmocka_unit_test(cubes_with_holes_are_not_whole),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
