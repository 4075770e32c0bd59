/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Hilbert curve: each cell once and one hop a step on boxes of all shapes, Hilbert's
 * own curve on powers of two, and pieces more compact than those of the truncated curve.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "../truncated_hilbert.h"
#include "curve/curve.h"
#include "curve/hilbert/order.h"
#include "curve/hilbert/plan.h"
#include "measures/score.h"
#include "hilbert_case.h"

static void continuous_on_every_rectangle(void **state)
{
	torus_geometry_t geometry = box_of("1x1");

	(void)state;
	for (geometry.length[0] = 1; geometry.length[0] <= 24; geometry.length[0]++) {
		for (geometry.length[1] = 1; geometry.length[1] <= 24;
		     geometry.length[1]++)
			assert_continuous(&geometry);
	}
}

/* Every box up to 10 x 10 x 10; axes in the order x >= y >= z and in one other. */
static void continuous_on_every_cuboid(void **state)
{
	torus_geometry_t geometry = box_of("1x1x1");

	(void)state;
	for (int32_t x = 1; x <= 10; x++) {
		for (int32_t y = 1; y <= x; y++) {
			for (int32_t z = 1; z <= y; z++) {
				uint32_t turn = random_in(1, 2);
				const int32_t side[] = {x, y, z};

				for (uint32_t i = 0; i < 3; i++)
					geometry.length[i] = side[i];
				assert_continuous(&geometry);
				if (x == z)
					continue;
				for (uint32_t i = 0; i < 3; i++)
					geometry.length[i] = side[(i + turn) % 3];
				assert_continuous(&geometry);
			}
		}
	}
}

static void continuous_on_random_boxes(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(300); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 200);

		assert_continuous(&geometry);
	}
	for (int round = 0; round < RANDOM_CASES(10); round++) {
		torus_geometry_t geometry = random_geometry(TORUS_MAX_DIMS, 4000);

		assert_continuous(&geometry);
	}
}

/* Shapes that are planned by models, and shapes that strain the search. */
static void continuous_on_large_and_thin_boxes(void **state)
{
	static const char *const boxes[] = {
		"300x200", "257x129",	  "64x60x50", "31x37x41",    "100000x3",
		"7x50001", "1x4096x1",	  "2x2x2000", "20x20x20x20", "5x301x3",
		"2x501",   "128x2x2x2",	  "9x9x9x9",  "40x3x3x3",    "2x3x4x5x6x7",
		"1000000", "3x3x3x3x3x3",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		torus_geometry_t geometry = box_of(boxes[i]);

		if (!random_listed())
			continue;
		assert_continuous(&geometry);
	}
}

static void continuous_on_unequal_powers_of_two(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(40); round++) {
		torus_geometry_t geometry = box_of("1x1x1x1x1x1");
		int bits = (int)random_in(4, 13);

		geometry.dims = (int)random_in(4, 6);
		while (bits--)
			geometry.length[random_in(0, (uint32_t)geometry.dims - 1)] *= 2;
		assert_continuous(&geometry);
	}
}

/* On a cube with sides 2^k every aligned sub-cube with sides 2^j is one interval of
 * ranks. */
static void visits_cubes_sub_cube_by_sub_cube(void **state)
{
	static const char *const cubes[] = {
		"2",	     "16",	  "2x2",	 "64x64",
		"2x2x2",     "32x32x32",  "8x8x8x8",	 "2x2x2x2",
		"4x4x4x4x4", "8x8x8x8x8", "4x4x4x4x4x4", "2x2x2x2x2x2",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cubes) / sizeof(cubes[0]); i++) {
		torus_geometry_t geometry = box_of(cubes[i]);
		uint32_t cells = torus_geometry_cells(&geometry), sub = 1;
		uint32_t *order = order_of(&geometry);

		assert_continuous(&geometry);
		for (int32_t side = 2; side < geometry.length[0]; side *= 2) {
			sub <<= geometry.dims;
			for (uint32_t rank = 0; rank < cells; rank++) {
				int32_t first[TORUS_MAX_DIMS], here[TORUS_MAX_DIMS];

				torus_cell_to_coord(&geometry, order[rank / sub * sub],
						    first);
				torus_cell_to_coord(&geometry, order[rank], here);
				for (int axis = 0; axis < geometry.dims; axis++)
					assert_int_equal(here[axis] / side,
							 first[axis] / side);
			}
		}
		free(order);
	}
}

/* The peer must be what it says: on a cube it is continuous, elsewhere it is cut out of
 * one. */
static void truncated_curve_is_a_fair_peer(void **state)
{
	torus_geometry_t geometry = box_of("8x8x8"), part = box_of("5x7x6");
	uint32_t whole[512], cut[210], kept = 0;

	(void)state;
	truncated_hilbert_order(&geometry, whole);
	truncated_hilbert_order(&part, cut);
	for (uint32_t rank = 0; rank < 512; rank++) {
		int32_t coord[TORUS_MAX_DIMS];

		if (rank)
			assert_int_equal(
				torus_hops_cells(&geometry, whole[rank - 1], whole[rank]),
				1);
		torus_cell_to_coord(&geometry, whole[rank], coord);
		if (coord[0] < 5 && coord[1] < 7 && coord[2] < 6)
			assert_int_equal(torus_coord_to_cell(&part, coord), cut[kept++]);
	}
	assert_int_equal(kept, 210);
}

/*
 * The boxes of docs/curves.md. [looser] is by how much our windows of one length may be
 * looser than the truncated curve's, as a fraction: 0 but where the table shows a loss.
 */
static void beats_the_truncated_curve(void **state)
{
	static const struct {
		const char *dims;
		double looser;
	} table[] = {
		{"8x8x5", 0},	 {"11x12x16", 0}, {"16x12x24", 0}, {"16x16x16", 0},
		{"20x20", 0.03}, {"10x12x16", 0}, {"5x4x5", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t geometry = box_of(table[i].dims);
		uint32_t cells = torus_geometry_cells(&geometry);
		uint32_t *order = order_of(&geometry);
		torus_curve_score_t ours, truncated;
		double sum = 0, truncated_sum = 0;

		assert_int_equal(torus_curve_score(&geometry, order, cells, NULL, NULL,
						   &ours, NULL),
				 0);
		truncated_hilbert_order(&geometry, order);
		assert_int_equal(torus_curve_score(&geometry, order, cells, NULL, NULL,
						   &truncated, NULL),
				 0);
		assert_int_equal(ours.long_steps, 0);
		assert_true(truncated.long_steps > 0 ||
			    !strcmp(table[i].dims, "16x16x16"));
		for (int w = 0; w < ours.windows; w++) {
			assert_true(ours.window[w].average_distance <=
				    truncated.window[w].average_distance *
						    (1 + table[i].looser) +
					    1e-9);
			sum += ours.window[w].average_distance;
			truncated_sum += truncated.window[w].average_distance;
		}
		assert_true(sum <= truncated_sum + 1e-9);
		free(order);
	}
}

/* In counted work; the boxes named took seconds once, or are the worst found since. */
static void planning_is_bounded(void **state)
{
	static const char *const boxes[] = {
		"24x23x24x2x3x2", "13x11x9x7x5x3",  "257x255x63",	 "39x6x17",
		"11x9x7x7x5x5",	  "999x1001",	    "99x101x100",	 "11x174x3x21x4",
		"5x222x17x47",	  "4x5x408x5",	    "24x7x16x3x17x7",	 "15x13x11x9x7x7",
		"9x9x9x9x9x15",	  "7x9x11x13x15x5", "10x10x10x10x10x10",
	};
	uint64_t digest;

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		torus_geometry_t geometry = box_of(boxes[i]);

		if (!random_listed())
			continue;
		assert_in_range(work_of(&geometry, &digest), 1, HILBERT_WORK_MAX);
	}
	for (int round = 0; round < RANDOM_CASES(30); round++) {
		torus_geometry_t geometry = random_large_geometry();

		assert_in_range(work_of(&geometry, &digest), 0, HILBERT_WORK_MAX);
	}
}

/*
 * A site's map must not change unnoticed from one release to the next, nor with the
 * compiler. If the curve is to change: run the test, put the digests that it prints here,
 * and say so in NEWS.
 */
static void orders_stay_as_they_are(void **state)
{
	static const struct {
		const char *dims;
		uint64_t digest;
	} table[] = {
		{"8x8x5", UINT64_C(0x15aca0491e198975)},
		{"11x12x16", UINT64_C(0x69cf37ee8c3b5d69)},
		{"16x12x24", UINT64_C(0xd4b74953d7722cc5)},
		{"16x16x16", UINT64_C(0xcf757b5588ae3b25)},
		{"20x20", UINT64_C(0xd1f41795fe83989d)},
		{"10x12x16", UINT64_C(0x1eda5607f47a7a95)},
		{"5x4x5", UINT64_C(0x6af88ce8b0136419)},
		{"17x19x23", UINT64_C(0xb7ce3f24da56c4ef)},
		{"39x6x17", UINT64_C(0xede90849e95eec6a)},
		{"10x10x10x10", UINT64_C(0x1f29d26999ff2839)},
		{"64x64x64", UINT64_C(0xfe90201787143225)},
		{"100x99", UINT64_C(0x9734db2f4d347121)},
		{"31x37x41", UINT64_C(0xbf47df180b6d26a4)},
		{"24x18x24", UINT64_C(0xf86febeaaeed93f5)},
		{"1000", UINT64_C(0x988cc5afd8cb65dd)},
		{"3x1x7", UINT64_C(0x58e5d5078b395c1b)},
		{"5x301x3", UINT64_C(0x6477e10f3cc9f528)},
		{"2x3x4x5x6x7", UINT64_C(0x5de676c93c009fc9)},
		{"4x5x408x5", UINT64_C(0x7ecda55e4af5a745)},
		{"13x11x9x7x5x3", UINT64_C(0x00281ba38b8f469c)},
	};
	int changed = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_geometry_t geometry = box_of(table[i].dims);
		uint64_t digest;

		if (!random_listed())
			continue;
		work_of(&geometry, &digest);
		if (digest != table[i].digest) {
			print_message("{\"%s\", UINT64_C(0x%016llx)},\n", table[i].dims,
				      (unsigned long long)digest);
			changed++;
		}
	}
	assert_int_equal(changed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(continuous_on_every_rectangle),
		cmocka_unit_test(continuous_on_every_cuboid),
		cmocka_unit_test(continuous_on_random_boxes),
		cmocka_unit_test(continuous_on_large_and_thin_boxes),
		cmocka_unit_test(continuous_on_unequal_powers_of_two),
		cmocka_unit_test(visits_cubes_sub_cube_by_sub_cube),
		cmocka_unit_test(truncated_curve_is_a_fair_peer),
		cmocka_unit_test(beats_the_truncated_curve),
		cmocka_unit_test(planning_is_bounded),
		cmocka_unit_test(orders_stay_as_they_are),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
