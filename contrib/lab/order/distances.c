/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hops between nodes: see order/distances.h. */
#include "order/distances.h"

#include <stdlib.h>

/* Make the table; [coord] is known. Returns 0, or -1: out of memory. */
static int tabulate(torus_distances_t *distances)
{
	size_t nodes = distances->nodes;
	uint16_t *hops = malloc(nodes * nodes * sizeof(*hops));

	if (!hops)
		return -1;
	for (uint32_t u = 0; u < nodes; u++) {
		for (uint32_t v = 0; v <= u; v++)
			hops[u * nodes + v] = hops[v * nodes + u] =
				(uint16_t)torus_distance(distances, u, v);
	}
	distances->hops = hops;
	return 0;
}

int torus_distances_of_cells(const torus_geometry_t *geometry, const uint32_t *cell,
			     uint32_t nodes, torus_distances_t *distances,
			     torus_error_t *err)
{
	*distances = (torus_distances_t){.nodes = nodes, .geometry = *geometry};
	for (int axis = 0; axis < geometry->dims; axis++)
		distances->most += geometry->wrap[axis]
					   ? (uint32_t)geometry->length[axis] / 2
					   : (uint32_t)geometry->length[axis] - 1;
	distances->coord =
		malloc((size_t)nodes * TORUS_MAX_DIMS * sizeof(*distances->coord));
	if (!distances->coord)
		return torus_fail(err, "out of memory for %u nodes", nodes);
	for (uint32_t node = 0; node < nodes; node++)
		torus_cell_to_coord(geometry, cell[node],
				    distances->coord + (size_t)node * TORUS_MAX_DIMS);
	if (nodes <= TORUS_DISTANCES_TABLE_MAX && distances->most <= UINT16_MAX &&
	    tabulate(distances))
		return torus_fail(err, "out of memory for the distances of %u nodes",
				  nodes);
	return 0;
}

int torus_distances_of_links(const torus_network_t *network, torus_distances_t *distances,
			     torus_error_t *err)
{
	size_t nodes = network->nodes;

	*distances = (torus_distances_t){.nodes = network->nodes};
	if (nodes > TORUS_DISTANCES_LINKS_MAX)
		return torus_fail(
			err,
			"distances between %u nodes take too much memory; at "
			"most %d nodes of a list of links can be ordered by them",
			network->nodes, TORUS_DISTANCES_LINKS_MAX);
	distances->hops = malloc(nodes * nodes * sizeof(*distances->hops));
	if (!distances->hops)
		return torus_fail(err, "out of memory for the distances of %u nodes",
				  network->nodes);
	return torus_network_hops(network, distances->hops, &distances->most, err);
}

void torus_distances_clear(torus_distances_t *distances)
{
	free(distances->coord);
	free(distances->hops);
}
