/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job could ask for instead of a box that there never is: against all boxes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "machine/map.h"
#include "random.h"
#include "torus/other_boxes.h"

#define CASES RANDOM_CASES(3000)
#define MOST_CELLS 96

/* Call for all sides of boxes that fit; returns false after the last. */
static bool next_sides(const torus_geometry_t *geometry, int32_t *side)
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (++side[axis] <= geometry->length[axis])
			return true;
		side[axis] = 1;
	}
	return false;
}

static uint64_t volume_of(int dims, const int32_t *side)
{
	uint64_t volume = 1;

	for (int axis = 0; axis < dims; axis++)
		volume *= (uint64_t)side[axis];
	return volume;
}

/* The sum of the distances between the cells of the box of these sides at the origin. */
static uint64_t distance_of(const torus_geometry_t *geometry, const int32_t *side)
{
	uint32_t inside[MOST_CELLS], count = 0;
	uint64_t sum = 0;

	for (uint32_t cell = 0; cell < torus_geometry_cells(geometry); cell++) {
		int32_t at[TORUS_MAX_DIMS];
		bool in = true;

		torus_cell_to_coord(geometry, cell, at);
		for (int axis = 0; axis < geometry->dims; axis++)
			in &= at[axis] < side[axis];
		if (in)
			inside[count++] = cell;
	}
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t j = 0; j < count; j++)
			sum += torus_hops_cells(geometry, inside[i], inside[j]);
	}
	return sum;
}

/* Whether the sides, in some order and with ones left out, are those of the shape. */
static bool is_shape(int dims, const int32_t *side, const torus_shape_t *shape)
{
	bool used[TORUS_MAX_DIMS] = {false};

	for (int i = 0; i < shape->dims; i++) {
		bool found = shape->side[i] == 1;

		for (int axis = 0; axis < dims && !found; axis++) {
			if (used[axis] || side[axis] != shape->side[i])
				continue;
			used[axis] = found = true;
		}
		if (!found)
			return false;
	}
	for (int axis = 0; axis < dims; axis++) {
		if (!used[axis] && side[axis] != 1)
			return false;
	}
	return true;
}

/* All boxes: whether one is of the shape, the nearest volumes, and the least distance of
 * those of [volume]. */
typedef struct boxes {
	bool has_shape;
	uint64_t same, fewer, more, least;
} boxes_t;

static boxes_t all_boxes(const torus_geometry_t *geometry, const torus_shape_t *shape,
			 uint64_t volume)
{
	int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	boxes_t boxes = {.least = UINT64_MAX};

	do {
		uint64_t here = volume_of(geometry->dims, side);
		uint64_t distance = here == volume ? distance_of(geometry, side) : 0;

		boxes.has_shape |= shape && is_shape(geometry->dims, side, shape);
		if (here < volume && here > boxes.fewer)
			boxes.fewer = here;
		if (here > volume && (!boxes.more || here < boxes.more))
			boxes.more = here;
		if (here == volume) {
			boxes.same++;
			boxes.least = distance < boxes.least ? distance : boxes.least;
		}
	} while (next_sides(geometry, side));
	return boxes;
}

static void expect_next(const boxes_t *boxes, uint32_t each, const char *text)
{
	char expected[TORUS_OTHER_BOXES_TEXT];

	if (boxes->fewer && boxes->more)
		snprintf(expected, sizeof(expected), "the next sizes are %llu and %llu",
			 (unsigned long long)boxes->fewer * each,
			 (unsigned long long)boxes->more * each);
	else
		snprintf(expected, sizeof(expected), "the next size is %llu",
			 (unsigned long long)(boxes->fewer + boxes->more) * each);
	assert_string_equal(text, expected);
}

/* "4x2 has as many nodes": a box that fits, none more compact. */
static void expect_most_compact(const torus_geometry_t *geometry, uint64_t volume,
				uint64_t least, char *text)
{
	int32_t side[TORUS_MAX_DIMS] = {1, 1, 1, 1, 1, 1};
	char *end = strchr(text, ' ');
	torus_shape_t named;
	bool found = false;

	assert_non_null(end);
	assert_string_equal(end, " has as many nodes");
	*end = '\0';
	assert_int_equal(torus_shape_parse(text, &named, NULL), 0);
	do {
		if (volume_of(geometry->dims, side) == volume &&
		    is_shape(geometry->dims, side, &named))
			found |= distance_of(geometry, side) == least;
	} while (next_sides(geometry, side));
	assert_true(found);
}

static void boxes_instead_of_a_shape(void **state)
{
	(void)state;
	for (int i = 0; i < CASES; i++) {
		torus_geometry_t geometry = random_geometry(3, MOST_CELLS);
		uint32_t each = random_in(1, 2);
		torus_map_t *map = torus_map_create("m", &geometry, TORUS_CURVE_ROW_MAJOR,
						    each, NULL);
		torus_shapes_t shapes = {.count = 1};
		torus_shape_t *shape = &shapes.shape[0];
		char text[TORUS_OTHER_BOXES_TEXT];
		uint64_t volume;
		boxes_t boxes;

		assert_non_null(map);
		shape->dims = (int)random_in(1, 3);
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			shape->side[axis] =
				axis < shape->dims ? (int32_t)random_in(1, 12) : 1;
		volume = volume_of(shape->dims, shape->side);
		boxes = all_boxes(&geometry, shape, volume);
		assert_ptr_equal(torus_other_boxes(&geometry,
						   torus_map_nodes_per_router(map),
						   &shapes, 0, text),
				 text);
		if (boxes.has_shape)
			assert_string_equal(text, "");
		else if (boxes.same)
			expect_most_compact(&geometry, volume, boxes.least, text);
		else
			expect_next(&boxes, each, text);
		reached("there is one", boxes.has_shape);
		reached("as many nodes", !boxes.has_shape && boxes.same);
		reached("the next sizes", !boxes.same && boxes.fewer && boxes.more);
		reached("larger than the machine", !boxes.more && !boxes.same);
		torus_map_destroy(map);
	}
	assert_true(reached_all(CASES / 100));
}

static void boxes_instead_of_a_number(void **state)
{
	const torus_shapes_t any = {.any = true};

	(void)state;
	for (int i = 0; i < CASES; i++) {
		torus_geometry_t geometry = random_geometry(3, MOST_CELLS);
		torus_map_t *map =
			torus_map_create("m", &geometry, TORUS_CURVE_ROW_MAJOR, 1, NULL);
		uint64_t nodes = random_in(1, 2 * MOST_CELLS);
		boxes_t boxes = all_boxes(&geometry, NULL, nodes);
		char text[TORUS_OTHER_BOXES_TEXT];

		assert_non_null(map);
		torus_other_boxes(&geometry, torus_map_nodes_per_router(map), &any, nodes,
				  text);
		if (boxes.same)
			assert_string_equal(text, "");
		else
			expect_next(&boxes, 1, text);
		reached("there is one", boxes.same != 0);
		reached("the next sizes", !boxes.same && boxes.fewer && boxes.more);
		torus_map_destroy(map);
	}
	assert_true(reached_all(CASES / 100));
}

/* Where the sides alone do not tell it nothing is said. */
static void nothing_is_said(void **state)
{
	const uint32_t cells[] = {0, 0, 1, 2};
	torus_shapes_t shapes = {.count = 1, .shape = {{.dims = 1, .side = {9}}}};
	char text[TORUS_OTHER_BOXES_TEXT];
	torus_geometry_t geometry;
	torus_map_t *map;

	(void)state;
	assert_int_equal(torus_geometry_parse("4x2", NULL, &geometry, NULL), 0);
	map = torus_map_create_nodes("m", &geometry, TORUS_CURVE_ROW_MAJOR, cells, 4,
				     NULL, NULL, NULL);
	assert_non_null(map);
	assert_string_equal(torus_other_boxes(&geometry, torus_map_nodes_per_router(map),
					      &shapes, 0, text),
			    "");
	torus_map_destroy(map);
	map = torus_map_create("m", &geometry, TORUS_CURVE_ROW_MAJOR, 1, NULL);
	assert_non_null(map);
	assert_string_equal(torus_other_boxes(&geometry, torus_map_nodes_per_router(map),
					      &shapes, 0, text),
			    "the next size is 8");
	shapes.shape[0].in_chips = true;
	assert_string_equal(torus_other_boxes(&geometry, torus_map_nodes_per_router(map),
					      &shapes, 0, text),
			    "");
	torus_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_instead_of_a_shape),
		cmocka_unit_test(boxes_instead_of_a_number),
		cmocka_unit_test(nothing_is_said),
	};

	random_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
