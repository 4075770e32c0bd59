/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the pictures of machines have in common. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "geometry/chips.h"
#include "storus/cli/planes.h"
#include "storus/cli/draw.h"

char storus_draw_letter(uint32_t occupant)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	switch (occupant) {
	case STORUS_FREE:
		return '.';
	case STORUS_UNUSABLE:
		return 'x';
	case STORUS_OTHER:
		return '+';
	case STORUS_RESERVED:
		return '=';
	case STORUS_SHARED:
		return '*';
	case STORUS_NOTHING:
		return ' ';
	default:
		return letters[occupant % (sizeof(letters) - 1)];
	}
}

int storus_draw_colour(uint32_t mark)
{
	/* Jobs that follow each other in the list are often neighbours on the
	 * machine, so their colours differ clearly. */
	static const uint8_t colours[] = {
		39,  208, 112, 205, 220, 141, 43, 203, 180, 87,	 166, 154,
		171, 71,  218, 69,  228, 137, 50, 177, 108, 216, 75,  190,
	};

	return colours[mark % sizeof(colours)];
}

uint32_t storus_draw_rgb(uint32_t mark)
{
	/* The 6x6x6 cube: index 16 + 36 red + 6 green + blue, each 0-5. */
	static const uint8_t level[6] = {0, 95, 135, 175, 215, 255};
	int index = storus_draw_colour(mark) - 16;

	return (uint32_t)level[index / 36] << 16 | (uint32_t)level[index / 6 % 6] << 8 |
	       level[index % 6];
}

char *storus_draw_summary(const storus_view_t *view, int torus)
{
	const torus_map_t *map = view->cluster->map[torus];
	const storus_grid_t *grid = &view->grid[torus];
	size_t slots = (size_t)torus_geometry_cells(&map->geometry) * grid->depth;
	uint32_t free = 0, unusable = 0, reserved = 0;
	char dims[TORUS_DIMS_TEXT], wrap[TORUS_MAX_DIMS + 1];
	int wraps = 0;
	char chips[sizeof(" of  chips") + TORUS_DIMS_TEXT] = "";
	char also[sizeof(", 4294967295 reserved")] = "";
	char *text;

	for (size_t i = 0; i < slots; i++) {
		free += grid->occupant[i] == STORUS_FREE;
		unusable += grid->occupant[i] == STORUS_UNUSABLE;
		reserved += grid->occupant[i] == STORUS_RESERVED;
	}
	for (int axis = 0; axis < map->geometry.dims; axis++) {
		if (map->geometry.wrap[axis])
			wrap[wraps++] = STORUS_AXIS_LETTERS[axis];
	}
	wrap[wraps] = '\0';
	torus_lengths_format(map->geometry.dims, map->geometry.length, dims);
	if (torus_has_chips(&map->geometry)) {
		char of_node[TORUS_DIMS_TEXT];

		torus_lengths_format(map->geometry.dims, map->geometry.chips, of_node);
		snprintf(chips, sizeof(chips), " of %s chips", of_node);
	}
	if (reserved)
		snprintf(also, sizeof(also), ", %" PRIu32 " reserved", reserved);
	if (asprintf(&text,
		     "%s: %s %s%s%s, %" PRIu32 " nodes%s: %" PRIu32 " in use, %" PRIu32
		     " free%s, %" PRIu32 " unusable",
		     map->name, dims, wraps ? "torus" : "mesh",
		     wraps ? " wrapping in " : "", wrap, map->nodes, chips,
		     map->nodes - free - unusable - reserved, free, also, unusable) < 0)
		return NULL;
	return text;
}
