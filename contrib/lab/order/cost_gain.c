/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a move changes of an order's cost: see order/cost.h. */
#include "order/cost.h"

/* The positions outside a .. c-1: count of them below a and from c on, in a ring modulo.
 */
typedef struct outside {
	uint32_t below, above;
} outside_t;

/*
 * The positions outside the blocks of [move] that are within k of p or of [to], both
 * inside: on a line only as far as it goes, on a ring none twice.
 */
static outside_t outside_near(const torus_order_cost_t *cost,
			      const torus_order_move_t *move, uint32_t p, uint32_t to)
{
	uint32_t low = p < to ? p : to, high = p < to ? to : p;
	uint32_t nodes = cost->distances->nodes, others = nodes - (move->c - move->a);
	uint32_t most_below = cost->ring ? others : move->a, most_above;
	uint32_t to_begin = low - move->a, to_end = move->c - 1 - high;
	outside_t outside;

	outside.below = cost->k > to_begin ? cost->k - to_begin : 0;
	if (outside.below > most_below)
		outside.below = most_below;
	most_above = cost->ring ? others - outside.below : nodes - move->c;
	outside.above = cost->k > to_end ? cost->k - to_end : 0;
	if (outside.above > most_above)
		outside.above = most_above;
	return outside;
}

/* What the pair of the nodes on p and q saves when they move to p2 and q2. */
static double pair_gain(const torus_order_cost_t *cost, const torus_order_line_t *line,
			uint32_t p, uint32_t q, uint32_t p2, uint32_t q2)
{
	double less = torus_order_cost_weight(cost, p, q) -
		      torus_order_cost_weight(cost, p2, q2);

	return less == 0 ? 0
			 : less * torus_distance(cost->distances, line->node[p],
						 line->node[q]);
}

static double outside_gain(const torus_order_cost_t *cost, const torus_order_line_t *line,
			   const torus_order_move_t *move, uint32_t p, uint32_t to,
			   torus_effort_t *effort)
{
	outside_t outside = outside_near(cost, move, p, to);
	uint32_t nodes = line->nodes, q = move->a;
	double gain = 0;

	torus_effort_spend(effort, outside.below + outside.above + 1);
	for (uint32_t i = 0; i < outside.below; i++) {
		q = q ? q - 1 : nodes - 1;
		gain += pair_gain(cost, line, p, q, to, q);
	}
	q = move->c;
	for (uint32_t i = 0; i < outside.above; i++, q++) {
		if (q >= nodes)
			q -= nodes;
		gain += pair_gain(cost, line, p, q, to, q);
	}
	return gain;
}

/*
 * Distances inside a block stay as they are, so only its nodes' pairs with nodes outside
 * both blocks and with those of the other block count.
 */
static double blocks_gain(const torus_order_cost_t *cost, const torus_order_line_t *line,
			  const torus_order_move_t *move, torus_effort_t *effort)
{
	double gain = 0;

	for (uint32_t p = move->a; p < move->c && !effort->over; p++) {
		uint32_t to = torus_order_moved(move, p);

		if (to != p)
			gain += outside_gain(cost, line, move, p, to, effort);
		if (p >= move->b)
			continue;
		torus_effort_spend(effort, move->c - move->b);
		for (uint32_t q = move->b; q < move->c; q++)
			gain += pair_gain(cost, line, p, q, to,
					  torus_order_moved(move, q));
	}
	return gain;
}

/* What the positions around [p] save when its node becomes [other], now on [q]. */
static double swap_gain(const torus_order_cost_t *cost, const torus_order_line_t *line,
			uint32_t p, uint32_t q, torus_effort_t *effort)
{
	const torus_order_move_t alone = {.a = p, .c = p + 1};
	outside_t outside = outside_near(cost, &alone, p, p);
	uint32_t nodes = line->nodes, count = outside.below + outside.above;
	uint32_t r = p >= outside.below ? p - outside.below : nodes - (outside.below - p);
	double gain = 0;

	torus_effort_spend(effort, count + 1);
	for (uint32_t i = 0; i <= count; i++, r++) {
		if (r >= nodes)
			r -= nodes;
		if (r == p || r == q)
			continue;
		gain += torus_order_cost_weight(cost, p, r) *
			((double)torus_distance(cost->distances, line->node[p],
						line->node[r]) -
			 (double)torus_distance(cost->distances, line->node[q],
						line->node[r]));
	}
	return gain;
}

double torus_order_cost_gain(const void *cost, const torus_order_line_t *line,
			     const torus_order_move_t *move, torus_effort_t *effort)
{
	if (move->kind == TORUS_ORDER_SWAP)
		return swap_gain(cost, line, move->a, move->b, effort) +
		       swap_gain(cost, line, move->b, move->a, effort);
	return blocks_gain(cost, line, move, effort);
}
