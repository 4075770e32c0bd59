/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of one torus: see measured.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "capacity/largest_in_cube.h"
#include "capacity/packing.h"
#include "storus/metrics/measured.h"
#include "strategies/wanted_box.h"
#include "torus/cubes.h"
#include "torus/joined.h"

static void count_nodes(const storus_room_t *room, storus_measured_t *measured)
{
	const torus_map_t *map = room->map;

	measured->map = map;
	measured->fragments = torus_fragments(room->free, map->nodes, map->span);
	measured->free = measured->fragments.free;
	measured->reserved = torus_bitmap_count(room->reserved, map->nodes);
	measured->down = room->downs;
	measured->used =
		map->nodes - measured->free - measured->reserved - measured->down;
}

static uint32_t nodes_in(const torus_map_t *map, const torus_largest_t *box)
{
	int32_t corner[TORUS_MAX_DIMS];
	uint32_t count = 0;

	if (!box->volume)
		return 0;
	torus_cell_to_coord(&map->geometry, box->corner, corner);
	for (uint32_t rank = 0; rank < map->nodes; rank++)
		count += torus_box_has(&map->geometry, corner, box->side,
				       map->cell_of_rank[rank]);
	return count;
}

static int find_largest(const storus_room_t *room, storus_measured_t *measured,
			torus_error_t *err)
{
	static const int long_sides[STORUS_BOX_KINDS] = {
		[STORUS_BOX_ANY] = TORUS_MAX_DIMS, /* of a cube 0 */
		[STORUS_BOX_PLANE] = 2,
		[STORUS_BOX_LINE] = 1,
	};
	const torus_geometry_t *geometry = &room->map->geometry;

	for (int kind = 0; kind < STORUS_BOX_KINDS; kind++) {
		int sides = long_sides[kind] < geometry->dims ? long_sides[kind]
							      : geometry->dims;
		torus_largest_t largest;

		if (torus_largest_room(geometry, room->usable, sides, &largest, err) != 0)
			return -1;
		measured->largest_box[kind] = nodes_in(room->map, &largest);
	}
	if (torus_has_cubes(geometry))
		measured->free_cubes = torus_whole_cubes(geometry, room->usable);
	return 0;
}

/* The most nodes on one router. */
static uint32_t nodes_per_router(const torus_map_t *map, uint32_t *count)
{
	uint32_t most = 1;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		uint32_t here = ++count[map->cell_of_rank[rank]];

		most = here > most ? here : most;
	}
	return most;
}

/* The sides of a box with so many routers. False: the machine has none. */
static bool class_sides(const torus_geometry_t *geometry, uint32_t routers,
			int32_t side[TORUS_MAX_DIMS])
{
	torus_geometry_t one, grid;
	uint32_t each, cubes;

	if (!torus_has_cubes(geometry))
		return torus_cube_like(geometry, routers, side);
	one = torus_cubes_one(geometry);
	grid = torus_cubes_grid(geometry);
	each = torus_geometry_cells(&one);
	if (routers <= each)
		return torus_cube_like(&one, routers, side);
	cubes = (routers + each - 1) / each;
	if (cubes > torus_geometry_cells(&grid))
		return false;
	torus_cubes_compact(geometry, cubes, side);
	return true;
}

static int pack_classes(const storus_room_t *room, storus_measured_t *measured,
			torus_error_t *err)
{
	const torus_geometry_t *geometry = &room->map->geometry;
	uint32_t *count = calloc(room->cells, sizeof(*count)), depth;

	if (!count)
		return torus_fail(err, "out of memory");
	depth = nodes_per_router(room->map, count);
	free(count);
	for (uint64_t nodes = 1; nodes <= room->map->nodes; nodes *= 2) {
		storus_size_class_t *class = &measured->size_class[measured->classes];
		torus_shape_t shape = {.dims = geometry->dims};
		torus_packing_t packing;

		if (!class_sides(geometry, (uint32_t)((nodes + depth - 1) / depth),
				 shape.side))
			break;
		if (torus_packing(geometry, room->usable, &shape, 0, &packing, err) != 0)
			return -1;
		class->nodes = nodes;
		class->boxes = packing.least;
		for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
			class->side[axis] = shape.side[axis];
		measured->classes++;
	}
	return 0;
}

/* Add a job's part. */
static int add_part(const storus_part_t *part, storus_alone_t *alone,
		    storus_measured_t *measured, torus_error_t *err)
{
	double hops;

	measured->jobs++;
	measured->jobs_in_pieces += part->metrics.components > 1;
	if (part->nodes < 2)
		return 0;
	if (storus_alone_hops(alone, part->torus, part->nodes, &hops, err) != 0)
		return -1;
	measured->hop_nodes += part->nodes;
	measured->hops += part->nodes * part->metrics.average_distance;
	measured->alone_hops += part->nodes * hops;
	return 0;
}

static int add_jobs(const storus_view_t *view, storus_alone_t *alone, int t,
		    storus_measured_t *measured, torus_error_t *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < view->parts; i++) {
		if (view->part[i].torus == t)
			rc = add_part(&view->part[i], alone, measured, err);
	}
	measured->links = torus_occupancy_load(view->holdings.occupancy[t]);
	return rc;
}

int storus_measure(const storus_view_t *view, const storus_room_t *room,
		   storus_alone_t *alone, int t, storus_measured_t *measured,
		   torus_error_t *err)
{
	*measured = (storus_measured_t){.jobs = 0};
	count_nodes(room, measured);
	if (find_largest(room, measured, err) != 0 ||
	    pack_classes(room, measured, err) != 0)
		return -1;
	return add_jobs(view, alone, t, measured, err);
}
