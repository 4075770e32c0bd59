/* SPDX-License-Identifier: GPL-2.0-or-later */
/* storus place: which of the free nodes a job gets, and how compact they are. */
#include "torus_config.h"

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "commands.h"
#include "base/hostlist.h"
#include "machine_options.h"
#include "metrics/metrics.h"
#include "metrics_fields.h"
#include "base/name_index.h"
#include "options.h"
#include "output.h"
#include "place/place.h"
#include "base/ranklist.h"
#include "place/box.h"

static const char help[] =
	"Usage: storus place (--conf FILE | --dims AxBxC) [--free LIST] --nodes N [OPTION]...\n"
	"Choose the nodes of a job as the Slurm plugins do, and print the choice's metrics.\n"
	"\n" STORUS_MACHINE_OPTIONS_HELP "\n"
	"What is free, and what the job asks for:\n"
	"  --free LIST        free ranks, such as 0-7,12,20-31, or all (default);\n"
	"                     -: read them from the standard input\n"
	"  --nodes N          number of nodes\n"
	"  --allocator NAME   best_fit (default), first_fit, sum_of_squares or free_list\n"
	"  --span RULE        ring or linear; default: ring if some dimension wraps\n"
	"  --contiguous       only nodes that follow each other on the curve will do\n"
	"  --nodelist HOSTS   nodes that must be among the chosen (with --conf)\n"
	"  --shape AxBxC      a box of these sides, in any rotation\n"
	"With --conf, --allocator and --span default to what is given there. --nodes may be\n"
	"left out with --shape and with --nodelist.\n"
	"\n"
	"Output:\n"
	"  --format FORMAT    text (default), csv or json\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 placed, 1 nothing fits, 2 bad usage or input.\n";

/* The options as given; NULL where not. */
typedef struct place_options {
	storus_machine_options_t machine;
	const char *free;
	const char *nodes;
	const char *allocator;
	const char *span;
	const char *nodelist;
	const char *shape;
	bool contiguous;
	storus_format_t format;
} place_options_t;

/* The options understood, and the decision. Bitmaps are over ranks. */
typedef struct place {
	torus_map_t *map;
	uint64_t *free;
	uint64_t *required; /* NULL without --nodelist */
	uint32_t required_count;
	uint64_t nodes; /* 0: not given */
	torus_allocator_t allocator;
	torus_span_t span;
	uint32_t *chosen; /* [map->nodes] */
	uint32_t chosen_count;
} place_t;

static const char *name_of_node(const void *map, uint32_t node)
{
	return ((const torus_map_t *)map)->node_name[node];
}

/* Set place->required from the hostlist [text]. Returns 0, or -1 (message printed). */
static int require_nodes(place_t *place, const char *text)
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
static int read_free(place_t *place, const char *text)
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
static int understand(place_t *place, const place_options_t *options)
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
static int explain_none(const place_t *place, bool contiguous)
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

static int choose_ranks(place_t *place, bool contiguous)
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

static int choose_box(place_t *place, const place_options_t *options)
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

	int found = torus_shape_place(&map->geometry, map->cell_of_rank, map->nodes,
				      place->free, &shape, place->chosen,
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

/* The hostlist of the chosen nodes in rank order, malloc'ed; NULL: out of memory. */
static char *format_nodes(const place_t *place)
{
	const torus_map_t *map = place->map;
	const char **names = malloc(place->chosen_count * sizeof(*names));
	char *text = NULL;

	if (names) {
		for (uint32_t i = 0; i < place->chosen_count; i++)
			names[i] = map->node_name[map->node_of_rank[place->chosen[i]]];
		text = torus_hostlist_format(names, place->chosen_count);
	}
	free(names);
	return text;
}

static int report(const place_t *place, storus_format_t format)
{
	const torus_map_t *map = place->map;
	uint32_t n = place->chosen_count;
	torus_error_t error = {"out of memory"};
	torus_metrics_t metrics;
	char box[TORUS_DIMS_TEXT];
	storus_field_t fields[3 + STORUS_METRICS];
	size_t count = 0;
	int status = STORUS_BAD;
	uint32_t *cells = malloc(n * sizeof(*cells));
	char *ranks_text = torus_ranklist_format(place->chosen, n, ',');
	char *nodes_text = map->node_name ? format_nodes(place) : NULL;
	char *cells_text = NULL;

	if (cells) {
		for (uint32_t i = 0; i < n; i++)
			cells[i] = map->cell_of_rank[place->chosen[i]];
		cells_text = torus_ranklist_format(cells, n, ',');
	}
	if (!cells_text || !ranks_text || (map->node_name && !nodes_text) ||
	    torus_metrics(&map->geometry, cells, place->chosen, n, map->nodes,
			  place->span == TORUS_SPAN_RING, &metrics, &error) != 0) {
		warnx("%s", error.text);
		goto done;
	}
	fields[count++] = storus_text("ranks", ranks_text);
	fields[count++] = storus_text("cells", cells_text);
	if (nodes_text)
		fields[count++] = storus_text("nodes", nodes_text);
	storus_metrics_fields(&metrics, map->geometry.dims, box, fields + count);
	storus_record_print(stdout, format, fields, count + STORUS_METRICS);
	status = STORUS_OK;
done:
	free(cells_text);
	free(nodes_text);
	free(ranks_text);
	free(cells);
	return status;
}

/* What can be said about the options without a machine. Returns 0, or -1. */
static int check_together(const place_options_t *options)
{
	if (!options->nodes && !options->shape && !options->nodelist) {
		storus_misuse("how many nodes? Give --nodes, --shape or --nodelist");
		return -1;
	}
	if (options->shape && (options->nodelist || options->contiguous)) {
		storus_misuse("--shape and --%s exclude each other",
			      options->nodelist ? "nodelist" : "contiguous");
		return -1;
	}
	if (options->nodelist && !options->machine.conf) {
		storus_misuse("--nodelist needs --conf, which names the nodes");
		return -1;
	}
	return 0;
}

/* Read the options. Returns 0, or -1 with *status set to what storus_place() returns. */
static int read_options(int argc, char **argv, place_options_t *options, int *status)
{
	enum {
		OPTION_FREE = STORUS_OPTION_OWN,
		OPTION_NODES,
		OPTION_ALLOCATOR,
		OPTION_SPAN,
		OPTION_CONTIGUOUS,
		OPTION_NODELIST,
		OPTION_SHAPE,
	};
	static const struct option table[] = {
		STORUS_COMMON_OPTIONS,
		STORUS_MACHINE_OPTIONS,
		STORUS_FORMAT_OPTION,
		{"free", required_argument, NULL, OPTION_FREE},
		{"nodes", required_argument, NULL, OPTION_NODES},
		{"allocator", required_argument, NULL, OPTION_ALLOCATOR},
		{"span", required_argument, NULL, OPTION_SPAN},
		{"contiguous", no_argument, NULL, OPTION_CONTIGUOUS},
		{"nodelist", required_argument, NULL, OPTION_NODELIST},
		{"shape", required_argument, NULL, OPTION_SHAPE},
		{NULL, 0, NULL, 0},
	};
	int code;

	*status = STORUS_BAD;
	while ((code = storus_option_next(argc, argv, table, help)) !=
	       STORUS_OPTIONS_END) {
		if (storus_machine_option(&options->machine, code, optarg))
			continue;
		switch (code) {
		case STORUS_OPTIONS_HELPED:
			*status = STORUS_OK;
			return -1;
		case STORUS_OPTIONS_WRONG:
			return -1;
		case STORUS_OPTION_FORMAT:
			if (storus_format_parse(optarg, &options->format) != 0)
				return -1;
			break;
		case OPTION_FREE:
			options->free = optarg;
			break;
		case OPTION_NODES:
			options->nodes = optarg;
			break;
		case OPTION_ALLOCATOR:
			options->allocator = optarg;
			break;
		case OPTION_SPAN:
			options->span = optarg;
			break;
		case OPTION_CONTIGUOUS:
			options->contiguous = true;
			break;
		case OPTION_NODELIST:
			options->nodelist = optarg;
			break;
		case OPTION_SHAPE:
			options->shape = optarg;
			break;
		}
	}
	return storus_no_arguments(argc, argv) != 0 || check_together(options) != 0 ? -1
										    : 0;
}

int storus_place(int argc, char **argv)
{
	place_options_t options = {.format = STORUS_FORMAT_TEXT};
	place_t place = {0};
	int status;

	if (read_options(argc, argv, &options, &status) != 0)
		return status;
	place.map = storus_machine_open(&options.machine);
	if (!place.map || understand(&place, &options) != 0)
		status = STORUS_BAD;
	else if (options.shape)
		status = choose_box(&place, &options);
	else
		status = choose_ranks(&place, options.contiguous);
	if (status == STORUS_OK)
		status = report(&place, options.format);
	free(place.chosen);
	free(place.required);
	free(place.free);
	torus_map_destroy(place.map);
	return status;
}
