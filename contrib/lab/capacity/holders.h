/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in the way of a box: the jobs (or whatever else, here holders) that hold
 * its cells, fewest of them, and the time at which none is left.
 */
#ifndef TORUS_CAPACITY_HOLDERS_H
#define TORUS_CAPACITY_HOLDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "capacity/closures.h"
#include "geometry/geometry.h"
#include "place/shape.h"

/* The end of a holder that will not end, or when is not known. */
#define TORUS_NEVER INT64_MAX

/*
 * Who holds the cells, by the cell. Those in [never] are in no box at all (no node there,
 * or one that is down).
 */
typedef struct torus_holders {
	uint32_t holders;
	const bool *dear;	/* [holders] whether it is better to take another; NULL:
				 * all the same */
	const int64_t *end;	/* [holders] in seconds; NULL: all TORUS_NEVER */
	const uint32_t *first;	/* [cells + 1] a cell's holders are holder[first[cell]]
				 * up to before first[cell + 1] */
	const uint32_t *holder; /* a cell may have one more than once */
	const uint64_t *never;	/* bitmap of all cells */
	/* For torus_first_time() and torus_usable_at(): */
	int64_t now;	 /* what time it is; matters to the closures only */
	int64_t seconds; /* for which a box is to be free, >= 1 */
	uint32_t closures;
	const torus_closure_t *closure; /* [closures] borrowed */
} torus_holders_t;

/* The box with fewest holders. */
typedef struct torus_in_the_way {
	uint32_t dear;	/* holders that are */
	uint32_t other; /* and that are not */
	/* Not of whole cubes: */
	int32_t side[TORUS_MAX_DIMS];
	uint32_t corner;
} torus_in_the_way_t;

/*
 * Find the box of [shape], in any rotation, around the ends of wrapped dimensions, with
 * the fewest distinct holders: the fewest dear ones, then the fewest others, then the
 * smallest summed distance, the first sides, the lowest corner. [cells], a bitmap of all
 * cells unless it is NULL, receives those of the box. Returns 1; 0 when each box has a
 * cell in [never], or none fits the machine; -1 with [err] filled (memory). Boxes slide
 * along the axis of their longest side, a: O(cells * volume / a) steps for each rotation.
 *
 * On a machine of cubes boxes are those within one cube; of a shape of whole cubes it is
 * the cubes, with the fewest dear holders, then others, of all of them together. That is
 * exact unless more than 12 holders have cells in several cubes of those that such
 * holders connect, as a few jobs of whole cubes do not.
 */
int torus_fewest_holders(const torus_geometry_t *geometry, const torus_holders_t *holders,
			 const torus_shape_t *shape, torus_in_the_way_t *box,
			 uint64_t *cells, torus_error_t *err);

/*
 * The first time, not before now, at which a box of [shape] (on a machine of cubes: one
 * within a cube, or enough whole cubes) is free and stays so for
 * holders->seconds: all holders with an end not after it are gone by then, no other
 * comes, and no closure is in force. Returns 1 with *when, INT64_MIN if one is free now;
 * 0 when none ever is; -1 with [err] filled (memory). Of the periods of closures the
 * longest is to be a multiple of the others, as hours, days and weeks are: looked at is
 * one of it after the last end of a holder and of a closure that is not repeated.
 *
 * While no closure begins or ends, what is free only grows. So each stretch between two
 * such times takes one look at its end, and the first that has a box a bisection: O(cells
 * * closures) and torus_box_bits_fit() for each look.
 */
int torus_first_time(const torus_geometry_t *geometry, const torus_holders_t *holders,
		     const torus_shape_t *shape, int64_t *when, torus_error_t *err);

/* What is wanted, if it is no box of one shape. */
typedef struct torus_want {
	/* Whether the cells set in [usable] have it. */
	bool (*suits)(void *data);
	void *data;
	uint64_t *usable; /* bitmap of all cells, which is filled before each question */
	bool grows;	  /* what suits still does when more cells are usable */
} torus_want_t;

/*
 * torus_first_time() for what is [want]ed: a question at the end of each stretch and a
 * bisection if it grows, otherwise one at each end of a holder. The cells may as well be
 * the nodes of a machine, as a line. Returns 1 with *when, 0, or -1 with [err] filled
 * (memory).
 */
int torus_first_time_of(const torus_geometry_t *geometry, const torus_holders_t *holders,
			const torus_want_t *want, int64_t *when, torus_error_t *err);

/*
 * Set in [usable], a bitmap of all cells, those that are free for holders->seconds from
 * the time [when] on, which is now if it is earlier.
 */
void torus_usable_at(const torus_geometry_t *geometry, const torus_holders_t *holders,
		     int64_t when, uint64_t *usable);

#endif
