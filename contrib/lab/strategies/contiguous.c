/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contiguous: a free box of the shape asked for, or of the most cube-like one for the
 * number of nodes; the job waits when none is free, as does every job of the papers.
 *
 * contiguous:first_fit  the first free box: unturned, row by row; then turned. First fit
 *                       of "Efficient Processor Allocation Strategies for Mesh-Connected
 *                       Parallel Computers" (Zhu, 1992).
 * contiguous:best_fit   the free box that fits in best: place/free_boxes.h. Ties: as
 *                       first_fit.
 * ...:fixed             no turning.
 *
 * Here in any number of dimensions, and around the end of wrapped ones.
 */
#include "strategies/strategies.h"
#include "strategies/wanted_box.h"

#include <string.h>

/* Take the first free box with sides [side]. Returns whether there is one. */
static bool take_first(torus_free_boxes_t *boxes, const int32_t *side)
{
	uint32_t volume;

	if (!torus_free_boxes_fit(boxes, side))
		return false;
	volume = torus_free_boxes_volume(boxes, side);
	torus_free_boxes_count(boxes, side);
	for (uint32_t cell = 0; cell < boxes->site->cells; cell++) {
		if (boxes->sums[cell] != volume)
			continue;
		torus_free_boxes_take(boxes, cell, side);
		return true;
	}
	return false;
}

/* The same, unturned or, if [turns], in any rotation. */
static bool take_first_turned(torus_free_boxes_t *boxes, bool turns)
{
	torus_turn_t turn[TORUS_MOST_TURNS + 1];
	int count = torus_free_boxes_turns(boxes, turns, turn);
	bool placed = false;

	for (int i = 0; i < count && !placed; i++)
		placed = take_first(boxes, turn[i].side);
	return placed;
}

int torus_contiguous(const torus_ask_t *ask, int64_t *score, torus_error_t *err)
{
	bool turns = ask->variant & TORUS_BOX_TURNS;
	torus_free_boxes_t boxes;
	int placed = torus_wanted_box_begin(&boxes, ask, err);

	(void)score;
	if (placed > 0 && ask->variant & TORUS_BOX_BEST)
		placed = torus_free_boxes_take_best(&boxes, turns, err);
	else if (placed > 0)
		placed = take_first_turned(&boxes, turns);
	torus_free_boxes_clear(&boxes);
	return placed;
}
