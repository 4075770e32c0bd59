/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which box of free nodes a reservation gets, and when. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/hostlist.h"
#include "storus/reserve/find.h"

/* Whether [coord] is in the box of these sides at its corner. */
static bool in_box(const torus_geometry_t *geometry, const storus_box_request_t *request,
		   const int32_t coord[TORUS_MAX_DIMS])
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t offset = coord[axis] - request->corner[axis];

		if (offset < 0 && geometry->wrap[axis])
			offset += geometry->length[axis];
		if (offset < 0 || offset >= request->shape.side[axis])
			return false;
	}
	return true;
}

/* Clear the bits of all nodes outside of the box at its corner. */
static void keep_corner(const torus_map_t *map, const storus_box_request_t *request,
			uint64_t *free)
{
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&map->geometry, map->cell_of_rank[rank], coord);
		if (!in_box(&map->geometry, request, coord))
			torus_bit_clear(free, rank);
	}
}

/* The names of the nodes placed on [map]; malloc'ed, NULL: out of memory. */
static char *names_of(const torus_map_t *map, const torus_part_t *part)
{
	const char **name = malloc(part->count * sizeof(*name));
	char *text;

	if (!name)
		return NULL;
	for (uint32_t i = 0; i < part->count; i++)
		name[i] = map->node_name[map->node_of_rank[part->rank[i]]];
	text = torus_hostlist_format(name, part->count);
	free(name);
	return text;
}

/* Place the box among the nodes that are [free]; returns as storus_box_find(). */
static int place(const torus_cluster_t *cluster, const storus_box_request_t *wanted,
		 uint64_t *const *free_nodes, storus_box_t *box, torus_error_t *err)
{
	torus_cluster_placer_t *placer = torus_cluster_placer_create(
		(const torus_map_t *const *)cluster->map, cluster->maps);
	torus_candidates_t *candidates =
		calloc((size_t)cluster->maps, sizeof(*candidates));
	torus_cluster_request_t request = {.shape = &wanted->shape, .torus = candidates};
	torus_cluster_placement_t placement;
	int made = -1;

	if (!placer || !candidates) {
		torus_fail(err, "out of memory");
		goto done;
	}
	for (int t = 0; t < cluster->maps; t++) {
		if (wanted->corner)
			keep_corner(cluster->map[t], wanted, free_nodes[t]);
		candidates[t].free = free_nodes[t];
	}
	made = torus_cluster_place(placer, &request, &placement, err);
	if (made > 0) {
		box->map = cluster->map[placement.torus];
		box->count = placement.nodes;
		box->nodes = names_of(box->map, &placer->part[placement.torus]);
		if (!box->nodes)
			made = torus_fail(err, "out of memory");
	}
done:
	free(candidates);
	torus_cluster_placer_destroy(placer);
	return made;
}

/* Whether the corner is on the machine; with [err] filled if not. */
static bool corner_fits(const torus_cluster_t *cluster,
			const storus_box_request_t *request, torus_error_t *err)
{
	const torus_geometry_t *geometry = &cluster->map[0]->geometry;
	char dims[TORUS_DIMS_TEXT];

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (request->corner[axis] < geometry->length[axis])
			continue;
		torus_fail(err, "--corner is outside of the %s machine",
			   torus_lengths_format(geometry->dims, geometry->length, dims));
		return false;
	}
	return true;
}

int storus_box_possible(const torus_cluster_t *cluster,
			const storus_box_request_t *request, torus_error_t *err)
{
	uint64_t **all;
	storus_box_t box = {0};
	int made;

	if (request->corner && !corner_fits(cluster, request, err))
		return -1;
	all = storus_bitmaps_create(cluster);
	if (!all)
		return torus_fail(err, "out of memory");
	for (int t = 0; t < cluster->maps; t++)
		torus_bitmap_set_range(all[t], 0, cluster->map[t]->nodes);
	made = place(cluster, request, all, &box, err);
	free(box.nodes);
	storus_bitmaps_destroy(all, cluster);
	return made;
}

int storus_box_find(const storus_busy_t *busy, const storus_box_request_t *request,
		    time_t start, time_t end, storus_box_t *box, torus_error_t *err)
{
	uint64_t **free_nodes = storus_bitmaps_create(busy->cluster);
	int made;

	if (!free_nodes)
		return torus_fail(err, "out of memory");
	storus_busy_free(busy, start, end, free_nodes);
	made = place(busy->cluster, request, free_nodes, box, err);
	storus_bitmaps_destroy(free_nodes, busy->cluster);
	return made;
}
