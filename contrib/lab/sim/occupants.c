/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs on the simulated machine: see occupants.h. */
#include "sim/occupants.h"

#include <stdlib.h>

torus_occupants_t *torus_occupants_create(const torus_map_t *const *map, int tori,
					  size_t jobs, torus_error_t *err)
{
	torus_occupants_t *occupants = calloc(1, sizeof(*occupants));
	uint32_t most = 0;

	if (!occupants)
		goto memory;
	occupants->map = map;
	occupants->tori = (size_t)tori;
	occupants->jobs = jobs ? jobs : 1;
	occupants->occupancy = calloc(occupants->tori, sizeof(*occupants->occupancy));
	occupants->links =
		calloc(occupants->jobs * occupants->tori, sizeof(*occupants->links));
	if (!occupants->occupancy || !occupants->links)
		goto memory;
	for (int t = 0; t < tori; t++) {
		occupants->occupancy[t] = torus_occupancy_create(
			&map[t]->geometry, map[t]->cell_of_rank, map[t]->nodes, err);
		if (!occupants->occupancy[t])
			goto fail;
		most = map[t]->nodes > most ? map[t]->nodes : most;
	}
	occupants->scratch = malloc(most * sizeof(*occupants->scratch));
	if (occupants->scratch)
		return occupants;
memory:
	torus_fail(err, "out of memory for who is on %d tori", tori);
fail:
	torus_occupants_destroy(occupants);
	return NULL;
}

void torus_occupants_destroy(torus_occupants_t *occupants)
{
	if (!occupants)
		return;
	for (size_t t = 0; occupants->occupancy && t < occupants->tori; t++)
		torus_occupancy_destroy(occupants->occupancy[t]);
	for (size_t i = 0; occupants->links && i < occupants->jobs * occupants->tori; i++)
		torus_links_clear(&occupants->links[i]);
	free(occupants->occupancy);
	free(occupants->links);
	free(occupants->scratch);
	free(occupants);
}

int torus_occupants_start(torus_occupants_t *occupants, size_t job,
			  const torus_part_t *part, torus_isolation_t *isolation,
			  torus_error_t *err)
{
	uint32_t *cells = occupants->scratch;

	for (size_t t = 0; t < occupants->tori; t++) {
		const torus_map_t *map = occupants->map[t];
		torus_occupancy_t *occupancy = occupants->occupancy[t];
		torus_links_t *links = &occupants->links[job * occupants->tori + t];
		const uint32_t *rank = part[t].rank;
		uint32_t n = part[t].count;

		if (!n)
			continue;
		for (uint32_t i = 0; i < n; i++)
			cells[i] = map->cell_of_rank[rank[i]];
		if (torus_links_used(&map->geometry, cells, n, links, err) != 0 ||
		    (isolation && torus_occupancy_measure(occupancy, rank, n, links,
							  false, isolation, err) != 0) ||
		    torus_occupancy_add(occupancy, rank, n, links, err) != 0)
			return -1;
	}
	return 0;
}

void torus_occupants_stop(torus_occupants_t *occupants, size_t job,
			  const torus_sim_run_t *run, uint32_t runs)
{
	for (uint32_t i = 0; i < runs;) {
		int t = run[i].torus;
		torus_links_t *links =
			&occupants->links[job * occupants->tori + (size_t)t];
		uint32_t n = 0;

		for (; i < runs && run[i].torus == t; i++) {
			for (uint32_t rank = 0; rank < run[i].count; rank++)
				occupants->scratch[n++] = run[i].first + rank;
		}
		torus_occupancy_remove(occupants->occupancy[t], occupants->scratch, n,
				       links);
		torus_links_clear(links);
	}
}
