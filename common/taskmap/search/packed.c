/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cost of moves by packed coordinates: see taskmap/search/packed.h. */
#include "taskmap/search/packed.h"

#include <stdbool.h>
#include <stdlib.h>

#define BYTES 4
/* So many are computed at once: a constant, so that compilers use vectors of bytes. */
#define AT_ONCE 8
/* Along a line no ring is shorter: 256 less the distance, in a byte of its own. */
#define LINE_MOST 128

typedef union lanes {
	uint32_t word[AT_ONCE];
	uint8_t byte[AT_ONCE * BYTES];
} lanes_t;

static bool fits(const torus_hop_table_t *table, uint32_t nodes)
{
	size_t dims = (size_t)table->dims;

	if (table->dims > TORUS_PACKED_DIMS || table->twisted)
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
	lanes_t lanes;

	for (int i = 0; i < AT_ONCE; i++)
		lanes.word[i] = word;
	return lanes;
}

/* The hops of each lane, along each dimension. */
static inline lanes_t hops_between(const lanes_t *from, const lanes_t *to,
				   const lanes_t *ring)
{
	lanes_t hops;

	for (int i = 0; i < AT_ONCE * BYTES; i++) {
		uint8_t low = from->byte[i] < to->byte[i] ? from->byte[i] : to->byte[i];
		uint8_t high = from->byte[i] < to->byte[i] ? to->byte[i] : from->byte[i];
		uint8_t apart = (uint8_t)(high - low);
		uint8_t around = (uint8_t)(ring->byte[i] - apart);

		hops.byte[i] = around < apart ? around : apart;
	}
	return hops;
}

/* The sum of a word's bytes. */
static inline int32_t sum_of(uint32_t word)
{
	uint32_t pairs = (word & 0x00ff00ff) + (word >> 8 & 0x00ff00ff);

	return (int32_t)((pairs & 0xffff) + (pairs >> 16));
}

double torus_packed_cost(const torus_task_graph_t *graph, uint32_t ring,
			 const uint32_t *at, uint32_t task, uint32_t to, uint32_t other)
{
	lanes_t rings = repeat(ring), before = repeat(at[task]), after = repeat(to);
	lanes_t places = {0}, old_hops, new_hops;
	double change = 0;

	for (uint64_t first = graph->first[task], end = graph->first[task + 1];
	     first < end; first += AT_ONCE) {
		int count = end - first < AT_ONCE ? (int)(end - first) : AT_ONCE;
		const uint32_t *neighbor = graph->neighbor + first;
		int32_t more[AT_ONCE], sum = 0;

		for (int i = 0; i < count; i++)
			places.word[i] = at[neighbor[i]];
		old_hops = hops_between(&before, &places, &rings);
		new_hops = hops_between(&after, &places, &rings);
		for (int i = 0; i < AT_ONCE; i++)
			more[i] = sum_of(new_hops.word[i]) - sum_of(old_hops.word[i]);
		for (int i = 0; i < count; i++) {
			if (neighbor[i] == other)
				continue;
			if (graph->weight)
				change += graph->weight[first + (uint64_t)i] * more[i];
			else
				sum += more[i];
		}
		change += sum;
	}
	return change;
}
