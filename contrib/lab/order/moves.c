/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of an order: see order/moves.h. */
#include "order/moves.h"

#include <string.h>

enum { OUTSIDE, FIRST, SECOND };

static int block_of(const torus_order_move_t *move, uint32_t p)
{
	if (p < move->a || p >= move->c)
		return OUTSIDE;
	return p < move->b ? FIRST : SECOND;
}

/* The new position of the node on [p], which is in [block]. */
static uint32_t moved(const torus_order_move_t *move, int block, uint32_t p)
{
	uint32_t begin = block == FIRST ? move->a : move->b;
	uint32_t end = block == FIRST ? move->b : move->c;
	bool turn = block == FIRST ? move->turn_first : move->turn_second;

	if (turn)
		p = begin + (end - 1 - p);
	if (!move->exchange)
		return p;
	return block == FIRST ? p + (move->c - move->b) : p - (move->b - move->a);
}

uint32_t torus_order_moved(const torus_order_move_t *move, uint32_t p)
{
	return moved(move, block_of(move, p), p);
}

/*
 * What the pairs of the node on [p], which is in [block], gain with nodes outside its
 * block. Pairs of the two blocks are counted from the first one.
 */
static double node_gain(const torus_order_objective_t *objective,
			const torus_order_line_t *line, const torus_order_move_t *move,
			int block, uint32_t p, torus_effort_t *effort)
{
	const torus_task_graph_t *near = objective->near;
	uint32_t node = line->node[p], to = moved(move, block, p);
	uint64_t end = near->first[node + 1];
	double gain = 0;

	torus_effort_spend(effort, end - near->first[node] + 1);
	for (uint64_t i = near->first[node]; i < end; i++) {
		uint32_t q = line->position[near->neighbor[i]];
		int other = block_of(move, q);

		if (other == block || (other != OUTSIDE && block == SECOND))
			continue;
		gain += torus_order_near(objective, i) *
			(torus_order_weight(objective, to,
					    other == OUTSIDE ? q
							     : moved(move, other, q)) -
			 torus_order_weight(objective, p, q));
	}
	return gain;
}

/*
 * Only nodes within k of an end of their block have pairs with nodes outside it, before
 * and after the move.
 */
static double block_gain(const torus_order_objective_t *objective,
			 const torus_order_line_t *line, const torus_order_move_t *move,
			 int block, torus_effort_t *effort)
{
	uint32_t begin = block == FIRST ? move->a : move->b;
	uint32_t end = block == FIRST ? move->b : move->c;
	double gain = 0;

	for (uint32_t p = begin; p < end; p++) {
		if (p - begin >= objective->k && end - p > objective->k)
			p = end - objective->k;
		gain += node_gain(objective, line, move, block, p, effort);
	}
	return gain;
}

static double swap_gain(const torus_order_objective_t *objective,
			const torus_order_line_t *line, uint32_t from, uint32_t to,
			torus_effort_t *effort)
{
	const torus_task_graph_t *near = objective->near;
	uint32_t node = line->node[from], other = line->node[to];
	uint64_t end = near->first[node + 1];
	double gain = 0;

	torus_effort_spend(effort, end - near->first[node] + 1);
	for (uint64_t i = near->first[node]; i < end; i++) {
		uint32_t q = line->position[near->neighbor[i]];

		if (near->neighbor[i] != other)
			gain += torus_order_near(objective, i) *
				(torus_order_weight(objective, to, q) -
				 torus_order_weight(objective, from, q));
	}
	return gain;
}

double torus_order_gain(const torus_order_objective_t *objective,
			const torus_order_line_t *line, const torus_order_move_t *move,
			torus_effort_t *effort)
{
	if (move->kind == TORUS_ORDER_SWAP)
		return swap_gain(objective, line, move->a, move->b, effort) +
		       swap_gain(objective, line, move->b, move->a, effort);
	return block_gain(objective, line, move, FIRST, effort) +
	       block_gain(objective, line, move, SECOND, effort);
}

static void put(torus_order_line_t *line, uint32_t node, uint32_t p)
{
	line->node[p] = node;
	line->position[node] = p;
}

void torus_order_move(torus_order_line_t *line, const torus_order_move_t *move)
{
	if (move->kind == TORUS_ORDER_SWAP) {
		uint32_t node = line->node[move->a];

		put(line, line->node[move->b], move->a);
		put(line, node, move->b);
		return;
	}
	memcpy(line->spare + move->a, line->node + move->a,
	       (move->c - move->a) * sizeof(*line->node));
	for (uint32_t p = move->a; p < move->c; p++)
		put(line, line->spare[p], torus_order_moved(move, p));
}

torus_order_move_t torus_order_undoing(const torus_order_move_t *move)
{
	torus_order_move_t back = *move;

	if (move->kind == TORUS_ORDER_BLOCKS && move->exchange) {
		back.b = move->a + (move->c - move->b);
		back.turn_first = move->turn_second;
		back.turn_second = move->turn_first;
	}
	return back;
}
