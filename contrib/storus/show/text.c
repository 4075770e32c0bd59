/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as slices of letters, for terminals and files. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/planes.h"
#include "storus/cli/draw.h"
#include "storus/show/text.h"

#define PLANE_GAP 3

void storus_text_letter(FILE *file, uint32_t occupant, bool colour)
{
	char letter = storus_draw_letter(occupant);

	if (colour && storus_draw_is_job(occupant))
		fprintf(file, "\033[30;48;5;%dm%c\033[0m", storus_draw_colour(occupant),
			letter);
	else
		fputc(letter, file);
}

/*
 * Columns that a plane takes. The nodes of a cell stand side by side; a blank separates
 * cells of several nodes.
 */
static int plane_columns(const torus_map_t *map, const storus_grid_t *grid)
{
	int cell = grid->depth == 1 ? 1 : (int)grid->depth + 1;
	char title[STORUS_PLANE_TITLE];
	uint32_t planes =
		torus_geometry_cells(&map->geometry) / storus_plane_cells(&map->geometry);
	int columns = map->geometry.length[0] * cell - (grid->depth > 1);
	/* The last plane has the longest title. */
	int title_columns =
		(int)strlen(storus_plane_title(&map->geometry, planes - 1, title));

	return columns > title_columns ? columns : title_columns;
}

/* Row y of a plane, filled up to [columns] unless it is the [last] on the line. */
static void draw_row(FILE *file, const torus_map_t *map, const storus_grid_t *grid,
		     uint32_t first_cell, int columns, bool last, bool colour)
{
	int used = 0;

	for (int32_t x = 0; x < map->geometry.length[0]; x++) {
		const uint32_t *cell =
			&grid->occupant[(size_t)(first_cell + (uint32_t)x) * grid->depth];

		if (grid->depth > 1 && x > 0) {
			fputc(' ', file);
			used++;
		}
		for (uint32_t i = 0; i < grid->depth; i++)
			storus_text_letter(file, cell[i], colour);
		used += (int)grid->depth;
	}
	if (!last)
		fprintf(file, "%*s", columns + PLANE_GAP - used, "");
}

/* Planes first .. first+count-1 side by side. */
static void draw_planes(FILE *file, const torus_map_t *map, const storus_grid_t *grid,
			uint32_t first, uint32_t count, int columns, bool colour)
{
	uint32_t plane_cells = storus_plane_cells(&map->geometry);
	char title[STORUS_PLANE_TITLE];

	if (map->geometry.dims > 2) {
		for (uint32_t plane = first; plane < first + count; plane++) {
			bool last = plane == first + count - 1;

			fprintf(file, "%-*s", last ? 0 : columns + PLANE_GAP,
				storus_plane_title(&map->geometry, plane, title));
		}
		fputc('\n', file);
	}
	for (int32_t y = 0; y < map->geometry.length[1]; y++) {
		for (uint32_t plane = first; plane < first + count; plane++) {
			uint32_t cell = plane * plane_cells +
					(uint32_t)y * (uint32_t)map->geometry.length[0];

			draw_row(file, map, grid, cell, columns,
				 plane == first + count - 1, colour);
		}
		fputc('\n', file);
	}
}

int storus_text_draw(FILE *file, const storus_view_t *view, int width, bool colour,
		     torus_error_t *err)
{
	for (int torus = 0; torus < view->cluster->maps; torus++) {
		const torus_map_t *map = view->cluster->map[torus];
		const storus_grid_t *grid = &view->grid[torus];
		uint32_t planes = torus_geometry_cells(&map->geometry) /
				  storus_plane_cells(&map->geometry);
		int columns = plane_columns(map, grid);
		uint32_t together = 1;
		char *summary = storus_draw_summary(view, torus);

		if (!summary)
			return torus_fail(err, "out of memory");
		fprintf(file, "%s%s\n", torus ? "\n" : "", summary);
		free(summary);
		if (width >= 2 * columns + PLANE_GAP)
			together =
				(uint32_t)((width + PLANE_GAP) / (columns + PLANE_GAP));
		for (uint32_t plane = 0; plane < planes; plane += together) {
			uint32_t left = planes - plane;

			if (plane > 0)
				fputc('\n', file);
			draw_planes(file, map, grid, plane,
				    left < together ? left : together, columns, colour);
		}
	}
	return 0;
}
