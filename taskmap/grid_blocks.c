/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of a grid's tasks, and who of them talks to whom: see taskmap/grid_blocks.h. */
#include "taskmap/grid_blocks.h"

#include <stdlib.h>
#include <string.h>

/* Grids of more dimensions have too many corners. */
#define MOST_CORNERED 4

typedef struct dealing {
	torus_task_grid_t grid;
	torus_offsets_t offsets;
	bool in_turns;
	uint32_t blocks;
	uint32_t share, more; /* tasks of a block; so many blocks have one more */
	/* [blocks] the edge from the present block to this one, if it is one of those
	 * from [first_edge] on. */
	uint64_t *edge_to;
	uint64_t first_edge, edges, room;
	uint32_t *from, *to; /* [edges] */
	double *weight;	     /* [edges] */
} dealing_t;

static int grow(dealing_t *d, torus_error_t *err)
{
	uint64_t room = 2 * d->room + 8 * (uint64_t)d->blocks;
	uint32_t *from = realloc(d->from, room * sizeof(*from)), *to;
	double *weight;

	if (from)
		d->from = from;
	to = realloc(d->to, room * sizeof(*to));
	if (to)
		d->to = to;
	weight = realloc(d->weight, room * sizeof(*weight));
	if (weight)
		d->weight = weight;
	if (!from || !to || !weight)
		return torus_fail(err, "out of memory for a graph of %u blocks",
				  d->blocks);
	d->room = room;
	return 0;
}

static uint32_t block_of(const dealing_t *d, uint32_t task)
{
	uint32_t larger = d->more * (d->share + 1); /* tasks of blocks with one more */

	if (d->in_turns)
		return task % d->blocks;
	return task < larger ? task / (d->share + 1)
			     : d->more + (task - larger) / d->share;
}

/* The first task of [block], dealt out in blocks. */
static uint32_t first_of(const dealing_t *d, uint32_t block)
{
	return block * d->share + (block < d->more ? block : d->more);
}

static int add_edge(dealing_t *d, uint32_t block, uint32_t other, double weight,
		    torus_error_t *err)
{
	uint64_t edge = d->edge_to[other];

	if (edge < d->first_edge || edge >= d->edges || d->to[edge] != other) {
		if (d->edges == d->room && grow(d, err))
			return -1;
		edge = d->edge_to[other] = d->edges++;
		d->from[edge] = block;
		d->to[edge] = other;
		d->weight[edge] = 0;
	}
	d->weight[edge] += weight;
	return 0;
}

/* Add edges from [block] to the tasks [first] to [last], each of [weight]. */
static int add_edges(dealing_t *d, uint32_t block, uint32_t first, uint32_t last,
		     double weight, torus_error_t *err)
{
	while (first <= last) {
		uint32_t other = block_of(d, first);
		uint32_t end = d->in_turns ? first : first_of(d, other + 1) - 1;

		if (end > last)
			end = last;
		if (other != block &&
		    add_edge(d, block, other, weight * (end - first + 1), err))
			return -1;
		first = end + 1;
	}
	return 0;
}

/* Whether closing the axis to a ring adds neighbours. */
static bool closes(const dealing_t *d, int axis)
{
	return d->grid.periodic[axis] && d->grid.length[axis] > 2;
}

/* The row of tasks a step away from that at [coord] along all axes but the first: its
 * first task; false if there is none. */
static bool step_row(const dealing_t *d, const int32_t *coord, const int8_t *step,
		     uint32_t *row)
{
	*row = 0;
	for (int axis = d->grid.dims - 1; axis > 0; axis--) {
		int32_t length = d->grid.length[axis], at = coord[axis] + step[axis];

		if (at < 0 || at >= length) {
			if (!closes(d, axis))
				return false;
			at += at < 0 ? length : -length;
		}
		*row = *row * (uint32_t)length + (uint32_t)at;
	}
	*row *= (uint32_t)d->grid.length[0];
	return true;
}

/* Add the edges from the [count] tasks of a run that begins with [task], in [block]. */
static int add_run(dealing_t *d, uint32_t block, uint32_t task, uint32_t count,
		   double weight, torus_error_t *err)
{
	int32_t coord[TORUS_MAX_DIMS], length = d->grid.length[0];
	uint32_t rest = task, row;

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		coord[axis] = (int32_t)(rest % (uint32_t)d->grid.length[axis]);
		rest /= (uint32_t)d->grid.length[axis];
	}
	for (int i = 0; i < d->offsets.forward; i++) {
		const int8_t *step = d->offsets.step[i];
		int32_t first = coord[0] + step[0], last = first + (int32_t)count - 1;

		if (!step_row(d, coord, step, &row))
			continue;
		if (closes(d, 0) && first < 0 &&
		    add_edges(d, block, row + (uint32_t)length - 1,
			      row + (uint32_t)length - 1, weight, err))
			return -1;
		if (closes(d, 0) && last >= length &&
		    add_edges(d, block, row, row, weight, err))
			return -1;
		first = first < 0 ? 0 : first;
		last = last < length ? last : length - 1;
		if (first <= last && add_edges(d, block, row + (uint32_t)first,
					       row + (uint32_t)last, weight, err))
			return -1;
	}
	return 0;
}

/* Add the edges that begin in [block]. */
static int add_block(dealing_t *d, uint32_t block, torus_error_t *err)
{
	uint32_t tasks = d->share + (block < d->more), forward, runs, looked;
	uint32_t first = d->in_turns ? block : first_of(d, block), row = first;
	uint32_t length = d->in_turns ? 1 : (uint32_t)d->grid.length[0];

	row -= row % length;
	runs = d->in_turns ? tasks : (first + tasks - 1 - row) / length + 1;
	forward = d->offsets.forward ? (uint32_t)d->offsets.forward : 1;
	looked = TORUS_GRID_BLOCKS_LOOKS / forward;
	if (looked > runs)
		looked = runs;
	d->first_edge = d->edges;
	for (uint32_t i = 0; i < looked; i++) {
		uint32_t run = (uint32_t)((uint64_t)i * runs / looked);
		uint32_t begin = row + run * (d->in_turns ? d->blocks : length);
		uint32_t end = begin + length;

		if (!d->in_turns && begin < first)
			begin = first;
		if (!d->in_turns && end > first + tasks)
			end = first + tasks;
		if (add_run(d, block, begin, end - begin, (double)runs / looked, err))
			return -1;
	}
	return 0;
}

/* The grid without axes of length 1, but for the first, where another one is longer. */
static torus_task_grid_t without_thin(const torus_task_grid_t *grid)
{
	torus_task_grid_t kept = {.dims = 0, .stencil = grid->stencil};

	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		kept.length[axis] = 1;
		if (axis >= grid->dims || grid->length[axis] == 1)
			continue;
		kept.periodic[kept.dims] = grid->periodic[axis];
		kept.length[kept.dims++] = grid->length[axis];
	}
	if (kept.dims > MOST_CORNERED)
		kept.stencil = TORUS_STENCIL_FACES;
	if (!kept.dims)
		kept.dims = 1;
	return kept;
}

torus_task_graph_t *torus_task_grid_blocks(const torus_task_grid_t *grid, bool in_turns,
					   uint32_t blocks, torus_error_t *err)
{
	uint32_t tasks = torus_task_grid_tasks(grid);
	dealing_t d = {
		.grid = without_thin(grid),
		.in_turns = in_turns,
		.blocks = blocks,
		.share = tasks / blocks,
		.more = tasks % blocks,
	};
	torus_task_graph_t *graph = NULL;
	uint32_t block = 0;

	torus_task_grid_offsets(&d.grid, &d.offsets);
	d.edge_to = calloc(blocks, sizeof(*d.edge_to));
	if (!d.edge_to)
		torus_fail(err, "out of memory for a graph of %u blocks", blocks);
	else if (!grow(&d, err)) {
		while (block < blocks && !add_block(&d, block, err))
			block++;
		if (block == blocks)
			graph = torus_task_graph_create(blocks, d.from, d.to, d.weight,
							d.edges, err);
	}
	free(d.edge_to);
	free(d.from);
	free(d.to);
	free(d.weight);
	return graph;
}
