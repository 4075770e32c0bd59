/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contiguous: a free box of the shape asked for, or of the most cube-like one for the
 * number of nodes; the job waits when none is free, as does every job of the paper.
 *
 * contiguous:first_fit  the first free box: unturned, row by row; then turned. First fit
 *                       of "Efficient Processor Allocation Strategies for Mesh-Connected
 *                       Parallel Computers" (Zhu, 1992).
 * contiguous:best_fit   the box most of whose surface is against nodes that it cannot
 *                       have or edges of the machine: the heuristic of the maximum
 *                       boundary value in "Methods for Precise Submesh Allocation"
 *                       (Morgenstern, 1994). Ties: as first_fit.
 * ...:fixed             no turning.
 *
 * Here in any number of dimensions, and around the end of wrapped ones. The faces of a
 * box that goes all the way round count like those at an edge.
 */
#include "place/free_boxes.h"
#include "place/private.h"

#include <stdlib.h>
#include <string.h>

#include "place/windows.h"

typedef struct best_box {
	bool found;
	uint32_t corner;
	int32_t side[TORUS_MAX_DIMS];
	uint32_t open; /* faces of its cells that are against usable ones */
} best_box_t;

/*
 * Count the faces that the box at each cell has in common with usable cells: into
 * [open]. A slab one cell thick slides along each axis in turn; the box touches the one
 * before it and the one behind.
 */
static void count_open(torus_free_boxes_t *boxes, const int32_t *side, uint32_t *open)
{
	const torus_geometry_t *geometry = &boxes->site->geometry;

	memset(open, 0, boxes->site->cells * sizeof(*open));
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t slab[TORUS_MAX_DIMS];

		if (side[axis] == geometry->length[axis])
			continue;
		memcpy(slab, side, sizeof(slab));
		slab[axis] = 1;
		torus_free_boxes_count(boxes, slab);
		torus_add_shifted(geometry, axis, 1, true, false, boxes->sums, open);
		torus_add_shifted(geometry, axis, (uint32_t)side[axis], false, false,
				  boxes->sums, open);
	}
}

/* The best of the free boxes with sides [side], if better than the best so far. */
static void try_turn(torus_free_boxes_t *boxes, const int32_t *side, uint32_t *open,
		     best_box_t *best)
{
	uint32_t cells = boxes->site->cells, volume = 1;

	if (!torus_free_boxes_fit(boxes, side))
		return;
	for (int axis = 0; axis < boxes->site->geometry.dims; axis++)
		volume *= (uint32_t)side[axis];
	if (open)
		count_open(boxes, side, open);
	torus_free_boxes_count(boxes, side);
	for (uint32_t cell = 0; cell < cells; cell++) {
		if (boxes->sums[cell] != volume ||
		    (best->found && (!open || open[cell] >= best->open)))
			continue;
		best->found = true;
		best->corner = cell;
		best->open = open ? open[cell] : 0;
		memcpy(best->side, side, sizeof(best->side));
		if (!open)
			return;
	}
}

int torus_contiguous(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	bool best_fit = ask->variant & TORUS_BOX_BEST, turns;
	int dims = ask->site->geometry.dims;
	int32_t side[TORUS_MAX_DIMS];
	uint32_t *open = NULL;
	best_box_t best = {.found = false};
	torus_free_boxes_t boxes;
	int placed = torus_free_boxes_begin(&boxes, ask, err);

	(void)score;
	if (placed <= 0)
		goto out;
	if (best_fit) {
		open = malloc(ask->site->cells * sizeof(*open));
		if (!open) {
			placed = torus_fail(err, "out of memory for the faces of boxes");
			goto out;
		}
	}
	try_turn(&boxes, boxes.side, open, &best);
	memcpy(side, boxes.side, sizeof(side));
	torus_first_rotation(dims, side);
	turns = ask->variant & TORUS_BOX_TURNS;
	while (turns && (best_fit || !best.found)) {
		if (memcmp(side, boxes.side, sizeof(side)) != 0)
			try_turn(&boxes, side, open, &best);
		turns = torus_next_rotation(dims, side);
	}
	placed = best.found;
	if (best.found)
		torus_free_boxes_take(&boxes, best.corner, best.side);
out:
	free(open);
	torus_free_boxes_clear(&boxes);
	return placed;
}
