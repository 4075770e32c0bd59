/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When and where a job could have its nodes: see wanted.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "lists/hostlist_format.h"
#include "lists/ranklist.h"
#include "machine/cluster_near.h"
#include "machine/cluster_place.h"
#include "metrics/metrics.h"
#include "storus/capacity/wanted.h"
#include "torus/joined.h"

/* A search; what is free at the time that is looked at is in [free]. */
typedef struct search {
	const storus_room_t *room;
	const storus_wanted_t *wanted;
	torus_cluster_placer_t *placer;
	const torus_map_t *map;
	uint64_t *free; /* bitmap of ranks */
	uint64_t *weights;
	torus_cluster_placement_t placement;
	torus_error_t *err;
	bool failed;
} search_t;

static bool asks_shape(const storus_wanted_t *wanted)
{
	return wanted->shapes && torus_shapes_asked(wanted->shapes);
}

/* Whether there is a place for the job, then in the placer; errors are noted. */
static bool place_shape(search_t *search, const torus_shape_t *shape)
{
	const torus_candidates_t candidates = {.free = search->free,
					       .weights = search->weights};
	const torus_cluster_request_t request = {
		.nodes = search->wanted->nodes,
		.shape = shape,
		.contiguous = search->wanted->contiguous,
		.torus = &candidates,
	};
	int rc = torus_cluster_place(search->placer, &request, &search->placement,
				     search->err);

	if (rc > 0 && search->wanted->near)
		rc = torus_cluster_is_near(search->placer, &search->placement,
					   search->wanted->near, search->err);
	search->failed |= rc < 0;
	return rc > 0 && (!search->wanted->nodes ||
			  search->placement.nodes == search->wanted->nodes);
}

static bool suits(void *data)
{
	search_t *search = data;
	const storus_wanted_t *wanted = search->wanted;
	const torus_shape_t any = {.closed =
					   asks_shape(wanted) && wanted->shapes->closed};

	if (search->failed || wanted->nodes > search->map->nodes)
		return false;
	if (!asks_shape(wanted))
		return place_shape(search, NULL);
	if (wanted->shapes->any)
		return place_shape(search, &any);
	for (int i = 0; i < wanted->shapes->count; i++) {
		if (place_shape(search, &wanted->shapes->shape[i]))
			return true;
	}
	return false;
}

/* The weights of the ranks, unless all are the same. Returns 0, or -1: out of memory. */
static int list_weights(search_t *search)
{
	const storus_jobs_t *jobs = search->room->jobs;
	const torus_map_t *map = search->map;
	bool differ = false;

	for (uint32_t i = 1; i < jobs->nodes; i++)
		differ |= jobs->node[i].weight != jobs->node[0].weight;
	if (!differ || !map->node_name)
		return 0;
	search->weights = calloc(map->nodes, sizeof(*search->weights));
	if (!search->weights)
		return -1;
	for (uint32_t rank = 0; rank < map->nodes; rank++) {
		const storus_node_t *node = storus_jobs_find_node(
			jobs, map->node_name[map->node_of_rank[rank]]);

		search->weights[rank] = node ? node->weight : 0;
	}
	return 0;
}

static int open_search(search_t *search)
{
	search->map = search->room->map;
	search->free = torus_bitmap_create(search->map->nodes);
	search->placer = torus_cluster_placer_create(&search->map, 1);
	if (search->free && search->placer && list_weights(search) == 0)
		return 0;
	return torus_fail(search->err, "out of memory");
}

static void close_search(search_t *search)
{
	torus_cluster_placer_destroy(search->placer);
	free(search->free);
	free(search->weights);
}

/* Fill in the place that the placer has. Returns 1, or -1 with [err] filled. */
static int grant(search_t *search, storus_granted_t *granted)
{
	const torus_part_t *part = &search->placer->part[0];
	double pairs = (double)part->count * (part->count - 1.0);
	uint64_t sum, alone;
	int rc;

	granted->nodes = part->count;
	granted->ranks = torus_bitmap_create(search->map->nodes);
	if (!granted->ranks)
		return torus_fail(search->err, "out of memory");
	for (uint32_t i = 0; i < part->count; i++)
		torus_bit_set(granted->ranks, part->rank[i]);
	if (part->count < 2)
		return 1;
	rc = torus_cluster_distances(search->placer, &search->placement, &sum, &alone,
				     search->err);
	if (rc > 0) {
		granted->hops = (double)sum / pairs;
		granted->alone = (double)alone / pairs;
	}
	return rc < 0 ? -1 : 1;
}

/* Find the first time of which [holders] tell. Returns as storus_wanted_first(). */
static int find(search_t *search, const torus_holders_t *holders, int64_t *when)
{
	/* A place that is near need not be chosen once there are others. */
	const torus_want_t want = {
		.suits = suits,
		.data = search,
		.usable = search->free,
		.grows = !search->wanted->near,
	};
	int found = torus_first_time_of(&search->room->line, holders, &want, when,
					search->err);

	return search->failed ? -1 : found;
}

int storus_wanted_first(const storus_room_t *room, const storus_wanted_t *wanted,
			storus_granted_t *granted, torus_error_t *err)
{
	search_t search = {.room = room, .wanted = wanted, .err = err};
	torus_holders_t holders = storus_room_jobs_of_ranks(room), shown;
	int found;

	*granted = (storus_granted_t){0};
	found = open_search(&search);
	if (found == 0)
		found = find(&search, &holders, &granted->when);
	if (found > 0) {
		/* The search may have looked at later times last. */
		torus_usable_at(&room->line, &holders, granted->when, search.free);
		found = suits(&search) && !search.failed ? grant(&search, granted) : -1;
	} else if (found == 0 && storus_room_shown(room, &shown)) {
		holders.end = shown.end;
		holders.closures = shown.closures;
		found = find(&search, &holders, &granted->when);
		granted->unknown = found > 0;
	}
	close_search(&search);
	if (found < 0)
		storus_granted_clear(granted);
	return found;
}

int storus_wanted_now(const storus_room_t *room, const storus_wanted_t *wanted,
		      storus_granted_t *granted, torus_error_t *err)
{
	search_t search = {.room = room, .wanted = wanted, .err = err};
	int found;

	*granted = (storus_granted_t){.when = INT64_MIN};
	found = open_search(&search);
	if (found == 0) {
		memcpy(search.free, room->free,
		       TORUS_WORDS(room->map->nodes) * sizeof(*search.free));
		found = suits(&search);
		if (found)
			found = grant(&search, granted);
		if (search.failed)
			found = -1;
	}
	close_search(&search);
	if (found < 0)
		storus_granted_clear(granted);
	return found;
}

void storus_granted_clear(storus_granted_t *granted)
{
	free(granted->ranks);
	*granted = (storus_granted_t){0};
}

char *storus_ranks_format(const torus_map_t *map, const uint64_t *ranks)
{
	uint32_t count = torus_bitmap_count(ranks, map->nodes), i = 0;
	uint32_t *list = malloc(((size_t)count + 1) * sizeof(*list));
	const char **names = malloc(((size_t)count + 1) * sizeof(*names));
	char *text = NULL;

	if (!list || !names)
		goto done;
	for (uint32_t rank = torus_bitmap_next_set(ranks, map->nodes, 0);
	     rank < map->nodes; rank = torus_bitmap_next_set(ranks, map->nodes, rank + 1))
		list[i++] = rank;
	for (i = 0; map->node_name && i < count; i++)
		names[i] = map->node_name[map->node_of_rank[list[i]]];
	text = map->node_name ? torus_hostlist_format(names, count)
			      : torus_ranklist_format(list, count, ',');
done:
	free(list);
	free(names);
	return text;
}

int storus_ranks_sides(const torus_map_t *map, const uint64_t *ranks,
		       char text[TORUS_DIMS_TEXT], torus_error_t *err)
{
	uint32_t *cells = malloc((size_t)map->nodes * sizeof(*cells)), count = 0;
	torus_geometry_t geometry = map->geometry;
	int32_t side[TORUS_MAX_DIMS];
	int rc = cells ? 0 : torus_fail(err, "out of memory");

	for (uint32_t rank = 0; rc == 0 && rank < map->nodes; rank++) {
		if (torus_bit_test(ranks, rank))
			cells[count++] = map->cell_of_rank[rank];
	}
	if (rc == 0)
		rc = torus_join_cells(&geometry, cells, count, NULL, err);
	if (rc == 0)
		rc = torus_bounding_box(&geometry, cells, count, side, NULL, err);
	if (rc == 0)
		torus_lengths_format(geometry.dims, side, text);
	free(cells);
	return rc;
}
