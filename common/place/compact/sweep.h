/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows: the free nodes along a line, and the best set of consecutive ones. Private to
 * place/compact/.
 */
#ifndef TORUS_PLACE_COMPACT_SWEEP_H
#define TORUS_PLACE_COMPACT_SWEEP_H

#include "place/compact/score.h"
#include "place/allocator.h"

/* The free nodes along a line, without required ones. */
typedef struct torus_compact_line {
	uint32_t ranks;	 /* of the machine: the room for each of the arrays */
	uint32_t count;	 /* nodes */
	uint32_t *cell;	 /* [count] where they are */
	uint32_t *place; /* [count] their places on the line, ascending; nodes of a router
			  * may share a place */
	uint32_t places; /* how many places the line has */
	uint32_t *tally; /* scratch memory */
} torus_compact_line_t;

/* The window of nodes [start] and following, around the end of the line. */
typedef struct torus_compact_window {
	uint32_t line;
	uint32_t start;
	int64_t cost;
} torus_compact_window_t;

/* Room for a line. 0, or -1 with [err] filled (memory). To be ended in each case. */
int torus_compact_line_begin(torus_compact_line_t *line, const torus_site_t *site,
			     torus_error_t *err);
void torus_compact_line_end(torus_compact_line_t *line);

/* The machine's own line of ranks. */
void torus_compact_line_of_ranks(torus_compact_line_t *line, const torus_ask_t *ask);

/* The cells of a window of [n] nodes. */
void torus_compact_line_take(const torus_compact_line_t *line, uint32_t start, uint32_t n,
			     uint32_t *cells);

/* Which windows are looked at. */
typedef enum torus_compact_which {
	/* Or, if all were too much work, large ones by steps, small ones of least span */
	TORUS_COMPACT_ALL,
	TORUS_COMPACT_INTERVALS, /* of consecutive places */
	TORUS_COMPACT_RING,	 /* the same, also around the end */
} torus_compact_which_t;

/*
 * Find the window of [n] nodes with the lowest cost together with the nodes in the set;
 * ties: the first. The set is the same afterwards. False: there is no such window.
 */
bool torus_compact_sweep(const torus_compact_line_t *line, torus_compact_set_t *set,
			 const torus_compact_prices_t *prices, uint32_t n,
			 torus_compact_which_t which, torus_compact_window_t *best);

#endif
