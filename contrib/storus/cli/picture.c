/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as an SVG picture. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "storus/cli/planes.h"
#include "storus/cli/svg.h"
#include "storus/cli/draw.h"
#include "storus/cli/picture.h"

/* All lengths are in pixels. */
enum {
	MARGIN = 24,
	HEADING = 46,	   /* height of a torus's heading */
	TITLE = 18,	   /* of a plane's title, above it */
	GAP = 20,	   /* between planes */
	LINE = 22,	   /* height of a line of the legend */
	ENTRY = 380,	   /* width of an entry of the legend */
	PAGE = 1180,	   /* width, and if possible height, that planes fill */
	NODE_LARGEST = 18, /* side of a node's square */
	NODE_SMALLEST = 4,
	NODE_LETTERED = 9, /* from here on a letter fits */
};

/* Where the parts of one torus's picture go. */
typedef struct layout {
	int node; /* side of a node's square */
	int plane_width, plane_height;
	uint32_t planes, planes_a_row, plane_rows;
	int planes_height; /* of all rows, with titles and gaps */
	int entries_a_row; /* of the legend */
	int entry_rows;
	int width, height; /* of all, without the page's margins */
} layout_t;

/* What the legend explains besides jobs. */
static const struct {
	uint32_t occupant;
	const char *text;
} other_entries[] = {
	{STORUS_FREE, "free"},
	{STORUS_RESERVED, "reserved"},
	{STORUS_UNUSABLE, "down or drained"},
	{STORUS_OTHER, "other jobs"},
	{STORUS_SHARED, "several jobs"},
};
enum { OTHER_ENTRIES = sizeof(other_entries) / sizeof(other_entries[0]) };

static bool has_occupant(const torus_map_t *map, const storus_grid_t *grid,
			 uint32_t occupant)
{
	size_t slots = (size_t)torus_geometry_cells(&map->geometry) * grid->depth;

	for (size_t i = 0; i < slots; i++) {
		if (grid->occupant[i] == occupant)
			return true;
	}
	return false;
}

static int count_entries(const storus_view_t *view, int torus)
{
	int entries = 0;

	for (uint32_t i = 0; i < view->parts; i++)
		entries += view->part[i].torus == torus;
	for (int i = 0; i < OTHER_ENTRIES; i++)
		entries += has_occupant(view->cluster->map[torus], &view->grid[torus],
					other_entries[i].occupant);
	return entries;
}

/* Arrange the planes with nodes of [side]. */
static void arrange_planes(const torus_geometry_t *geometry, uint32_t depth, int side,
			   layout_t *layout)
{
	layout->node = side;
	layout->plane_width = geometry->length[0] * (int)depth * side;
	layout->plane_height = geometry->length[1] * side;
	layout->planes = torus_geometry_cells(geometry) / storus_plane_cells(geometry);
	layout->planes_a_row = (uint32_t)((PAGE + GAP) / (layout->plane_width + GAP));
	if (layout->planes_a_row == 0)
		layout->planes_a_row = 1;
	if (layout->planes_a_row > layout->planes)
		layout->planes_a_row = layout->planes;
	layout->plane_rows =
		(layout->planes + layout->planes_a_row - 1) / layout->planes_a_row;
	layout->planes_height =
		(int)layout->plane_rows * (TITLE + layout->plane_height + GAP);
}

static layout_t lay_out(const storus_view_t *view, int torus)
{
	const torus_geometry_t *geometry = &view->cluster->map[torus]->geometry;
	uint32_t depth = view->grid[torus].depth;
	int side = NODE_LARGEST;
	layout_t layout;

	/* Nodes are as large as fits on a page. For a machine of many planes the page
	 * grows, so that letters still fit into the nodes and every plane can be
	 * seen. */
	do {
		arrange_planes(geometry, depth, side, &layout);
	} while (--side >= NODE_SMALLEST &&
		 (layout.plane_width > PAGE || layout.plane_height > PAGE ||
		  (layout.planes_height > PAGE && side >= NODE_LETTERED)));
	layout.width = (int)layout.planes_a_row * (layout.plane_width + GAP) - GAP;
	/* Small machines get room for the heading and two columns of the legend. */
	if (layout.width < 2 * ENTRY)
		layout.width = 2 * ENTRY;
	layout.entries_a_row = layout.width / ENTRY;
	layout.entry_rows = (count_entries(view, torus) + layout.entries_a_row - 1) /
			    layout.entries_a_row;
	layout.height = HEADING + layout.planes_height + layout.entry_rows * LINE;
	return layout;
}

static uint32_t fill_of(uint32_t occupant)
{
	switch (occupant) {
	case STORUS_FREE:
		return 0xfafafa;
	case STORUS_UNUSABLE:
		return 0xb0b0b0;
	case STORUS_OTHER:
		return 0xdcdcdc;
	case STORUS_RESERVED:
		return 0xd6e4f0;
	case STORUS_SHARED:
		return 0xfff0a0;
	default:
		return storus_draw_rgb(occupant);
	}
}

/* The square of a node, its corner at (x, y). */
static void write_node(FILE *file, uint32_t occupant, int x, int y, int side)
{
	storus_svg_rectangle(file, x, y, side, side, fill_of(occupant));
	if (side >= NODE_LETTERED && occupant != STORUS_FREE)
		fprintf(file,
			"<text class=\"node\" x=\"%d\" y=\"%d\" font-size=\"%d\">%c</text>\n",
			x + side / 2, y + side * 3 / 4, side * 11 / 16,
			storus_draw_letter(occupant));
}

static void write_plane(FILE *file, const torus_map_t *map, const storus_grid_t *grid,
			const layout_t *layout, uint32_t plane, int left, int top)
{
	char title[STORUS_PLANE_TITLE];
	uint32_t first = plane * storus_plane_cells(&map->geometry);
	uint32_t columns = (uint32_t)map->geometry.length[0];

	storus_plane_title(&map->geometry, plane, title);
	if (title[0])
		storus_svg_text(file, "plane", left, top - 5, title);
	for (int32_t y = 0; y < map->geometry.length[1]; y++) {
		for (uint32_t x = 0; x < columns; x++) {
			uint32_t cell = first + (uint32_t)y * columns + x;

			for (uint32_t i = 0; i < grid->depth; i++) {
				uint32_t occupant =
					grid->occupant[(size_t)cell * grid->depth + i];

				if (occupant == STORUS_NOTHING)
					continue;
				write_node(file, occupant,
					   left + (int)(x * grid->depth + i) *
							   layout->node,
					   top + y * layout->node, layout->node);
			}
		}
	}
	/* Where a cell has several nodes, a border separates the cells. */
	for (uint32_t x = 0; grid->depth > 1 && x <= columns; x++) {
		int line = left + (int)(x * grid->depth) * layout->node;

		fprintf(file, "<path class=\"cell\" d=\"M%d %dv%d\"/>\n", line, top,
			layout->plane_height);
	}
	storus_svg_frame(file, "frame", left, top, layout->plane_width,
			 layout->plane_height);
}

/* Write entry [number] of the legend that begins at [top]. */
static void write_entry(FILE *file, const layout_t *layout, int number, int top,
			uint32_t occupant, const char *text)
{
	int x = MARGIN + number % layout->entries_a_row * ENTRY;
	int y = top + number / layout->entries_a_row * LINE;

	write_node(file, occupant, x, y, 16);
	storus_svg_text(file, "entry", x + 24, y + 13, text);
}

static int write_legend(FILE *file, const storus_view_t *view, int torus,
			const layout_t *layout, int top, torus_error_t *err)
{
	int number = 0;

	for (uint32_t i = 0; i < view->parts; i++) {
		const storus_part_t *part = &view->part[i];
		const storus_job_t *job = &view->jobs->job[part->job];
		bool ring = view->cluster->map[torus]->span == TORUS_SPAN_RING;
		char *text;

		if (part->torus != torus)
			continue;
		if (asprintf(&text,
			     "%s%s%s: %" PRIu32 " nodes, span %" PRIu32
			     ", average distance %.2f",
			     job->id, job->name ? " " : "", job->name ? job->name : "",
			     part->nodes,
			     ring ? part->metrics.span_ring : part->metrics.span_linear,
			     part->metrics.average_distance) < 0)
			return torus_fail(err, "out of memory");
		write_entry(file, layout, number++, top, part->mark, text);
		free(text);
	}
	for (int i = 0; i < OTHER_ENTRIES; i++) {
		if (has_occupant(view->cluster->map[torus], &view->grid[torus],
				 other_entries[i].occupant))
			write_entry(file, layout, number++, top,
				    other_entries[i].occupant, other_entries[i].text);
	}
	return 0;
}

static int write_torus(FILE *file, const storus_view_t *view, int torus,
		       const layout_t *layout, int top, torus_error_t *err)
{
	char *summary = storus_draw_summary(view, torus);

	if (!summary)
		return torus_fail(err, "out of memory");
	storus_svg_text(file, "heading", MARGIN, top + 16, summary);
	free(summary);
	storus_svg_text(file, "plane", MARGIN, top + 34,
			"x goes to the right, y downwards");
	top += HEADING + TITLE;
	for (uint32_t plane = 0; plane < layout->planes; plane++) {
		int column = (int)(plane % layout->planes_a_row);
		int row = (int)(plane / layout->planes_a_row);

		write_plane(file, view->cluster->map[torus], &view->grid[torus], layout,
			    plane, MARGIN + column * (layout->plane_width + GAP),
			    top + row * (TITLE + layout->plane_height + GAP));
	}
	top += layout->planes_height - TITLE;
	return write_legend(file, view, torus, layout, top, err);
}

int storus_picture_draw(FILE *file, const storus_view_t *view, torus_error_t *err)
{
	int width = 0, height = 0, top = MARGIN;

	for (int torus = 0; torus < view->cluster->maps; torus++) {
		layout_t layout = lay_out(view, torus);

		width = layout.width > width ? layout.width : width;
		height += layout.height + MARGIN;
	}
	width += 2 * MARGIN;
	height += MARGIN;
	storus_svg_begin(file, "Running jobs on the machine", width, height,
			 ".heading { font-size: 15px }\n"
			 ".plane { font-size: 13px }\n"
			 ".entry { font-size: 13px }\n"
			 ".node { text-anchor: middle }\n"
			 "rect { stroke: #c8c8c8; stroke-width: 0.5 }\n"
			 ".frame { fill: none; stroke: #777; stroke-width: 1 }\n"
			 ".cell { stroke: #777; stroke-width: 1 }\n");
	for (int torus = 0; torus < view->cluster->maps; torus++) {
		layout_t layout = lay_out(view, torus);

		if (write_torus(file, view, torus, &layout, top, err) != 0)
			return -1;
		top += layout.height + MARGIN;
	}
	storus_svg_end(file);
	return 0;
}
