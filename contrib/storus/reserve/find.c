/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which box of free nodes a reservation gets, and when. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "lists/hostlist_format.h"
#include "machine/chip_boxes.h"
#include "machine/no_box.h"
#include "place/turns.h"
#include "storus/reserve/find.h"
#include "torus/joined.h"

void storus_box_clear(storus_box_t *box)
{
	free(box->nodes);
	storus_joined_texts_clear(&box->joined);
	*box = (storus_box_t){0};
}

/* Whether [coord] is in the box with sides [side] at the corner. */
static bool in_box(const torus_geometry_t *geometry, const storus_box_request_t *request,
		   const int32_t *side, const int32_t coord[TORUS_MAX_DIMS])
{
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t offset = coord[axis] - request->corner[axis];

		if (offset < 0 && geometry->wrap[axis])
			offset += geometry->length[axis];
		if (offset < 0 || offset >= side[axis])
			return false;
	}
	return true;
}

/* Clear the bits of all nodes outside of the box at its corner. */
static void keep_corner(const torus_map_t *map, const storus_box_request_t *request,
			uint64_t *free)
{
	int32_t side[TORUS_MAX_DIMS];
	bool is_box;

	memcpy(side, request->shape.side, sizeof(side));
	is_box = torus_side_in_nodes(&map->geometry, &request->shape, side);
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&map->geometry, map->cell_of_rank[rank], coord);
		if (!is_box || !in_box(&map->geometry, request, side, coord))
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

/* Fill in what was placed: 1, or -1 with [err] filled. */
static int fill_box(storus_box_t *box, const torus_shape_t *shape,
		    const torus_part_t *part, torus_error_t *err)
{
	const torus_map_t *map = box->map;
	uint32_t *cells = malloc(part->count * sizeof(*cells));
	torus_joined_t joined;
	int rc = -1;

	box->count = part->count;
	box->nodes = names_of(map, part);
	if (!cells || !box->nodes) {
		torus_fail(err, "out of memory");
		goto done;
	}
	for (uint32_t i = 0; i < part->count; i++)
		cells[i] = map->cell_of_rank[part->rank[i]];
	if (torus_join(&map->geometry, cells, part->count, shape, &joined, err) != 0)
		goto done;
	rc = storus_joined_texts(&joined, &box->joined, err);
	torus_joined_clear(&joined);
done:
	free(cells);
	if (rc == 0)
		return 1;
	storus_box_clear(box);
	return -1;
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
		made = fill_box(box, &wanted->shape, &placer->part[placement.torus], err);
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

/* Say in [err] why the cluster can never have the box, where there is more to say of it
 * than that; else it stays empty. */
static void explain_never(const torus_cluster_t *cluster,
			  const storus_box_request_t *request, torus_error_t *err)
{
	const torus_shapes_t shapes = {.count = 1, .shape = {request->shape}};
	const torus_geometry_t *geometry = &cluster->map[0]->geometry;
	char cube[TORUS_DIMS_TEXT];

	err->text[0] = '\0';
	if (torus_cluster_lacks_cubes(cluster, &shapes, err) ||
	    torus_cluster_lacks_chip_box(cluster, &shapes, err))
		return;
	err->text[0] = '\0';
	if (request->corner && torus_has_cubes(geometry))
		torus_fail(
			err,
			"--corner: from there on it is neither within a cube of %s nor "
			"made of whole ones; without --corner any place will do",
			torus_lengths_format(geometry->dims, geometry->cube, cube));
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
	storus_box_clear(&box);
	storus_bitmaps_destroy(all, cluster);
	if (made == 0)
		explain_never(cluster, request, err);
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
