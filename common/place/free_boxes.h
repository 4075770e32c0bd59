/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the strategies for boxes have in common: which box a job wants, and where such a
 * box is free. Private to place/.
 */
#ifndef TORUS_PLACE_FREE_BOXES_H
#define TORUS_PLACE_FREE_BOXES_H

#include "place/strategy.h"

typedef struct torus_free_boxes {
	torus_site_t *site;
	int32_t side[TORUS_MAX_DIMS]; /* of the box wanted, unturned */
	uint32_t nodes;		      /* the first of a box are enough; 0: all of it */
	uint32_t *usable;	      /* [cells] 1 where a box may be, else 0 */
	uint32_t *sums;	 /* [cells] as torus_free_boxes_count() leaves them */
	uint32_t *other; /* [cells] scratch memory */
} torus_free_boxes_t;

/*
 * What is asked for. With a shape: a box of that shape, each cell of which has nodes, all
 * of them free; its sides along x, y and so on as given. Without: the most cube-like box
 * (cube_like.h) of as many full routers as n nodes need, which must be wholly free, and n
 * nodes of it. Returns 1; 0 when the machine has no such box; -1 with [err] filled
 * (memory). To be cleared in each case.
 */
int torus_free_boxes_begin(torus_free_boxes_t *boxes, const torus_ask_t *ask,
			   torus_error_t *err);
void torus_free_boxes_clear(torus_free_boxes_t *boxes);

/*
 * Count the usable cells of the box with sides [side] whose lowest corner is at each
 * cell: into sums[]. Around the end of wrapped dimensions; beyond others there is
 * nothing. A box is free if the count is its volume. O(cells * dims).
 */
void torus_free_boxes_count(torus_free_boxes_t *boxes, const int32_t *side);

/* Whether no side is longer than the machine. */
bool torus_free_boxes_fit(const torus_free_boxes_t *boxes, const int32_t *side);

/* Take the box at [corner], or its first nodes in row-major order from there. */
void torus_free_boxes_take(torus_free_boxes_t *boxes, uint32_t corner,
			   const int32_t *side);

#endif
