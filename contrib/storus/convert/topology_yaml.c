/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tori of a topology.yaml: see topology_yaml.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/hostlist.h"
#include "storus/convert/topology_yaml.h"

enum { AXES = 3 };

typedef struct reading {
	const char *path;
	const torus_geometry_t *block; /* what a block of nodes is, or NULL */
	yaml_document_t document;
	storus_converted_t *machine;
	torus_error_t *err;
} reading_t;

/* Fail because of [node], whose line is put in front. */
#define FAIL(reading, node, ...)                                                         \
	(torus_fail((reading)->err, __VA_ARGS__),                                        \
	 torus_fail_prefix((reading)->err, "%s:%zu: ", (reading)->path,                  \
			   (node)->start_mark.line + 1))

static const char *text_of(const yaml_node_t *node)
{
	return (const char *)node->data.scalar.value;
}

/* Whether it is text without a NUL inside, which would end it early. */
static bool is_text(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE &&
	       strlen(text_of(node)) == node->data.scalar.length;
}

/* A key that a mapping may have, and the value it has. */
typedef struct key {
	const char *name;
	yaml_node_t *value; /* NULL: not given */
} yaml_key_t;

/*
 * Find the values of key[0 .. keys-1] in [node], a mapping that is a [what]. Every other
 * key is an error if [strict]. Returns 0, or -1.
 */
static int read_mapping(reading_t *reading, yaml_node_t *node, const char *what,
			bool strict, yaml_key_t *key, int keys)
{
	yaml_node_pair_t *pair;

	if (node->type != YAML_MAPPING_NODE)
		return FAIL(reading, node, "a %s is written as 'key: value' lines", what);
	for (pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
	     pair++) {
		yaml_node_t *name = yaml_document_get_node(&reading->document, pair->key);
		int k = 0;

		while (k < keys &&
		       (!is_text(name) || strcmp(text_of(name), key[k].name) != 0))
			k++;
		if (k == keys && strict)
			return FAIL(reading, name, "unknown key '%s' of a %s",
				    is_text(name) ? text_of(name) : "?", what);
		if (k == keys)
			continue;
		if (key[k].value)
			return FAIL(reading, name, "a second '%s' of a %s", key[k].name,
				    what);
		key[k].value = yaml_document_get_node(&reading->document, pair->value);
	}
	return 0;
}

/* The value of [key], which [node], a [what], must have; NULL (error filled) if not. */
static yaml_node_t *required(reading_t *reading, const yaml_node_t *node,
			     const char *what, const yaml_key_t *key)
{
	if (!key->value)
		FAIL(reading, node, "a %s without '%s'", what, key->name);
	return key->value;
}

/* Read x, y and z of [node], whole numbers from [minimum] to 65535, as Slurm keeps them.
 */
static int read_axes(reading_t *reading, yaml_node_t *node, int minimum,
		     int32_t value[TORUS_MAX_DIMS])
{
	yaml_key_t key[AXES] = {{"x", NULL}, {"y", NULL}, {"z", NULL}};

	if (read_mapping(reading, node, "coordinate", true, key, AXES) != 0)
		return -1;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		value[axis] = minimum;
	for (int axis = 0; axis < AXES; axis++) {
		const yaml_node_t *number =
			required(reading, node, "coordinate", &key[axis]);
		size_t length;

		if (!number)
			return -1;
		length = is_text(number) ? strspn(text_of(number), "0123456789") : 0;
		if (!length || length > 5 || text_of(number)[length] != '\0' ||
		    (value[axis] = atoi(text_of(number))) < minimum ||
		    value[axis] > UINT16_MAX)
			return FAIL(reading, number,
				    "%s: '%s' is not a whole number from %d to %d",
				    key[axis].name,
				    is_text(number) ? text_of(number) : "?", minimum,
				    UINT16_MAX);
	}
	return 0;
}

/* A box of a torus: a region, or the whole. */
typedef struct region {
	int32_t anchor[TORUS_MAX_DIMS];
	torus_geometry_t box; /* its sides; does not wrap */
} region_t;

/* Read the sides of a box into [geometry]. */
static int read_dims(reading_t *reading, yaml_node_t *node, torus_geometry_t *geometry)
{
	uint64_t cells = 1;

	*geometry = (torus_geometry_t){.dims = AXES};
	if (read_axes(reading, node, 1, geometry->length) != 0)
		return -1;
	for (int axis = 0; axis < AXES; axis++)
		cells *= (uint64_t)geometry->length[axis];
	if (cells > TORUS_MAX_CELLS)
		return FAIL(reading, node,
			    "dims: %" PRIu64 " coordinates, at most %" PRIu32
			    " are possible",
			    cells, TORUS_MAX_CELLS);
	return 0;
}

/* Add the nodes of [list] to a region, x fastest, one on each coordinate. */
static int add_nodes(reading_t *reading, yaml_node_t *list, const region_t *region,
		     storus_converted_torus_t *torus)
{
	uint32_t count, cells = torus_geometry_cells(&region->box);
	char dims[TORUS_DIMS_TEXT];
	char **name;
	int rc = 0;

	if (!is_text(list) || !*text_of(list))
		return FAIL(reading, list, "nodes: not a list such as node[01-32]");
	if (torus_hostlist_count(text_of(list), &count, reading->err) != 0)
		return torus_fail_prefix(reading->err, "%s:%zu: nodes: ", reading->path,
					 list->start_mark.line + 1);
	if (count != cells)
		return FAIL(
			reading, list,
			"nodes: %" PRIu32 " nodes, but dims of %s have %" PRIu32
			" coordinates",
			count,
			torus_lengths_format(region->box.dims, region->box.length, dims),
			cells);
	if (torus_hostlist_expand(text_of(list), &name, &count, reading->err) != 0)
		return -1;
	for (uint32_t i = 0; rc == 0 && i < count; i++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&region->box, i, coord);
		for (int axis = 0; axis < region->box.dims; axis++)
			coord[axis] += region->anchor[axis];
		rc = storus_converted_add_node(
			torus, name[i], torus_coord_to_cell(&torus->geometry, coord),
			reading->err);
	}
	free(name);
	return rc;
}

/* Whether the two have a coordinate in common. */
static bool overlap(const region_t *a, const region_t *b)
{
	for (int axis = 0; axis < AXES; axis++) {
		if (a->anchor[axis] + a->box.length[axis] <= b->anchor[axis] ||
		    b->anchor[axis] + b->box.length[axis] <= a->anchor[axis])
			return false;
	}
	return true;
}

/* Read one region of [torus] into *region, and its nodes. */
static int read_region(reading_t *reading, yaml_node_t *node, region_t *region,
		       storus_converted_torus_t *torus)
{
	yaml_key_t key[] = {{"anchor", NULL}, {"dims", NULL}, {"nodes", NULL}};

	if (read_mapping(reading, node, "region", true, key, 3) != 0 ||
	    !required(reading, node, "region", &key[0]) ||
	    !required(reading, node, "region", &key[1]) ||
	    !required(reading, node, "region", &key[2]) ||
	    read_axes(reading, key[0].value, 0, region->anchor) != 0 ||
	    read_dims(reading, key[1].value, &region->box) != 0)
		return -1;
	for (int axis = 0; axis < AXES; axis++) {
		if (region->anchor[axis] + region->box.length[axis] >
		    torus->geometry.length[axis])
			return FAIL(reading, node, "a region that leaves the torus '%s'",
				    torus->name);
	}
	return add_nodes(reading, key[2].value, region, torus);
}

/*
 * Element [i] of the list [node], NULL behind the last. Like Slurm, this takes a single
 * element for a list of one.
 */
static yaml_node_t *element(reading_t *reading, yaml_node_t *node, size_t i)
{
	yaml_node_item_t *item;

	if (node->type != YAML_SEQUENCE_NODE)
		return i == 0 ? node : NULL;
	item = node->data.sequence.items.start + i;
	return item < node->data.sequence.items.top
		       ? yaml_document_get_node(&reading->document, *item)
		       : NULL;
}

static int read_regions(reading_t *reading, yaml_node_t *list,
			storus_converted_torus_t *torus)
{
	region_t *region = NULL;
	size_t regions = 0;
	yaml_node_t *node;
	int rc = 0;

	while (rc == 0 && (node = element(reading, list, regions))) {
		region_t *grown = realloc(region, (regions + 1) * sizeof(*region));

		if (!grown) {
			rc = torus_fail(reading->err, "out of memory");
			break;
		}
		region = grown;
		rc = read_region(reading, node, &region[regions], torus);
		for (size_t i = 0; rc == 0 && i < regions; i++) {
			if (overlap(&region[i], &region[regions]))
				rc = FAIL(reading, node,
					  "a region upon another one of '%s'",
					  torus->name);
		}
		regions++;
	}
	free(region);
	return rc;
}

/* Slurm's "scontrol show topoconf" writes keys that are not given, too, without a value.
 */
static void forget_empty(yaml_key_t *key)
{
	const yaml_node_t *value = key->value;

	if (!value)
		return;
	if ((value->type == YAML_SCALAR_NODE && !value->data.scalar.length &&
	     value->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) ||
	    (value->type == YAML_SEQUENCE_NODE &&
	     value->data.sequence.items.start == value->data.sequence.items.top))
		key->value = NULL;
}

static int read_torus(reading_t *reading, yaml_node_t *node)
{
	enum { NAME, DIMS, NODES, REGIONS, PLACEMENTS, KEYS };
	yaml_key_t key[KEYS] = {{"name", NULL},
				{"dims", NULL},
				{"nodes", NULL},
				{"regions", NULL},
				{"placements", NULL}};
	region_t whole = {0};
	storus_converted_torus_t *torus;

	if (read_mapping(reading, node, "torus", true, key, KEYS) != 0 ||
	    !required(reading, node, "torus", &key[NAME]) ||
	    !required(reading, node, "torus", &key[DIMS]))
		return -1;
	if (!is_text(key[NAME].value))
		return FAIL(reading, key[NAME].value, "name: not a word");
	forget_empty(&key[NODES]);
	forget_empty(&key[REGIONS]);
	if (!key[NODES].value == !key[REGIONS].value)
		return FAIL(reading, node, "torus '%s' needs either nodes or regions",
			    text_of(key[NAME].value));
	if (read_dims(reading, key[DIMS].value, &whole.box) != 0)
		return -1;
	torus = storus_converted_add_torus(reading->machine, text_of(key[NAME].value),
					   reading->err);
	if (!torus)
		return torus_fail_prefix(reading->err, "%s:%zu: ", reading->path,
					 key[NAME].value->start_mark.line + 1);
	torus->geometry = whole.box;
	for (int axis = 0; axis < AXES; axis++)
		torus->geometry.wrap[axis] = true;
	return key[NODES].value ? add_nodes(reading, key[NODES].value, &whole, torus)
				: read_regions(reading, key[REGIONS].value, torus);
}

static int read_tori(reading_t *reading, yaml_node_t *node)
{
	yaml_key_t list = {"toruses", NULL};
	yaml_node_t *torus;

	if (read_mapping(reading, node, "torus3d", true, &list, 1) != 0 ||
	    !required(reading, node, "torus3d", &list))
		return -1;
	for (size_t i = 0; (torus = element(reading, list.value, i)); i++) {
		if (read_torus(reading, torus) != 0)
			return -1;
	}
	return 0;
}

/* A block of nodes becomes a torus of its own. */
static int read_block(reading_t *reading, yaml_node_t *node)
{
	yaml_key_t key[] = {{"block", NULL}, {"nodes", NULL}};
	region_t whole = {.box = *reading->block};
	storus_converted_torus_t *torus;

	if (read_mapping(reading, node, "block", true, key, 2) != 0 ||
	    !required(reading, node, "block", &key[0]) ||
	    !required(reading, node, "block", &key[1]))
		return -1;
	if (!is_text(key[0].value))
		return FAIL(reading, key[0].value, "block: not a word");
	torus = storus_converted_add_torus(reading->machine, text_of(key[0].value),
					   reading->err);
	if (!torus)
		return torus_fail_prefix(reading->err, "%s:%zu: ", reading->path,
					 key[0].value->start_mark.line + 1);
	torus->geometry = whole.box;
	return add_nodes(reading, key[1].value, &whole, torus);
}

static int read_blocks(reading_t *reading, yaml_node_t *node)
{
	yaml_key_t key[] = {{"blocks", NULL}, {"block_sizes", NULL}};
	yaml_node_t *block;

	if (read_mapping(reading, node, "topology of blocks", true, key, 2) != 0 ||
	    !required(reading, node, "topology of blocks", &key[0]))
		return -1;
	for (size_t i = 0; (block = element(reading, key[0].value, i)); i++) {
		if (read_block(reading, block) != 0)
			return -1;
	}
	return 0;
}

/* Whether it is {}, as "scontrol show topoconf" writes types that a topology is not of.
 */
static bool is_empty(const yaml_node_t *node)
{
	return node->type == YAML_MAPPING_NODE &&
	       node->data.mapping.pairs.start == node->data.mapping.pairs.top;
}

/* Read one topology, if it is of a type that is wanted. */
static int read_topology(reading_t *reading, yaml_node_t *node)
{
	yaml_key_t type[] = {{"torus3d", NULL}, {"block", NULL}};

	if (read_mapping(reading, node, "topology", false, type, 2) != 0 ||
	    (type[0].value && read_tori(reading, type[0].value) != 0))
		return -1;
	return reading->block && type[1].value && !is_empty(type[1].value)
		       ? read_blocks(reading, type[1].value)
		       : 0;
}

static int read_document(reading_t *reading)
{
	yaml_node_t *root = yaml_document_get_root_node(&reading->document), *topology;

	for (size_t i = 0; root && (topology = element(reading, root, i)); i++) {
		if (read_topology(reading, topology) != 0)
			return -1;
	}
	if (!reading->machine->tori)
		return torus_fail(
			reading->err, "%s:%zu: no topology of the type torus3d%s",
			reading->path, root ? root->end_mark.line + 1 : (size_t)1,
			reading->block ? " or block"
				       : "; for one of blocks say what a block is: "
					 "--block-dims");
	return 0;
}

int storus_topology_yaml_read(const char *text, size_t length, const char *path,
			      const torus_geometry_t *block, storus_converted_t *machine,
			      torus_error_t *err)
{
	reading_t reading = {
		.path = path, .block = block, .machine = machine, .err = err};
	yaml_parser_t parser;
	int rc;

	if (!yaml_parser_initialize(&parser))
		return torus_fail(err, "out of memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
	if (!yaml_parser_load(&parser, &reading.document)) {
		torus_fail(err, "%s:%zu: not YAML: %s", path,
			   parser.problem_mark.line + 1,
			   parser.problem ? parser.problem : "out of memory");
		yaml_parser_delete(&parser);
		return -1;
	}
	rc = read_document(&reading);
	yaml_document_delete(&reading.document);
	yaml_parser_delete(&parser);
	return rc;
}
