/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tori of a topology.yaml: see topology_yaml.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "machine/registration.h"
#include "storus/convert/topology_yaml.h"
#include "storus/convert/yaml_reading.h"

enum { AXES = 3 };

typedef struct reading {
	storus_yaml_reading_t yaml;
	const storus_block_t *block; /* what a block of nodes is, or NULL */
	storus_converted_t *machine;
	const char *topology; /* the name of the one that is read */
	int first;	      /* the number of its first torus */
	bool of_blocks;
	bool may_share; /* Slurm takes a node that is named twice in it */
} reading_t;

#define FAIL(reading, node, ...) YAML_FAIL(&(reading)->yaml, node, __VA_ARGS__)
#define REMARK(reading, node, ...) storus_yaml_remark(&(reading)->yaml, node, __VA_ARGS__)

/* Read x, y and z of [node], whole numbers from [minimum] to 65535, as Slurm keeps them.
 */
static int read_axes(reading_t *reading, yaml_node_t *node, int minimum,
		     int32_t value[TORUS_MAX_DIMS])
{
	storus_yaml_key_t key[AXES] = {{"x", NULL}, {"y", NULL}, {"z", NULL}};

	if (storus_yaml_mapping(&reading->yaml, node, "coordinate", key, AXES) != 0)
		return -1;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		value[axis] = minimum;
	for (int axis = 0; axis < AXES; axis++) {
		const yaml_node_t *number = key[axis].value;
		size_t length;

		if (!number && minimum == 0) /* as Slurm */
			continue;
		if (!storus_yaml_required(&reading->yaml, node, "coordinate", &key[axis]))
			return -1;
		length = storus_yaml_is_text(number)
				 ? strspn(storus_yaml_text(number), "0123456789")
				 : 0;
		if (!length || length > 5 || storus_yaml_text(number)[length] != '\0' ||
		    (value[axis] = atoi(storus_yaml_text(number))) < minimum ||
		    value[axis] > UINT16_MAX)
			return FAIL(reading, number,
				    "%s: '%s' is not a whole number from %d to %d",
				    key[axis].name,
				    storus_yaml_is_text(number) ? storus_yaml_text(number)
								: "?",
				    minimum, UINT16_MAX);
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

	if (!storus_yaml_is_text(list) || !*storus_yaml_text(list))
		return FAIL(reading, list, "nodes: not a list such as node[01-32]");
	if (torus_hostlist_count(storus_yaml_text(list), &count, reading->yaml.err) != 0)
		return torus_fail_prefix(reading->yaml.err,
					 "%s:%zu: nodes: ", reading->yaml.path,
					 list->start_mark.line + 1);
	if (count != cells)
		return FAIL(
			reading, list,
			"nodes: %" PRIu32 " nodes, but dims of %s have %" PRIu32
			" coordinates",
			count,
			torus_lengths_format(region->box.dims, region->box.length, dims),
			cells);
	if (torus_hostlist_expand(storus_yaml_text(list), &name, &count,
				  reading->yaml.err) != 0)
		return -1;
	for (uint32_t i = 0; rc == 0 && i < count; i++) {
		int32_t coord[TORUS_MAX_DIMS];

		torus_cell_to_coord(&region->box, i, coord);
		for (int axis = 0; axis < region->box.dims; axis++)
			coord[axis] += region->anchor[axis];
		rc = storus_converted_add_node(
			torus, name[i], torus_coord_to_cell(&torus->geometry, coord),
			reading->yaml.err);
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
	storus_yaml_key_t key[] = {{"anchor", NULL}, {"dims", NULL}, {"nodes", NULL}};

	if (storus_yaml_mapping(&reading->yaml, node, "region", key, 3) != 0 ||
	    !storus_yaml_required(&reading->yaml, node, "region", &key[1]) ||
	    !storus_yaml_required(&reading->yaml, node, "region", &key[2]) ||
	    (key[0].value && read_axes(reading, key[0].value, 0, region->anchor) != 0) ||
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

static int read_regions(reading_t *reading, yaml_node_t *list,
			storus_converted_torus_t *torus)
{
	region_t *region = NULL;
	size_t regions = 0;
	yaml_node_t *node;
	int rc = 0;

	while (rc == 0 && (node = storus_yaml_element(&reading->yaml, list, regions))) {
		region_t *grown = realloc(region, (regions + 1) * sizeof(*region));

		if (!grown) {
			rc = torus_fail(reading->yaml.err, "out of memory");
			break;
		}
		region = grown;
		region[regions] = (region_t){0};
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

/* The number of the torus called [name], or -1. */
static int find_torus(const storus_converted_t *machine, const char *name)
{
	for (int t = 0; t < machine->tori; t++) {
		if (strcmp(machine->torus[t].name, name) == 0)
			return t;
	}
	return -1;
}

/*
 * Add the torus that [node] names. Where a topology before this one has one of the name,
 * it gets another, and *twin is the number of that one, else -1. NULL, with the error
 * filled, as by storus_converted_add_torus().
 */
static storus_converted_torus_t *begin_torus(reading_t *reading, const yaml_node_t *node,
					     int *twin)
{
	char name[STORUS_TORUS_NAME_MAX + 1], longer[4 * STORUS_TORUS_NAME_MAX];
	storus_converted_torus_t *torus;

	storus_converted_clean_name(storus_yaml_text(node), name);
	*twin = find_torus(reading->machine, name);
	if (*twin >= reading->first)
		*twin = -1;
	if (*twin >= 0) {
		snprintf(longer, sizeof(longer), "%s.%s", name, reading->topology);
		storus_converted_clean_name(longer, name);
	}
	torus = storus_converted_add_torus(reading->machine, name, reading->yaml.err);
	if (!torus)
		torus_fail_prefix(reading->yaml.err, "%s:%zu: ", reading->yaml.path,
				  node->start_mark.line + 1);
	return torus;
}

/* The torus of begin_torus() has its nodes. If its twin is the same it goes; if it has
 * another name than in the file, that is said. */
static void end_torus(reading_t *reading, const yaml_node_t *node, int twin)
{
	storus_converted_t *machine = reading->machine;
	int last = machine->tori - 1;

	if (twin >= 0 &&
	    storus_converted_same(&machine->torus[twin], &machine->torus[last]))
		storus_converted_remove(machine, last);
	else if (strcmp(machine->torus[last].name, storus_yaml_text(node)) != 0)
		REMARK(reading, node, "'%s' is called %s here%s", storus_yaml_text(node),
		       machine->torus[last].name,
		       twin < 0 ? ", as torus.conf allows it"
				: ": another topology has another torus of that name");
}

static int read_torus(reading_t *reading, yaml_node_t *node)
{
	enum { NAME, DIMS, NODES, REGIONS, PLACEMENTS, KEYS };
	storus_yaml_key_t key[KEYS] = {{"name", NULL},
				       {"dims", NULL},
				       {"nodes", NULL},
				       {"regions", NULL},
				       {"placements", NULL}};
	char dims[TORUS_DIMS_TEXT];
	region_t whole = {0};
	storus_converted_torus_t *torus;
	int twin, rc = 0;

	if (storus_yaml_mapping(&reading->yaml, node, "torus", key, KEYS) != 0 ||
	    !storus_yaml_required(&reading->yaml, node, "torus", &key[NAME]) ||
	    !storus_yaml_required(&reading->yaml, node, "torus", &key[DIMS]))
		return -1;
	if (!storus_yaml_is_text(key[NAME].value))
		return FAIL(reading, key[NAME].value, "name: not a word");
	if (key[NODES].value && key[REGIONS].value)
		return FAIL(reading, node,
			    "torus '%s' has both nodes and regions, which Slurm refuses",
			    storus_yaml_text(key[NAME].value));
	if (read_dims(reading, key[DIMS].value, &whole.box) != 0)
		return -1;
	if (!key[NODES].value && !key[REGIONS].value &&
	    torus_geometry_cells(&whole.box) > TORUS_MAX_REGISTERED) {
		REMARK(reading, node,
		       "torus '%s' of %s is left out: its nodes bring their places when they "
		       "register, and torus.conf has room for %d such places",
		       storus_yaml_text(key[NAME].value),
		       torus_lengths_format(AXES, whole.box.length, dims),
		       TORUS_MAX_REGISTERED);
		return 0;
	}
	torus = begin_torus(reading, key[NAME].value, &twin);
	if (!torus)
		return -1;
	torus->geometry = whole.box;
	for (int axis = 0; axis < AXES; axis++)
		torus->geometry.wrap[axis] = true;
	torus->by_registration = !key[NODES].value && !key[REGIONS].value;
	if (torus->by_registration)
		REMARK(reading, node,
		       "torus '%s' has its nodes when they register, and say "
		       "Topology=default:%s:0:0:0 or another place",
		       storus_yaml_text(key[NAME].value), torus->name);
	if (key[NODES].value)
		rc = add_nodes(reading, key[NODES].value, &whole, torus);
	else if (key[REGIONS].value)
		rc = read_regions(reading, key[REGIONS].value, torus);
	if (rc != 0)
		return -1;
	end_torus(reading, key[NAME].value, twin);
	return 0;
}

static int read_tori(reading_t *reading, yaml_node_t *node)
{
	storus_yaml_key_t list = {"toruses", NULL};
	yaml_node_t *torus;

	if (storus_yaml_mapping(&reading->yaml, node, "torus3d", &list, 1) != 0 ||
	    !storus_yaml_required(&reading->yaml, node, "torus3d", &list))
		return -1;
	for (size_t i = 0; (torus = storus_yaml_element(&reading->yaml, list.value, i));
	     i++) {
		if (read_torus(reading, torus) != 0)
			return -1;
	}
	return 0;
}

/*
 * A block or a ring of nodes, as [word] says, becomes a torus of its own: with the sides
 * of a block, or, without, as long as there are nodes. One without nodes, or with another
 * number of them than the other blocks, does not.
 */
static int read_group(reading_t *reading, yaml_node_t *node, const char *word,
		      const storus_block_t *block)
{
	storus_yaml_key_t key[] = {{word, NULL}, {"nodes", NULL}};
	region_t whole = {
		.box = {.dims = 1, .length = {1, 1, 1, 1, 1, 1}, .wrap = {true}}};
	storus_converted_torus_t *torus;
	uint32_t count = 0;
	char dims[TORUS_DIMS_TEXT];
	const char *name;
	bool counted;
	int twin;

	if (storus_yaml_mapping(&reading->yaml, node, word, key, 2) != 0 ||
	    !storus_yaml_required(&reading->yaml, node, word, &key[0]))
		return -1;
	if (!storus_yaml_is_text(key[0].value))
		return FAIL(reading, key[0].value, "%s: not a word", word);
	name = storus_yaml_text(key[0].value);
	if (!key[1].value) {
		REMARK(reading, node, "%s '%s' is left out: it has no nodes", word, name);
		return 0;
	}
	/* Where they cannot be counted, add_nodes() says why. */
	counted = storus_yaml_is_text(key[1].value) &&
		  !torus_hostlist_count(storus_yaml_text(key[1].value), &count,
					reading->yaml.err);
	whole.box.length[0] = counted ? (int32_t)count : 1;
	if (block)
		whole.box = block->box;
	if (counted && count != torus_geometry_cells(&whole.box)) {
		REMARK(reading, node,
		       "%s '%s' is left out: %" PRIu32 " nodes, but %s are %" PRIu32, word,
		       name, count,
		       torus_lengths_format(whole.box.dims, whole.box.length, dims),
		       torus_geometry_cells(&whole.box));
		return 0;
	}
	torus = begin_torus(reading, key[0].value, &twin);
	if (!torus)
		return -1;
	torus->geometry = whole.box;
	if (block)
		memcpy(torus->node_shape, block->node, sizeof(block->node));
	if (add_nodes(reading, key[1].value, &whole, torus) != 0)
		return -1;
	end_torus(reading, key[0].value, twin);
	return 0;
}

static int read_blocks(reading_t *reading, yaml_node_t *node)
{
	storus_yaml_key_t key[] = {{"blocks", NULL}, {"block_sizes", NULL}};
	yaml_node_t *block;

	if (storus_yaml_mapping(&reading->yaml, node, "topology of blocks", key, 2) !=
		    0 ||
	    !storus_yaml_required(&reading->yaml, node, "topology of blocks", &key[0]))
		return -1;
	for (size_t i = 0; (block = storus_yaml_element(&reading->yaml, key[0].value, i));
	     i++) {
		if (read_group(reading, block, "block", reading->block) != 0)
			return -1;
	}
	return 0;
}

static int read_rings(reading_t *reading, yaml_node_t *node)
{
	storus_yaml_key_t list = {"rings", NULL};
	yaml_node_t *ring;

	if (storus_yaml_mapping(&reading->yaml, node, "topology of rings", &list, 1) !=
		    0 ||
	    !storus_yaml_required(&reading->yaml, node, "topology of rings", &list))
		return -1;
	for (size_t i = 0; (ring = storus_yaml_element(&reading->yaml, list.value, i));
	     i++) {
		if (read_group(reading, ring, "ring", NULL) != 0)
			return -1;
	}
	return 0;
}

/*
 * Of the nodes that have a place already, keep that one. On tori of one topology Slurm
 * refuses them, unless they are blocks or rings.
 */
static int keep_first_places(reading_t *reading, const yaml_node_t *node)
{
	storus_converted_t *machine = reading->machine;

	for (int t = reading->first; t < machine->tori; t++) {
		storus_converted_torus_t *torus = &machine->torus[t];
		storus_converted_repeated_t repeated;

		if (storus_converted_keep_first(machine, t, &repeated, reading->yaml.err))
			return -1;
		if (repeated.nodes == 0)
			continue;
		if (repeated.owner >= reading->first && repeated.owner < t &&
		    !reading->may_share)
			return FAIL(reading, node, "node '%s' is named twice",
				    repeated.name);
		if (torus->nodes > 0) {
			REMARK(reading, node,
			       "of torus '%s' nodes are left out, as they have a place "
			       "already: %" PRIu32 ", the first being '%s'",
			       torus->name, repeated.nodes, repeated.name);
			continue;
		}
		REMARK(reading, node,
		       "torus '%s' is left out: its nodes are on torus '%s'", torus->name,
		       machine->torus[repeated.owner].name);
		storus_converted_remove(machine, t--);
	}
	return 0;
}

/* Read one topology, if it is of a type that is wanted; others are told of. */
static int read_topology(reading_t *reading, yaml_node_t *node, size_t number)
{
	enum { TORUS3D, BLOCK, NAME, DEFAULT, FLAT, RING, TREE, KEYS };
	storus_yaml_key_t key[KEYS] = {{"torus3d", NULL},  {"block", NULL},
				       {"topology", NULL}, {"cluster_default", NULL},
				       {"flat", NULL},	   {"ring", NULL},
				       {"tree", NULL}};
	char name[24];
	int rc;

	if (storus_yaml_mapping(&reading->yaml, node, "topology", key, KEYS) != 0)
		return -1;
	snprintf(name, sizeof(name), "%zu", number + 1);
	reading->topology = key[NAME].value && storus_yaml_is_text(key[NAME].value)
				    ? storus_yaml_text(key[NAME].value)
				    : name;
	reading->first = reading->machine->tori;
	reading->of_blocks = !key[TORUS3D].value && key[BLOCK].value;
	reading->may_share = !key[TORUS3D].value;
	if (key[TORUS3D].value) {
		rc = read_tori(reading, key[TORUS3D].value);
	} else if (reading->of_blocks && reading->block) {
		rc = read_blocks(reading, key[BLOCK].value);
	} else if (!reading->of_blocks && key[RING].value) {
		rc = read_rings(reading, key[RING].value);
	} else {
		REMARK(reading, node, "topology '%s' is left out: it is %s",
		       reading->topology,
		       reading->of_blocks ? "of blocks; say what one is: --block-dims"
					  : "of neither tori, blocks nor rings");
		return 0;
	}
	return rc ? rc : keep_first_places(reading, node);
}

static int read_document(reading_t *reading)
{
	yaml_node_t *root = yaml_document_get_root_node(&reading->yaml.document),
		    *topology;

	for (size_t i = 0;
	     root && (topology = storus_yaml_element(&reading->yaml, root, i)); i++) {
		if (read_topology(reading, topology, i) != 0)
			return -1;
	}
	if (!reading->machine->tori)
		return torus_fail(reading->yaml.err, "%s:%zu: no torus with nodes",
				  reading->yaml.path,
				  root ? root->end_mark.line + 1 : (size_t)1);
	return 0;
}

/* Slurm reads the first document of a file. */
static void tell_of_others(reading_t *reading, yaml_parser_t *parser)
{
	yaml_document_t next;
	yaml_node_t *root;

	if (!yaml_parser_load(parser, &next))
		return;
	root = yaml_document_get_root_node(&next);
	if (root)
		REMARK(reading, root,
		       "this and what follows is left out: a second document of the file");
	yaml_document_delete(&next);
}

int storus_topology_yaml_read(const char *text, size_t length, const char *path,
			      const storus_block_t *block, storus_converted_t *machine,
			      storus_remark_t *remark, void *context, torus_error_t *err)
{
	reading_t reading = {
		.yaml = {.path = path, .remark = remark, .context = context, .err = err},
		.block = block,
		.machine = machine,
	};
	yaml_parser_t parser;
	int rc;

	if (!yaml_parser_initialize(&parser))
		return torus_fail(err, "out of memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
	if (!yaml_parser_load(&parser, &reading.yaml.document)) {
		torus_fail(err, "%s:%zu: not YAML: %s", path,
			   parser.problem_mark.line + 1,
			   parser.problem ? parser.problem : "out of memory");
		yaml_parser_delete(&parser);
		return -1;
	}
	rc = read_document(&reading);
	if (!rc)
		tell_of_others(&reading, &parser);
	yaml_document_delete(&reading.yaml.document);
	yaml_parser_delete(&parser);
	return rc;
}
