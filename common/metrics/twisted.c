/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distances on a twisted torus: see metrics/twisted.h. */
#include "metrics/twisted.h"

#include <stdbool.h>
#include <stdlib.h>

/* From one cell to all nodes. */
static uint64_t sum_from(const torus_geometry_t *geometry, uint32_t from,
			 const uint32_t *nodes_on, uint32_t *farthest)
{
	uint32_t cells = torus_geometry_cells(geometry);
	uint64_t sum = 0;

	for (uint32_t cell = 0; cell < cells; cell++) {
		uint32_t hops;

		if (!nodes_on[cell])
			continue;
		hops = torus_hops_cells(geometry, from, cell);
		*farthest = hops > *farthest ? hops : *farthest;
		sum += (uint64_t)hops * nodes_on[cell];
	}
	return sum;
}

int torus_twisted_sums(const torus_geometry_t *geometry, const uint32_t *cells,
		       uint32_t n, torus_twisted_sums_t *sums, torus_error_t *err)
{
	uint32_t count = torus_geometry_cells(geometry);
	uint32_t *nodes_on = calloc(count, sizeof(*nodes_on));
	bool even = true;

	if (!nodes_on)
		return torus_fail(err, "out of memory for %u cells", count);
	for (uint32_t i = 0; i < n; i++)
		nodes_on[cells[i]]++;
	for (uint32_t cell = 1; cell < count; cell++)
		even = even && nodes_on[cell] == nodes_on[0];
	*sums = (torus_twisted_sums_t){.center = UINT64_MAX};
	/* From every cell the torus looks the same. */
	for (uint32_t cell = 0; cell < (even ? 1 : count); cell++) {
		uint64_t sum;

		if (!nodes_on[cell])
			continue;
		sum = sum_from(geometry, cell, nodes_on, &sums->diameter);
		sums->summed += sum * (even ? n : nodes_on[cell]);
		sums->center = sum < sums->center ? sum : sums->center;
	}
	free(nodes_on);
	return 0;
}
