/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where processes run: see machine.h. */
#include "torus_config.h"

#include "mpi/machine.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hostlist.h"
#include "base/name_index.h"
#include "conf/torus_conf.h"
#include "geometry/chips.h"
#include "machine/network_option.h"
#include "machine/registration.h"

/* Where Slurm's own files are, unless SLURM_CONF says otherwise. */
static const char *const directories[] = {"/etc/slurm", "/etc/slurm-llnl",
					  "/run/slurm/conf"};

/* The cluster that torus.conf describes, read once and kept. */
static struct {
	pthread_mutex_t lock;
	torus_cluster_t *cluster;
} machine = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* This process's number on its node, as Slurm, Open MPI or MPICH say it; or -1. */
static int32_t local_number(void)
{
	static const char *const names[] = {"SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK",
					    "MPI_LOCALRANKID"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = variable(names[i]);
		char *end;
		long number = value ? strtol(value, &end, 10) : -1;

		if (number >= 0 && !*end)
			return number < INT32_MAX ? (int32_t)number : -1;
	}
	return -1;
}

/* "main:1:2:3" of "main:1:2:3.n001", if that is what topology/torus says. */
static void copy_place(char *place, size_t room)
{
	const char *address = variable("SLURM_TOPOLOGY_ADDR");
	const char *pattern = variable("SLURM_TOPOLOGY_ADDR_PATTERN");
	const char *coord = address ? strchr(address, ':') : NULL;
	size_t length;

	if (!coord || !pattern || strncmp(pattern, "torus:", 6) != 0)
		return;
	length = (size_t)(coord - address) + strcspn(coord, ".");
	if (length < room)
		memcpy(place, address, length);
}

void storus_mpi_whereabouts(storus_mpi_whereabouts_t *own)
{
	const char *name = variable("SLURMD_NODENAME"), *coord = variable("TORUS_COORD");

	memset(own, 0, sizeof(*own));
	if (name && strlen(name) < sizeof(own->node))
		strcpy(own->node, name);
	else if (name || gethostname(own->node, sizeof(own->node) - 1))
		own->node[0] = '\0';
	if (coord && strlen(coord) < sizeof(own->coord))
		strcpy(own->coord, coord);
	copy_place(own->place, sizeof(own->place));
	own->local = local_number();
}

/* torus.conf in the directory of the file [beside]. */
static void conf_beside(const char *beside, char path[PATH_MAX])
{
	const char *slash = strrchr(beside, '/');

	if (snprintf(path, PATH_MAX, "%.*storus.conf",
		     slash ? (int)(slash + 1 - beside) : 0, beside) >= PATH_MAX)
		path[0] = '\0';
}

static int find_conf(char path[PATH_MAX], torus_error_t *err)
{
	const char *given = variable("STORUS_CONF"), *slurm = variable("SLURM_CONF");

	if (given) {
		if (snprintf(path, PATH_MAX, "%s", given) >= PATH_MAX)
			return torus_fail(err, "STORUS_CONF is too long");
		return 0;
	}
	if (slurm) {
		conf_beside(slurm, path);
		if (!access(path, R_OK))
			return 0;
	}
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		snprintf(path, PATH_MAX, "%s/torus.conf", directories[i]);
		if (!access(path, R_OK))
			return 0;
	}
	return torus_fail(err, "no torus.conf on this node: copy it beside slurm.conf, "
			       "or name it in STORUS_CONF");
}

static int read_conf(torus_error_t *err)
{
	char path[PATH_MAX];

	if (find_conf(path, err))
		return -1;
	machine.cluster = torus_conf_read_places(path, err);
	return machine.cluster ? 0 : -1;
}

int storus_mpi_machine_open(torus_error_t *err)
{
	int result = 0;

	if (variable("TORUS_DIMS"))
		return 0;
	pthread_mutex_lock(&machine.lock);
	if (!machine.cluster)
		result = read_conf(err);
	pthread_mutex_unlock(&machine.lock);
	return result;
}

static const storus_mpi_whereabouts_t *at(const storus_mpi_whereabouts_t *where,
					  size_t stride, uint32_t process)
{
	return (const storus_mpi_whereabouts_t *)(const void *)((const char *)where +
								process * stride);
}

/* Find [name], or its part before the first dot: torus.conf has Slurm's names. */
static int find_node(char *name, uint32_t *number, torus_error_t *err)
{
	if (!torus_cluster_numbers(machine.cluster, &name, 1, number, NULL))
		return 0;
	name[strcspn(name, ".")] = '\0';
	return torus_cluster_numbers(machine.cluster, &name, 1, number, err);
}

/*
 * The nodes of the job that the environment says we are in, malloc'ed: *number,
 * [*count] of them, with room for [more] behind them. Returns false if it says none, or
 * torus.conf does not know them.
 */
static bool nodes_of_job(uint32_t more, uint32_t **number, uint32_t *count)
{
	const char *list = variable("SLURM_JOB_NODELIST");
	char **names = NULL;

	*number = NULL;
	if (!list || torus_hostlist_expand(list, &names, count, NULL))
		return false;
	*number = malloc(((size_t)*count + more) * sizeof(**number));
	if (*number &&
	    torus_cluster_numbers(machine.cluster, names, *count, *number, NULL)) {
		free(*number);
		*number = NULL;
	}
	free(names);
	return *number;
}

/*
 * The cells of the processes' nodes. On a machine of cubes the whole job tells how they
 * are joined, and not the processes of a communicator alone.
 */
static int find_cells(const uint32_t *node, uint32_t processes,
		      torus_geometry_t *geometry, uint32_t *cell, torus_error_t *err)
{
	torus_network_request_t request;
	const torus_shapes_t *shapes =
		torus_network_shapes(variable("SLURM_NETWORK"), &request);
	uint32_t *number, *cells = NULL, count;
	int rc;

	if (!torus_cluster_has_cubes(machine.cluster) ||
	    !nodes_of_job(processes, &number, &count))
		return torus_cluster_cells(machine.cluster, node, processes, shapes,
					   geometry, cell, err);
	cells = malloc(((size_t)count + processes) * sizeof(*cells));
	memcpy(number + count, node, processes * sizeof(*node));
	rc = cells ? torus_cluster_cells(machine.cluster, number, count + processes,
					 shapes, geometry, cells, err)
		   : torus_fail(err, "out of memory for %u processes", processes);
	if (!rc)
		memcpy(cell, cells + count, processes * sizeof(*cell));
	free(number);
	free(cells);
	return rc;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/*
 * Make nodes of the chips if there is a process on each: then node n's chip i is number
 * n * (chips of a node) + i. Returns 0, or -1 with [err] filled (memory).
 */
static int use_chips(const storus_mpi_whereabouts_t *where, size_t stride,
		     uint32_t processes, torus_geometry_t *geometry, uint32_t *node,
		     uint32_t *cell, torus_error_t *err)
{
	uint32_t of_node = torus_node_chips(geometry);
	uint64_t *chip;
	bool all = processes % of_node == 0;

	if (of_node == 1)
		return 0;
	chip = malloc(processes * sizeof(*chip));
	if (!chip)
		return torus_fail(err, "out of memory for %u processes", processes);
	for (uint32_t i = 0; all && i < processes; i++) {
		int32_t local = at(where, stride, i)->local;

		chip[i] = (uint64_t)node[i] * of_node + (uint32_t)local;
		all = local >= 0 && (uint32_t)local < of_node && chip[i] <= UINT32_MAX;
	}
	/* Sorted, the chips of each node follow each other, each once. */
	if (all)
		qsort(chip, processes, sizeof(*chip), compare_numbers);
	for (uint32_t i = 0; all && i < processes; i++)
		all = i % of_node ? chip[i] == chip[i - 1] + 1 : chip[i] % of_node == 0;
	for (uint32_t i = 0; all && i < processes; i++) {
		uint32_t local = (uint32_t)at(where, stride, i)->local;

		node[i] = node[i] * of_node + local;
		cell[i] = torus_chip_cell(geometry, cell[i], local);
	}
	if (all)
		*geometry = torus_chip_machine(geometry);
	free(chip);
	return 0;
}

typedef struct named {
	const char *name;
	uint32_t process;
} named_t;

static int compare_names(const void *a, const void *b)
{
	const named_t *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	if (order)
		return order;
	return left->process < right->process ? -1 : left->process > right->process;
}

/* The processes in the order of their nodes' names, malloc'ed; NULL: out of memory. */
static named_t *sort_by_name(const storus_mpi_whereabouts_t *where, size_t stride,
			     uint32_t processes)
{
	named_t *named = malloc(processes * sizeof(*named));

	for (uint32_t i = 0; named && i < processes; i++)
		named[i] = (named_t){at(where, stride, i)->node, i};
	if (named)
		qsort(named, processes, sizeof(*named), compare_names);
	return named;
}

/* Put the nodes of the processes where these say, on tori by registration. */
static int register_nodes(const storus_mpi_whereabouts_t *where, size_t stride,
			  uint32_t processes, torus_error_t *err)
{
	torus_claim_t *claim = calloc(processes, sizeof(*claim));
	named_t *named = sort_by_name(where, stride, processes);
	uint32_t claims = 0;
	int rc;

	for (uint32_t i = 0; claim && named && i < processes; i++) {
		const storus_mpi_whereabouts_t *process =
			at(where, stride, named[i].process);

		if (*process->place && *process->node &&
		    (!i || strcmp(named[i].name, named[i - 1].name) != 0))
			claim[claims++] = (torus_claim_t){.node = process->node,
							  .place = process->place};
	}
	rc = claim && named
		     ? torus_cluster_register(machine.cluster, claim, claims, err)
		     : torus_fail(err, "out of memory for %u processes", processes);
	free(claim);
	free(named);
	return rc;
}

static int find_by_conf(const storus_mpi_whereabouts_t *where, size_t stride,
			uint32_t processes, torus_geometry_t *geometry, uint32_t *node,
			uint32_t *cell, torus_error_t *err)
{
	for (uint32_t i = 0; i < processes; i++) {
		storus_mpi_whereabouts_t here = *at(where, stride, i);

		/* Processes of a node often follow each other. */
		if (i && !strcmp(here.node, at(where, stride, i - 1)->node))
			node[i] = node[i - 1];
		else if (find_node(here.node, &node[i], err))
			return torus_fail_prefix(err, "torus.conf: ");
	}
	if (find_cells(node, processes, geometry, cell, err))
		return -1;
	return use_chips(where, stride, processes, geometry, node, cell, err);
}

/* Read "1,2,3". */
static int parse_coord(const char *text, const torus_geometry_t *geometry, uint32_t *cell)
{
	int32_t coord[TORUS_MAX_DIMS] = {0};

	for (int axis = 0; axis < geometry->dims; axis++) {
		char *end;
		long number = strtol(text, &end, 10);

		if (end == text || number < 0 || number >= geometry->length[axis] ||
		    *end != (axis + 1 < geometry->dims ? ',' : '\0'))
			return -1;
		coord[axis] = (int32_t)number;
		text = end + 1;
	}
	*cell = torus_coord_to_cell(geometry, coord);
	return 0;
}

/* Give equal numbers to equal names. */
static int number_nodes(const storus_mpi_whereabouts_t *where, size_t stride,
			uint32_t processes, uint32_t *node, torus_error_t *err)
{
	named_t *named = sort_by_name(where, stride, processes);

	if (!named)
		return torus_fail(err, "out of memory for %u processes", processes);
	for (uint32_t i = 0, number = 0; i < processes; i++) {
		number += i && strcmp(named[i].name, named[i - 1].name) != 0;
		node[named[i].process] = number;
	}
	free(named);
	return 0;
}

/* Read the long sides of a twisted torus, such as "z". */
static int parse_twist(const char *text, torus_geometry_t *geometry, torus_error_t *err)
{
	bool is_long[TORUS_MAX_DIMS];
	int count = 0;

	if (torus_wrap_parse(text, geometry->dims, is_long, err))
		return torus_fail_prefix(err, "TORUS_TWIST: ");
	for (int axis = 0; axis < geometry->dims; axis++) {
		if (!geometry->wrap[axis] ||
		    (is_long[axis] && geometry->length[axis] % 2))
			return torus_fail(err,
					  "TORUS_TWIST='%s': all sides of a twisted "
					  "torus wrap, and the long ones are even",
					  text);
		count += is_long[axis];
		geometry->twist |= (unsigned)is_long[axis] << axis;
	}
	if (count == geometry->dims)
		return torus_fail(
			err, "TORUS_TWIST='%s': a twisted torus has a short side", text);
	return 0;
}

static int find_by_environment(const storus_mpi_whereabouts_t *where, size_t stride,
			       uint32_t processes, torus_geometry_t *geometry,
			       uint32_t *node, uint32_t *cell, torus_error_t *err)
{
	if (torus_geometry_parse(variable("TORUS_DIMS"), variable("TORUS_WRAP"), geometry,
				 err))
		return torus_fail_prefix(err, "TORUS_DIMS, TORUS_WRAP: ");
	if (variable("TORUS_TWIST") &&
	    parse_twist(variable("TORUS_TWIST"), geometry, err))
		return -1;
	for (uint32_t i = 0; i < processes; i++) {
		const storus_mpi_whereabouts_t *process = at(where, stride, i);

		if (parse_coord(process->coord, geometry, &cell[i]))
			return torus_fail(err,
					  "TORUS_COORD='%s' on node '%s' is not a place "
					  "within TORUS_DIMS",
					  process->coord, process->node);
	}
	return number_nodes(where, stride, processes, node, err);
}

int storus_mpi_machine_find(const storus_mpi_whereabouts_t *where, size_t stride,
			    uint32_t processes, torus_geometry_t *geometry,
			    uint32_t *node, uint32_t *cell, torus_error_t *err)
{
	int rc;

	if (variable("TORUS_DIMS"))
		return find_by_environment(where, stride, processes, geometry, node, cell,
					   err);
	/* Each communicator has nodes of its own on a torus by registration. */
	pthread_mutex_lock(&machine.lock);
	rc = torus_cluster_is_open(machine.cluster)
		     ? register_nodes(where, stride, processes, err)
		     : 0;
	if (!rc)
		rc = find_by_conf(where, stride, processes, geometry, node, cell, err);
	pthread_mutex_unlock(&machine.lock);
	return rc;
}
