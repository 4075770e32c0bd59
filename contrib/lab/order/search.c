/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Iterated local search over orders: see order/search.h. */
#include "order/search.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "order/moves.h"

/* A move must gain more than a rounding error. */
#define LEAST_GAIN 1e-9
/* The most nodes that one move takes elsewhere. */
enum { SEGMENT_MAX = 3 };
/*
 * A move changes at most so many consecutive positions. Longer moves would not lower the
 * value. But the value only sees k positions, not how the large parts of the order follow
 * each other, and moves with next to no gain would destroy that.
 */
enum { STRETCH_MAX = 128 };
/* A disturbance exchanges two neighbouring blocks of at most so many nodes. */
enum { DISTURBED_MAX = 30 };
/* Rounds between two reports of progress. */
enum { REPORT_ROUNDS = 256 };
/* Rounds between two turns of a ring. */
enum { TURN_ROUNDS = 256 };
/* Of so many nodes and fewer all orders are tried instead. */
enum { ALL_ORDERS_NODES = 6 };

typedef struct search {
	const torus_order_goal_t *goal;
	torus_order_line_t line;
	torus_effort_t effort;
	uint64_t random;
	double value;
	double scale;	 /* the scale of values, for LEAST_GAIN */
	uint32_t *queue; /* queue (a ring) of the nodes whose moves are to be tried */
	uint32_t head, waiting;
	bool *is_waiting;
	torus_order_move_t *journal; /* moves since the last order that was kept */
	size_t moves, room;
} search_t;

static void search_clear(search_t *search)
{
	free(search->line.node);
	free(search->line.position);
	free(search->line.spare);
	free(search->queue);
	free(search->is_waiting);
	free(search->journal);
}

static int search_begin(search_t *search, const torus_order_goal_t *goal,
			const uint32_t *order, torus_error_t *err)
{
	uint32_t nodes = goal->near->tasks;
	torus_order_line_t *line = &search->line;

	search->goal = goal;
	line->nodes = nodes;
	line->node = malloc(nodes * sizeof(*line->node));
	line->position = malloc(nodes * sizeof(*line->position));
	line->spare = malloc(nodes * sizeof(*line->spare));
	search->queue = malloc(nodes * sizeof(*search->queue));
	search->is_waiting = calloc(nodes, sizeof(*search->is_waiting));
	search->room = 64;
	search->journal = malloc(search->room * sizeof(*search->journal));
	if (!line->node || !line->position || !line->spare || !search->queue ||
	    !search->is_waiting || !search->journal)
		return torus_fail(err, "out of memory to order %u nodes", nodes);
	for (uint32_t p = 0; p < nodes; p++) {
		line->node[p] = order[p];
		line->position[order[p]] = p;
	}
	search->value = goal->value(goal->objective, line);
	search->scale = fabs(search->value) > 1 ? fabs(search->value) : 1;
	return 0;
}

static void wait_for(search_t *search, uint32_t node)
{
	uint32_t nodes = search->line.nodes, tail;

	if (search->is_waiting[node])
		return;
	tail = search->head + search->waiting++;
	search->queue[tail >= nodes ? tail - nodes : tail] = node;
	search->is_waiting[node] = true;
}

static uint32_t take_waiting(search_t *search)
{
	uint32_t node = search->queue[search->head];

	search->head = search->head + 1 == search->line.nodes ? 0 : search->head + 1;
	search->waiting--;
	search->is_waiting[node] = false;
	return node;
}

/* The nodes around the border between position p-1 and p may have new moves. */
static void wait_around(search_t *search, uint32_t p)
{
	uint32_t radius = search->goal->radius;
	uint32_t from = p > radius ? p - radius : 0;

	for (uint32_t at = from; at < search->line.nodes && at < p + radius; at++)
		wait_for(search, search->line.node[at]);
}

static void wait_after(search_t *search, const torus_order_move_t *move)
{
	wait_around(search, move->a);
	wait_around(search, move->b);
	if (move->kind == TORUS_ORDER_BLOCKS) {
		wait_around(search, move->c);
		if (move->exchange)
			wait_around(search, move->a + (move->c - move->b));
	}
}

/* Do [move], which changes the value by [gain], so that it can be undone. */
static int do_move(search_t *search, const torus_order_move_t *move, double gain)
{
	if (search->moves == search->room) {
		size_t room = 2 * search->room;
		torus_order_move_t *larger =
			realloc(search->journal, room * sizeof(*larger));

		if (!larger)
			return -1;
		search->journal = larger;
		search->room = room;
	}
	search->journal[search->moves++] = torus_order_undoing(move);
	torus_order_move(&search->line, move);
	search->value += gain;
	return 0;
}

/* The best move found so far from one node. */
typedef struct choice {
	torus_order_move_t move;
	double gain;
} choice_t;

static void consider(search_t *search, const torus_order_move_t *move, choice_t *best)
{
	uint32_t end = move->kind == TORUS_ORDER_SWAP ? move->b + 1 : move->c;
	double gain;

	if (end - move->a > STRETCH_MAX)
		return;
	gain = search->goal->gain(search->goal->objective, &search->line, move,
				  &search->effort);
	if (!search->effort.over && gain > best->gain) {
		best->gain = gain;
		best->move = *move;
	}
}

static void consider_reversal(search_t *search, uint32_t begin, uint32_t end,
			      choice_t *best)
{
	torus_order_move_t move = {.kind = TORUS_ORDER_BLOCKS,
				   .a = begin,
				   .b = end,
				   .c = end,
				   .turn_first = true};

	if (end > begin + 1)
		consider(search, &move, best);
}

/* Try to move the [length] nodes from [begin] on between positions to-1 and to. */
static void consider_taking(search_t *search, uint32_t begin, uint32_t length,
			    uint32_t to, choice_t *best)
{
	torus_order_move_t move = {.kind = TORUS_ORDER_BLOCKS, .exchange = true};
	bool back = to < begin;

	if (to >= begin && to <= begin + length)
		return;
	move.a = back ? to : begin;
	move.b = back ? begin : begin + length;
	move.c = back ? begin + length : to;
	consider(search, &move, best);
	if (length == 1)
		return;
	move.turn_first = !back;
	move.turn_second = back;
	consider(search, &move, best);
}

static void consider_swap(search_t *search, uint32_t p, uint32_t q, choice_t *best)
{
	torus_order_move_t move = {
		.kind = TORUS_ORDER_SWAP, .a = p < q ? p : q, .b = p < q ? q : p};

	if (p != q)
		consider(search, &move, best);
}

/* Try all moves that bring the node on [p] next to that on [q]. */
static void consider_pair(search_t *search, uint32_t p, uint32_t q, choice_t *best)
{
	uint32_t nodes = search->line.nodes;
	uint32_t low = p < q ? p : q, high = p < q ? q : p;

	consider_reversal(search, low + 1, high + 1, best);
	consider_reversal(search, low, high, best);
	for (uint32_t length = 1; length <= SEGMENT_MAX; length++) {
		/* With p as the first or last of the nodes that are moved. */
		for (int last = 0; last <= (length > 1); last++) {
			uint32_t begin = last ? p + 1 - length : p;

			if ((last && p + 1 < length) || begin + length > nodes)
				continue;
			consider_taking(search, begin, length, q, best);
			consider_taking(search, begin, length, q + 1, best);
		}
	}
	if (q > 0)
		consider_swap(search, p, q - 1, best);
	if (q + 1 < nodes)
		consider_swap(search, p, q + 1, best);
}

/* The move that gains most of those that bring [node] next to one of its neighbours. */
static choice_t best_move(search_t *search, uint32_t node)
{
	const torus_task_graph_t *near = search->goal->near;
	choice_t best = {.gain = LEAST_GAIN * search->scale};

	for (uint64_t i = near->first[node];
	     !search->effort.over && i < near->first[node + 1]; i++) {
		uint32_t p = search->line.position[node];
		uint32_t q = search->line.position[near->neighbor[i]];

		if (p + 1 != q && q + 1 != p)
			consider_pair(search, p, q, &best);
	}
	return best;
}

/*
 * Make moves until no node in the queue has one that gains. Returns 0, or -1: out of
 * memory.
 */
static int descend(search_t *search)
{
	while (search->waiting && !search->effort.over) {
		uint32_t node = take_waiting(search);
		choice_t best = best_move(search, node);

		if (best.gain <= LEAST_GAIN * search->scale)
			continue;
		if (do_move(search, &best.move, best.gain))
			return -1;
		wait_after(search, &best.move);
		wait_for(search, node);
	}
	return 0;
}

static void put_back(search_t *search, double value)
{
	while (search->moves > 0)
		torus_order_move(&search->line, &search->journal[--search->moves]);
	search->value = value;
}

/* Exchange two neighbouring blocks in a random place. */
static int disturb(search_t *search)
{
	uint32_t nodes = search->line.nodes;
	uint32_t most = nodes / 2 < DISTURBED_MAX ? nodes / 2 : DISTURBED_MAX;
	uint32_t first = 1 + torus_random_below(&search->random, most);
	uint32_t second = 1 + torus_random_below(&search->random, most);
	uint32_t a = torus_random_below(&search->random, nodes - first - second + 1);
	torus_order_move_t move = {.kind = TORUS_ORDER_BLOCKS,
				   .a = a,
				   .b = a + first,
				   .c = a + first + second,
				   .exchange = true};
	double gain;

	move.turn_first = torus_random_below(&search->random, 2);
	move.turn_second = torus_random_below(&search->random, 2);
	gain = search->goal->gain(search->goal->objective, &search->line, &move,
				  &search->effort);
	if (search->effort.over)
		return 0;
	if (do_move(search, &move, gain))
		return -1;
	wait_after(search, &move);
	return 0;
}

/* Disturb the order and improve it again; undo both if that has gained nothing. */
static int round_of_search(search_t *search)
{
	double value = search->value;

	search->moves = 0;
	if (disturb(search) || descend(search))
		return -1;
	if (search->value <= value + LEAST_GAIN * search->scale)
		put_back(search, value);
	return 0;
}

/*
 * Begin a ring elsewhere: it has the same value, but moves do not reach beyond the end of
 * the line.
 */
static void turn(search_t *search)
{
	torus_order_line_t *line = &search->line;
	uint32_t by = torus_random_below(&search->random, line->nodes);

	memcpy(line->spare, line->node, line->nodes * sizeof(*line->node));
	for (uint32_t p = 0, from = by; p < line->nodes; p++, from++) {
		if (from == line->nodes)
			from = 0;
		line->node[p] = line->spare[from];
		line->position[line->node[p]] = p;
	}
}

static void exchange(uint32_t *node, uint32_t a, uint32_t b)
{
	uint32_t kept = node[a];

	node[a] = node[b];
	node[b] = kept;
}

static void note_positions(torus_order_line_t *line)
{
	for (uint32_t p = 0; p < line->nodes; p++)
		line->position[line->node[p]] = p;
}

/* The next order of the nodes in the order of a dictionary. False after the last. */
static bool next_order(torus_order_line_t *line)
{
	uint32_t *node = line->node, last = line->nodes - 1, at = last, with = last;

	while (at > 0 && node[at - 1] > node[at])
		at--;
	if (!at)
		return false;
	while (node[with] < node[at - 1])
		with--;
	exchange(node, at - 1, with);
	for (; at < last; at++, last--)
		exchange(node, at, last);
	note_positions(line);
	return true;
}

/* Leave the best of all orders in the line: the first one of a value above that which is
 * there, if any. */
static void try_all(search_t *search)
{
	torus_order_line_t *line = &search->line;
	size_t size = line->nodes * sizeof(*line->node);

	memcpy(line->spare, line->node, size);
	for (uint32_t p = 0; p < line->nodes; p++)
		line->node[p] = line->position[p] = p;
	do {
		double value = search->goal->value(search->goal->objective, line);

		if (value > search->value + LEAST_GAIN * search->scale) {
			search->value = value;
			memcpy(line->spare, line->node, size);
		}
	} while (next_order(line));
	memcpy(line->node, line->spare, size);
	note_positions(line);
}

static int run(search_t *search, uint64_t work,
	       void (*progress)(uint64_t done, uint64_t total, void *argument),
	       void *argument)
{
	if (search->line.nodes <= ALL_ORDERS_NODES) {
		if (!search->effort.over)
			try_all(search);
		return 0;
	}
	for (uint32_t p = 0; p < search->line.nodes; p++)
		wait_for(search, search->line.node[p]);
	if (descend(search))
		return -1;
	for (uint64_t round = 0; !search->effort.over; round++) {
		if (search->goal->ring && round % TURN_ROUNDS == 0)
			turn(search);
		if (round_of_search(search))
			return -1;
		if (progress && round % REPORT_ROUNDS == 0)
			progress(work - search->effort.work, work, argument);
	}
	return 0;
}

int torus_order_improve(const torus_order_goal_t *goal,
			const torus_mapper_budget_t *budget,
			void (*progress)(uint64_t done, uint64_t total, void *argument),
			void *argument, uint32_t *order, double *value,
			torus_error_t *err)
{
	search_t search = {.random = budget->seed};
	double before = 0;
	int rc = search_begin(&search, goal, order, err);

	if (!rc) {
		before = search.value;
		torus_effort_begin(budget, &search.effort);
		if (run(&search, budget->work, progress, argument))
			rc = torus_fail(err, "out of memory to order %u nodes",
					search.line.nodes);
	}
	if (!rc) {
		/*
		 * Summed anew, as the gains of the moves have added up rounding errors.
		 */
		*value = goal->value(goal->objective, &search.line);
		if (*value < before)
			*value = before;
		else
			memcpy(order, search.line.node,
			       search.line.nodes * sizeof(*order));
	}
	search_clear(&search);
	return rc;
}
