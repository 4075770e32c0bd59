/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tenstorrent's mesh graph descriptors: see mesh_descriptor.h. */
#include "torus_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/chords.h"
#include "machine/registration.h"
#include "storus/convert/mesh_descriptor.h"
#include "storus/locate/textproto.h"

#define MESH "mesh_descriptors"
#define EXPRESS MESH ".express_connections"

enum { MESH_NAME_MAX = 255, SIDE_MAX = 65535, NUMBER_MAX = 99999999 };

/* A mesh_descriptors. */
typedef struct mesh {
	char name[MESH_NAME_MAX + 1];
	torus_geometry_t chips; /* its length[] are the sides, as far as read */
	torus_geometry_t hosts;
	int types;		/* of dimensions, that have been read */
	uint32_t (*express)[2]; /* [count] chips as they are numbered there; owned */
	uint32_t count, room;
} mesh_t;

/* An instance of a mesh. */
typedef struct instance {
	char mesh[MESH_NAME_MAX + 1];
	uint32_t id;
} instance_t;

typedef struct reading {
	mesh_t *mesh; /* [meshes] the last one is being read */
	uint32_t meshes;
	instance_t *instance; /* [instances] the last one likewise */
	uint32_t instances;
} reading_t;

static bool is_instance(const char *path)
{
	return !strcmp(path, "top_level_instance.mesh") ||
	       !strcmp(path, "graph_descriptors.instances.mesh");
}

/* What of [path] stands behind [begin] and a dot; NULL: it is not in it. */
static const char *within(const char *path, const char *begin)
{
	size_t length = strlen(begin);

	return !strncmp(path, begin, length) && path[length] == '.' ? path + length + 1
								    : NULL;
}

static int read_number(const char *text, uint32_t most, uint32_t *number,
		       torus_error_t *err)
{
	size_t digits = strspn(text, "0123456789");

	*number = digits && digits < 9 ? (uint32_t)atoi(text) : most + 1;
	if (text[digits] || *number > most)
		return torus_fail(err, "'%.80s' is no number up to %" PRIu32, text, most);
	return 0;
}

static int begin(reading_t *reading, const char *path, torus_error_t *err)
{
	mesh_t *last = reading->mesh + reading->meshes;

	if (!strcmp(path, MESH)) {
		mesh_t *more =
			reallocarray(reading->mesh, reading->meshes + 1, sizeof(*more));

		if (!more)
			return torus_fail(err, "out of memory");
		reading->mesh = more;
		more[reading->meshes++] = (mesh_t){0};
	} else if (!strcmp(path, EXPRESS)) {
		last--;
		if (last->count == last->room) {
			uint32_t room = 2 * last->room + 16;
			void *more =
				reallocarray(last->express, room, sizeof(*last->express));

			if (!more)
				return torus_fail(err, "out of memory");
			last->express = more;
			last->room = room;
		}
		/* A number that is 0 need not be written. */
		last->express[last->count][0] = last->express[last->count][1] = 0;
		last->count++;
	} else if (is_instance(path)) {
		instance_t *more = reallocarray(
			reading->instance, (size_t)reading->instances + 1, sizeof(*more));

		if (!more)
			return torus_fail(err, "out of memory");
		reading->instance = more;
		more[reading->instances++] = (instance_t){0};
	} else if (!strcmp(path, "graph_descriptors.instances.graph")) {
		return torus_fail(err, "a graph of graphs: give a descriptor of the "
				       "meshes of one of them");
	}
	return 0;
}

/* Chips and hosts of a mesh that has been read. */
static int check_mesh(const mesh_t *mesh, torus_error_t *err)
{
	uint64_t chips = 1;

	if (!mesh->chips.dims || mesh->chips.dims != mesh->hosts.dims)
		return torus_fail(err,
				  "mesh '%.80s': %d sides in device_topology and %d in "
				  "host_topology",
				  mesh->name, mesh->chips.dims, mesh->hosts.dims);
	for (int axis = 0; axis < mesh->chips.dims; axis++) {
		int32_t side = mesh->chips.length[axis], hosts = mesh->hosts.length[axis];

		chips *= (uint64_t)side;
		if (chips > TORUS_MAX_CELLS)
			return torus_fail(err, "mesh '%.80s' has more than %u chips",
					  mesh->name, TORUS_MAX_CELLS);
		if (side % hosts)
			return torus_fail(err,
					  "mesh '%.80s': %d hosts do not share %d chips "
					  "evenly",
					  mesh->name, hosts, side);
	}
	for (uint32_t i = 0; i < mesh->count; i++) {
		const uint32_t *end = mesh->express[i];

		if (end[0] >= chips || end[1] >= chips)
			return torus_fail(err,
					  "mesh '%.80s': express_connections from chip "
					  "%" PRIu32 " to %" PRIu32 ", but the last one "
					  "is %" PRIu64,
					  mesh->name, end[0], end[1], chips - 1);
	}
	return 0;
}

static int add_side(torus_geometry_t *geometry, const char *text, torus_error_t *err)
{
	uint32_t side;

	if (read_number(text, SIDE_MAX, &side, err))
		return -1;
	if (!side)
		return torus_fail(err, "a side of 0");
	if (geometry->dims == TORUS_MAX_DIMS)
		return torus_fail(err, "more than %d sides", TORUS_MAX_DIMS);
	geometry->length[geometry->dims++] = (int32_t)side;
	return 0;
}

static int mesh_value(mesh_t *mesh, const char *field, const char *text,
		      torus_error_t *err)
{
	if (!strcmp(field, "name"))
		snprintf(mesh->name, sizeof(mesh->name), "%s", text);
	if (!strcmp(field, "device_topology.dims"))
		return add_side(&mesh->chips, text, err);
	if (!strcmp(field, "host_topology.dims"))
		return add_side(&mesh->hosts, text, err);
	if (!strcmp(field, "device_topology.dim_types") ||
	    !strcmp(field, "device_topology.types")) {
		if (mesh->types < TORUS_MAX_DIMS)
			mesh->chips.wrap[mesh->types++] = !strcmp(text, "RING");
	}
	for (int end = 0; end < 2; end++) {
		if (!strcmp(field,
			    end ? "express_connections.dst" : "express_connections.src"))
			return read_number(text, NUMBER_MAX,
					   &mesh->express[mesh->count - 1][end], err);
	}
	return 0;
}

static int value(reading_t *reading, const char *path, const char *text,
		 torus_error_t *err)
{
	const char *field = within(path, MESH);
	instance_t *instance = reading->instance + reading->instances;

	if (field && reading->meshes)
		return mesh_value(&reading->mesh[reading->meshes - 1], field, text, err);
	field = within(path, "top_level_instance.mesh");
	if (!field)
		field = within(path, "graph_descriptors.instances.mesh");
	if (!field || !reading->instances)
		return 0;
	instance--;
	if (!strcmp(field, "mesh_descriptor"))
		snprintf(instance->mesh, sizeof(instance->mesh), "%s", text);
	if (!strcmp(field, "mesh_id"))
		return read_number(text, NUMBER_MAX, &instance->id, err);
	return 0;
}

static int visit(void *context, storus_textproto_event_t event, const char *path,
		 const char *text, torus_error_t *err)
{
	reading_t *reading = context;

	switch (event) {
	case STORUS_TEXTPROTO_BEGIN:
		return begin(reading, path, err);
	case STORUS_TEXTPROTO_END:
		return strcmp(path, MESH)
			       ? 0
			       : check_mesh(&reading->mesh[reading->meshes - 1], err);
	default:
		return value(reading, path, text, err);
	}
}

/* --- what becomes of it ---------------------------------------------------- */

/* The cell of the chip with [number]. */
static uint32_t chip_of(const torus_geometry_t *chips, uint32_t number)
{
	int32_t coord[TORUS_MAX_DIMS] = {0};

	for (int axis = chips->dims - 1; axis >= 0; axis--) {
		uint32_t side = (uint32_t)chips->length[axis];

		coord[axis] = (int32_t)(number % side);
		number /= side;
	}
	return torus_coord_to_cell(chips, coord);
}

/* The express connections of [mesh], those that make links, each once. */
static int add_links(const mesh_t *mesh, const char *path, storus_remark_t *remark,
		     void *context, storus_converted_torus_t *torus, torus_error_t *err)
{
	uint32_t found = 0;
	torus_chord_t *chord;

	if (!mesh->count)
		return 0;
	torus->link = chord = calloc(mesh->count, sizeof(*chord));
	if (!chord)
		return torus_fail(err, "out of memory for %" PRIu32 " links",
				  mesh->count);
	for (uint32_t i = 0; i < mesh->count; i++) {
		uint32_t a = chip_of(&mesh->chips, mesh->express[i][0]);
		uint32_t b = chip_of(&mesh->chips, mesh->express[i][1]);
		torus_error_t text;

		chord[found] = (torus_chord_t){{a, b}};
		if (!torus_chord_check(&mesh->chips, chord[found], &text)) {
			found++;
			continue;
		}
		torus_fail(&text,
			   "%s: torus '%s': the express connection from chip %" PRIu32
			   " to %" PRIu32 " is left out: the mesh has it already",
			   path, torus->name, mesh->express[i][0], mesh->express[i][1]);
		remark(context, text.text);
	}
	torus->links = torus_chords_unique(chord, found);
	if (torus->links > TORUS_CHORDS_MAX ||
	    (torus->links && torus_geometry_cells(&mesh->chips) > TORUS_CHORDS_CELLS_MAX))
		return torus_fail(err,
				  "torus '%s': Links= takes %u links between %u chips at "
				  "most: take express_connections out",
				  torus->name, TORUS_CHORDS_MAX, TORUS_CHORDS_CELLS_MAX);
	return 0;
}

static int add_torus(const reading_t *reading, const instance_t *instance,
		     const char *path, storus_converted_t *machine,
		     storus_remark_t *remark, void *context, torus_error_t *err)
{
	char name[32] = "main";
	const mesh_t *mesh = NULL;
	storus_converted_torus_t *torus;

	for (uint32_t i = 0; i < reading->meshes; i++) {
		if (!strcmp(reading->mesh[i].name, instance->mesh))
			mesh = &reading->mesh[i];
	}
	if (!mesh)
		return torus_fail(err, "no mesh_descriptors with the name '%.80s'",
				  instance->mesh);
	if (torus_geometry_cells(&mesh->hosts) > TORUS_MAX_REGISTERED)
		return torus_fail(err, "mesh '%.80s' has more than %d hosts",
				  instance->mesh, TORUS_MAX_REGISTERED);
	if (reading->instances > 1)
		snprintf(name, sizeof(name), "mesh%" PRIu32, instance->id);
	torus = storus_converted_add_torus(machine, name, err);
	if (!torus)
		return -1;
	torus->by_registration = true;
	torus->geometry = mesh->hosts;
	for (int axis = 0; axis < TORUS_MAX_DIMS; axis++) {
		bool used = axis < mesh->hosts.dims;

		torus->geometry.wrap[axis] = used && mesh->chips.wrap[axis];
		torus->node_shape[axis] =
			used ? mesh->chips.length[axis] / mesh->hosts.length[axis] : 1;
		if (!used)
			torus->geometry.length[axis] = 1;
	}
	return add_links(mesh, path, remark, context, torus, err);
}

int storus_mesh_descriptor_read(const char *text, const char *path,
				storus_converted_t *machine, storus_remark_t *remark,
				void *context, torus_error_t *err)
{
	reading_t reading = {0};
	int rc = storus_textproto_read(text, path, visit, &reading, err);

	if (!rc && !reading.instances)
		rc = torus_fail(err,
				"%s: no instance of a mesh, as top_level_instance of a "
				"mesh graph descriptor has",
				path);
	for (uint32_t i = 0; !rc && i < reading.instances; i++) {
		rc = add_torus(&reading, &reading.instance[i], path, machine, remark,
			       context, err);
		if (rc)
			torus_fail_prefix(err, "%s: ", path);
	}
	for (uint32_t i = 0; i < reading.meshes; i++)
		free(reading.mesh[i].express);
	free(reading.mesh);
	free(reading.instance);
	return rc;
}
