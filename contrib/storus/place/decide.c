/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision of storus place. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "geometry/chips.h"
#include "machine/chip_boxes.h"
#include "machine/cluster_near.h"
#include "machine/no_box.h"
#include "place/turns.h"
#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/place/decide.h"
#include "torus/fit.h"
#include "torus/joined.h"
#include "torus/other_boxes.h"

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
	place->shapes = &options->shapes;
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

static const char *of_chips(const storus_place_options_t *options)
{
	return torus_shapes_in_chips(&options->shapes) ? " of chips" : "";
}

/* Say that no box of so many nodes is free, and where none can ever be, which sizes of
 * box there are. */
static void explain_no_box(const torus_cluster_t *cluster, const torus_shapes_t *shapes,
			   uint64_t nodes)
{
	const char *closed = shapes->closed ? "closed " : "";
	const torus_geometry_t *geometry = &cluster->map[0]->geometry;
	char dims[TORUS_DIMS_TEXT], others[TORUS_OTHER_BOXES_TEXT] = "";

	if (cluster->maps == 1)
		torus_other_boxes(geometry, torus_map_nodes_per_router(cluster->map[0]),
				  shapes, nodes, others);
	if (*others)
		warnx("nothing fits: %s has no %sbox of %" PRIu64 " nodes; %s",
		      torus_lengths_format(geometry->dims, geometry->length, dims),
		      closed, nodes, others);
	else
		warnx("nothing fits: no %sbox of %" PRIu64 " nodes is free", closed,
		      nodes);
}

/* Say that no box of the shape is free on the only torus, and where none can ever be,
 * which there are. */
static void explain_no_shape(const torus_map_t *map,
			     const storus_place_options_t *options)
{
	const torus_geometry_t *geometry = &map->geometry;
	char dims[TORUS_DIMS_TEXT], others[TORUS_OTHER_BOXES_TEXT];

	torus_other_boxes(geometry, torus_map_nodes_per_router(map), &options->shapes, 0,
			  others);
	torus_lengths_format(geometry->dims, geometry->length, dims);
	if (*others)
		warnx("nothing fits: %s has no box %s; %s", dims, options->shape, others);
	else
		warnx("nothing fits: no free %sbox %s%s on the %s machine",
		      options->closed ? "closed " : "", options->shape, of_chips(options),
		      dims);
}

/* Whether none of the shapes can be closed on any torus, which is then said. */
static bool never_closes(const torus_cluster_t *cluster,
			 const storus_place_options_t *options)
{
	const torus_shapes_t *shapes = &options->shapes;
	char sides[TORUS_CLOSED_SIDES_TEXT], dims[TORUS_DIMS_TEXT];
	torus_geometry_t geometry = cluster->map[0]->geometry;

	if (torus_shapes_in_chips(shapes))
		geometry = torus_chip_machine(&geometry);
	for (int t = 0; t < cluster->maps; t++) {
		for (int i = 0; i < shapes->count; i++) {
			if (torus_closed_fit(&cluster->map[t]->geometry,
					     &shapes->shape[i]))
				return false;
		}
	}
	if (cluster->maps == 1)
		warnx("nothing fits: no box %s is ever closed on the %s machine, where "
		      "sides of %s close",
		      options->shape,
		      torus_lengths_format(geometry.dims, geometry.length, dims),
		      torus_closed_sides_format(&geometry, sides));
	else
		warnx("nothing fits: no box %s is ever closed on any torus: sides close "
		      "that are 1, 2 or as long as a wrapped dimension",
		      options->shape);
	return true;
}

/* Say why there is no choice. */
static int explain_none(const storus_place_t *place,
			const storus_place_options_t *options)
{
	const storus_candidates_t *candidates = &place->candidates;
	const torus_cluster_t *cluster = candidates->cluster;
	const char *closed = options->closed ? "closed " : "";
	sums_t sums = {0};
	torus_error_t why;

	add_place(&sums, &candidates->elsewhere);
	for (int t = 0; t < cluster->maps; t++)
		add_place(&sums, &candidates->torus[t]);
	if (options->shapes.any)
		explain_no_box(cluster, &options->shapes, place->nodes);
	else if (torus_cluster_lacks_cubes(cluster, &options->shapes, &why))
		warnx("nothing fits: %s", why.text);
	else if (torus_cluster_lacks_chip_box(cluster, &options->shapes, &why))
		warnx("nothing fits: %s", why.text);
	else if (options->closed && never_closes(cluster, options))
		return STORUS_NO;
	else if (options->shape && waiting_allocator(cluster))
		warnx("nothing fits: the allocator %s finds no free %sbox %s%s",
		      waiting_allocator(cluster), closed, options->shape,
		      of_chips(options));
	else if (options->shape && cluster->maps > 1)
		warnx("nothing fits: no free %sbox %s%s on any torus", closed,
		      options->shape, of_chips(options));
	else if (options->shape)
		explain_no_shape(cluster->map[0], options);
	else if (required_taken(candidates))
		return STORUS_NO;
	else if (sums.free < place->nodes)
		warnx("nothing fits: %" PRIu64 " nodes wanted, %" PRIu64
		      " of the machine's %" PRIu64 " are free",
		      place->nodes, sums.free, sums.nodes);
	else if (sums.holders > 1)
		warnx("nothing fits: the nodes of --nodelist are not on one torus");
	else if (options->segment > 1 && options->segment < place->nodes &&
		 !options->contiguous)
		warnx("nothing fits: no %" PRIu64 " segments of %" PRIu64
		      " nodes, each %s, are free%s",
		      place->nodes / options->segment, options->segment,
		      torus_has_cubes(&cluster->map[0]->geometry)
			      ? "whole cubes, or an interval or a box within one"
			      : "an interval of the curve or a box",
		      cluster->maps > 1 && !options->spread
			      ? " on a torus; --spread takes several"
			      : "");
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

static int wrong_count(const storus_place_options_t *options, uint64_t in_box)
{
	warnx("%s %s is a box of %" PRIu64 " nodes, --nodes asks for %" PRIu64,
	      storus_place_shape_option(options), options->shape, in_box, options->nodes);
	return STORUS_BAD;
}

/* The routers in a box of [shape], or 0 where it is none. */
static uint64_t volume_of(const torus_geometry_t *geometry, const torus_shape_t *shape)
{
	torus_shape_t nearest;
	uint64_t volume = 1, chips = shape->in_chips ? torus_node_chips(geometry) : 1;

	if (shape->in_chips && !torus_shape_suits(geometry, shape, &nearest))
		return 0;
	for (int axis = 0; axis < shape->dims; axis++)
		volume *= (uint64_t)shape->side[axis];
	return (volume + chips - 1) / chips; /* part of a node is one */
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
	bool any = false;

	if (!place->nodes || !shapes->count)
		return STORUS_OK;
	for (int t = 0; t < cluster->maps; t++) {
		const torus_map_t *map = cluster->map[t];
		const storus_place_nodes_t *nodes = &place->candidates.torus[t];
		bool suits = false;

		for (int i = 0; i < shapes->count && !suits; i++) {
			volume = volume_of(&map->geometry, &shapes->shape[i]) *
				 torus_map_nodes_per_router(map);
			suits = !volume || volume == place->nodes;
		}
		any |= suits;
		if (!suits) /* its boxes would only hide those of others */
			memset(nodes->free, 0,
			       TORUS_WORDS(nodes->nodes) * sizeof(uint64_t));
	}
	if (any)
		return STORUS_OK;
	if (shapes->count == 1)
		return wrong_count(options, volume);
	warnx("--nodes asks for %" PRIu64 ", and no box %s has so many", options->nodes,
	      options->shape);
	return STORUS_BAD;
}

static int wrong_segment(uint64_t segment, uint64_t nodes)
{
	warnx("--segment %" PRIu64 " does not divide %" PRIu64 " nodes", segment, nodes);
	return STORUS_BAD;
}

/* Whether so many nodes can be cut into segments. */
static int check_segment(const storus_place_t *place,
			 const storus_place_options_t *options)
{
	if (!options->segment || options->segment >= place->nodes)
		return STORUS_OK;
	if (place->nodes % options->segment)
		return wrong_segment(options->segment, place->nodes);
	return STORUS_OK;
}

/*
 * Place the job, if it asks for shapes in the first one that has a free box of --nodes
 * nodes. Returns a status, the message printed.
 */
static int place_job(storus_place_t *place, torus_cluster_request_t *request,
		     const storus_place_options_t *options)
{
	const torus_shape_t any = {.closed = options->closed};
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
			     place->nodes == place->placement.nodes)) {
			uint32_t nodes = place->placement.nodes;

			return options->segment && nodes > options->segment &&
					       nodes % options->segment
				       ? wrong_segment(options->segment, nodes)
				       : STORUS_OK;
		}
		if (made)
			other = place->placement.nodes;
	}
	return other && shapes->count == 1 ? wrong_count(options, other)
					   : explain_none(place, options);
}

/*
 * Say that the place is not near, and how far it is, beside as many nodes alone. Returns
 * STORUS_NO, or STORUS_BAD (another message printed).
 */
static int explain_far(const storus_place_t *place, uint32_t near)
{
	uint64_t sum, alone;
	double pairs = (double)place->placement.nodes * (place->placement.nodes - 1);
	torus_error_t error;
	int found = torus_cluster_distances(place->placer, &place->placement, &sum,
					    &alone, &error);

	if (found < 0) {
		warnx("%s", error.text);
		return STORUS_BAD;
	}
	if (!found)
		warnx("nothing fits: the place is not near: it is not on one torus");
	else
		warnx("nothing fits: the best place is not near: its mean distance is "
		      "%.6g, %.6g times the %.6g of as many nodes alone, and --near "
		      "allows %.6g",
		      (double)sum / pairs, (double)sum / (double)alone,
		      (double)alone / pairs, near / 1000.0);
	return STORUS_NO;
}

/* Whether the place is near enough, as a status with the message printed. */
static int check_near(const storus_place_t *place, uint32_t near)
{
	torus_error_t error;
	int is_near =
		torus_cluster_is_near(place->placer, &place->placement, near, &error);

	if (is_near > 0)
		return STORUS_OK;
	if (!is_near)
		return explain_far(place, near);
	warnx("%s", error.text);
	return STORUS_BAD;
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
		if (status == STORUS_OK && options->near)
			status = check_near(place, options->near);
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
		.isolated = options->isolate,
		.loose = options->loose,
		.seed = options->seed,
	};
	const torus_shapes_t *shapes = &options->shapes;
	int status;

	*place = (storus_place_t){0};
	if (options->segment > 1)
		place->segment = (uint32_t)options->segment;
	if (understand(place, options) != 0)
		return STORUS_BAD;
	if (storus_segment_options_read(&options->segments, options->segment,
					place->candidates.cluster,
					&request.segments) != 0)
		return STORUS_BAD;
	status = check_count(place, options);
	if (status == STORUS_OK)
		status = check_segment(place, options);
	if (status != STORUS_OK)
		return status;
	if (place->nodes > UINT32_MAX && !shapes->count)
		return explain_none(place, options);
	request.nodes = (uint32_t)place->nodes;
	if (!options->shape && !options->contiguous && options->segment > 1 &&
	    options->segment < place->nodes)
		request.segment = (uint32_t)options->segment;
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
