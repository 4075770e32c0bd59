/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines: see storus.h. */
#include "torus_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "conf/torus_conf.h"
#include "libstorus/private.h"

/* A machine of [cluster], which it takes over; NULL with [err] filled. */
static storus_machine_t *wrap_cluster(torus_cluster_t *cluster, torus_error_t *err)
{
	storus_machine_t *machine = cluster ? malloc(sizeof(*machine)) : NULL;

	if (machine) {
		machine->cluster = cluster;
		return machine;
	}
	if (cluster)
		torus_fail(err, "out of memory");
	torus_cluster_destroy(cluster);
	return NULL;
}

storus_machine_t *storus_machine_read(const char *path, char *error, size_t error_size)
{
	storus_machine_t *machine = NULL;
	torus_error_t err;

	if (!path)
		torus_fail(&err, "no path of a torus.conf");
	else
		machine = wrap_cluster(torus_conf_read_places(path, &err), &err);
	if (!machine)
		storus_report(&err, error, error_size);
	return machine;
}

/* Copies of the names in one block, as a map wants them. NULL with [err] filled. */
static char **copy_names(const char *const *names, uint32_t nodes, torus_error_t *err)
{
	size_t size = (size_t)nodes * sizeof(char *);
	char **copy, *at;

	for (uint32_t node = 0; node < nodes; node++) {
		if (!names[node] || !*names[node]) {
			torus_fail(err, "node number %u has an empty name", node);
			return NULL;
		}
		size += strlen(names[node]) + 1;
	}
	copy = malloc(size);
	if (!copy) {
		torus_fail(err, "out of memory for %u names", nodes);
		return NULL;
	}
	at = (char *)(copy + nodes);
	for (uint32_t node = 0; node < nodes; node++) {
		copy[node] = at;
		at = stpcpy(at, names[node]) + 1;
	}
	return copy;
}

/* The cells of the nodes, malloc'ed; NULL with [err] filled. */
static uint32_t *find_cells(const torus_geometry_t *geometry, uint32_t nodes,
			    const int32_t *coordinates, torus_error_t *err)
{
	uint32_t *cell = malloc(nodes * sizeof(*cell));

	if (!cell) {
		torus_fail(err, "out of memory for %u nodes", nodes);
		return NULL;
	}
	for (uint32_t node = 0; node < nodes; node++) {
		int32_t coord[TORUS_MAX_DIMS] = {0};

		cell[node] = node;
		if (!coordinates)
			continue;
		for (int axis = 0; axis < geometry->dims; axis++) {
			coord[axis] =
				coordinates[(size_t)node * (size_t)geometry->dims + axis];
			if (coord[axis] >= 0 && coord[axis] < geometry->length[axis])
				continue;
			torus_fail(err,
				   "node number %u: coordinate %d in dimension %d is not "
				   "in 0 .. %d",
				   node, (int)coord[axis], axis,
				   (int)geometry->length[axis] - 1);
			free(cell);
			return NULL;
		}
		cell[node] = torus_coord_to_cell(geometry, coord);
	}
	return cell;
}

/* The torus of these nodes as a cluster of one. No curve is needed, so nodes are ranked
 * as they come. */
static torus_cluster_t *make_cluster(const torus_geometry_t *geometry, uint32_t nodes,
				     const int32_t *coordinates, const char *const *names,
				     torus_error_t *err)
{
	torus_map_t **map = malloc(sizeof(*map));
	uint32_t *cell = find_cells(geometry, nodes, coordinates, err);
	uint32_t *order = malloc(nodes * sizeof(*order));
	char **copy = names && cell ? copy_names(names, nodes, err) : NULL;
	torus_cluster_t *cluster = NULL;

	if (!map || !order)
		torus_fail(err, "out of memory for %u nodes", nodes);
	if (!map || !order || !cell || (names && !copy)) {
		free(copy);
		goto done;
	}
	for (uint32_t node = 0; node < nodes; node++)
		order[node] = node;
	*map = torus_map_create_nodes("torus", geometry, TORUS_CURVE_FILE, cell, nodes,
				      copy, order, err);
	if (*map) {
		cluster = torus_cluster_create(map, 1, NULL, err);
		map = NULL;
	}
done:
	free(map);
	free(cell);
	free(order);
	return cluster;
}

/* Fill *nodes where the caller leaves it to us, and check it. */
static int count_nodes(const torus_geometry_t *geometry, const int32_t *coordinates,
		       uint32_t *nodes, torus_error_t *err)
{
	uint32_t cells = torus_geometry_cells(geometry);

	if (!coordinates && !*nodes)
		*nodes = cells;
	if (!coordinates && *nodes != cells)
		return torus_fail(err,
				  "%u nodes without coordinates, but the torus has %u "
				  "places",
				  *nodes, cells);
	if (!*nodes || *nodes > TORUS_MAX_NODES)
		return torus_fail(err, "%u nodes are not in 1 .. %u", *nodes,
				  TORUS_MAX_NODES);
	return 0;
}

storus_machine_t *storus_machine_create(int dims, const int32_t *lengths,
					const unsigned char *wraps, uint32_t nodes,
					const int32_t *coordinates,
					const char *const *names, char *error,
					size_t error_size)
{
	torus_geometry_t geometry = {.dims = dims};
	storus_machine_t *machine = NULL;
	torus_error_t err;

	if (storus_lengths_check(dims, lengths, "torus", geometry.length, &err) ||
	    count_nodes(&geometry, coordinates, &nodes, &err))
		goto done;
	for (int axis = 0; wraps && axis < dims; axis++)
		geometry.wrap[axis] = wraps[axis] != 0;
	machine = wrap_cluster(make_cluster(&geometry, nodes, coordinates, names, &err),
			       &err);
done:
	if (!machine)
		storus_report(&err, error, error_size);
	return machine;
}

void storus_machine_free(storus_machine_t *machine)
{
	if (machine)
		torus_cluster_destroy(machine->cluster);
	free(machine);
}

uint32_t storus_machine_nodes(const storus_machine_t *machine)
{
	return machine ? torus_cluster_nodes(machine->cluster) : 0;
}

/* Look the names up, all of which must exist, and note as many as there is room for. */
static int find_names(const storus_machine_t *machine, char *const *names, uint32_t count,
		      uint32_t *node, uint32_t room, torus_error_t *err)
{
	uint32_t *number = calloc(count ? count : 1, sizeof(*number));
	int rc;

	if (!number)
		return torus_fail(err, "out of memory for %u nodes", count);
	rc = torus_cluster_numbers(machine->cluster, names, count, number, err);
	for (uint32_t i = 0; !rc && i < count && i < room; i++)
		node[i] = number[i];
	free(number);
	return rc;
}

int storus_machine_find(const storus_machine_t *machine, const char *hostlist,
			uint32_t *node, uint32_t room, uint32_t *count, char *error,
			size_t error_size)
{
	torus_error_t err;
	char **names = NULL;
	int rc = -1;

	if (!machine || !hostlist || !count || (room && !node))
		torus_fail(&err, "no machine, hostlist or place for its nodes");
	else if (!torus_hostlist_expand(hostlist, &names, count, &err))
		rc = find_names(machine, names, *count, node, room, &err);
	free(names);
	return rc ? storus_report(&err, error, error_size) : 0;
}

/* The torus of a node and its number there. Returns 0, or -1 with [err] filled. */
static int look_up(const storus_machine_t *machine, uint32_t node,
		   const torus_map_t **torus, uint32_t *in_map, torus_error_t *err)
{
	uint32_t nodes = storus_machine_nodes(machine);
	int map;

	if (!machine)
		return torus_fail(err, "no machine");
	if (node >= nodes)
		return torus_fail(err, "node number %u is not in 0 .. %u", node,
				  nodes - 1);
	torus_cluster_at(machine->cluster, node, &map, in_map);
	*torus = machine->cluster->map[map];
	return 0;
}

const char *storus_node_name(const storus_machine_t *machine, uint32_t node)
{
	const torus_map_t *torus = NULL;
	uint32_t in_map;

	if (look_up(machine, node, &torus, &in_map, NULL) || !torus->node_name)
		return NULL;
	return torus->node_name[in_map];
}

int storus_node_coordinates(const storus_machine_t *machine, uint32_t node,
			    int32_t coordinates[STORUS_MAX_DIMS], char *error,
			    size_t error_size)
{
	const torus_map_t *torus;
	torus_error_t err;
	uint32_t in_map;

	if (look_up(machine, node, &torus, &in_map, &err))
		return storus_report(&err, error, error_size);
	if (!coordinates) {
		torus_fail(&err, "no place for coordinates");
		return storus_report(&err, error, error_size);
	}
	memset(coordinates, 0, STORUS_MAX_DIMS * sizeof(*coordinates));
	torus_cell_to_coord(&torus->geometry, torus_map_cell(torus, in_map), coordinates);
	return torus->geometry.dims;
}

int storus_node_torus(const storus_machine_t *machine, uint32_t node,
		      int32_t lengths[STORUS_MAX_DIMS],
		      unsigned char wraps[STORUS_MAX_DIMS], const char **name,
		      char *error, size_t error_size)
{
	const torus_map_t *torus;
	torus_error_t err;
	uint32_t in_map;

	if (look_up(machine, node, &torus, &in_map, &err))
		return storus_report(&err, error, error_size);
	for (int axis = 0; axis < STORUS_MAX_DIMS; axis++) {
		if (lengths)
			lengths[axis] = torus->geometry.length[axis];
		if (wraps)
			wraps[axis] = torus->geometry.wrap[axis];
	}
	if (name)
		*name = torus->name;
	return torus->geometry.dims;
}

int storus_distance(const storus_machine_t *machine, uint32_t a, uint32_t b,
		    uint32_t *hops, char *error, size_t error_size)
{
	const torus_map_t *first, *second;
	uint32_t in_first, in_second;
	torus_error_t err;

	if (look_up(machine, a, &first, &in_first, &err) ||
	    look_up(machine, b, &second, &in_second, &err))
		return storus_report(&err, error, error_size);
	if (first != second || !hops) {
		torus_fail(&err,
			   hops ? "nodes number %u and %u are on different tori"
				: "nodes number %u and %u: no place for their distance",
			   a, b);
		return storus_report(&err, error, error_size);
	}
	*hops = torus_hops_cells(&first->geometry, torus_map_cell(first, in_first),
				 torus_map_cell(second, in_second));
	return 0;
}
