/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes take part: see choose.h. */
#include "torus_config.h"

#include "mpi/choose.h"

#include <stdlib.h>
#include <string.h>

#include "metrics/metrics.h"

#define CENTERS 64 /* nodes tried, at most */
#define VISITS                                                                           \
	(UINT32_C(1) << 20) /* and together so many distances, unless one takes more */

typedef struct places {
	const torus_geometry_t *geometry;
	const uint32_t *cell, *capacity;
	uint32_t nodes, tasks;
	uint32_t needed; /* a node of which a place is taken in any case */
	int32_t (*coord)[TORUS_MAX_DIMS]; /* [nodes] */
	uint32_t *first;		  /* [farthest + 2] for sorting by distance */
	uint32_t *order, *far;		  /* [nodes] */
	uint32_t farthest;
	uint32_t *taken; /* [tasks] the cell of each place taken */
} places_t;

/* Take the places nearest to node [center], ties in the order of the nodes, and the one
 * that is needed. */
static void take_around(places_t *places, uint32_t center, uint32_t *take)
{
	uint32_t left = places->tasks - 1;

	memset(places->first, 0, (places->farthest + 2) * sizeof(*places->first));
	for (uint32_t node = 0; node < places->nodes; node++) {
		places->far[node] = torus_hops(places->geometry, places->coord[center],
					       places->coord[node]);
		places->first[places->far[node] + 1]++;
	}
	for (uint32_t far = 0; far <= places->farthest; far++)
		places->first[far + 1] += places->first[far];
	for (uint32_t node = 0; node < places->nodes; node++)
		places->order[places->first[places->far[node]]++] = node;
	for (uint32_t i = 0; i < places->nodes; i++) {
		uint32_t node = places->order[i], most = places->capacity[node];

		most -= node == places->needed;
		take[node] = most < left ? most : left;
		left -= take[node];
	}
	take[places->needed]++;
}

/* The sum of the distances between all pairs of places taken. */
static int pair_sum(places_t *places, const uint32_t *take, uint64_t *sum,
		    torus_error_t *err)
{
	uint32_t taken = 0;

	for (uint32_t node = 0; node < places->nodes; node++) {
		for (uint32_t i = 0; i < take[node]; i++)
			places->taken[taken++] = places->cell[node];
	}
	return torus_summed_distance(places->geometry, places->taken, taken, sum, err);
}

static int places_init(places_t *places, torus_error_t *err)
{
	const torus_geometry_t *geometry = places->geometry;

	for (int axis = 0; axis < geometry->dims; axis++)
		places->farthest += (uint32_t)geometry->length[axis];
	places->coord = malloc(places->nodes * sizeof(*places->coord));
	places->first = malloc((places->farthest + 2) * sizeof(*places->first));
	places->order = malloc(places->nodes * sizeof(*places->order));
	places->far = malloc(places->nodes * sizeof(*places->far));
	places->taken = malloc(places->tasks * sizeof(*places->taken));
	if (!places->coord || !places->first || !places->order || !places->far ||
	    !places->taken)
		return torus_fail(err, "out of memory for %u nodes", places->nodes);
	for (uint32_t node = 0; node < places->nodes; node++)
		torus_cell_to_coord(geometry, places->cell[node], places->coord[node]);
	return 0;
}

int storus_mpi_choose(const torus_geometry_t *geometry, const uint32_t *cell,
		      const uint32_t *capacity, uint32_t nodes, uint32_t first,
		      uint32_t tasks, uint32_t *take, torus_error_t *err)
{
	places_t places = {.geometry = geometry,
			   .cell = cell,
			   .capacity = capacity,
			   .nodes = nodes,
			   .needed = first,
			   .tasks = tasks};
	uint32_t *trial = malloc(nodes * sizeof(*trial));
	/* Where hops do not add up their pairs have no short sum. */
	uint64_t visits =
		torus_hops_add_up(geometry) ? nodes : (uint64_t)nodes * nodes;
	uint32_t centers = (uint32_t)(VISITS / visits) + 1;
	uint64_t least = UINT64_MAX;
	int result = -1;

	if (!trial) {
		torus_fail(err, "out of memory for %u nodes", nodes);
		goto done;
	}
	if (places_init(&places, err))
		goto done;
	if (centers > CENTERS)
		centers = CENTERS;
	if (centers > nodes)
		centers = nodes;
	for (uint32_t i = 0; i < centers; i++) {
		uint64_t center = (first + (uint64_t)i * nodes / centers) % nodes, sum;

		take_around(&places, (uint32_t)center, trial);
		if (pair_sum(&places, trial, &sum, err))
			goto done;
		if (sum < least) {
			least = sum;
			memcpy(take, trial, nodes * sizeof(*take));
		}
	}
	result = 0;
done:
	free(places.coord);
	free(places.first);
	free(places.order);
	free(places.far);
	free(places.taken);
	free(trial);
	return result;
}
