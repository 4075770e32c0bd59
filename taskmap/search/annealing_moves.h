/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The moves of an annealing, and what they change; private to taskmap/search/. With more
 * threads than one (annealing_threads.h) each has a state of its own, which moves the
 * items of a part of the nodes.
 */
#ifndef TORUS_TASKMAP_SEARCH_ANNEALING_MOVES_H
#define TORUS_TASKMAP_SEARCH_ANNEALING_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "taskmap/search/annealing.h"

/* Nodes that follow one another in an order: order[first] and those behind it. */
typedef struct torus_annealing_part {
	const uint32_t *order;	  /* [nodes] */
	const uint32_t *position; /* [nodes] of each node in order[] */
	uint32_t first;
	uint32_t count;
} torus_annealing_part_t;

typedef struct torus_annealing_state {
	const torus_annealing_t *annealing;
	const torus_annealing_part_t *part; /* only nodes of this one; NULL: all */
	uint32_t *node_of_item;
	uint32_t *first_slot; /* [nodes + 1] a node has a slot for each of its items */
	uint32_t *item_at;    /* [items] by slot */
	uint32_t *slot_of;    /* [items] */
	uint32_t *best;	      /* [items] node_of_item of the best state so far */
	uint32_t *at;	      /* [items] packed coordinates of their nodes, or NULL */
	uint64_t moves;	      /* made since the start */
	double change;	      /* of hop-bytes since the start */
	double best_change;
	double least;
	uint32_t near; /* so many of the nodes near to each are moved to */
} torus_annealing_state_t;

/*
 * Begin with the mapping node_of_item[], which the state then changes. 0, or -1 with
 * [err] filled (memory). To be ended by torus_annealing_end() in any case.
 */
int torus_annealing_begin(const torus_annealing_t *annealing, uint32_t *node_of_item,
			  torus_annealing_state_t *state, torus_error_t *err);
void torus_annealing_end(torus_annealing_state_t *state);

/* Put [item] into the slot, which is one of [node]. */
static inline void torus_annealing_put(torus_annealing_state_t *state, uint32_t item,
				       uint32_t slot, uint32_t node)
{
	state->node_of_item[item] = node;
	state->slot_of[item] = slot;
	state->item_at[slot] = item;
	if (state->at)
		state->at[item] = state->annealing->packed->node[node];
}

/* Make [moves] moves at one temperature. Returns false when the effort is spent. */
bool torus_annealing_moves(torus_annealing_state_t *state, double temperature,
			   uint64_t moves, uint64_t *random, torus_effort_t *effort);

/*
 * Cool down: have [moves] moves made by [play], at falling temperatures from [heat] on,
 * as torus_annealing_run() has it, and in the end at 0; until it returns false.
 */
void torus_annealing_cool(const torus_annealing_t *annealing, double heat, uint64_t moves,
			  bool (*play)(void *context, double temperature, uint64_t moves),
			  void *context);

#endif
