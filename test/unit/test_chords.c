/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links beside the torus's own: hops against a walk that looks at every pair of cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "geometry/chips.h"
#include "random_chords.h"

#define MOST_CELLS 130
#define MOST_CHIPS 1200

/* Whether a link joins two cells: the torus's own, or one of [links]. */
static bool are_joined(const torus_geometry_t *geometry, const torus_chord_t *links,
		       uint32_t count, uint32_t a, uint32_t b)
{
	int32_t at[TORUS_MAX_DIMS], to[TORUS_MAX_DIMS];
	int32_t steps = 0;

	torus_cell_to_coord(geometry, a, at);
	torus_cell_to_coord(geometry, b, to);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis], apart = abs(at[axis] - to[axis]);

		if (geometry->wrap[axis] && apart == length - 1 && apart)
			apart = 1;
		steps += apart;
	}
	for (uint32_t i = 0; steps != 1 && i < count; i++) {
		if ((links[i].cell[0] == a && links[i].cell[1] == b) ||
		    (links[i].cell[0] == b && links[i].cell[1] == a))
			return true;
	}
	return steps == 1;
}

/* Oracle: hops from [from] to all cells. */
static void slow_hops(const torus_geometry_t *geometry, const torus_chord_t *links,
		      uint32_t count, uint32_t from, uint32_t *hops)
{
	uint32_t cells = torus_geometry_cells(geometry);
	bool more = true;

	for (uint32_t cell = 0; cell < cells; cell++)
		hops[cell] = cell == from ? 0 : UINT32_MAX;
	for (uint32_t far = 0; more; far++) {
		more = false;
		for (uint32_t a = 0; a < cells; a++) {
			if (hops[a] != far)
				continue;
			for (uint32_t b = 0; b < cells; b++) {
				if (hops[b] != UINT32_MAX ||
				    !are_joined(geometry, links, count, a, b))
					continue;
				hops[b] = far + 1;
				more = true;
			}
		}
	}
}

/* What walkers say. */
typedef struct told {
	uint32_t hops[TORUS_CHORDS_WALKERS][MOST_CHIPS];
	uint32_t last; /* hops of the last message */
	uint64_t left; /* messages until they may stop */
} told_t;

static bool tell(void *context, uint32_t cell, uint32_t hops, uint64_t walkers)
{
	told_t *told = context;

	assert_true(hops >= told->last && told->left && walkers);
	told->last = hops;
	for (uint32_t i = 0; i < TORUS_CHORDS_WALKERS; i++) {
		if (!(walkers >> i & 1))
			continue;
		assert_int_equal(told->hops[i][cell], UINT32_MAX);
		told->hops[i][cell] = hops;
	}
	return !--told->left;
}

/* Hops between cells, and what walkers say. */
static void check_hops(const torus_geometry_t *geometry, const torus_chord_t *links,
		       uint32_t count)
{
	static told_t told;
	uint32_t cells = torus_geometry_cells(geometry), hops[MOST_CHIPS];
	uint32_t from[TORUS_CHORDS_WALKERS], walkers = random_in(1, 4);
	torus_geometry_t own = *geometry;
	bool stop = !random_in(0, 3);

	own.chords = NULL;
	if (!random_in(0, 9))
		walkers = TORUS_CHORDS_WALKERS;
	memset(&told, 0xff, sizeof(told));
	told.last = 0;
	told.left = stop ? random_in(1, 20) + walkers : UINT64_MAX;
	for (uint32_t i = 0; i < walkers; i++)
		from[i] = random_in(0, cells - 1);
	assert_int_equal(torus_chords_walk(geometry->chords, from, walkers, tell, &told,
					   NULL),
			 0);
	for (uint32_t i = 0; i < walkers && i < 5; i++) {
		slow_hops(geometry, links, count, from[i], hops);
		for (uint32_t to = 0; to < cells; to++) {
			assert_int_equal(torus_hops_cells(geometry, from[i], to),
					 hops[to]);
			if (!stop || told.hops[i][to] != UINT32_MAX)
				assert_int_equal(told.hops[i][to], hops[to]);
			reached("a way that links make shorter",
				hops[to] < torus_hops_cells(&own, from[i], to));
		}
	}
}

static void hops_match_a_walk(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(4000); round++) {
		torus_geometry_t geometry =
			random_geometry(random_in(0, 3) ? 3 : TORUS_MAX_DIMS,
					random_in(4, MOST_CELLS));
		uint32_t cells = torus_geometry_cells(&geometry);
		torus_chords_t *chords;

		random_chords(&geometry);
		chords = geometry.chords;
		if (!chords)
			continue;
		reached("several links at a cell", chords->row < chords->count);
		reached("more than 16 ends listed", chords->row > 16);
		reached("a ring", geometry.wrap[0] && geometry.length[0] > 2);
		check_hops(&geometry, chords->chord, chords->count);
		for (uint32_t a = 0; a < cells; a++) {
			uint32_t b = random_in(0, cells - 1), next = 0;

			for (uint32_t i = chords->first[a]; i < chords->first[a + 1]; i++)
				next += chords->near[i] == b;
			assert_int_equal(next, are_joined(&geometry, chords->chord,
							  chords->count, a, b));
			assert_int_equal(torus_hops_cells(&geometry, a, b),
					 torus_hops_cells(&geometry, b, a));
		}
		torus_chords_release(chords);
	}
	assert_true(reached_all(10));
}

/* Where nodes are boxes of chips, links are between chips, and so between nodes. */
static void links_between_chips(void **state)
{
	(void)state;
	for (int round = 0; round < RANDOM_CASES(2000); round++) {
		torus_geometry_t nodes = random_geometry(3, random_in(2, 60)), chips;
		uint32_t cells = torus_geometry_cells(&nodes), on_nodes = 0;
		torus_chord_t between[RANDOM_CHORDS_MOST];
		const torus_chords_t *of_chips;

		for (int axis = 0; axis < nodes.dims; axis++)
			nodes.chips[axis] = (int32_t)random_in(1, 2);
		random_chords(&nodes);
		if (!nodes.chords)
			continue;
		chips = torus_chip_machine(&nodes);
		of_chips = chips.chords;
		assert_ptr_equal(of_chips, nodes.chords->of_chips);
		check_hops(&chips, of_chips->chord, of_chips->count);
		for (uint32_t i = 0; i < of_chips->count; i++) {
			for (uint32_t cell = 0; cell < cells; cell++) {
				for (uint32_t c = 0; c < torus_node_chips(&nodes); c++) {
					uint32_t at = torus_chip_cell(&nodes, cell, c);

					for (int end = 0; end < 2; end++) {
						if (of_chips->chord[i].cell[end] == at)
							between[on_nodes].cell[end] =
								cell;
					}
				}
			}
			on_nodes++;
		}
		reached("links within a node or to the next alone",
			!nodes.chords->count);
		reached("links between nodes", nodes.chords->count);
		check_hops(&nodes, between, on_nodes);
		torus_chords_release(nodes.chords);
	}
	assert_true(reached_all(2));
}

static void refuses_what_is_too_much(void **state)
{
	static torus_chord_t chord[TORUS_CHORDS_MAX + 1];
	torus_geometry_t geometry = {.dims = 2, .length = {91, 91, 1, 1, 1, 1}};
	torus_chords_t *chords;
	torus_error_t err;

	(void)state;
	for (uint32_t i = 0; i <= TORUS_CHORDS_MAX; i++)
		chord[i] = (torus_chord_t){{i, i + 2}};
	assert_null(torus_chords_create(&geometry, chord, 1, &err));
	assert_string_equal(err.text, "on a torus of 8281 places: hops over such links "
				      "are known on one of at most 8192");
	geometry.length[0] = 90;
	assert_null(torus_chords_create(&geometry, chord, TORUS_CHORDS_MAX + 1, &err));
	assert_string_equal(err.text, "more than 4096 links");
	chords = torus_chords_create(&geometry, chord, TORUS_CHORDS_MAX, &err);
	assert_non_null(chords);
	geometry.chords = chords;
	assert_int_equal(torus_hops_cells(&geometry, 0, 80), 6);
	torus_chords_hold(chords);
	torus_chords_release(chords);
	assert_int_equal(torus_hops_cells(&geometry, 1, 80), 7);
	torus_chords_release(chords);
	torus_chords_release(NULL);
}

static void refuses_links_of_the_torus(void **state)
{
	torus_geometry_t geometry = {
		.dims = 2, .length = {5, 2, 1, 1, 1, 1}, .wrap = {true, true}};
	static const struct {
		uint32_t a, b;
		const char *says; /* NULL: accepted */
	} table[] = {
		{0, 2, NULL},	   {2, 0, NULL}, {0, 6, NULL}, {3, 3, "itself"},
		{0, 1, "already"}, {4, 0, "already"}, {0, 5, "already"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		torus_error_t err;
		int rc = torus_chord_check(
			&geometry, (torus_chord_t){{table[i].a, table[i].b}}, &err);

		assert_int_equal(rc, table[i].says ? -1 : 0);
		if (table[i].says)
			assert_non_null(strstr(err.text, table[i].says));
	}
	geometry.wrap[0] = false;
	assert_int_equal(torus_chord_check(&geometry, (torus_chord_t){{4, 0}}, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hops_match_a_walk),
		cmocka_unit_test(links_between_chips),
		cmocka_unit_test(refuses_what_is_too_much),
		cmocka_unit_test(refuses_links_of_the_torus),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
