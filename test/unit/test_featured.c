/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes with counted features that are near each other, beside all sets of nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/bitmap.h"
#include "place/featured.h"
#include "random.h"

#define MOST 16

typedef struct machine {
	torus_geometry_t geometry;
	uint32_t cell_of_rank[MOST];
	uint64_t free[1], required[1], weights[MOST];
	uint8_t has[MOST];
	torus_featured_t ask;
} machine_t;

static void random_ask(machine_t *machine)
{
	torus_featured_t *ask = &machine->ask;
	bool alone = random_in(0, 1);

	memset(machine, 0, sizeof(*machine));
	machine->geometry = random_geometry(3, MOST);
	*ask = (torus_featured_t){
		.geometry = &machine->geometry,
		.cell_of_rank = machine->cell_of_rank,
		.ranks = torus_geometry_cells(&machine->geometry),
		.free = machine->free,
		.required = random_in(0, 2) ? NULL : machine->required,
		.weights = random_in(0, 2) ? NULL : machine->weights,
		.features = (int)random_in(1, 3),
		.has = machine->has,
	};
	for (uint32_t rank = 0; rank < ask->ranks; rank++) {
		machine->cell_of_rank[rank] = rank;
		machine->weights[rank] = random_in(1, 3);
		machine->has[rank] = alone ? (uint8_t)(1 << random_in(0, 3) & 7)
					   : (uint8_t)random_in(0, 7);
		if (random_in(0, 4))
			torus_bit_set(machine->free, rank);
		if (torus_bit_test(machine->free, rank) && !random_in(0, 7))
			torus_bit_set(machine->required, rank);
	}
	for (int feature = 0; feature < ask->features; feature++) {
		ask->count[feature] = random_in(1, 3);
		ask->nodes += ask->count[feature];
	}
	ask->nodes += random_in(0, 2);
}

/* ---- by trying ---- */

/* Whether the features from [feature] on can each be counted on nodes of their own. */
static bool is_counted(const torus_featured_t *ask, uint32_t set, int feature,
		       uint32_t done)
{
	if (feature == ask->features)
		return true;
	if (done == ask->count[feature])
		return is_counted(ask, set, feature + 1, 0);
	for (uint32_t rank = 0; rank < ask->ranks; rank++) {
		if ((set >> rank & 1) && (ask->has[rank] >> feature & 1) &&
		    is_counted(ask, set & ~(1u << rank), feature, done + 1))
			return true;
	}
	return false;
}

typedef struct measured {
	bool will_do;
	uint64_t weight, distance;
} measured_t;

static measured_t measure(const torus_featured_t *ask, uint32_t set)
{
	measured_t measured = {0};

	if ((uint32_t)__builtin_popcount(set) != ask->nodes || (set & ~*ask->free) ||
	    (ask->required && (*ask->required & ~set)) || !is_counted(ask, set, 0, 0))
		return measured;
	measured.will_do = true;
	for (uint32_t a = 0; a < ask->ranks; a++) {
		if (!(set >> a & 1))
			continue;
		measured.weight += ask->weights ? ask->weights[a] : 0;
		for (uint32_t b = 0; b < a; b++) {
			if (set >> b & 1)
				measured.distance +=
					torus_hops_cells(ask->geometry, a, b);
		}
	}
	return measured;
}

static void beside_all_sets(void **state)
{
	uint32_t placed = 0, best_found = 0;
	double excess = 0;

	(void)state;
	for (int i = 0; i < RANDOM_CASES(2000); i++) {
		uint32_t chosen[MOST], set = 0;
		measured_t best = {0}, got;
		uint64_t none = 0;
		torus_error_t err;
		machine_t machine;
		int found;

		random_ask(&machine);
		for (uint32_t all = 0; all < 1u << machine.ask.ranks; all++) {
			measured_t one = measure(&machine.ask, all);

			if (one.will_do &&
			    (!best.will_do || one.weight < best.weight ||
			     (one.weight == best.weight && one.distance < best.distance)))
				best = one;
		}
		/* Without looks there is a set of as low a weight. */
		machine.ask.work = &none;
		found = torus_featured_place(&machine.ask, chosen, &err);
		assert_int_equal(found, best.will_do);
		for (uint32_t n = 0; found && n < machine.ask.nodes; n++)
			set |= 1u << chosen[n];
		got = measure(&machine.ask, set);
		assert_true(!found || (got.will_do && got.weight == best.weight));
		set = 0;
		machine.ask.work = NULL;
		found = torus_featured_place(&machine.ask, chosen, &err);
		assert_int_equal(found, best.will_do);
		reached("none", !found);
		reached("with required nodes",
			found && machine.ask.required && *machine.ask.required);
		reached("by weight", found && machine.ask.weights);
		if (!found)
			continue;
		for (uint32_t n = 0; n < machine.ask.nodes; n++) {
			assert_true(!n || chosen[n] > chosen[n - 1]);
			set |= 1u << chosen[n];
		}
		got = measure(&machine.ask, set);
		assert_true(got.will_do);
		assert_int_equal(got.weight, best.weight);
		assert_true(got.distance >= best.distance);
		placed++;
		best_found += got.distance == best.distance;
		if (best.distance)
			excess += (double)got.distance / (double)best.distance - 1;
	}
	printf("# %u of %u placed have the fewest hops, %.2f%% more on average\n",
	       best_found, placed, 100 * excess / placed);
	assert_true(best_found > placed * 8 / 10);
	assert_true(reached_all(RANDOM_CASES(20)));
}

/* 4x2x2: four nodes, two of each half, are a box 1x2x2. */
static void halves(void **state)
{
	const torus_geometry_t geometry = {
		.dims = 3, .length = {4, 2, 2, 1, 1, 1}, .wrap = {true, true, true}};
	const uint64_t all = 0xffff;
	uint32_t cell_of_rank[16], chosen[16];
	uint8_t has[16];
	torus_featured_t ask = {
		.geometry = &geometry,
		.cell_of_rank = cell_of_rank,
		.ranks = 16,
		.free = &all,
		.features = 2,
		.has = has,
		.count = {2, 2},
		.nodes = 4,
	};
	torus_error_t err;

	(void)state;
	for (uint32_t rank = 0; rank < 16; rank++) {
		cell_of_rank[rank] = rank;
		has[rank] = rank < 8 ? 1 : 2;
	}
	assert_int_equal(torus_featured_place(&ask, chosen, &err), 1);
	assert_int_equal(chosen[0], 0);
	assert_int_equal(measure(&ask, 1u << chosen[0] | 1u << chosen[1] |
					       1u << chosen[2] | 1u << chosen[3])
				 .distance,
			 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beside_all_sets),
		cmocka_unit_test(halves),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
