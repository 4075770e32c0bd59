/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boxes that have enough in all: see decide/boxes.h. */
#include "decide/boxes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

/* What is known of each cell, and then of the box that begins there. */
enum {
	LOWEST,	 /* its lowest rank */
	HIGHEST, /* the complement of its highest rank, so that both are minima */
	MINIMA,
	UNUSABLE = MINIMA, /* nodes that are no candidates, and cells without nodes */
	NODES,
	WEIGHT,
	REQUIRED,
	FIRST_KIND, /* and then the others: all these are sums */
};

typedef struct search {
	const torus_supply_t *supply;
	const torus_wanted_t *wanted;
	torus_places_t *places;
	uint64_t *work;
	const torus_geometry_t *geometry;
	size_t cells;
	int fields;
	uint64_t *cell, *box; /* [fields * cells] */
	uint64_t *line;	      /* room for twice the longest side */
} search_t;

static int compare_sides(const void *a, const void *b)
{
	int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;

	return left < right ? -1 : left > right;
}

/*
 * Fill [side] with as many sides as the machine has dimensions, ascending, and 1 in all
 * others. False when the shape has more than that.
 */
static bool sides_of(const torus_shape_t *shape, int dims, int32_t *side)
{
	int count = 0;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = 1;
	for (int axis = 0; axis < shape->dims; axis++) {
		if (shape->side[axis] == 1)
			continue;
		if (count == dims)
			return false;
		side[count++] = shape->side[axis];
	}
	qsort(side, (size_t)dims, sizeof(*side), compare_sides);
	return true;
}

static int begin(search_t *search, torus_error_t *err)
{
	size_t longest = 1, field = search->cells;

	for (int axis = 0; axis < search->geometry->dims; axis++) {
		if ((size_t)search->geometry->length[axis] > longest)
			longest = (size_t)search->geometry->length[axis];
	}
	search->cell = malloc((2 * (size_t)search->fields * field + 2 * longest) *
			      sizeof(uint64_t));
	if (!search->cell)
		return torus_fail(err, "out of memory for the boxes of %zu cells", field);
	search->box = search->cell + (size_t)search->fields * field;
	search->line = search->box + (size_t)search->fields * field;
	return 0;
}

static void fill_cells(search_t *search)
{
	const torus_candidates_t *candidates = search->supply->candidates;
	const torus_map_t *map = search->supply->map;
	size_t cells = search->cells, kinds = (size_t)search->wanted->need->kinds;
	uint64_t *cell = search->cell;

	memset(cell + MINIMA * cells, 0,
	       ((size_t)search->fields - MINIMA) * cells * sizeof(*cell));
	for (size_t i = 0; i < MINIMA * cells; i++)
		cell[i] = UINT64_MAX;
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint64_t *at = cell + map->cell_of_rank[rank];

		if (at[LOWEST * cells] == UINT64_MAX)
			at[LOWEST * cells] = rank;
		at[HIGHEST * cells] = ~(uint64_t)rank;
		at[NODES * cells]++;
		if (!torus_bit_test(candidates->free, rank)) {
			at[UNUSABLE * cells]++;
			continue;
		}
		at[WEIGHT * cells] += torus_candidates_weight(candidates, rank);
		at[REQUIRED * cells] += candidates->required &&
					torus_bit_test(candidates->required, rank);
		for (size_t kind = 0; kind < kinds; kind++)
			at[(FIRST_KIND + kind) * cells] +=
				search->supply->has[rank * kinds + kind];
	}
	for (size_t i = 0; i < cells; i++)
		cell[UNUSABLE * cells + i] += !cell[NODES * cells + i];
}

/*
 * Make each of the first [places] of the line the least of the [window] from it on: of
 * windows of 1, 2, 4 ..., and at last two that overlap.
 */
static void least_of_line(uint64_t *line, size_t places, size_t window)
{
	size_t have = 1, length = places + window - 1;

	while (have < window) {
		size_t step = 2 * have <= window ? have : window - have;

		for (size_t i = 0; i + have + step <= length; i++) {
			if (line[i + step] < line[i])
				line[i] = line[i + step];
		}
		have += step;
	}
}

static void sum_line(uint64_t *line, size_t places, size_t window)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < window; i++)
		sum += line[i];
	for (size_t i = 0; i < places; i++) {
		uint64_t first = line[i];

		line[i] = sum;
		if (i + 1 < places)
			sum += line[i + window] - first;
	}
}

/* Extend the boxes to [window] cells along [axis], which has this stride. */
static void extend_field(search_t *search, int field, int axis, size_t stride,
			 size_t window)
{
	size_t length = (size_t)search->geometry->length[axis];
	size_t places = search->geometry->wrap[axis] ? length : length - window + 1;
	uint64_t *box = search->box + (size_t)field * search->cells;

	for (size_t first = 0; first < search->cells; first++) {
		if (first / stride % length) {
			first += stride * (length - 1) - 1;
			continue;
		}
		for (size_t i = 0; i < places + window - 1; i++)
			search->line[i] =
				box[first + (i < length ? i : i - length) * stride];
		if (field < MINIMA)
			least_of_line(search->line, places, window);
		else
			sum_line(search->line, places, window);
		for (size_t i = 0; i < places; i++)
			box[first + i * stride] = search->line[i];
		for (size_t i = places; field == UNUSABLE && i < length; i++)
			box[first + i * stride] = 1; /* beyond the end of a mesh */
	}
}

/* Whether the box that begins at [cell] is the same as one that begins elsewhere. */
static bool is_repeated(const search_t *search, const int32_t *side, size_t cell)
{
	for (int axis = 0; axis < search->geometry->dims; axis++) {
		size_t length = (size_t)search->geometry->length[axis];

		if (search->geometry->wrap[axis] && (size_t)side[axis] == length &&
		    cell % length)
			return true;
		cell /= length;
	}
	return false;
}

static bool has_enough(const search_t *search, size_t cell)
{
	const torus_wanted_t *wanted = search->wanted;
	const uint64_t *at = search->box + cell;
	size_t cells = search->cells;

	if (at[UNUSABLE * cells] || at[NODES * cells] < wanted->min_nodes ||
	    at[NODES * cells] > wanted->max_nodes ||
	    at[REQUIRED * cells] != wanted->required)
		return false;
	for (int kind = 0; kind < wanted->need->kinds; kind++) {
		if (at[(size_t)(FIRST_KIND + kind) * cells] < wanted->need->sum[kind])
			return false;
	}
	return true;
}

static void try_rotation(search_t *search, const int32_t *side)
{
	const torus_geometry_t *geometry = search->geometry;
	size_t stride = 1, cells = search->cells;

	memcpy(search->box, search->cell,
	       (size_t)search->fields * cells * sizeof(*search->box));
	for (int axis = 0; axis < geometry->dims; axis++) {
		for (int field = 0; side[axis] > 1 && field < search->fields; field++)
			extend_field(search, field, axis, stride, (size_t)side[axis]);
		stride *= (size_t)geometry->length[axis];
	}
	for (size_t cell = 0; cell < cells; cell++) {
		const uint64_t *at = search->box + cell;
		torus_place_t place;

		if (!has_enough(search, cell) || is_repeated(search, side, cell))
			continue;
		place = (torus_place_t){
			.torus = search->supply->torus,
			.nodes = (uint32_t)at[NODES * cells],
			.first = (uint32_t)cell,
			.weight = at[WEIGHT * cells],
			.waste = ~at[HIGHEST * cells] - at[LOWEST * cells],
			.lowest = (uint32_t)at[LOWEST * cells],
		};
		memcpy(place.side, side, sizeof(place.side));
		torus_places_add(search->places, &place);
	}
}

/*
 * Try all distinct orders of the sides from [axis] on, those of side[] up to there being
 * settled; each next side is the smallest one left, then the next larger one, so that
 * rotations come in ascending order.
 */
static void try_rotations(search_t *search, int axis, int32_t *side, const int32_t *sides,
			  uint32_t used)
{
	int dims = search->geometry->dims;
	int32_t last = 0;

	if (axis == dims) {
		uint64_t cost = (uint64_t)search->cells * (uint64_t)search->fields *
				(uint64_t)(dims + 1);

		if (*search->work < cost) {
			search->places->complete = false;
			*search->work = 0;
			return;
		}
		*search->work -= cost;
		try_rotation(search, side);
		return;
	}
	for (int i = 0; i < dims; i++) {
		if (used >> i & 1 || sides[i] == last ||
		    sides[i] > search->geometry->length[axis])
			continue;
		last = side[axis] = sides[i];
		try_rotations(search, axis + 1, side, sides, used | UINT32_C(1) << i);
	}
}

int torus_boxes_find(const torus_supply_t *supply, const torus_wanted_t *wanted,
		     const torus_shape_t *shape, torus_places_t *places, uint64_t *work,
		     torus_error_t *err)
{
	search_t search = {
		.supply = supply,
		.wanted = wanted,
		.places = places,
		.work = work,
		.geometry = &supply->map->geometry,
		.cells = torus_geometry_cells(&supply->map->geometry),
		.fields = FIRST_KIND + wanted->need->kinds,
	};
	int32_t sides[TORUS_MAX_DIMS], side[TORUS_MAX_DIMS];

	if (!sides_of(shape, search.geometry->dims, sides))
		return 0;
	if (begin(&search, err))
		return -1;
	fill_cells(&search);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		side[axis] = 1;
	try_rotations(&search, 0, side, sides, 0);
	free(search.cell);
	return 0;
}
