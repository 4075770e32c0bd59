/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori as groups of nodes: see topology/groups.h. */
#include "topology/groups.h"

#include "topology/tori.h"

#include TOPOLOGY_HEADER

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

#endif
