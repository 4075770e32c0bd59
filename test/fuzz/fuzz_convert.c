/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What storus convert reads, all in memory. Input: a line "slurm.conf", "nodelist",
 * "topology.yaml", "blocks" (the same with blocks of 2x2x2), "topology.conf", "mesh" (a mesh graph
 * descriptor) or "tpu.conf" (of the type v5p), then the text; what a slurm.conf includes is a line NodeName=i012.
 * What is converted reads back, as torus.conf, with every node where it was.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include "conf/torus_conf.h"
#include "geometry/chords.h"
#include "many_names.h"
#include "storus/convert/mesh_descriptor.h"
#include "storus/convert/names.h"
#include "storus/convert/slurm_conf.h"
#include "storus/convert/topology_conf.h"
#include "storus/convert/topology_yaml.h"
#include "storus/convert/tpu_conf.h"
#include "storus/convert/write.h"

/* Larger machines only take time. */
enum { NAMES_MAX = 500, CELLS_MAX = 4000 };

static int read_included(void *context, const char *path, char **text, size_t *length,
			 torus_error_t *err)
{
	static const char included[] = "NodeName=i012 # one\n";

	(void)context;
	(void)path;
	(void)err;
	*length = sizeof(included) - 1;
	*text = fuzz_text((const uint8_t *)included, *length);
	return 0;
}

/* The files of coordinates of a machine. */
static int read_coords(void *context, const char *path, char **text, size_t *length,
		       torus_error_t *err)
{
	const storus_converted_t *machine = context;

	for (int t = 0; t < machine->tori; t++) {
		const storus_converted_torus_t *torus = &machine->torus[t];
		char *name;
		bool found;
		FILE *stream;

		CHECK(asprintf(&name, STORUS_CONVERTED_COORDS, torus->name) > 0);
		found = !strcmp(name, path);
		free(name);
		if (!found)
			continue;
		CHECK(!torus->list);
		stream = open_memstream(text, length);
		CHECK(stream && !storus_converted_write_coords(stream, torus, err));
		CHECK(!fclose(stream));
		return 0;
	}
	return torus_fail(err, "cannot read '%s': not among the files", path);
}

static void check_torus(const storus_converted_torus_t *torus,
			const torus_cluster_t *cluster, int t)
{
	const torus_map_t *map = cluster->map[t];

	CHECK(!strcmp(torus->name, map->name) &&
	      torus->by_registration == (map->place_name != NULL));
	CHECK(torus->by_registration ||
	      torus->nodes == map->nodes); /* otherwise it has every place */
	for (int axis = 0; axis < 3; axis++)
		CHECK(map->geometry.length[axis] == torus->geometry.length[axis] &&
		      map->geometry.wrap[axis] == torus->geometry.wrap[axis]);
	CHECK(!torus->links == !map->geometry.chords);
	CHECK(!torus->links || map->geometry.chords->of_chips->count == torus->links);
	for (uint32_t i = 0; i < torus->nodes; i++) {
		uint32_t node;
		int found;

		CHECK(torus_cluster_find(cluster, torus->node[i].name, &found, &node));
		CHECK(found == t &&
		      map->cell_of_rank[map->rank_of_node[node]] == torus->node[i].cell);
	}
}

static void check_round_trip(storus_converted_t *machine)
{
	torus_error_t err = {""};
	torus_cluster_t *cluster;
	size_t length;
	char *text;
	FILE *stream = open_memstream(&text, &length);

	CHECK(stream);
	storus_converted_write_conf(stream, machine, "a\nfile", false);
	CHECK(!fclose(stream));
	cluster = torus_conf_read_text(text, length, "back", read_coords, machine, &err);
	if (!cluster)
		fprintf(stderr, "%s\n%s", err.text, text);
	CHECK(cluster && cluster->maps == machine->tori);
	for (int t = 0; t < machine->tori; t++)
		check_torus(&machine->torus[t], cluster, t);
	torus_cluster_destroy(cluster);
	free(text);
}

/* Whether the machine is not worth the time that its curves take. */
static bool too_large(const storus_converted_t *machine)
{
	uint64_t cells = 0;

	for (int t = 0; t < machine->tori; t++)
		cells += torus_geometry_cells(&machine->torus[t].geometry);
	return cells > CELLS_MAX;
}

/* What comes of a tpu.conf is a mesh that a machine may have. */
static void check_tpu_conf(const uint8_t *data, size_t size)
{
	storus_block_t block;
	torus_error_t err = {""};

	if (storus_tpu_conf_read((const char *)data, size, "f", "v5p", &block, &err) !=
	    0) {
		CHECK(err.text[0]);
		return;
	}
	CHECK(block.box.dims == 2 || block.box.dims == 3);
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++)
		CHECK(block.box.length[axis] >= 1 && !block.box.wrap[axis] &&
		      block.node[axis] >= 1);
}

static void remark(void *context, const char *text)
{
	(void)context;
	CHECK(text[0]);
}

/* Read the text behind the line of [kind] into [machine]. */
static int read_input(const char *kind, const uint8_t *data, size_t size,
		      storus_converted_t *machine, torus_error_t *err)
{
	static const storus_block_t cube = {
		.box = {.dims = 3, .length = {2, 2, 2, 1, 1, 1}},
		.node = {2, 2, 1, 1, 1, 1},
	};
	storus_converted_torus_t *torus;
	char *text;
	int rc;

	if (!strcmp(kind, "topology.yaml"))
		return storus_topology_yaml_read((const char *)data, size, "f", NULL,
						 machine, remark, NULL, err);
	if (!strcmp(kind, "blocks"))
		return storus_topology_yaml_read((const char *)data, size, "f", &cube,
						 machine, remark, NULL, err);
	if (!strcmp(kind, "topology.conf"))
		return storus_topology_conf_read((const char *)data, size, "f", &cube,
						 machine, remark, NULL, err);
	if (!strcmp(kind, "mesh")) {
		text = fuzz_text(data, size);
		rc = storus_mesh_descriptor_read(text, "f", machine, remark, NULL, err);
		free(text);
		return rc;
	}
	torus = storus_names_begin(machine, err);
	CHECK(torus);
	if (!strcmp(kind, "slurm.conf")) {
		rc = storus_slurm_conf_read((const char *)data, size, "f", read_included,
					    NULL, torus, err);
	} else {
		text = fuzz_text(data, size);
		rc = storus_names_add(torus, text, err);
		free(text);
	}
	if (rc == 0)
		storus_names_fit(torus);
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
	storus_converted_t machine = {0};
	torus_error_t err = {""};
	char *kind;

	if (!newline || fuzz_many_names(data, size, NAMES_MAX))
		return 0;
	kind = fuzz_text(data, (size_t)(newline - data));
	size -= (size_t)(newline + 1 - data);
	if (!strcmp(kind, "tpu.conf")) {
		check_tpu_conf(newline + 1, size);
		free(kind);
		return 0;
	}
	if (read_input(kind, newline + 1, size, &machine, &err) != 0 ||
	    storus_converted_finish(&machine, &err) != 0)
		CHECK(err.text[0]);
	else if (!too_large(&machine))
		check_round_trip(&machine);
	storus_converted_clear(&machine);
	free(kind);
	return 0;
}
