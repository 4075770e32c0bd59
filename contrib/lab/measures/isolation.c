/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much jobs disturb each other: see isolation.h. */
#include "measures/isolation.h"

#include <stdlib.h>

#include "metrics/metrics.h"

static const char *const names[TORUS_ISOLATION_VALUES] = {
	"foreign_nodes",
	"links_used",
	"links_shared",
};

const char *torus_isolation_name(int number)
{
	return names[number];
}

double torus_isolation_value(const torus_isolation_t *isolation, int number)
{
	const double values[TORUS_ISOLATION_VALUES] = {
		isolation->foreign_nodes,
		isolation->links_used,
		isolation->links_shared,
	};

	return values[number];
}

torus_occupancy_t *torus_occupancy_create(const torus_geometry_t *geometry,
					  const uint32_t *cell_of_rank, uint32_t ranks,
					  torus_error_t *err)
{
	torus_occupancy_t *occupancy = calloc(1, sizeof(*occupancy));

	if (occupancy) {
		occupancy->geometry = *geometry;
		occupancy->cell_of_rank = cell_of_rank;
		occupancy->jobs = calloc(ranks, sizeof(*occupancy->jobs));
		occupancy->taken =
			calloc(torus_geometry_cells(geometry), sizeof(*occupancy->taken));
		if (occupancy->jobs && occupancy->taken)
			return occupancy;
	}
	torus_occupancy_destroy(occupancy);
	torus_fail(err, "out of memory for who holds %u nodes", ranks);
	return NULL;
}

void torus_occupancy_destroy(torus_occupancy_t *occupancy)
{
	if (!occupancy)
		return;
	free(occupancy->jobs);
	free(occupancy->taken);
	free(occupancy->load);
	free(occupancy);
}

int torus_occupancy_add(torus_occupancy_t *occupancy, const uint32_t *rank, uint32_t n,
			const torus_links_t *links, torus_error_t *err)
{
	if (links->ranges && !occupancy->load) {
		uint32_t total = torus_links_total(&occupancy->geometry);

		occupancy->load = calloc(total, sizeof(*occupancy->load));
		if (!occupancy->load)
			return torus_fail(err, "out of memory for the load of %u links",
					  total);
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!occupancy->jobs[rank[i]]++)
			occupancy->taken[occupancy->cell_of_rank[rank[i]]]++;
	}
	for (size_t i = 0; i < links->ranges; i++) {
		uint32_t *load = occupancy->load + links->range[i].first;

		for (uint32_t link = 0; link < links->range[i].count; link++)
			load[link]++;
	}
	return 0;
}

void torus_occupancy_remove(torus_occupancy_t *occupancy, const uint32_t *rank,
			    uint32_t n, const torus_links_t *links)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!--occupancy->jobs[rank[i]])
			occupancy->taken[occupancy->cell_of_rank[rank[i]]]--;
	}
	for (size_t i = 0; i < links->ranges; i++) {
		uint32_t *load = occupancy->load + links->range[i].first;

		for (uint32_t link = 0; link < links->range[i].count; link++)
			load[link]--;
	}
}

/* Taken nodes in the row of the box that begins at [coord] and runs along x. */
static uint32_t taken_in_row(const torus_occupancy_t *occupancy,
			     const int32_t coord[TORUS_MAX_DIMS], int32_t side)
{
	const uint32_t *row =
		occupancy->taken +
		(torus_coord_to_cell(&occupancy->geometry, coord) - (uint32_t)coord[0]);
	int32_t length = occupancy->geometry.length[0];
	int32_t end = coord[0] + side;
	uint32_t taken = 0;

	for (int32_t x = coord[0]; x < end && x < length; x++)
		taken += row[x];
	for (int32_t x = 0; x < end - length; x++)
		taken += row[x];
	return taken;
}

/* Taken nodes in the box, which may go around the end of wrapped dimensions. */
static uint32_t taken_in_box(const torus_occupancy_t *occupancy,
			     const int32_t side[TORUS_MAX_DIMS],
			     const int32_t origin[TORUS_MAX_DIMS])
{
	const int32_t *length = occupancy->geometry.length;
	int32_t step[TORUS_MAX_DIMS] = {0}, coord[TORUS_MAX_DIMS];
	uint32_t taken = 0;
	int axis;

	do {
		for (axis = 0; axis < TORUS_MAX_DIMS; axis++)
			coord[axis] = (origin[axis] + step[axis]) % length[axis];
		taken += taken_in_row(occupancy, coord, side[0]);
		for (axis = 1; axis < TORUS_MAX_DIMS && ++step[axis] == side[axis];
		     axis++)
			step[axis] = 0;
	} while (axis < TORUS_MAX_DIMS);
	return taken;
}

/* Links in [links] that more than [own] jobs use. */
static uint32_t count_shared(const torus_occupancy_t *occupancy,
			     const torus_links_t *links, uint32_t own)
{
	uint32_t shared = 0;

	for (size_t i = 0; occupancy->load && i < links->ranges; i++) {
		const uint32_t *load = occupancy->load + links->range[i].first;

		for (uint32_t link = 0; link < links->range[i].count; link++)
			shared += load[link] > own;
	}
	return shared;
}

int torus_occupancy_measure(const torus_occupancy_t *occupancy, const uint32_t *rank,
			    uint32_t n, const torus_links_t *links, bool present,
			    torus_isolation_t *isolation, torus_error_t *err)
{
	int32_t side[TORUS_MAX_DIMS], origin[TORUS_MAX_DIMS];
	uint32_t *cells = malloc(n * sizeof(*cells));
	uint32_t alone = 0; /* nodes that no other job holds */

	if (!cells)
		return torus_fail(err, "out of memory for %u cells", n);
	for (uint32_t i = 0; i < n; i++) {
		cells[i] = occupancy->cell_of_rank[rank[i]];
		alone += present && occupancy->jobs[rank[i]] == 1;
	}
	if (torus_bounding_box(&occupancy->geometry, cells, n, side, origin, err) != 0) {
		free(cells);
		return -1;
	}
	free(cells);
	*isolation = (torus_isolation_t){
		.foreign_nodes = taken_in_box(occupancy, side, origin) - alone,
		.links_used = links->count,
		.links_shared = count_shared(occupancy, links, present ? 1 : 0),
	};
	return 0;
}

torus_link_load_t torus_occupancy_load(const torus_occupancy_t *occupancy)
{
	uint32_t total = torus_links_total(&occupancy->geometry);
	torus_link_load_t all = {0};

	for (uint32_t link = 0; occupancy->load && link < total; link++) {
		uint32_t jobs = occupancy->load[link];

		all.used += jobs > 0;
		all.shared += jobs > 1;
		all.sharers += jobs > 1 ? jobs : 0;
		all.most = jobs > all.most ? jobs : all.most;
	}
	return all;
}
