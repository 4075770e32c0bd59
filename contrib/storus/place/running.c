/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running jobs: see running.h. */
#include "torus_config.h"

#include <err.h>
#include <stdlib.h>

#include "base/bitmap.h"
#include "storus/place/running.h"

int storus_running_read(storus_running_t *running, const char *path,
			const torus_cluster_t *cluster)
{
	torus_error_t error;

	*running = (storus_running_t){0};
	if (storus_jobs_read(path, &running->jobs, &error) == 0)
		running->view = storus_view_create(cluster, &running->jobs, &error);
	if (running->view)
		return 0;
	warnx("--jobs: %s", error.text);
	return -1;
}

void storus_running_clear(storus_running_t *running)
{
	storus_view_destroy(running->view);
	storus_jobs_clear(&running->jobs);
	*running = (storus_running_t){0};
}

/*
 * A machine on which one job holds all nodes that are not free. NULL with [err] filled.
 */
static torus_occupancy_t *occupy_taken(const torus_map_t *map, const uint64_t *free_nodes,
				       torus_error_t *err)
{
	const torus_links_t none = {0};
	uint32_t *taken = malloc(map->nodes * sizeof(*taken));
	torus_occupancy_t *occupancy = NULL;
	uint32_t count = 0;

	if (!taken) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		if (!torus_bit_test(free_nodes, rank))
			taken[count++] = rank;
	}
	occupancy = torus_occupancy_create(&map->geometry, map->cell_of_rank, map->nodes,
					   err);
	if (occupancy && torus_occupancy_add(occupancy, taken, count, &none, err) != 0) {
		torus_occupancy_destroy(occupancy);
		occupancy = NULL;
	}
	free(taken);
	return occupancy;
}

int storus_running_measure(const storus_running_t *running, const torus_map_t *map,
			   int torus, const uint64_t *free_nodes, const uint32_t *rank,
			   uint32_t n, torus_isolation_t *isolation, torus_error_t *err)
{
	uint32_t *cells = malloc(n * sizeof(*cells));
	torus_occupancy_t *made = NULL;
	torus_links_t links = {0};
	int rc = -1;

	if (!cells) {
		torus_fail(err, "out of memory");
		goto done;
	}
	for (uint32_t i = 0; i < n; i++)
		cells[i] = map->cell_of_rank[rank[i]];
	if (!running->view) {
		made = occupy_taken(map, free_nodes, err);
		if (!made)
			goto done;
	}
	if (torus_links_used(&map->geometry, cells, n, &links, err) == 0)
		rc = torus_occupancy_measure(
			made ? made : running->view->holdings.occupancy[torus], rank, n,
			&links, false, isolation, err);
done:
	torus_links_clear(&links);
	torus_occupancy_destroy(made);
	free(cells);
	return rc;
}
