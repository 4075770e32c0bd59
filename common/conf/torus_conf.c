/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second stage of the reader of torus.conf: from values to maps. See
 * conf/torus_conf.h.
 */
#include "conf/torus_conf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "conf/keys.h"
#include "conf/chords.h"
#include "conf/coords.h"
#include "base/duration.h"
#include "base/hostlist.h"
#include "base/textfile.h"
#include "geometry/chips.h"
#include "machine/registration.h"
#include "torus/cubes.h"

/* One torus while its map is built. */
typedef struct building {
	const char *path; /* of torus.conf */
	torus_file_reader_t *reader;
	void *context; /* of the reader */
	torus_sources_t *sources;
	const torus_section_t *section, *global;
	bool places_only; /* only the places of nodes are wanted, no curve */
	torus_geometry_t geometry;
	char **names;
	uint32_t *cells; /* of each node */
	uint32_t nodes;
	uint32_t *order; /* order of the nodes, if it is not that of a curve */
} building_t;

static const char *value_of(const building_t *building, torus_key_t key)
{
	return building->section->value[key];
}

/* Put the file, the line and the name of [key] in front of the message in [err]. */
static int fail_at(const building_t *building, torus_key_t key, torus_error_t *err)
{
	const torus_section_t *section = building->section;

	if (!section->value[key])
		section = building->global;
	return torus_fail_prefix(err, "%s:%u: %s=: ", building->path, section->line[key],
				 torus_key_name(key));
}

/* A torus's own value or the one for all, or [fallback]. */
static const char *setting(const building_t *building, torus_key_t key,
			   const char *fallback)
{
	if (building->section->value[key])
		return building->section->value[key];
	return building->global->value[key] ? building->global->value[key] : fallback;
}

/*
 * Read the file that [key] names, relative to the directory of torus.conf. Its path and
 * text become one of the sources; *source points to it until the next file is read.
 */
static int read_file(const building_t *building, torus_key_t key, const char *name,
		     const torus_source_t **source, torus_error_t *err)
{
	char *path = torus_textfile_beside(building->path, name), *text;
	torus_sources_t *sources = building->sources;
	size_t length;

	if (!path) {
		torus_fail(err, "out of memory");
		return fail_at(building, key, err);
	}
	if (building->reader(building->context, path, &text, &length, err)) {
		free(path);
		return fail_at(building, key, err);
	}
	if (torus_sources_add(sources, path, text, length, err))
		return fail_at(building, key, err);
	*source = &sources->source[sources->count - 1];
	return 0;
}

/* The key that gives the dimensions: Dims= or ChipDims=. */
static torus_key_t dims_key(const building_t *building)
{
	return value_of(building, TORUS_KEY_DIMS) ? TORUS_KEY_DIMS : TORUS_KEY_CHIP_DIMS;
}

/* Divide the dimensions, read from ChipDims=, by the sides of a node. */
static int divide_into_nodes(building_t *building, const char *shape, torus_error_t *err)
{
	torus_geometry_t *geometry = &building->geometry;
	torus_geometry_t node = {.dims = geometry->dims, .length = {1, 1, 1, 1, 1, 1}};

	if (torus_node_shape_parse(shape, &node, err))
		return fail_at(building, TORUS_KEY_NODE_SHAPE, err);
	for (int axis = 0; axis < geometry->dims; axis++) {
		int32_t length = geometry->length[axis], side = node.chips[axis];

		if (length % side) {
			torus_fail(err,
				   "dimension %c has %d chips, and a node of "
				   "NodeShape=%s has %d of them: make it a multiple, "
				   "such as %d",
				   "xyzuvw"[axis], length, shape, side,
				   (length / side + 1) * side);
			return fail_at(building, TORUS_KEY_CHIP_DIMS, err);
		}
		geometry->length[axis] = length / side;
	}
	memcpy(geometry->chips, node.chips, sizeof(node.chips));
	return 0;
}

/* NodeShape=, and what it makes of the dimensions. */
static int read_node_shape(building_t *building, torus_error_t *err)
{
	const char *shape = value_of(building, TORUS_KEY_NODE_SHAPE);

	if (dims_key(building) == TORUS_KEY_CHIP_DIMS) {
		if (shape)
			return divide_into_nodes(building, shape, err);
		torus_fail(err, "how many chips has a node? Add NodeShape=, such as "
				"NodeShape=2x2x1, or give Dims= in nodes instead");
		return fail_at(building, TORUS_KEY_CHIP_DIMS, err);
	}
	if (shape && torus_node_shape_parse(shape, &building->geometry, err))
		return fail_at(building, TORUS_KEY_NODE_SHAPE, err);
	return 0;
}

static int read_geometry(building_t *building, torus_error_t *err)
{
	const char *wrap = value_of(building, TORUS_KEY_WRAP);
	const char *dims = value_of(building, dims_key(building));
	const char *cube = value_of(building, TORUS_KEY_CUBE);

	if (!dims)
		return torus_fail(err,
				  "%s:%u: torus '%s' has no Dims= on its line, such as "
				  "Dims=8x8x5",
				  building->path,
				  building->section->line[TORUS_KEY_TORUS_NAME],
				  value_of(building, TORUS_KEY_TORUS_NAME));
	if (value_of(building, TORUS_KEY_DIMS) &&
	    value_of(building, TORUS_KEY_CHIP_DIMS)) {
		torus_fail(err, "does not go with Dims=, which gives the same in nodes: "
				"leave one of them out");
		return fail_at(building, TORUS_KEY_CHIP_DIMS, err);
	}
	if (torus_geometry_parse(dims, NULL, &building->geometry, err))
		return fail_at(building, dims_key(building), err);
	if (read_node_shape(building, err))
		return -1;
	if (wrap &&
	    torus_wrap_parse(wrap, building->geometry.dims, building->geometry.wrap, err))
		return fail_at(building, TORUS_KEY_WRAP, err);
	if (cube && torus_cubes_parse(cube, &building->geometry, err))
		return fail_at(building, TORUS_KEY_CUBE, err);
	return 0;
}

/* Read Links=, or the file it names. Returns them, or NULL with [err] filled. */
static torus_chord_t *list_chords(const building_t *building, const char *text,
				  uint32_t *count, torus_error_t *err)
{
	const torus_source_t *file;
	torus_chord_t *chord;

	if (!strncasecmp(text, "file:", 5))
		return read_file(building, TORUS_KEY_LINKS, text + 5, &file, err)
			       ? NULL
			       : torus_chords_parse(file->text, file->length, file->path,
						    &building->geometry, count, err);
	chord = torus_chords_parse(text, strlen(text), NULL, &building->geometry, count,
				   err);
	if (!chord)
		fail_at(building, TORUS_KEY_LINKS, err);
	return chord;
}

/* The links beside the torus's own. */
static int read_chords(building_t *building, torus_error_t *err)
{
	const char *text = value_of(building, TORUS_KEY_LINKS);
	torus_chord_t *chord;
	uint32_t count;

	if (!text)
		return 0;
	if (value_of(building, TORUS_KEY_CUBE)) {
		torus_fail(err, "does not go with Cube=: the links of a job are those of "
				"the torus that switches join for it");
		return fail_at(building, TORUS_KEY_LINKS, err);
	}
	chord = list_chords(building, text, &count, err);
	if (!chord)
		return -1;
	building->geometry.chords =
		torus_chords_create(&building->geometry, chord, count, err);
	free(chord);
	return building->geometry.chords ? 0 : fail_at(building, TORUS_KEY_LINKS, err);
}

static int read_nodes_per_router(const building_t *building, uint32_t *number,
				 torus_error_t *err)
{
	const char *text = value_of(building, TORUS_KEY_NODES_PER_ROUTER);
	uint64_t value = 0;

	*number = 1;
	if (!text)
		return 0;
	if (torus_has_chips(&building->geometry)) {
		torus_fail(err, "does not go with NodeShape=: a node that is a box of "
				"chips has its place to itself");
		return fail_at(building, TORUS_KEY_NODES_PER_ROUTER, err);
	}
	for (const char *at = text; value <= TORUS_MAX_NODES && *at; at++) {
		if (!isdigit((unsigned char)*at)) {
			value = 0;
			break;
		}
		value = value * 10 + (uint64_t)(*at - '0');
	}
	if (value < 1 || value > TORUS_MAX_NODES) {
		torus_fail(err, "'%s' is not a number of at least 1", text);
		return fail_at(building, TORUS_KEY_NODES_PER_ROUTER, err);
	}
	*number = (uint32_t)value;
	return 0;
}

static const char *name_in_array(const void *owner, uint32_t number)
{
	return ((char *const *)owner)[number];
}

/*
 * Checked before an order file is read: there, two nodes of the same name could not be
 * told apart.
 */
static int check_names_differ(const building_t *building, torus_error_t *err)
{
	torus_name_index_t *index =
		torus_name_index_create(building->nodes, name_in_array, building->names);
	int result = 0;

	if (!index)
		return torus_fail(err, "out of memory for %u names", building->nodes);
	for (uint32_t node = 0; !result && node < building->nodes; node++) {
		if (torus_name_index_add(index, node) != TORUS_NO_NAME)
			result = torus_fail(err, "node '%s' is named twice",
					    building->names[node]);
	}
	torus_name_index_destroy(index);
	return result;
}

static int number_cells(building_t *building, uint32_t per_router, torus_error_t *err)
{
	building->cells = malloc(sizeof(uint32_t) * (size_t)building->nodes);
	if (!building->cells) {
		torus_fail(err, "out of memory for %u nodes", building->nodes);
		return fail_at(building, TORUS_KEY_NODES, err);
	}
	for (uint32_t node = 0; node < building->nodes; node++)
		building->cells[node] = node / per_router;
	return 0;
}

static bool is_by_registration(const building_t *building)
{
	const char *list = value_of(building, TORUS_KEY_NODES);

	return list && !strcasecmp(list, TORUS_BY_REGISTRATION);
}

/* Nodes=by_registration: places without nodes. */
static int make_places(building_t *building, torus_error_t *err)
{
	uint64_t cells = torus_geometry_cells(&building->geometry);
	uint32_t per_router;

	if (read_nodes_per_router(building, &per_router, err))
		return -1;
	if (cells * per_router > TORUS_MAX_REGISTERED) {
		torus_fail(
			err,
			"%llu places by registration, which are at most %d: make the "
			"dimensions as long as the machine can become, or divide it into "
			"several tori",
			(unsigned long long)(cells * per_router), TORUS_MAX_REGISTERED);
		return fail_at(building, dims_key(building), err);
	}
	building->nodes = (uint32_t)cells * per_router;
	building->names = torus_place_names(value_of(building, TORUS_KEY_TORUS_NAME),
					    &building->geometry, per_router);
	if (!building->names)
		return torus_fail(err, "%s: out of memory for %u nodes", building->path,
				  building->nodes);
	return number_cells(building, per_router, err);
}

/* Nodes=: fill the cells one after the other. */
static int place_nodes(building_t *building, torus_error_t *err)
{
	const char *list = value_of(building, TORUS_KEY_NODES);
	uint32_t cells = torus_geometry_cells(&building->geometry), per_router;
	char dims[TORUS_DIMS_TEXT];

	if (read_nodes_per_router(building, &per_router, err))
		return -1;
	/*
	 * Counted before it is expanded, as a typing error in a bracket may make millions
	 * of names.
	 */
	if (torus_hostlist_count(list, &building->nodes, err))
		return fail_at(building, TORUS_KEY_NODES, err);
	if (building->nodes != (uint64_t)cells * per_router) {
		torus_lengths_format(building->geometry.dims, building->geometry.length,
				     dims);
		torus_fail(
			err,
			"%u nodes for Dims=%s with NodesPerRouter=%u, which takes %llu; "
			"for a machine with holes say with Coords=FILE where each node is",
			building->nodes, dims, per_router,
			(unsigned long long)cells * per_router);
		return fail_at(building, TORUS_KEY_NODES, err);
	}
	if (torus_hostlist_expand(list, &building->names, &building->nodes, err) ||
	    check_names_differ(building, err))
		return fail_at(building, TORUS_KEY_NODES, err);
	return number_cells(building, per_router, err);
}

/* A node that is a box of chips shares its cell with no other. */
static int check_cells_differ(const building_t *building, torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(&building->geometry);
	uint32_t *node_on = calloc(cells, sizeof(*node_on)); /* and 1; 0: none */
	int result = node_on ? 0 : torus_fail(err, "out of memory for %u cells", cells);

	for (uint32_t node = 0; !result && node < building->nodes; node++) {
		uint32_t *here = &node_on[building->cells[node]];

		if (*here)
			result = torus_fail(err,
					    "nodes '%s' and '%s' have the same "
					    "coordinates in the file of Coords=, and a "
					    "node that is a box of chips has its place "
					    "to itself",
					    building->names[*here - 1],
					    building->names[node]);
		*here = node + 1;
	}
	free(node_on);
	return result ? fail_at(building, TORUS_KEY_NODE_SHAPE, err) : 0;
}

/* Coords=: cells as the file says. */
static int place_by_file(building_t *building, torus_error_t *err)
{
	const torus_source_t *file;

	if (value_of(building, TORUS_KEY_NODES_PER_ROUTER)) {
		torus_fail(
			err,
			"does not go with Coords=, whose file says which nodes share a "
			"router");
		return fail_at(building, TORUS_KEY_NODES_PER_ROUTER, err);
	}
	if (read_file(building, TORUS_KEY_COORDS, value_of(building, TORUS_KEY_COORDS),
		      &file, err))
		return -1;
	if (torus_coords_parse(file->text, file->length, file->path, &building->geometry,
			       &building->names, &building->cells, &building->nodes, err))
		return -1;
	return torus_has_chips(&building->geometry) ? check_cells_differ(building, err)
						    : 0;
}

/* What a machine with few nodes has at most, for each of them or in all: memory and each
 * decision go by its positions. */
#define POSITIONS_A_NODE 64
#define POSITIONS_OF_FEW 65536

/* Whether there are not far more positions than nodes, as by a slip in Dims=. */
static int check_holes(const building_t *building, torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(&building->geometry);

	if (cells <= POSITIONS_OF_FEW ||
	    cells <= (uint64_t)POSITIONS_A_NODE * building->nodes)
		return 0;
	torus_fail(err,
		   "%u positions for the %u nodes of Coords=, which are at most %d for "
		   "each of them, or %d; make the dimensions as long as the places in "
		   "use need",
		   cells, building->nodes, POSITIONS_A_NODE, POSITIONS_OF_FEW);
	return fail_at(building, dims_key(building), err);
}

static int read_places(building_t *building, torus_error_t *err)
{
	const char *nodes = value_of(building, TORUS_KEY_NODES);
	const char *coords = value_of(building, TORUS_KEY_COORDS);

	if (nodes && coords) {
		torus_fail(err, "does not go with Nodes=: the file names the nodes");
		return fail_at(building, TORUS_KEY_COORDS, err);
	}
	if (is_by_registration(building))
		return make_places(building, err);
	if (nodes)
		return place_nodes(building, err);
	if (coords)
		return place_by_file(building, err) ? -1 : check_holes(building, err);
	return torus_fail(err,
			  "%s:%u: torus '%s' has neither Nodes= nor Coords= on its line",
			  building->path, building->section->line[TORUS_KEY_TORUS_NAME],
			  value_of(building, TORUS_KEY_TORUS_NAME));
}

static int allocate_order(building_t *building, torus_error_t *err)
{
	building->order = malloc(sizeof(uint32_t) * (size_t)building->nodes);
	if (building->order)
		return 0;
	return torus_fail(err, "%s: out of memory for %u nodes", building->path,
			  building->nodes);
}

/* Rank the nodes in the order in which the configuration names them. */
static int order_as_named(building_t *building, torus_error_t *err)
{
	if (allocate_order(building, err))
		return -1;
	for (uint32_t node = 0; node < building->nodes; node++)
		building->order[node] = node;
	return 0;
}

static int read_order(building_t *building, const char *name, torus_error_t *err)
{
	const torus_source_t *file;

	if (read_file(building, TORUS_KEY_CURVE, name, &file, err) ||
	    allocate_order(building, err))
		return -1;
	return torus_order_parse(file->text, file->length, file->path, building->names,
				 building->nodes, building->order, err);
}

/* torus.conf takes only the allocators for production clusters. */
static int read_allocator(const building_t *building, const torus_allocator_t **allocator,
			  torus_error_t *err)
{
	torus_error_t unknown;

	if (!torus_allocator_parse(setting(building, TORUS_KEY_ALLOCATOR,
					   torus_allocator_name(TORUS_DEFAULT_ALLOCATOR)),
				   torus_allocators, allocator, &unknown))
		return 0;
	return torus_fail(err,
			  "%s; others are only to compare with, in storus place and "
			  "storus sim",
			  unknown.text);
}

/* How long jobs wait for a better place on the torus, and may wait. */
static int read_patience(const building_t *building, torus_patience_site_t *site,
			 torus_error_t *err)
{
	const char *usual = setting(building, TORUS_KEY_PATIENCE, "none");
	const char *most = setting(building, TORUS_KEY_PATIENCE_MAX, NULL);

	*site = (torus_patience_site_t){.is_limited = most};
	if (torus_patience_parse(usual, site, err))
		return fail_at(building, TORUS_KEY_PATIENCE, err);
	if (most && torus_duration_parse(most, &site->most, err))
		return fail_at(building, TORUS_KEY_PATIENCE_MAX, err);
	if (!most || site->within <= site->most)
		return 0;
	torus_fail(err, "'%s' is less than the time of Patience=%s", most, usual);
	return fail_at(building, TORUS_KEY_PATIENCE_MAX, err);
}

static torus_map_t *build(building_t *building, torus_error_t *err)
{
	const char *path = NULL;
	torus_curve_t curve;
	torus_map_t *map;
	const torus_allocator_t *allocator;
	torus_span_t span = TORUS_SPAN_LINEAR;
	const char *span_text = setting(building, TORUS_KEY_SPAN, NULL);
	uint32_t isolation;
	torus_patience_site_t patience;

	if (read_geometry(building, err) || read_chords(building, err))
		return NULL;
	if (torus_curve_parse(setting(building, TORUS_KEY_CURVE, "hilbert"), &curve,
			      &path, err)) {
		fail_at(building, TORUS_KEY_CURVE, err);
		return NULL;
	}
	if (read_allocator(building, &allocator, err)) {
		fail_at(building, TORUS_KEY_ALLOCATOR, err);
		return NULL;
	}
	if (span_text && torus_span_parse(span_text, &span, err)) {
		fail_at(building, TORUS_KEY_SPAN, err);
		return NULL;
	}
	if (torus_isolation_weight_parse(setting(building, TORUS_KEY_ISOLATION, "0"),
					 &isolation, err)) {
		fail_at(building, TORUS_KEY_ISOLATION, err);
		return NULL;
	}
	if (read_patience(building, &patience, err) || read_places(building, err))
		return NULL;
	if (building->places_only) {
		curve = TORUS_CURVE_FILE;
		if (order_as_named(building, err))
			return NULL;
	} else if (path && read_order(building, path, err)) {
		return NULL;
	}
	map = torus_map_create_nodes(
		value_of(building, TORUS_KEY_TORUS_NAME), &building->geometry, curve,
		building->cells, building->nodes, building->names, building->order, err);
	building->names = NULL;
	if (!map) {
		fail_at(building, dims_key(building), err);
		return NULL;
	}
	map->allocator = allocator;
	map->isolation = isolation;
	map->patience = patience;
	if (span_text)
		map->span = span;
	if (is_by_registration(building) && torus_map_open(map, err)) {
		torus_map_destroy(map);
		return NULL;
	}
	return map;
}

/* An order file names the nodes of one torus: with several tori each needs its own. */
static int check_global_curve(const torus_sections_t *sections, const char *path,
			      torus_error_t *err)
{
	const char *text = sections->global.value[TORUS_KEY_CURVE];

	if (!text || sections->tori == 1 || strncasecmp(text, "file:", 5) != 0)
		return 0;
	return torus_fail(
		err,
		"%s:%u: Curve=: a file names the nodes of one torus: put Curve= "
		"on the line of each torus",
		path, sections->global.line[TORUS_KEY_CURVE]);
}

/* What --contiguous means: consecutive nodes of the curve, or of Slurm's node table. */
static int read_contiguous(const torus_sections_t *sections, const char *path,
			   bool *by_nodes, torus_error_t *err)
{
	const char *text = sections->global.value[TORUS_KEY_CONTIGUOUS];

	*by_nodes = text && !strcasecmp(text, "nodes");
	if (!text || *by_nodes || !strcasecmp(text, "curve"))
		return 0;
	return torus_fail(err, "%s:%u: Contiguous=: '%s' is neither curve nor nodes",
			  path, sections->global.line[TORUS_KEY_CONTIGUOUS], text);
}

/* Whether a job that some torus could hold waits for one, if it may have several. */
static int read_wait(const torus_sections_t *sections, const char *path, bool *spreads,
		     torus_error_t *err)
{
	const char *text = sections->global.value[TORUS_KEY_WAIT_FOR_TORUS];

	*spreads = text && !strcasecmp(text, "no");
	if (!text || *spreads || !strcasecmp(text, "yes"))
		return 0;
	return torus_fail(err, "%s:%u: WaitForTorus=: '%s' is neither yes nor no", path,
			  sections->global.line[TORUS_KEY_WAIT_FOR_TORUS], text);
}

/* Which jobs' tasks are put in order. */
static int read_task_order(const torus_sections_t *sections, const char *path,
			   torus_order_scope_t *scope, torus_error_t *err)
{
	const char *text = sections->global.value[TORUS_KEY_TASK_ORDER];

	if (!text || !torus_order_scope_parse(text, scope, err))
		return 0;
	return torus_fail_prefix(err, "%s:%u: TaskOrder=: ", path,
				 sections->global.line[TORUS_KEY_TASK_ORDER]);
}

/* Build all maps; [common] has the values that are the same for all. */
static torus_cluster_t *build_cluster(building_t common, const torus_sections_t *sections,
				      torus_error_t *err)
{
	torus_map_t **map = calloc((size_t)sections->tori, sizeof(*map));
	torus_cluster_t *cluster;
	int offender;

	if (!map) {
		torus_fail(err, "%s: out of memory", common.path);
		return NULL;
	}
	for (int i = 0; i < sections->tori; i++) {
		building_t building = common;

		building.section = &sections->torus[i];
		map[i] = build(&building, err);
		free(building.names);
		free(building.cells);
		free(building.order);
		torus_chords_release(building.geometry.chords);
		if (map[i])
			continue;
		while (i--)
			torus_map_destroy(map[i]);
		free(map);
		return NULL;
	}
	cluster = torus_cluster_create(map, sections->tori, &offender, err);
	if (!cluster) {
		common.section = &sections->torus[offender];
		fail_at(&common,
			value_of(&common, TORUS_KEY_NODES) ? TORUS_KEY_NODES
							   : TORUS_KEY_COORDS,
			err);
	}
	return cluster;
}

/* Keep a copy of the text of torus.conf itself, the first of the sources. */
static int keep_text(torus_sources_t *sources, const char *text, size_t length,
		     const char *path, torus_error_t *err)
{
	char *copy = malloc(length + 1);

	if (copy)
		memcpy(copy, text, length);
	return torus_sources_add(sources, strdup(path), copy, length, err);
}

/* [common] has the arguments of the caller. */
static torus_cluster_t *read_text(building_t common, const char *text, size_t length,
				  torus_error_t *err)
{
	const char *path = common.path;
	torus_cluster_t *cluster = NULL;
	torus_sources_t sources = {0};
	torus_sections_t sections = {0};
	torus_order_scope_t task_order = {0};
	bool by_nodes = false, spreads = false;

	common.sources = &sources;
	common.global = &sections.global;

	if (!keep_text(&sources, text, length, path, err) &&
	    !torus_sections_read(text, length, path, &sections, err) &&
	    !check_global_curve(&sections, path, err) &&
	    !read_contiguous(&sections, path, &by_nodes, err) &&
	    !read_wait(&sections, path, &spreads, err) &&
	    !read_task_order(&sections, path, &task_order, err))
		cluster = build_cluster(common, &sections, err);
	torus_sections_free(&sections);
	if (!cluster) {
		torus_sources_clear(&sources);
		torus_order_scope_clear(&task_order);
		return NULL;
	}
	cluster->contiguous_by_nodes = by_nodes;
	cluster->spreads_at_once = spreads;
	cluster->task_order = task_order;
	cluster->sources = sources;
	return cluster;
}

torus_cluster_t *torus_conf_read_text(const char *text, size_t length, const char *path,
				      torus_file_reader_t *reader, void *context,
				      torus_error_t *err)
{
	building_t common = {.path = path, .reader = reader, .context = context};

	return read_text(common, text, length, err);
}

int torus_file_from_disk(void *context, const char *path, char **text, size_t *length,
			 torus_error_t *err)
{
	(void)context;
	return torus_textfile_read(path, text, length, err);
}

static torus_cluster_t *read_path(const char *path, bool places_only, torus_error_t *err)
{
	building_t common = {
		.path = path, .reader = torus_file_from_disk, .places_only = places_only};
	torus_cluster_t *cluster;
	size_t length;
	char *text;

	if (torus_textfile_read(path, &text, &length, err))
		return NULL;
	cluster = read_text(common, text, length, err);
	free(text);
	return cluster;
}

torus_cluster_t *torus_conf_read(const char *path, torus_error_t *err)
{
	return read_path(path, false, err);
}

torus_cluster_t *torus_conf_read_places(const char *path, torus_error_t *err)
{
	return read_path(path, true, err);
}

static bool source_unchanged(const torus_source_t *source)
{
	torus_error_t err;
	size_t length;
	char *text;
	bool same;

	if (torus_textfile_read(source->path, &text, &length, &err))
		return false;
	same = length == source->length && !memcmp(text, source->text, length);
	free(text);
	return same;
}

bool torus_conf_unchanged(const torus_cluster_t *cluster, const char *path)
{
	const torus_sources_t *sources = &cluster->sources;

	if (!sources->count || strcmp(sources->source[0].path, path) != 0)
		return false;
	for (int i = 0; i < sources->count; i++) {
		if (!source_unchanged(&sources->source[i]))
			return false;
	}
	return true;
}
