/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost of moves by packed coordinates: see taskmap/search/packed.h. */
#include "taskmap/search/packed.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* So many are computed at once. */
#define AT_ONCE (TORUS_TASK_GRAPH_MORE + 1)
/* Along a line no ring is shorter: 256 less the distance, in a byte of its own. Hops
 * are at most 127, so that a difference of two is a byte with a sign. */
#define LINE_MOST 127

/* Packed coordinates side by side, their bytes, and numbers for each of them. */
typedef uint32_t words_t __attribute__((vector_size(4 * AT_ONCE)));
typedef int32_t sums_t __attribute__((vector_size(4 * AT_ONCE)));
typedef int16_t halves_t __attribute__((vector_size(4 * AT_ONCE)));
typedef double weights_t __attribute__((vector_size(8 * AT_ONCE)));
typedef union lanes {
	words_t words;
	halves_t halves;
	uint8_t byte[4 * AT_ONCE];
} lanes_t;

static bool fits(const torus_hop_table_t *table, uint32_t nodes)
{
	size_t dims = (size_t)table->dims;

	if (table->dims > TORUS_PACKED_DIMS || table->other)
		return false;
	for (size_t axis = 0; axis < dims; axis++) {
		if (table->ring[axis] <= UINT8_MAX)
			continue;
		if (table->ring[axis] != INT32_MAX)
			return false;
		for (uint32_t node = 0; node < nodes; node++) {
			if (table->coord[node * dims + axis] > LINE_MOST)
				return false;
		}
	}
	return true;
}

int torus_packed_init(const torus_hop_table_t *table, uint32_t nodes,
		      torus_packed_t *packed, torus_error_t *err)
{
	size_t dims = (size_t)table->dims;

	*packed = (torus_packed_t){0};
	if (!fits(table, nodes))
		return 0;
	packed->node = calloc(nodes, sizeof(*packed->node));
	if (!packed->node)
		return torus_fail(err, "out of memory for the coordinates of %u nodes",
				  nodes);
	for (size_t axis = 0; axis < dims; axis++) {
		if (table->ring[axis] != INT32_MAX)
			packed->ring |= (uint32_t)table->ring[axis] << 8 * axis;
		for (uint32_t node = 0; node < nodes; node++)
			packed->node[node] |= (uint32_t)table->coord[node * dims + axis]
					      << 8 * axis;
	}
	return 0;
}

void torus_packed_destroy(torus_packed_t *packed)
{
	free(packed->node);
	packed->node = NULL;
}

static inline lanes_t repeat(uint32_t word)
{
	return (lanes_t){.words = {word, word, word, word}};
}

/* The hops of each lane, along each dimension. */
static inline lanes_t hops_between(const lanes_t *from, const lanes_t *to,
				   const lanes_t *ring)
{
	lanes_t hops;

	/* Compilers make this a few operations on whole vectors. */
	for (int i = 0; i < 4 * AT_ONCE; i++) {
		uint8_t low = from->byte[i] < to->byte[i] ? from->byte[i] : to->byte[i];
		uint8_t high = from->byte[i] < to->byte[i] ? to->byte[i] : from->byte[i];
		uint8_t apart = (uint8_t)(high - low);
		uint8_t around = (uint8_t)(ring->byte[i] - apart);

		hops.byte[i] = around < apart ? around : apart;
	}
	return hops;
}

/* By how much the sum of each lane's bytes grows from one to the other. */
static inline sums_t growth(const lanes_t *before, const lanes_t *after)
{
	lanes_t by;
	halves_t pairs;

	for (int i = 0; i < 4 * AT_ONCE; i++)
		by.byte[i] = (uint8_t)(after->byte[i] - before->byte[i]);
	/* Each byte is one with a sign: the lower one of two is moved up to have it. */
	pairs = (by.halves << 8 >> 8) + (by.halves >> 8);
	return ((sums_t)pairs << 16 >> 16) + ((sums_t)pairs >> 16);
}

/* torus_packed_cost() */
static inline double cost(const torus_task_graph_t *graph, const lanes_t *rings,
			  const uint32_t *at, uint32_t task, uint32_t to, uint32_t other)
{
	/* The lanes that count when so many neighbours are left; 0: more than there are.
	 */
	static const sums_t counted[AT_ONCE] = {
		{-1, -1, -1, -1}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}};
	uint64_t first = graph->first[task], end = graph->first[task + 1];
	lanes_t before = repeat(at[task]), after = repeat(to);
	words_t others = repeat(other).words;
	sums_t sum = {0};
	weights_t weighted = {0};

	for (; first < end; first += AT_ONCE) {
		/* Those behind the last one are others', and do not count. */
		const uint32_t *neighbor = graph->neighbor + first;
		lanes_t places = {.words = {at[neighbor[0]], at[neighbor[1]],
					    at[neighbor[2]], at[neighbor[3]]}};
		lanes_t hops_before = hops_between(&before, &places, rings);
		lanes_t hops_after = hops_between(&after, &places, rings);
		sums_t more = growth(&hops_before, &hops_after);
		words_t which;

		memcpy(&which, neighbor, sizeof(which));
		more &= counted[end - first < AT_ONCE ? end - first : 0] &
			(sums_t)(which != others);
		if (graph->weight) {
			weights_t weight;

			memcpy(&weight, graph->weight + first, sizeof(weight));
			weighted += weight * __builtin_convertvector(more, weights_t);
		} else {
			sum += more;
		}
	}
	return graph->weight ? (weighted[0] + weighted[1]) + (weighted[2] + weighted[3])
			     : (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double torus_packed_cost(const torus_task_graph_t *graph, uint32_t ring,
			 const uint32_t *at, uint32_t task, uint32_t to, uint32_t other)
{
	lanes_t rings = repeat(ring);

	return cost(graph, &rings, at, task, to, other);
}

double torus_packed_cost_swap(const torus_task_graph_t *graph, uint32_t ring,
			      const uint32_t *at, uint32_t a, uint32_t b)
{
	lanes_t rings = repeat(ring);

	return cost(graph, &rings, at, a, at[b], b) +
	       cost(graph, &rings, at, b, at[a], a);
}
