/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a job's nodes along the curve: see topology/order.h. */
#include "topology/order.h"

#include "slurm/choose.h"
#include "metrics/fragments.h"
#include "topology/tori.h"

/* Slurm 26.05: the lower bits of a task's rank are the place within a unit. */
#define UNIT_SHIFT 16

/* Where in the ascending ranks of a job on a ring the first one after the largest gap is.
 */
static uint32_t behind_largest_gap(const uint32_t *ranks, uint32_t count, uint32_t line)
{
	uint32_t gap = line - ranks[count - 1] + ranks[0], start = 0;

	for (uint32_t i = 1; i < count; i++) {
		if (ranks[i] - ranks[i - 1] > gap) {
			gap = ranks[i] - ranks[i - 1];
			start = i;
		}
	}
	return start;
}

/* The bits of [nodes] below each index: the place of a node in a list of the set ones. */
static uint32_t *places_of(const bitstr_t *nodes, int size)
{
	uint32_t *place = xcalloc((size_t)size, sizeof(*place)), count = 0;

	for (int i = 0; i < size; i++) {
		place[i] = count;
		count += bit_test((bitstr_t *)nodes, i) ? 1 : 0;
	}
	return place;
}

/* Number the nodes of a job, of which torus t has counts[t] at tori->torus[t].chosen.
 */
static void number_nodes(const tori_t *tori, const bitstr_t *nodes,
			 const uint32_t *counts, uint32_t *node_rank)
{
	int size = (int)bit_size((bitstr_t *)nodes);
	uint32_t *place = places_of(nodes, size), unit = 0, next = 0;

	for (int t = 0; t < tori->count; t++) {
		const joined_torus_t *torus = &tori->torus[t];
		uint32_t count = counts[t], start = 0;

		if (!count)
			continue;
		if (torus->map->span == TORUS_SPAN_RING)
			start = behind_largest_gap(torus->chosen, count,
						   torus->map->nodes);
		for (uint32_t i = 0; i < count; i++) {
			int node =
				torus->node_of_rank[torus->chosen[(start + i) % count]];

			node_rank[place[node]] = unit << UNIT_SHIFT | i;
		}
		unit++;
	}
	for (int i = 0; i < size; i++) {
		if (bit_test((bitstr_t *)nodes, i) &&
		    (i >= tori->nodes || tori->torus_of_node[i] < 0))
			node_rank[place[i]] = unit << UNIT_SHIFT | next++;
	}
	xfree(place);
}

int topology_order_tasks(const bitstr_t *nodes, uint32_t **node_rank, uint32_t *size)
{
	uint32_t count = nodes ? (uint32_t)bit_set_count((bitstr_t *)nodes) : 0;
	tori_t *tori = NULL;

	*node_rank = NULL;
	*size = 0;
	if (count && count <= UINT32_C(1) << UNIT_SHIFT)
		tori = topology_tori_lock();
	if (tori) {
		uint32_t counts[tori->count];

		choose_ranks_of(tori, nodes, counts);
		*node_rank = xcalloc(count, sizeof(**node_rank));
		*size = count;
		number_nodes(tori, nodes, counts, *node_rank);
		topology_tori_unlock();
	}
	return SLURM_SUCCESS;
}

static uint32_t fragmentation_of(tori_t *tori, const bitstr_t *nodes)
{
	uint32_t counts[tori->count], sum = 0;

	choose_ranks_of(tori, nodes, counts);
	for (int t = 0; t < tori->count; t++) {
		const joined_torus_t *torus = &tori->torus[t];
		torus_fragments_t fragments = torus_fragments(
			torus->set[TORI_FREE], torus->map->nodes, torus->map->span);

		sum += torus_fragmentation(&fragments, torus->map->nodes);
	}
	return sum;
}

uint32_t topology_fragmentation(const bitstr_t *nodes)
{
	tori_t *tori = topology_tori_lock();
	uint32_t sum;

	if (!tori)
		return 0;
	sum = fragmentation_of(tori, nodes);
	topology_tori_unlock();
	return sum;
}
