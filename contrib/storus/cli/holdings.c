/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs hold of the tori: see holdings.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "storus/cli/holdings.h"

int storus_holdings_open(storus_holdings_t *holdings, const torus_cluster_t *cluster,
			 torus_error_t *err)
{
	*holdings = (storus_holdings_t){.tori = cluster->maps};
	holdings->occupancy = calloc((size_t)cluster->maps, sizeof(*holdings->occupancy));
	if (!holdings->occupancy)
		return torus_fail(err, "out of memory");
	for (int t = 0; t < cluster->maps; t++) {
		const torus_map_t *map = cluster->map[t];

		holdings->occupancy[t] = torus_occupancy_create(
			&map->geometry, map->cell_of_rank, map->nodes, err);
		if (!holdings->occupancy[t])
			return -1;
	}
	return 0;
}

void storus_holdings_close(storus_holdings_t *holdings)
{
	for (int t = 0; holdings->occupancy && t < holdings->tori; t++)
		torus_occupancy_destroy(holdings->occupancy[t]);
	free(holdings->occupancy);
	for (uint32_t i = 0; i < holdings->count; i++) {
		free(holdings->holding[i].rank);
		torus_links_clear(&holdings->holding[i].links);
	}
	free(holdings->holding);
	*holdings = (storus_holdings_t){0};
}

/* Append an empty one. NULL: out of memory. */
static storus_holding_t *append(storus_holdings_t *holdings)
{
	uint32_t count = holdings->count;

	/* The room doubles whenever the count is a power of two. */
	if ((count & (count - 1)) == 0) {
		storus_holding_t *more = reallocarray(
			holdings->holding, count ? 2 * (size_t)count : 1, sizeof(*more));

		if (!more)
			return NULL;
		holdings->holding = more;
	}
	holdings->holding[count] = (storus_holding_t){0};
	holdings->count++;
	return &holdings->holding[count];
}

int storus_holdings_add(storus_holdings_t *holdings, int torus, const uint32_t *rank,
			uint32_t nodes, bool linked, torus_error_t *err)
{
	torus_occupancy_t *occupancy = holdings->occupancy[torus];
	uint32_t *cells = malloc(nodes * sizeof(*cells));
	storus_holding_t *holding = append(holdings);
	int rc = -1;

	if (holding) {
		holding->torus = torus;
		holding->nodes = nodes;
		holding->linked = linked;
		holding->rank = malloc(nodes * sizeof(*holding->rank));
	}
	if (!cells || !holding || !holding->rank) {
		torus_fail(err, "out of memory");
		goto done;
	}
	memcpy(holding->rank, rank, nodes * sizeof(*rank));
	for (uint32_t i = 0; i < nodes; i++)
		cells[i] = occupancy->cell_of_rank[rank[i]];
	if (!linked || torus_links_used(&occupancy->geometry, cells, nodes,
					&holding->links, err) == 0)
		rc = torus_occupancy_add(occupancy, rank, nodes, &holding->links, err);
done:
	free(cells);
	return rc;
}

int storus_holdings_measure(const storus_holdings_t *holdings, uint32_t number,
			    torus_isolation_t *isolation, torus_error_t *err)
{
	const storus_holding_t *holding = &holdings->holding[number];

	return torus_occupancy_measure(holdings->occupancy[holding->torus], holding->rank,
				       holding->nodes, &holding->links, true, isolation,
				       err);
}

uint32_t storus_holdings_on(const storus_holdings_t *holdings, int torus)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < holdings->count; i++)
		count += holdings->holding[i].torus == torus &&
			 holdings->holding[i].linked;
	return count;
}
