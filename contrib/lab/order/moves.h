/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of an order, and how they change its value, without valuing all of it.
 *
 * A move is one of two. *Swap*: the nodes on positions a and b, a < b, change places.
 * *Blocks*: the positions a .. b-1 and b .. c-1, a < b <= c, change places as two blocks
 * (if [exchange]), and each may be turned round. That takes in the reversal of a segment
 * (one block, turned), and taking nodes out and putting them in elsewhere, either way
 * round (or-opt).
 */
#ifndef TORUS_ORDER_MOVES_H
#define TORUS_ORDER_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "order/objective.h"
#include "taskmap/search/effort.h"

typedef struct torus_order_move {
	enum { TORUS_ORDER_SWAP, TORUS_ORDER_BLOCKS } kind;
	uint32_t a, b, c; /* c: of blocks */
	bool exchange, turn_first, turn_second;
} torus_order_move_t;

/* An order and its inverse. */
typedef struct torus_order_line {
	uint32_t nodes;
	uint32_t *node;	    /* [nodes], the node on each position */
	uint32_t *position; /* [nodes], of each node */
	uint32_t *spare;    /* [nodes], for torus_order_move() */
} torus_order_line_t;

/*
 * How much [move] would change the value of [line] under [objective]. Spends what it
 * looks up from [effort]; the result is meaningless once that is used up. Looks at O(k)
 * nodes and their pairs, however long the blocks are.
 */
double torus_order_gain(const torus_order_objective_t *objective,
			const torus_order_line_t *line, const torus_order_move_t *move,
			torus_effort_t *effort);

/* The new position of the node on [p], a <= p < c, by a move of blocks. */
uint32_t torus_order_moved(const torus_order_move_t *move, uint32_t p);

/* Make the move. O(c - a) for blocks. */
void torus_order_move(torus_order_line_t *line, const torus_order_move_t *move);

/* The move that undoes [move]. */
torus_order_move_t torus_order_undoing(const torus_order_move_t *move);

#endif
