/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulated annealing by swaps of two items ("Optimization by Simulated Annealing",
 * Kirkpatrick, Gelatt and Vecchi, 1983). A move picks an item, one of its neighbours, and
 * a node near that neighbour, and swaps the item with one there. So nearly all moves
 * bring two communicating items closer together, which random pairs hardly ever do.
 *
 * The temperature falls geometrically; at the end no swap that adds hop-bytes is
 * accepted.
 */
#include "taskmap/search/annealing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "taskmap/search/annealing_moves.h"
#include "taskmap/search/annealing_threads.h"
#include "taskmap/search/move_cost.h"
#include "taskmap/search/nearlist.h"

/* The temperature, in mean edge weights, at which almost only gains are accepted. */
#define COLD 0.5
/*
 * Graphs that are no grid have no start that is nearly right, and edges of all weights.
 * They begin at WIDE_HEAT times the weight of the edge that a unit of weight is on, on
 * average, and end at WIDE_COLD times the mean weight; and a task goes to one of the
 * WIDE_NEAR nodes nearest to a neighbour's. Tried on parts of two- and three-dimensional
 * meshes, 128 to 2,048 of them, and on stencils with collective operations.
 */
#define WIDE_HEAT 3
#define WIDE_COLD 0.3
#define WIDE_NEAR 7
/*
 * From so many items on what a move needs is fetched beforehand, and one thread moves
 * them in turn; fewer at random. Tried: from 4,096 on the order makes 0.5 to 0.8% fewer
 * hops by as many moves and takes less time, as what is looked at lies together; 256 and
 * 1,024 items have 1 to 2% more.
 */
#define IN_TURN 2048
/* So many moves are drawn before they are made; a power of two. */
#define AHEAD 16
/* The temperature falls in so many steps; then this share of the moves is made at 0. */
#define STEPS 200
#define COLD_SHARE 0.1
/*
 * With up to so many items the best state is kept after each move; with more, since
 * copying takes longer, only after each step.
 */
#define FEW_ITEMS 64
/*
 * With fewer nodes the part of a thread is hardly more than its border. Tried on jobs of
 * 256 and 384 nodes: two threads find as few hops as one, within 0.2%, and four no fewer.
 */
#define NODES_OF_THREADS 384
#define NODES_OF_A_THREAD 64

int torus_annealing_begin(const torus_annealing_t *annealing, uint32_t *node_of_item,
			  torus_annealing_state_t *state, torus_error_t *err)
{
	uint32_t items = annealing->graph->tasks;

	state->annealing = annealing;
	state->node_of_item = node_of_item;
	state->least = torus_move_cost_least(annealing->graph);
	state->near = annealing->wide ? WIDE_NEAR : TORUS_NEARLIST_NODES;
	state->first_slot =
		calloc((size_t)annealing->nodes + 2, sizeof(*state->first_slot));
	/* and one more, which a node without items would have */
	state->item_at = calloc((size_t)items + 1, sizeof(*state->item_at));
	state->slot_of = malloc(items * sizeof(*state->slot_of));
	state->best = malloc(items * sizeof(*state->best));
	if (!state->first_slot || !state->item_at || !state->slot_of || !state->best)
		return torus_fail(err, "out of memory for annealing %u tasks", items);
	memcpy(state->best, node_of_item, items * sizeof(*state->best));
	/* Counting sort: first_slot[n + 1] counts up from n's first slot to its end. */
	for (uint32_t item = 0; item < items; item++)
		state->first_slot[node_of_item[item] + 2]++;
	for (uint32_t node = 0; node < annealing->nodes; node++)
		state->first_slot[node + 1] += state->first_slot[node];
	for (uint32_t item = 0; item < items; item++) {
		state->slot_of[item] = state->first_slot[node_of_item[item] + 1]++;
		state->item_at[state->slot_of[item]] = item;
	}
	if (!annealing->packed->node)
		return 0;
	state->at = malloc(items * sizeof(*state->at));
	if (!state->at)
		return torus_fail(err, "out of memory for annealing %u tasks", items);
	for (uint32_t item = 0; item < items; item++)
		state->at[item] = annealing->packed->node[node_of_item[item]];
	return 0;
}

void torus_annealing_end(torus_annealing_state_t *state)
{
	free(state->first_slot);
	free(state->item_at);
	free(state->slot_of);
	free(state->best);
	free(state->at);
}

static void keep_if_best(torus_annealing_state_t *state)
{
	if (state->change >= state->best_change - state->least)
		return;
	state->best_change = state->change;
	memcpy(state->best, state->node_of_item,
	       state->annealing->graph->tasks * sizeof(*state->best));
}

static void swap_items(torus_annealing_state_t *state, uint32_t a, uint32_t b)
{
	uint32_t node = state->node_of_item[a], slot = state->slot_of[a];

	state->node_of_item[a] = state->node_of_item[b];
	state->node_of_item[b] = node;
	state->slot_of[a] = state->slot_of[b];
	state->slot_of[b] = slot;
	state->item_at[state->slot_of[a]] = a;
	state->item_at[slot] = b;
	if (state->at) {
		uint32_t place = state->at[a];

		state->at[a] = state->at[b];
		state->at[b] = place;
	}
}

/*
 * A move is drawn some moves before it is made, so that what it needs is fetched from
 * memory meanwhile: it swaps [item] with one of those near [neighbor] when it is made.
 */
typedef struct draw {
	uint32_t item, neighbor; /* the same: the item has none */
	/* random ones: 24 for the neighbour, 12 for the node near it, 28 for the item
	 * there */
	uint64_t bits;
	uint32_t node, other; /* which node and item it would be now */
} draw_t;

/* The item of move number [move], on one of the nodes that the state moves. False if
 * there is none on that node. */
static bool item_of_part(const torus_annealing_state_t *state, uint64_t move,
			 uint64_t *random, uint32_t *item)
{
	const torus_annealing_part_t *part = state->part;
	uint32_t place = part->first, node, slots;

	if (state->annealing->graph->tasks < IN_TURN)
		place += torus_random_below(random, part->count);
	else
		place += (uint32_t)(move % part->count);
	node = part->order[place];
	slots = state->first_slot[node + 1] - state->first_slot[node];
	if (!slots)
		return false;
	*item = state->item_at[state->first_slot[node]];
	if (slots > 1)
		*item = state->item_at[state->first_slot[node] +
				       torus_random_below(random, slots)];
	return true;
}

/* Draw move number [move]. */
static draw_t draw(const torus_annealing_state_t *state, uint64_t move, uint64_t *random)
{
	const torus_task_graph_t *graph = state->annealing->graph;
	draw_t drawn = {0};
	uint64_t degree;

	if (state->part) {
		if (!item_of_part(state, move, random, &drawn.item))
			return drawn;
	} else if (graph->tasks < IN_TURN) {
		drawn.item = torus_random_below(random, graph->tasks);
	} else {
		drawn.item = (uint32_t)(move % graph->tasks);
	}
	drawn.neighbor = drawn.item;
	degree = graph->first[drawn.item + 1] - graph->first[drawn.item];
	if (!degree)
		return drawn;
	drawn.bits = torus_random_next(random);
	drawn.neighbor = graph->neighbor[graph->first[drawn.item] +
					 ((drawn.bits >> 40) * degree >> 24)];
	return drawn;
}

/* The entry of the list of near nodes that the move has drawn. */
static inline const uint32_t *near_of(const torus_annealing_state_t *state,
				      const draw_t *drawn)
{
	return &state->annealing->near[(size_t)state->node_of_item[drawn->neighbor] *
					       TORUS_NEARLIST_NODES +
				       ((drawn->bits >> 28 & 0xfff) * state->near >> 12)];
}

/* Whether the state moves what is on the node. */
static inline bool has_node(const torus_annealing_state_t *state, uint32_t node)
{
	const torus_annealing_part_t *part = state->part;

	/* The difference of a node before the first wraps around to a large number. */
	return !part || part->position[node] - part->first < part->count;
}

/*
 * Fetch what the moves in the ring need, each a step further than when the move before
 * was made: [move] is the last one drawn.
 */
static inline void fetch(const torus_annealing_state_t *state, draw_t *ring,
			 uint64_t move)
{
	const torus_task_graph_t *graph = state->annealing->graph;
	draw_t *drawn = &ring[(move - 2) % AHEAD];

	__builtin_prefetch(&state->node_of_item[drawn->neighbor]);
	drawn = &ring[(move - 4) % AHEAD];
	__builtin_prefetch(near_of(state, drawn));
	drawn = &ring[(move - 6) % AHEAD];
	drawn->node = *near_of(state, drawn);
	__builtin_prefetch(&state->first_slot[drawn->node]);
	drawn = &ring[(move - 8) % AHEAD];
	__builtin_prefetch(&state->item_at[state->first_slot[drawn->node]]);
	drawn = &ring[(move - 10) % AHEAD];
	drawn->other = state->item_at[state->first_slot[drawn->node]];
	__builtin_prefetch(&graph->first[drawn->other]);
	drawn = &ring[(move - 12) % AHEAD];
	__builtin_prefetch(&graph->neighbor[graph->first[drawn->other]]);
}

/* The item to swap drawn->item with. Returns false if the random choice gave none. */
static bool pick(const torus_annealing_state_t *state, const draw_t *drawn,
		 uint32_t *other)
{
	const uint32_t *size = state->annealing->size;
	const bool *stays = state->annealing->stays;
	uint32_t node, slots;

	if (drawn->neighbor == drawn->item)
		return false;
	node = *near_of(state, drawn);
	slots = state->first_slot[node + 1] - state->first_slot[node];
	if (!slots || node == state->node_of_item[drawn->item] || !has_node(state, node))
		return false;
	*other = state->item_at[state->first_slot[node]];
	if (slots > 1)
		*other = state->item_at[state->first_slot[node] +
					(drawn->bits & 0xfffffff) % slots];
	if (stays && (stays[drawn->item] || stays[*other]))
		return false;
	return !size || size[drawn->item] == size[*other];
}

/* chance >= exp(-loss); most often a bound says so, in a fraction of the time. */
static bool is_refused(double chance, double loss)
{
	return (loss > 0 && chance * (1 + loss) >= 1) || chance >= exp(-loss);
}

/* The hop-bytes that swapping a and b would add. */
static inline double cost_of_swap(const torus_annealing_state_t *state, uint32_t a,
				  uint32_t b)
{
	const torus_task_graph_t *graph = state->annealing->graph;

	if (!state->at)
		return torus_move_cost_swap(graph, state->annealing->table,
					    state->node_of_item, a, b);
	return torus_packed_cost_swap(graph, state->annealing->packed->ring, state->at, a,
				      b);
}

bool torus_annealing_moves(torus_annealing_state_t *state, double temperature,
			   uint64_t moves, uint64_t *random, torus_effort_t *effort)
{
	const torus_task_graph_t *graph = state->annealing->graph;
	draw_t ring[AHEAD];

	if (!moves)
		return true;
	for (uint64_t i = 0; i < AHEAD; i++)
		ring[(state->moves + i) % AHEAD] = draw(state, state->moves + i, random);
	for (uint64_t end = state->moves + moves; state->moves != end; state->moves++) {
		draw_t *drawn = &ring[state->moves % AHEAD];
		uint32_t a = drawn->item, b;
		bool picked = pick(state, drawn, &b);
		double change;

		*drawn = draw(state, state->moves + AHEAD, random);
		if (graph->tasks >= IN_TURN)
			fetch(state, ring, state->moves + AHEAD);
		if (!picked) {
			if (!torus_effort_spend(effort, 1))
				return false;
			continue;
		}
		if (!torus_effort_spend(
			    effort,
			    torus_annealing_work(state->annealing,
						 torus_move_cost_work(graph, a) +
							 torus_move_cost_work(graph, b))))
			return false;
		change = cost_of_swap(state, a, b);
		if (change > -state->least) {
			double chance =
				(double)(torus_random_next(random) >> 11) * 0x1p-53;

			if (temperature == 0 ? change > state->least
					     : is_refused(chance, change / temperature))
				continue;
		}
		swap_items(state, a, b);
		state->change += change;
		if (graph->tasks <= FEW_ITEMS && !state->part)
			keep_if_best(state);
	}
	return true;
}

static double mean_weight(const torus_task_graph_t *graph)
{
	uint64_t entries = graph->first[graph->tasks];
	double sum = 0;

	if (!graph->weight || !entries)
		return 1;
	for (uint64_t i = 0; i < entries; i++)
		sum += graph->weight[i];
	return sum / (double)entries;
}

double torus_annealing_heavy(const torus_task_graph_t *graph)
{
	uint64_t entries = graph->first[graph->tasks];
	double sum = 0, squares = 0;

	if (!graph->weight || !entries)
		return 1;
	for (uint64_t i = 0; i < entries; i++) {
		sum += graph->weight[i];
		squares += graph->weight[i] * graph->weight[i];
	}
	return squares / sum;
}

void torus_annealing_cool(const torus_annealing_t *annealing, double heat, uint64_t moves,
			  bool (*play)(void *context, double temperature, uint64_t moves),
			  void *context)
{
	uint64_t cold_moves = (uint64_t)((double)moves * (heat > 0 ? COLD_SHARE : 1));
	double weight = mean_weight(annealing->graph), cold = COLD;
	bool going = true;

	if (annealing->wide && heat > 0) {
		heat = WIDE_HEAT * torus_annealing_heavy(annealing->graph) / weight;
		cold = WIDE_COLD;
	}
	for (int step = 0; step < STEPS && heat > 0 && going; step++) {
		double part = step / (STEPS - 1.0);

		going = play(context, weight * heat * pow(cold / heat, part),
			     (moves - cold_moves) / STEPS + 1);
	}
	if (going)
		play(context, 0, cold_moves);
}

/* What torus_annealing_run() anneals with on this thread. */
typedef struct alone {
	torus_annealing_state_t state;
	uint64_t *random;
	torus_effort_t *effort;
} alone_t;

static bool play_alone(void *context, double temperature, uint64_t moves)
{
	alone_t *alone = context;
	bool going = torus_annealing_moves(&alone->state, temperature, moves,
					   alone->random, alone->effort);

	keep_if_best(&alone->state);
	return going;
}

static double run_alone(const torus_annealing_t *annealing, double heat, uint64_t moves,
			uint64_t *random, torus_effort_t *effort, uint32_t *node_of_item,
			torus_error_t *err)
{
	alone_t alone = {.random = random, .effort = effort};
	double result = -1;

	if (torus_annealing_begin(annealing, node_of_item, &alone.state, err))
		goto done;
	torus_annealing_cool(annealing, heat, moves, play_alone, &alone);
	memcpy(node_of_item, alone.state.best,
	       annealing->graph->tasks * sizeof(*alone.state.best));
	result = -alone.state.best_change;
done:
	torus_annealing_end(&alone.state);
	return result;
}

uint32_t torus_annealing_threads(const torus_annealing_t *annealing)
{
	uint32_t threads = annealing->nodes / NODES_OF_A_THREAD;

	if (threads > annealing->threads)
		threads = annealing->threads;
	return threads && annealing->nodes >= NODES_OF_THREADS ? threads : 1;
}

double torus_annealing_run(const torus_annealing_t *annealing, double heat,
			   uint64_t moves, uint64_t *random, torus_effort_t *effort,
			   uint32_t *node_of_item, torus_error_t *err)
{
	uint32_t threads = torus_annealing_threads(annealing);

	return threads > 1
		       ? torus_annealing_run_threads(annealing, threads, heat, moves,
						     random, effort, node_of_item, err)
		       : run_alone(annealing, heat, moves, random, effort, node_of_item,
				   err);
}
