/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free boxes of given sides, and the one that fits in best: the one with most of its
 * surface against nodes that it cannot have or against edges of the machine. This is the
 * maximum boundary value heuristic of "Methods for Precise Submesh Allocation"
 * (Morgenstern, 1994), in any number of dimensions and around the ends of wrapped ones.
 * The faces of a box that goes all the way around count as those at an edge. For
 * strategies only.
 */
#ifndef TORUS_PLACE_FREE_BOXES_H
#define TORUS_PLACE_FREE_BOXES_H

#include "place/shape.h"
#include "place/site.h"
#include "place/turns.h"

typedef struct torus_free_boxes {
	torus_site_t *site;
	int32_t side[TORUS_MAX_DIMS]; /* of the box wanted, unturned */
	torus_shape_t shape;	      /* whose rotations will do, if closed only such */
	uint32_t nodes;	  /* how many nodes of a box are taken; 0: all of them */
	uint32_t *usable; /* [cells] 1 where a box may be, else 0 */
	uint32_t *sums;	  /* [cells] as torus_free_boxes_count() leaves them */
	uint32_t *other;  /* [cells] scratch memory */
} torus_free_boxes_t;

/*
 * Begin to look for boxes of [shape], its sides along x, y and so on as given. Each cell
 * of a box must have nodes, all of them free. Returns 1; 0 when the machine has fewer
 * dimensions than the shape; -1 with [err] filled (memory). Must be cleared in every
 * case.
 */
int torus_free_boxes_begin(torus_free_boxes_t *boxes, torus_site_t *site,
			   const torus_shape_t *shape, torus_error_t *err);
/*
 * Begin to look for boxes with sides [side] (1 beyond the machine's dimensions) of full
 * routers all of whose nodes are free. The job takes the first [nodes] nodes of the box.
 * Returns as above, and must be cleared.
 */
int torus_free_boxes_begin_sides(torus_free_boxes_t *boxes, torus_site_t *site,
				 const int32_t *side, uint32_t nodes, torus_error_t *err);
void torus_free_boxes_clear(torus_free_boxes_t *boxes);

/*
 * Fill sums[] with, for each cell, the number of usable cells in the box with sides
 * [side] that has its lowest corner there. Boxes go around the ends of wrapped
 * dimensions; beyond the ends of others no cell is usable. A box is free if the number is
 * its volume. O(cells * dims).
 */
void torus_free_boxes_count(torus_free_boxes_t *boxes, const int32_t *side);

/* The number of cells of a box with sides [side]. */
uint32_t torus_free_boxes_volume(const torus_free_boxes_t *boxes, const int32_t *side);

/* Whether no side is longer than the machine, and the box is closed if it has to be. */
bool torus_free_boxes_fit(const torus_free_boxes_t *boxes, const int32_t *side);

/*
 * Fill turn[] (room for TORUS_MOST_TURNS and one more) with the sides to try, in this
 * order: unturned, then, if [turns], each other rotation that fits, ascending. Of a shape
 * in chips unturned is the rotation whose sides in chips are those of the shape, if there
 * is such a box. Returns their number.
 */
int torus_free_boxes_turns(const torus_free_boxes_t *boxes, bool turns,
			   torus_turn_t *turn);

/* Take the box at [corner], or its first nodes in row-major order from there. */
void torus_free_boxes_take(torus_free_boxes_t *boxes, uint32_t corner,
			   const int32_t *side);

/*
 * Take the free box that fits in best, unturned or, if [turns], in any rotation; ties:
 * unturned, then the first rotation, then the lowest corner. Returns 1; 0 when none is
 * free; -1 with [err] filled (memory). O(cells * dims^2) for each rotation that has a
 * free box. Of these so many are compared as come to TORUS_FREE_BOXES_PASSES passes over
 * the cells, the first ones: all six in three dimensions, three in four and two in more.
 */
#define TORUS_FREE_BOXES_PASSES 108
int torus_free_boxes_take_best(torus_free_boxes_t *boxes, bool turns, torus_error_t *err);

#endif
