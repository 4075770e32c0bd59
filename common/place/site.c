/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as strategies see it: see site.h. */
#include "place/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"

void torus_site_destroy(torus_site_t *site)
{
	if (!site)
		return;
	free(site->first_on);
	free(site->rank_on);
	free(site->coord);
	free(site->free_on);
	free(site->taken);
	if (site->kept)
		site->kept_destroy(site->kept);
	free(site);
}

/* A counting sort, with free_on as its counters. */
static void index_ranks(torus_site_t *site)
{
	uint32_t first = 0;

	for (uint32_t rank = 0; rank < site->ranks; rank++)
		site->free_on[site->cell_of_rank[rank]]++;
	for (uint32_t cell = 0; cell < site->cells; cell++) {
		if (site->free_on[cell] > site->most)
			site->most = site->free_on[cell];
		site->first_on[cell] = first;
		first += site->free_on[cell];
		site->free_on[cell] = 0;
	}
	site->first_on[site->cells] = first;
	for (uint32_t rank = 0; rank < site->ranks; rank++) {
		uint32_t cell = site->cell_of_rank[rank];

		site->rank_on[site->first_on[cell] + site->free_on[cell]++] = rank;
	}
}

torus_site_t *torus_site_create(const torus_geometry_t *geometry,
				const uint32_t *cell_of_rank, uint32_t ranks,
				torus_error_t *err)
{
	torus_site_t *site = calloc(1, sizeof(*site));
	size_t cells = torus_geometry_cells(geometry);

	if (!site)
		goto fail;
	site->geometry = *geometry;
	site->cells = (uint32_t)cells;
	site->ranks = ranks;
	site->cell_of_rank = cell_of_rank;
	site->first_on = malloc((cells + 1) * sizeof(*site->first_on));
	site->rank_on = malloc(ranks * sizeof(*site->rank_on));
	site->coord = malloc(cells * (size_t)geometry->dims * sizeof(*site->coord));
	site->free_on = calloc(cells, sizeof(*site->free_on));
	site->taken = torus_bitmap_create(ranks);
	if (!site->first_on || !site->rank_on || !site->coord || !site->free_on ||
	    !site->taken)
		goto fail;
	index_ranks(site);
	for (uint32_t cell = 0; cell < site->cells; cell++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(geometry, cell, coord);
		memcpy(site->coord + (size_t)cell * (size_t)geometry->dims, coord,
		       (size_t)geometry->dims * sizeof(*coord));
	}
	return site;
fail:
	torus_site_destroy(site);
	torus_fail(err, "out of memory for an index of %zu cells", cells);
	return NULL;
}

uint32_t torus_site_begin(torus_site_t *site, const uint64_t *free)
{
	uint32_t count = 0;

	site->free = free;
	memset(site->free_on, 0, site->cells * sizeof(*site->free_on));
	memset(site->taken, 0, TORUS_WORDS(site->ranks) * sizeof(*site->taken));
	for (size_t i = 0; i < TORUS_WORDS(site->ranks); i++) {
		for (uint64_t bits = free[i]; bits; bits &= bits - 1) {
			uint32_t bit = (uint32_t)__builtin_ctzll(bits);

			site->free_on[site->cell_of_rank[i * 64 + bit]]++;
			count++;
		}
	}
	return count;
}

uint32_t torus_site_take(torus_site_t *site, uint32_t cell, uint32_t count)
{
	uint32_t left = count;

	for (uint32_t i = site->first_on[cell]; i < site->first_on[cell + 1] && left;
	     i++) {
		uint32_t rank = site->rank_on[i];

		if (!torus_bit_test(site->free, rank) ||
		    torus_bit_test(site->taken, rank))
			continue;
		torus_bit_set(site->taken, rank);
		left--;
	}
	return count - left;
}
