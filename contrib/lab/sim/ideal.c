/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compact allocations to compare with: see ideal.h. */
#include "sim/ideal.h"

#include <stdbool.h>
#include <stdlib.h>

#include "measures/values.h"
#include "torus/cubes.h"
#include "torus/joined.h"

torus_ideal_t *torus_ideal_create(const torus_map_t *const *map, int tori,
				  const torus_slowdown_t *slowdown)
{
	torus_ideal_t *ideal = calloc(1, sizeof(*ideal));

	if (!ideal)
		return NULL;
	ideal->map = map;
	ideal->tori = tori;
	ideal->slowdown = *slowdown;
	ideal->value = calloc((size_t)tori, sizeof(*ideal->value));
	for (int t = 0; ideal->value && t < tori; t++) {
		size_t sizes = (size_t)map[t]->nodes + 1;

		ideal->value[t] = malloc(sizes * sizeof(**ideal->value));
		if (!ideal->value[t])
			goto fail;
		for (size_t i = 0; i < sizes; i++)
			ideal->value[t][i] = -1;
	}
	if (ideal->value)
		return ideal;
fail:
	torus_ideal_destroy(ideal);
	return NULL;
}

void torus_ideal_destroy(torus_ideal_t *ideal)
{
	if (!ideal)
		return;
	for (int t = 0; ideal->value && t < ideal->tori; t++)
		free(ideal->value[t]);
	free(ideal->value);
	free(ideal);
}

/* The smallest number whose power [exponent] is at least [number]. */
static uint32_t root_up(uint32_t number, int exponent)
{
	if (exponent == 1)
		return number;
	for (uint32_t root = 1;; root++) {
		uint64_t power = 1;

		for (int i = 0; i < exponent && power < number; i++)
			power *= root;
		if (power >= number)
			return root;
	}
}

/*
 * The sides of the box most like a cube that has [cells] cells and fits: the shortest
 * dimension of the machine first, each taking its share of what is left.
 */
static void box_sides(const torus_geometry_t *geometry, uint32_t cells,
		      uint32_t side[TORUS_MAX_DIMS])
{
	bool done[TORUS_MAX_DIMS] = {false};

	for (int left = geometry->dims; left; left--) {
		int shortest = -1;

		for (int axis = 0; axis < geometry->dims; axis++) {
			if (!done[axis] &&
			    (shortest < 0 ||
			     geometry->length[axis] < geometry->length[shortest]))
				shortest = axis;
		}
		side[shortest] = root_up(cells, left);
		if (side[shortest] > (uint32_t)geometry->length[shortest])
			side[shortest] = (uint32_t)geometry->length[shortest];
		cells = (cells + side[shortest] - 1) / side[shortest];
		done[shortest] = true;
	}
}

/* The most nodes on one cell; 0: out of memory. */
static uint32_t nodes_per_cell(const torus_map_t *map)
{
	uint32_t *count = calloc(torus_geometry_cells(&map->geometry), sizeof(*count));
	uint32_t most = 0;

	for (uint32_t rank = 0; count && rank < map->nodes; rank++) {
		uint32_t here = ++count[map->cell_of_rank[rank]];

		most = here > most ? here : most;
	}
	free(count);
	return most;
}

/* Fill the box with these sides at the first cell: cells[0 .. nodes-1], x fastest,
 * [depth] nodes on each. */
static void fill_box(const torus_geometry_t *geometry, const uint32_t *side,
		     uint32_t depth, uint32_t nodes, uint32_t *cells)
{
	int32_t coord[TORUS_MAX_DIMS] = {0};

	for (uint32_t i = 0; i < nodes; i++) {
		cells[i] = torus_coord_to_cell(geometry, coord);
		if ((i + 1) % depth)
			continue;
		for (int axis = 0; axis < geometry->dims; axis++) {
			if (++coord[axis] < (int32_t)side[axis])
				break;
			coord[axis] = 0;
		}
	}
}

/* The same on a machine of cubes: whole cubes, the box within one, or that of the grid.
 */
static void fill_cubes(const torus_geometry_t *geometry, uint32_t depth, uint32_t nodes,
		       uint32_t *cells)
{
	const torus_geometry_t one = torus_cubes_one(geometry);
	uint32_t each = torus_geometry_cells(&one), side[TORUS_MAX_DIMS];
	uint32_t routers = (nodes + depth - 1) / depth;

	if (routers % each == 0) {
		for (uint32_t i = 0; i < nodes; i++)
			cells[i] = torus_cube_cell(geometry, i / depth / each,
						   i / depth % each);
		return;
	}
	box_sides(routers < each ? &one : geometry, routers, side);
	fill_box(geometry, side, depth, nodes, cells);
}

int torus_ideal_metrics(const torus_map_t *map, uint32_t nodes, torus_metrics_t *metrics,
			torus_error_t *err)
{
	const torus_geometry_t *geometry = &map->geometry;
	uint32_t depth = nodes_per_cell(map), side[TORUS_MAX_DIMS];
	uint32_t *cells = malloc(nodes * sizeof(*cells));
	int result = -1;

	if (!depth || !cells) {
		torus_fail(err, "out of memory for %u cells", nodes);
		goto done;
	}
	if (torus_has_cubes(geometry)) {
		fill_cubes(geometry, depth, nodes, cells);
	} else {
		box_sides(geometry, (nodes + depth - 1) / depth, side);
		fill_box(geometry, side, depth, nodes, cells);
	}
	result = torus_join_metrics(geometry, cells, NULL, nodes, NULL, map->nodes, false,
				    metrics, err);
	metrics->span_ring = metrics->span_linear = nodes;
	metrics->stretch_span = 1;
done:
	free(cells);
	return result;
}

int torus_ideal_penalty(torus_ideal_t *ideal, int torus, const torus_metrics_t *metrics,
			double *penalty, torus_error_t *err)
{
	double *value = &ideal->value[torus][metrics->nodes];
	int metric = ideal->slowdown.metric;
	torus_metrics_t compact;

	if (*value < 0) {
		if (torus_ideal_metrics(ideal->map[torus], metrics->nodes, &compact,
					err) != 0)
			return -1;
		*value = torus_metric_value(&compact, metric);
	}
	*penalty = 1;
	if (*value > 0) {
		double ratio = torus_metric_value(metrics, metric) / *value;

		if (ratio > 1)
			*penalty = 1 + ideal->slowdown.weight * (ratio - 1);
	}
	return 0;
}
