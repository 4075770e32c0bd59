/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm asks about sets of nodes: see topology/groups.h. */
#include "topology/groups.h"

#include "base/bitmap.h"
#include "metrics/metrics.h"
#include "slurm/choose.h"
#include "topology/tori.h"

#ifdef TOPOLOGY_CHOOSES

bitstr_t *topology_nodes_of(const char *name)
{
	tori_t *tori = topology_tori_look();
	bitstr_t *nodes = NULL;

	if (!tori)
		return NULL;
	for (int t = 0; t < tori->count; t++) {
		if (!xstrcmp(tori->torus[t].map->name, name))
			nodes = tori->torus[t].nodes;
	}
	topology_tori_unlock();
	return nodes;
}

int topology_add_whole_tori(bitstr_t *nodes)
{
	tori_t *tori = topology_tori_look();

	if (!tori)
		return SLURM_SUCCESS;
	for (int t = 0; t < tori->count; t++) {
		if (bit_overlap_any(tori->torus[t].nodes, nodes))
			bit_or(nodes, tori->torus[t].nodes);
	}
	topology_tori_unlock();
	return SLURM_SUCCESS;
}

/*
 * A hundred times the mean hops between two nodes of the torus that are not in its set
 * TORUS_TORI_FREE.
 */
static uint32_t scatter_on(const joined_torus_t *torus)
{
	const torus_map_t *map = torus->map;
	uint32_t *cells = xcalloc(map->nodes, sizeof(*cells)), taken = 0;
	uint64_t sum = 0;
	torus_error_t err;

	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (!torus_bit_test(torus->set[TORUS_TORI_FREE], rank))
			cells[taken++] = map->cell_of_rank[rank];
	}
	/* Slurm asks often: by the torus's own links, which is quick. */
	if (taken > 1 &&
	    torus_summed_own_distance(&map->geometry, cells, taken, &sum, &err) != 0)
		error("%s: %s", plugin_type, err.text);
	xfree(cells);
	return taken > 1 ? (uint32_t)(100 * sum / ((uint64_t)taken * (taken - 1))) : 0;
}

uint32_t topology_fragmentation(const bitstr_t *nodes)
{
	tori_t *tori = topology_tori_lock();
	uint32_t sum = 0;

	if (!tori)
		return 0;
	uint32_t counts[tori->count];

	choose_ranks_of(tori, nodes, counts);
	for (int t = 0; t < tori->count; t++)
		sum += scatter_on(&tori->torus[t]);
	topology_tori_unlock();
	return sum;
}

#endif
