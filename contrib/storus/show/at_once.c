/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The box that a job could have at once: see at_once.h. */
#include "torus_config.h"

#include <stdlib.h>

#include "base/bitmap.h"
#include "place/box_sizes.h"
#include "place/box_volumes.h"
#include "storus/capacity/wanted.h"
#include "storus/show/at_once.h"
#include "torus/cubes.h"

/* Set in [numbers] of how many nodes, 1 to [most], there may be a box of cubes that are
 * joined: within one, or of all the nodes of some. Only routers with [per_router] nodes
 * count (torus/choose.h). */
static void list_of_cubes(const torus_geometry_t *geometry, uint32_t per_router,
			  uint32_t most, uint64_t *numbers)
{
	const torus_geometry_t cube = torus_cubes_one(geometry);
	uint32_t whole = per_router * torus_geometry_cells(&cube);

	for (uint32_t number = per_router; number <= most; number += per_router) {
		if (number < whole || number % whole == 0)
			torus_bit_set(numbers, number);
	}
}

/* The same of boxes of routers that are free. */
static int list_of_boxes(const storus_room_t *room, torus_router_nodes_t on_router,
			 uint32_t most, uint64_t *numbers, torus_error_t *err)
{
	uint32_t routers = most / on_router.fewest;
	uint64_t *volumes = torus_bitmap_create(room->cells + 1);
	int rc = volumes ? 0 : torus_fail(err, "out of memory");

	routers = routers < room->cells ? routers : room->cells;
	if (rc == 0 && routers)
		rc = torus_box_volumes(&room->map->geometry, room->usable, false, 1,
				       routers, volumes, err);
	for (uint32_t volume = 1; rc == 0 && volume <= routers; volume++) {
		uint32_t number = volume * on_router.fewest;

		if (!torus_bit_test(volumes, volume))
			continue;
		for (; number <= most && number <= volume * on_router.most; number++)
			torus_bit_set(numbers, number);
	}
	free(volumes);
	return rc;
}

static int list_numbers(const storus_room_t *room, uint32_t most, uint64_t *numbers,
			torus_error_t *err)
{
	const torus_map_t *map = room->map;
	uint32_t *nodes_on = malloc((size_t)room->cells * sizeof(*nodes_on));
	torus_router_nodes_t on_router;

	if (!nodes_on)
		return torus_fail(err, "out of memory");
	on_router = torus_router_nodes(&map->geometry, map->cell_of_rank, map->nodes,
				       nodes_on);
	free(nodes_on);
	if (!torus_has_cubes(&map->geometry))
		return list_of_boxes(room, on_router, most, numbers, err);
	list_of_cubes(&map->geometry, on_router.most, most, numbers);
	return 0;
}

/* Whether there is a free box of so many nodes, then *best; -1 with [err] filled. */
static int try_box(const storus_room_t *room, uint32_t nodes, storus_at_once_t *best,
		   torus_error_t *err)
{
	const torus_shapes_t any = {.any = true};
	const storus_wanted_t wanted = {.nodes = nodes, .shapes = &any};
	storus_granted_t granted;
	int found = storus_wanted_now(room, &wanted, &granted, err);

	if (found > 0 &&
	    storus_ranks_sides(room->map, granted.ranks, best->sides, err) != 0)
		found = -1;
	if (found > 0)
		best->nodes = granted.nodes;
	storus_granted_clear(&granted);
	return found;
}

int storus_at_once(const storus_room_t *room, uint32_t most, storus_at_once_t *best,
		   torus_error_t *err)
{
	uint32_t free_nodes = torus_bitmap_count(room->free, room->map->nodes);
	uint64_t *numbers;
	int found;

	most = most < free_nodes ? most : free_nodes;
	numbers = torus_bitmap_create(most + 1);
	found = numbers ? list_numbers(room, most, numbers, err)
			: torus_fail(err, "out of memory");
	for (uint32_t nodes = most; found == 0 && nodes > best->nodes; nodes--) {
		if (torus_bit_test(numbers, nodes))
			found = try_box(room, nodes, best, err);
	}
	free(numbers);
	return found < 0 ? -1 : 0;
}
