/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision of storus place. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/bitmap.h"
#include "place/box_sizes.h"
#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/place/decide.h"

/* Find out what the options mean on the machine. Returns 0, or -1 (message printed). */
static int understand(storus_place_t *place, const storus_place_options_t *options)
{
	const torus_cluster_t *cluster;
	uint32_t required;

	if (storus_candidates_read(options, &place->candidates) != 0)
		return -1;
	cluster = place->candidates.cluster;
	required = place->candidates.required;
	if (storus_cluster_set_rules(cluster, options->allocator, options->span,
				     options->isolation_weight) != 0)
		return -1;
	place->nodes = options->nodes;
	if (options->nodelist && !options->nodes)
		place->nodes = required;
	if (place->nodes < required) {
		warnx("--nodelist names %" PRIu32 " nodes, --nodes asks for %" PRIu64,
		      required, place->nodes);
		return -1;
	}
	return 0;
}

/* What is free and what is required in all places together. */
typedef struct sums {
	uint64_t nodes;
	uint64_t free;
	int holders; /* places with required nodes */
} sums_t;

static void add_place(sums_t *sums, const storus_place_nodes_t *nodes)
{
	if (!nodes->nodes)
		return;
	sums->nodes += nodes->nodes;
	sums->free += torus_bitmap_count(nodes->free, nodes->nodes);
	sums->holders +=
		nodes->required && torus_bitmap_count(nodes->required, nodes->nodes) > 0;
}

/* Whether a required node is not free, which is then said. */
static bool required_taken(const storus_candidates_t *candidates)
{
	for (int t = 0; t < candidates->cluster->maps; t++) {
		const storus_place_nodes_t *nodes = &candidates->torus[t];
		const torus_map_t *map = candidates->cluster->map[t];

		for (uint32_t rank = 0; nodes->required && rank < nodes->nodes; rank++) {
			if (!torus_bit_test(nodes->required, rank) ||
			    torus_bit_test(nodes->free, rank))
				continue;
			warnx("nothing fits: required node %s (rank %" PRIu32
			      ") is not free",
			      map->node_name[map->node_of_rank[rank]], rank);
			return true;
		}
	}
	return false;
}

/* An allocator under which jobs wait for a place of a certain form; NULL: none. */
static const char *waiting_allocator(const torus_cluster_t *cluster)
{
	for (int t = 0; t < cluster->maps; t++) {
		if (torus_allocator_waits(cluster->map[t]->allocator))
			return torus_allocator_name(cluster->map[t]->allocator);
	}
	return NULL;
}

/* Nodes on each router that has any, or 0 where routers differ (or memory is short). */
static uint32_t nodes_per_router(const torus_map_t *map)
{
	uint32_t *nodes_on =
		malloc(torus_geometry_cells(&map->geometry) * sizeof(*nodes_on));
	torus_router_nodes_t on_router = {0, 1};

	if (nodes_on)
		on_router = torus_router_nodes(&map->geometry, map->cell_of_rank,
					       map->nodes, nodes_on);
	free(nodes_on);
	return on_router.fewest == on_router.most ? on_router.most : 0;
}

/* The number of nodes next to [nodes] of which the empty torus has a box, in steps of
 * [step] nodes; 0: there is none. */
static uint64_t next_box(const torus_map_t *map, uint64_t nodes, uint32_t per_router,
			 int step)
{
	uint64_t most = torus_geometry_cells(&map->geometry);
	uint64_t volume = nodes / per_router;

	if (step < 0 && volume > most)
		volume = most + 1;
	/* From what is no multiple of a router's nodes, the first step down is there. */
	if (step < 0 && nodes % per_router)
		volume++;
	for (volume += (uint64_t)step; volume && volume <= most;
	     volume += (uint64_t)step) {
		if (torus_any_box_possible(&map->geometry, (uint32_t)volume))
			return volume * per_router;
	}
	return 0;
}

/* Say that no box of so many nodes is free, and where none can ever be, which sizes of
 * box there are. */
static void explain_no_box(const torus_cluster_t *cluster, uint64_t nodes)
{
	const torus_map_t *map = cluster->map[0];
	uint32_t per_router = cluster->maps == 1 ? nodes_per_router(map) : 0;
	uint64_t fewer, more;
	char dims[TORUS_DIMS_TEXT];

	torus_lengths_format(map->geometry.dims, map->geometry.length, dims);
	if (!per_router ||
	    (nodes % per_router == 0 && nodes <= map->nodes &&
	     torus_any_box_possible(&map->geometry, (uint32_t)(nodes / per_router)))) {
		warnx("nothing fits: no box of %" PRIu64 " nodes is free", nodes);
		return;
	}
	fewer = next_box(map, nodes, per_router, -1);
	more = next_box(map, nodes, per_router, 1);
	if (fewer && more)
		warnx("nothing fits: %s has no box of %" PRIu64
		      " nodes; the next sizes are %" PRIu64 " and %" PRIu64,
		      dims, nodes, fewer, more);
	else
		warnx("nothing fits: %s has no box of %" PRIu64
		      " nodes; the next size is %" PRIu64,
		      dims, nodes, fewer ? fewer : more);
}

/* Say why there is no choice. */
static int explain_none(const storus_place_t *place,
			const storus_place_options_t *options)
{
	const storus_candidates_t *candidates = &place->candidates;
	const torus_cluster_t *cluster = candidates->cluster;
	sums_t sums = {0};

	add_place(&sums, &candidates->elsewhere);
	for (int t = 0; t < cluster->maps; t++)
		add_place(&sums, &candidates->torus[t]);
	if (options->shapes.any)
		explain_no_box(cluster, place->nodes);
	else if (options->shape && waiting_allocator(cluster))
		warnx("nothing fits: the allocator %s finds no free box %s",
		      waiting_allocator(cluster), options->shape);
	else if (options->shape && cluster->maps > 1)
		warnx("nothing fits: no free box %s on any torus", options->shape);
	else if (options->shape) {
		const torus_geometry_t *geometry = &cluster->map[0]->geometry;
		char dims[TORUS_DIMS_TEXT];

		warnx("nothing fits: no free box %s on the %s machine", options->shape,
		      torus_lengths_format(geometry->dims, geometry->length, dims));
	} else if (required_taken(candidates))
		return STORUS_NO;
	else if (sums.free < place->nodes)
		warnx("nothing fits: %" PRIu64 " nodes wanted, %" PRIu64
		      " of the machine's %" PRIu64 " are free",
		      place->nodes, sums.free, sums.nodes);
	else if (sums.holders > 1)
		warnx("nothing fits: the nodes of --nodelist are not on one torus");
	else if (options->contiguous)
		warnx("nothing fits: no %" PRIu64
		      " free ranks follow each other%s, as --contiguous demands",
		      place->nodes, sums.holders ? " around the required nodes" : "");
	else if (!sums.holders && waiting_allocator(cluster))
		warnx("nothing fits: %" PRIu64 " nodes are free, but the allocator %s "
		      "finds no place of its form for %" PRIu64 " among them",
		      sums.free, waiting_allocator(cluster), place->nodes);
	else if (sums.holders)
		warnx("nothing fits: no torus alone has %" PRIu64
		      " free nodes beside the required ones",
		      place->nodes);
	else if (options->spread)
		warnx("nothing fits: nodes on several tori and beside them would be needed "
		      "together, and these are Slurm's to choose");
	else
		warnx("nothing fits: no torus alone has %" PRIu64
		      " free nodes; --spread takes several",
		      place->nodes);
	return STORUS_NO;
}

static int wrong_count(const char *shape, uint64_t nodes, uint64_t in_box)
{
	warnx("--shape %s is a box of %" PRIu64 " nodes, --nodes asks for %" PRIu64,
	      shape, in_box, nodes);
	return STORUS_BAD;
}

/*
 * Where all routers have equally many nodes, a wrong --nodes is an error whether or not a
 * box is free. Where they differ, it depends on the box.
 */
static int check_count(const storus_place_t *place, const storus_place_options_t *options)
{
	const torus_cluster_t *cluster = place->candidates.cluster;
	const torus_shapes_t *shapes = &options->shapes;
	uint64_t volume = 0;

	if (!place->nodes || !shapes->count)
		return STORUS_OK;
	for (int i = 0; i < shapes->count; i++) {
		uint64_t sides = 1;

		for (int axis = 0; axis < shapes->shape[i].dims; axis++)
			sides *= (uint64_t)shapes->shape[i].side[axis];
		for (int t = 0; t < cluster->maps; t++) {
			volume = sides * nodes_per_router(cluster->map[t]);
			if (!volume || volume == place->nodes)
				return STORUS_OK;
		}
	}
	if (shapes->count == 1)
		return wrong_count(options->shape, options->nodes, volume);
	warnx("--nodes asks for %" PRIu64 ", and no box %s has so many", options->nodes,
	      options->shape);
	return STORUS_BAD;
}

/*
 * Place the job, if it asks for shapes in the first one that has a free box of --nodes
 * nodes. Returns a status, the message printed.
 */
static int place_job(storus_place_t *place, torus_cluster_request_t *request,
		     const storus_place_options_t *options)
{
	static const torus_shape_t any;
	const torus_shapes_t *shapes = &options->shapes;
	uint32_t other = 0; /* nodes of a box that has not as many as it should */
	torus_error_t error;

	for (int i = 0; i == 0 || i < shapes->count; i++) {
		int made;

		request->shape = shapes->count ? &shapes->shape[i]
				 : shapes->any ? &any
					       : NULL;
		made = torus_cluster_place(place->placer, request, &place->placement,
					   &error);
		if (made < 0) {
			warnx("%s", error.text);
			return STORUS_BAD;
		}
		if (made && (!shapes->count || !place->nodes ||
			     place->nodes == place->placement.nodes))
			return STORUS_OK;
		if (made)
			other = place->placement.nodes;
	}
	return other && shapes->count == 1
		       ? wrong_count(options->shape, options->nodes, other)
		       : explain_none(place, options);
}

/* Fill in the candidates of [request] and place the job. */
static int choose(storus_place_t *place, torus_cluster_request_t request,
		  const storus_place_options_t *options)
{
	const storus_candidates_t *candidates = &place->candidates;
	const torus_cluster_t *cluster = candidates->cluster;
	torus_candidates_t *torus = calloc((size_t)cluster->maps, sizeof(*torus));
	int status = STORUS_BAD;

	place->placer = torus_cluster_placer_create(
		(const torus_map_t *const *)cluster->map, cluster->maps);
	if (torus && place->placer) {
		for (int t = 0; t < cluster->maps; t++)
			torus[t] = storus_candidates_of(&candidates->torus[t]);
		request.torus = torus;
		request.elsewhere = storus_candidates_of(&candidates->elsewhere);
		request.elsewhere_nodes = candidates->elsewhere.nodes;
		status = place_job(place, &request, options);
	} else {
		warnx("out of memory");
	}
	free(torus);
	return status;
}

int storus_place_decide(const storus_place_options_t *options, storus_place_t *place)
{
	torus_cluster_request_t request = {
		.contiguous = options->contiguous,
		.spread = options->spread,
		.seed = options->seed,
	};
	const torus_shapes_t *shapes = &options->shapes;
	int status;

	*place = (storus_place_t){0};
	if (understand(place, options) != 0)
		return STORUS_BAD;
	status = check_count(place, options);
	if (status != STORUS_OK)
		return status;
	if (place->nodes > UINT32_MAX && !shapes->count)
		return explain_none(place, options);
	request.nodes = (uint32_t)place->nodes;
	if (place->candidates.cluster->spreads_at_once && !options->shape)
		request.spread = true;
	return choose(place, request, options);
}

void storus_place_clear(storus_place_t *place)
{
	torus_cluster_placer_destroy(place->placer);
	storus_candidates_clear(&place->candidates);
	*place = (storus_place_t){0};
}
