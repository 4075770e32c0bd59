/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision of storus place. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/hostlist.h"
#include "base/name_index.h"
#include "base/ranklist.h"
#include "place/box.h"
#include "storus/cli/options.h"
#include "storus/commands.h"
#include "storus/place/decide.h"

static const char *name_of_node(const void *map, uint32_t node)
{
	return ((const torus_map_t *)map)->node_name[node];
}

/* Set place->required from the hostlist [text]. Returns 0, or -1 (message printed). */
static int require_nodes(storus_place_t *place, const char *text)
{
	const torus_map_t *map = place->map;
	torus_error_t error;
	char **names = NULL;
	uint32_t count;
	torus_name_index_t *index;
	int rc = -1;

	if (torus_hostlist_expand(text, &names, &count, &error) != 0) {
		warnx("--nodelist: %s", error.text);
		return -1;
	}
	index = torus_name_index_create(map->nodes, name_of_node, map);
	place->required = torus_bitmap_create(map->nodes);
	if (!place->required || !index) {
		warnx("out of memory");
		goto done;
	}
	for (uint32_t node = 0; node < map->nodes; node++)
		torus_name_index_add(index, node);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = torus_name_index_find(index, names[i]);

		if (node == TORUS_NO_NAME) {
			warnx("--nodelist: torus '%s' has no node '%s'", map->name,
			      names[i]);
			goto done;
		}
		torus_bit_set(place->required, map->rank_of_node[node]);
	}
	place->required_count = torus_bitmap_count(place->required, map->nodes);
	rc = 0;
done:
	torus_name_index_destroy(index);
	free(names);
	return rc;
}

/* Set place->free from the text of --free. Returns 0, or -1 (message printed). */
static int read_free(storus_place_t *place, const char *text)
{
	torus_error_t error;
	char *line = NULL;
	size_t size = 0;
	int rc;

	/* The list of a large machine is longer than an argument may be. */
	if (strcmp(text, "-") == 0) {
		text = ""; /* what nothing at all to read means: at its end getline() may
			    * leave a line that was never written */
		if (getline(&line, &size, stdin) >= 0) {
			line[strcspn(line, "\r\n")] = '\0';
			text = line;
		} else if (ferror(stdin)) {
			warn("--free: cannot read the standard input");
			free(line);
			return -1;
		}
	}
	rc = torus_ranklist_parse_set(text, place->map->nodes, place->free, &error);
	if (rc != 0)
		warnx("--free: %s", error.text);
	free(line);
	return rc;
}

/* Find out what the options mean on the machine. Returns 0, or -1 (message printed). */
static int understand(storus_place_t *place, const storus_place_options_t *options)
{
	const torus_map_t *map = place->map;
	torus_error_t error;

	place->free = torus_bitmap_create(map->nodes);
	place->chosen = malloc(map->nodes * sizeof(*place->chosen));
	if (!place->free || !place->chosen) {
		warnx("out of memory");
		return -1;
	}
	if (read_free(place, options->free ? options->free : "all") != 0)
		return -1;
	place->allocator = map->allocator;
	place->span = map->span;
	if ((options->allocator &&
	     torus_allocator_parse(options->allocator, &place->allocator, &error) != 0) ||
	    (options->span &&
	     torus_span_parse(options->span, &place->span, &error) != 0)) {
		warnx("%s", error.text);
		return -1;
	}
	if (options->nodes && storus_number_parse("nodes", options->nodes, 1, UINT64_MAX,
						  &place->nodes) != 0)
		return -1;
	if (options->nodelist && require_nodes(place, options->nodelist) != 0)
		return -1;
	if (options->nodelist && !options->nodes)
		place->nodes = place->required_count;
	if (place->nodes < place->required_count && options->nodelist) {
		warnx("--nodelist names %" PRIu32 " nodes, --nodes asks for %" PRIu64,
		      place->required_count, place->nodes);
		return -1;
	}
	return 0;
}

/* Say why torus_place() found nothing. */
static int explain_none(const storus_place_t *place, bool contiguous)
{
	const torus_map_t *map = place->map;
	uint32_t free_ranks = torus_bitmap_count(place->free, map->nodes);

	for (uint32_t rank = 0; place->required && rank < map->nodes; rank++) {
		if (torus_bit_test(place->required, rank) &&
		    !torus_bit_test(place->free, rank)) {
			warnx("nothing fits: required node %s (rank %" PRIu32
			      ") is not free",
			      map->node_name[map->node_of_rank[rank]], rank);
			return STORUS_NO;
		}
	}
	if (free_ranks < place->nodes)
		warnx("nothing fits: %" PRIu64 " nodes wanted, %" PRIu32
		      " of the machine's %" PRIu32 " are free",
		      place->nodes, free_ranks, map->nodes);
	else
		warnx("nothing fits: no %" PRIu64
		      " free ranks follow each other%s, as --contiguous demands",
		      place->nodes,
		      contiguous && place->required ? " around the required nodes" : "");
	return STORUS_NO;
}

static int choose_ranks(storus_place_t *place, bool contiguous)
{
	if (place->nodes > place->map->nodes)
		return explain_none(place, contiguous);

	torus_placer_t *placer = torus_placer_create(place->map->nodes);
	torus_place_request_t request = {
		.nodes = (uint32_t)place->nodes,
		.allocator = place->allocator,
		.span = place->span,
		.contiguous = contiguous,
		.required = place->required,
	};

	if (!placer) {
		warnx("out of memory");
		return STORUS_BAD;
	}
	bool placed = torus_place(placer, place->free, &request, place->chosen, NULL);

	torus_placer_destroy(placer);
	if (!placed)
		return explain_none(place, contiguous);
	place->chosen_count = request.nodes;
	return STORUS_OK;
}

/* Nodes on each router that has any, or 0 where routers differ (or memory is short). */
static uint32_t nodes_per_router(const torus_map_t *map)
{
	uint32_t cells = torus_geometry_cells(&map->geometry);
	uint32_t *count = calloc(cells, sizeof(*count));
	uint32_t common = 0;

	if (!count)
		return 0;
	for (uint32_t rank = 0; rank < map->nodes; rank++)
		count[map->cell_of_rank[rank]]++;
	for (uint32_t cell = 0; cell < cells; cell++) {
		if (count[cell] == 0 || count[cell] == common)
			continue;
		if (common) {
			common = 0;
			break;
		}
		common = count[cell];
	}
	free(count);
	return common;
}

static int wrong_count(const char *shape, const char *nodes, uint64_t in_box)
{
	warnx("--shape %s is a box of %" PRIu64 " nodes, --nodes asks for %s", shape,
	      in_box, nodes);
	return STORUS_BAD;
}

static int choose_box(storus_place_t *place, const storus_place_options_t *options)
{
	const torus_map_t *map = place->map;
	torus_error_t error;
	torus_shape_t shape;

	if (torus_shape_parse(options->shape, &shape, &error) != 0) {
		warnx("--shape: %s", error.text);
		return STORUS_BAD;
	}
	/* Where all routers are alike, a wrong --nodes is wrong whether a box is free or
	 * not; where they differ, the box found decides. */
	uint64_t volume = nodes_per_router(map);

	for (int axis = 0; axis < shape.dims; axis++)
		volume *= (uint64_t)shape.side[axis];
	if (place->nodes && volume && place->nodes != volume)
		return wrong_count(options->shape, options->nodes, volume);

	int found = torus_box_place(&map->geometry, map->cell_of_rank, map->nodes,
				    place->free, NULL, &shape, place->chosen,
				    &place->chosen_count, &error);

	if (found < 0) {
		warnx("%s", error.text);
		return STORUS_BAD;
	}
	if (found == 0) {
		char dims[TORUS_DIMS_TEXT];

		warnx("nothing fits: no free box %s on the %s machine", options->shape,
		      torus_lengths_format(map->geometry.dims, map->geometry.length,
					   dims));
		return STORUS_NO;
	}
	if (place->nodes && place->nodes != place->chosen_count)
		return wrong_count(options->shape, options->nodes, place->chosen_count);
	return STORUS_OK;
}

int storus_place_decide(const storus_place_options_t *options, storus_place_t *place)
{
	*place = (storus_place_t){.map = storus_machine_open(&options->machine)};
	if (!place->map || understand(place, options) != 0)
		return STORUS_BAD;
	return options->shape ? choose_box(place, options)
			      : choose_ranks(place, options->contiguous);
}

void storus_place_clear(storus_place_t *place)
{
	free(place->chosen);
	free(place->required);
	free(place->free);
	torus_map_destroy(place->map);
	*place = (storus_place_t){0};
}
