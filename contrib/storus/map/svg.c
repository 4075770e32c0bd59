/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's nodes on the machine, before and after mapping. The two pictures stand side by
 * side, the planes of each below one another in as many columns as make it about square.
 */
#include "torus_config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "storus/cli/planes.h"
#include "storus/cli/svg.h"
#include "storus/map/svg.h"

/* In pixels. */
enum { MARGIN = 24, HEADING = 56, TITLE = 20, GAP = 14, LEGEND = 46, PICTURE = 620 };

typedef struct layout {
	int32_t columns, rows; /* cells of a plane */
	uint32_t planes, planes_a_row, plane_rows;
	uint32_t depth; /* most nodes of the job on a cell */
	int node;	/* side of a node's square */
	int cell_width, width, height;
} layout_t;

/* The number of a node among those of its cell, and the most on any cell. */
static uint32_t *number_on_cells(const storus_map_job_t *job, uint32_t *depth,
				 torus_error_t *err)
{
	uint32_t *number = malloc(job->nodes * sizeof(*number));
	uint32_t *count = calloc(torus_geometry_cells(&job->geometry), sizeof(*count));

	*depth = 1;
	if (!number || !count) {
		torus_fail(err, "out of memory");
		free(number);
		number = NULL;
	}
	for (uint32_t node = 0; number && node < job->nodes; node++) {
		number[node] = count[job->cell[node]]++;
		if (count[job->cell[node]] > *depth)
			*depth = count[job->cell[node]];
	}
	free(count);
	return number;
}

static layout_t lay_out(const storus_map_job_t *job, uint32_t depth)
{
	const torus_geometry_t *geometry = &job->geometry;
	layout_t layout = {
		.columns = geometry->length[0],
		.rows = geometry->length[1],
		.planes = torus_geometry_cells(geometry) / storus_plane_cells(geometry),
		.depth = depth,
	};
	double shape = (double)layout.columns * depth / layout.rows;

	layout.planes_a_row = (uint32_t)lround(sqrt(layout.planes / shape));
	if (layout.planes_a_row < 1)
		layout.planes_a_row = 1;
	if (layout.planes_a_row > layout.planes)
		layout.planes_a_row = layout.planes;
	layout.plane_rows =
		(layout.planes + layout.planes_a_row - 1) / layout.planes_a_row;
	layout.node =
		(int)(PICTURE / (layout.planes_a_row * (uint32_t)layout.columns * depth));
	if (layout.node > 24)
		layout.node = 24;
	if (layout.node < 2)
		layout.node = 2;
	layout.cell_width = layout.node * (int)depth;
	layout.width =
		(int)layout.planes_a_row * (layout.columns * layout.cell_width + GAP) -
		GAP;
	if (layout.width < 260) /* room for the heading */
		layout.width = 260;
	layout.height =
		(int)layout.plane_rows * (TITLE + layout.rows * layout.node + GAP);
	return layout;
}

/* A colour of 0 .. 1: blue, green, yellow, red, of about the same lightness steps. */
static uint32_t colour_of(double position)
{
	static const uint8_t stops[][3] = {
		{68, 40, 130},	{50, 100, 142}, {38, 150, 135},
		{110, 200, 90}, {245, 220, 60}, {230, 110, 40},
	};
	double scaled = position * 5;
	int stop = scaled >= 5 ? 4 : (int)scaled;
	uint32_t colour = 0;

	for (int i = 0; i < 3; i++) {
		double mixed = stops[stop][i] +
			       (scaled - stop) * (stops[stop + 1][i] - stops[stop][i]);

		colour = colour << 8 | (uint32_t)lround(mixed);
	}
	return colour;
}

static int longest_axis(const torus_task_grid_t *grid)
{
	int longest = 0;

	for (int axis = 1; axis < grid->dims; axis++) {
		if (grid->length[axis] > grid->length[longest])
			longest = axis;
	}
	return longest;
}

/* Mean position, 0 .. 1, of each node's tasks along [axis]; -1: it has none. */
static double *positions(const storus_map_job_t *job, const torus_task_grid_t *grid,
			 int axis, const uint32_t *node_of_task)
{
	double *position = calloc(job->nodes, sizeof(*position));
	int32_t coord[TORUS_MAX_DIMS] = {0};
	int32_t last = grid->length[axis] - 1;

	if (!position)
		return NULL;
	for (uint32_t task = 0; task < job->tasks; task++) {
		position[node_of_task[task]] += coord[axis];
		torus_task_grid_next(grid, coord);
	}
	for (uint32_t node = 0; node < job->nodes; node++)
		position[node] = job->tasks_on_node[node] == 0
					 ? -1
					 : position[node] / job->tasks_on_node[node] /
						   (last ? last : 1);
	return position;
}

static void draw_planes(FILE *file, const storus_map_job_t *job, const layout_t *layout,
			int left, int top)
{
	char title[STORUS_PLANE_TITLE];

	for (uint32_t plane = 0; plane < layout->planes; plane++) {
		int x = left + (int)(plane % layout->planes_a_row) *
				       (layout->columns * layout->cell_width + GAP);
		int y = top + (int)(plane / layout->planes_a_row) *
				      (TITLE + layout->rows * layout->node + GAP);

		storus_plane_title(&job->geometry, plane, title);
		if (title[0])
			storus_svg_text(file, "plane", x, y + TITLE - 5, title);
		storus_svg_frame(file, "frame", x, y + TITLE,
				 layout->columns * layout->cell_width,
				 layout->rows * layout->node);
	}
}

static void draw_node(FILE *file, const storus_map_job_t *job, const layout_t *layout,
		      uint32_t node, uint32_t number, double position, int left, int top)
{
	uint32_t plane_cells = storus_plane_cells(&job->geometry);
	uint32_t plane = job->cell[node] / plane_cells,
		 cell = job->cell[node] % plane_cells;
	int column = (int)(cell % (uint32_t)layout->columns);
	int row = (int)(cell / (uint32_t)layout->columns);
	int x = left +
		(int)(plane % layout->planes_a_row) *
			(layout->columns * layout->cell_width + GAP) +
		column * layout->cell_width + (int)number * layout->node;
	int y = top +
		(int)(plane / layout->planes_a_row) *
			(TITLE + layout->rows * layout->node + GAP) +
		TITLE + row * layout->node;

	storus_svg_rectangle(file, x, y, layout->node, layout->node,
			     position < 0 ? 0xd0d0d0 : colour_of(position));
}

static void draw_legend(FILE *file, int axis, int32_t length, int left, int top)
{
	const int steps = 60, step = 5;
	char text[128];

	for (int i = 0; i < steps; i++)
		fprintf(file,
			"<rect class=\"scale\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"14\" "
			"fill=\"#%06" PRIx32 "\"/>\n",
			left + i * step, top, step, colour_of(i / (steps - 1.0)));
	snprintf(
		text, sizeof(text),
		"mean position of a node's tasks along %c of the task grid, 0 to %" PRId32,
		STORUS_AXIS_LETTERS[axis], length - 1);
	storus_svg_text(file, "plane", left + steps * step + 10, top + 12, text);
}

int storus_map_svg_draw(FILE *file, const storus_map_job_t *job,
			const torus_task_grid_t *grid, const storus_map_picture_t *before,
			const storus_map_picture_t *after, torus_error_t *err)
{
	const storus_map_picture_t *pictures[] = {before, after};
	uint32_t depth, *number = number_on_cells(job, &depth, err);
	layout_t layout = lay_out(job, depth);
	int axis = longest_axis(grid), left = MARGIN;
	int width = 2 * layout.width + 4 * MARGIN, rc = -1;
	int height = HEADING + layout.height + LEGEND;

	if (!number)
		return -1;
	if (width < 700) /* room for the legend */
		width = 700;
	storus_svg_begin(file, "Tasks on the nodes of a job", width, height,
			 ".heading { font-size: 16px }\n"
			 ".plane { font-size: 12px }\n"
			 "rect { stroke: #fff; stroke-width: 0.5 }\n"
			 ".scale { stroke: none }\n"
			 ".frame { fill: #f4f4f4; stroke: #999; stroke-width: 1 }\n");
	for (int i = 0; i < 2; i++, left += layout.width + 2 * MARGIN) {
		double *position = positions(job, grid, axis, pictures[i]->node_of_task);

		if (!position) {
			torus_fail(err, "out of memory");
			goto done;
		}
		storus_svg_text(file, "heading", left, MARGIN + 12, pictures[i]->title);
		draw_planes(file, job, &layout, left, HEADING);
		for (uint32_t node = 0; node < job->nodes; node++)
			draw_node(file, job, &layout, node, number[node], position[node],
				  left, HEADING);
		free(position);
	}
	draw_legend(file, axis, grid->length[axis], MARGIN, HEADING + layout.height + 8);
	storus_svg_end(file);
	rc = 0;
done:
	free(number);
	return rc;
}
