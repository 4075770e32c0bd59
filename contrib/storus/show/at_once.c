/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The box that a job could have at once: see at_once.h. */
#include "torus_config.h"

#include <stdlib.h>

#include "base/bitmap.h"
#include "place/box_sizes.h"
#include "place/box_volumes.h"
#include "storus/capacity/wanted.h"
#include "storus/show/at_once.h"
#include "torus/fit.h"

/* Set in [volumes] how many routers a box of at most [most] nodes may have, and find out
 * how many nodes are on each. */
static int list_volumes(const storus_room_t *room, uint32_t most,
			torus_router_nodes_t *on_router, uint64_t *volumes,
			torus_error_t *err)
{
	const torus_map_t *map = room->map;
	uint32_t *nodes_on = malloc((size_t)room->cells * sizeof(*nodes_on)), routers;

	if (!nodes_on)
		return torus_fail(err, "out of memory");
	*on_router = torus_router_nodes(&map->geometry, map->cell_of_rank, map->nodes,
					nodes_on);
	free(nodes_on);
	if (torus_joined_volumes(&map->geometry, volumes)) {
		*on_router = torus_routers_alike(on_router->most);
		return 0;
	}
	routers = most / on_router->fewest;
	routers = routers < room->cells ? routers : room->cells;
	return routers ? torus_box_volumes(&map->geometry, room->usable, false, 1,
					   routers, volumes, err)
		       : 0;
}

/* Set in [numbers] of how many nodes, 1 to [most], there may be a box. */
static int list_numbers(const storus_room_t *room, uint32_t most, uint64_t *numbers,
			torus_error_t *err)
{
	uint64_t *volumes = torus_bitmap_create(room->cells + 1);
	torus_router_nodes_t on_router = torus_routers_alike(1);

	if (!volumes)
		return torus_fail(err, "out of memory");
	if (list_volumes(room, most, &on_router, volumes, err)) {
		free(volumes);
		return -1;
	}
	for (uint32_t volume = 1;
	     volume <= room->cells && volume <= most / on_router.fewest; volume++) {
		uint32_t number = volume * on_router.fewest;

		if (!torus_bit_test(volumes, volume))
			continue;
		for (; number <= most && number <= volume * on_router.most; number++)
			torus_bit_set(numbers, number);
	}
	free(volumes);
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
