/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that storus convert has read from somebody else's configuration. */
#include "torus_config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostlist.h"
#include "lists/hostlist_format.h"
#include "base/name_index.h"
#include "machine/cluster.h"
#include "machine/registration.h"
#include "storus/convert/converted.h"

/* A list that is longer is better a file, a line for each router. */
enum { LIST_MAX = 1000 };

/* Whether torus.conf allows it as a TorusName. */
static bool is_torus_name(const char *name)
{
	for (const char *at = name; *at; at++) {
		if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
			return false;
	}
	return *name != '\0';
}

void storus_converted_clean_name(const char *name, char clean[STORUS_TORUS_NAME_MAX + 1])
{
	size_t length = strnlen(name, STORUS_TORUS_NAME_MAX);

	for (size_t i = 0; i < length; i++)
		clean[i] =
			(char)(isalnum((unsigned char)name[i]) || strchr("._-", name[i])
				       ? name[i]
				       : '_');
	clean[length] = '\0';
}

storus_converted_torus_t *storus_converted_add_torus(storus_converted_t *machine,
						     const char *name, torus_error_t *err)
{
	storus_converted_torus_t *grown;

	if (!is_torus_name(name)) {
		torus_fail(err,
			   "a torus called '%s': torus.conf allows letters, digits and "
			   "._- in a name; rename it, Slurm does not mind",
			   name);
		return NULL;
	}
	for (int t = 0; t < machine->tori; t++) {
		if (strcmp(machine->torus[t].name, name) == 0) {
			torus_fail(err, "a second torus called '%s'", name);
			return NULL;
		}
	}
	if (machine->tori == TORUS_MAX_TORI) {
		torus_fail(err, "more than %d tori", TORUS_MAX_TORI);
		return NULL;
	}
	grown = realloc(machine->torus, (size_t)(machine->tori + 1) * sizeof(*grown));
	if (grown) {
		machine->torus = grown;
		grown += machine->tori;
		*grown = (storus_converted_torus_t){.name = strdup(name)};
	}
	if (!grown || !grown->name) {
		torus_fail(err, "out of memory");
		return NULL;
	}
	machine->tori++;
	return grown;
}

int storus_converted_add_node(storus_converted_torus_t *torus, const char *name,
			      uint32_t cell, torus_error_t *err)
{
	char *copy;

	if (torus->nodes == TORUS_HOSTLIST_MAX)
		return torus_fail(err, "more than %" PRIu32 " nodes", TORUS_HOSTLIST_MAX);
	if (torus->nodes == torus->room) {
		uint32_t room = torus->room ? 2 * torus->room : 64;
		storus_converted_node_t *grown =
			realloc(torus->node, room * sizeof(*grown));

		if (!grown)
			return torus_fail(err, "out of memory");
		torus->node = grown;
		torus->room = room;
	}
	copy = strdup(name);
	if (!copy)
		return torus_fail(err, "out of memory");
	torus->node[torus->nodes] = (storus_converted_node_t){copy, cell, torus->nodes};
	torus->nodes++;
	return 0;
}

static int compare_nodes(const void *a, const void *b)
{
	const storus_converted_node_t *left = a, *right = b;

	if (left->cell != right->cell)
		return left->cell < right->cell ? -1 : 1;
	return left->order < right->order ? -1 : left->order > right->order;
}

/* All nodes of all tori under one number each, for the index of their names. */
typedef struct all_nodes {
	const char **name; /* [count] */
	uint32_t count;
} all_nodes_t;

static const char *name_of(const void *owner, uint32_t number)
{
	const all_nodes_t *all = owner;

	return all->name[number];
}

static int check_names(const storus_converted_t *machine, torus_error_t *err)
{
	all_nodes_t all = {0};
	torus_name_index_t *index = NULL;
	uint64_t total = 0;
	int rc = -1;

	for (int t = 0; t < machine->tori; t++)
		total += machine->torus[t].nodes;
	if (total > TORUS_HOSTLIST_MAX)
		return torus_fail(err, "more than %" PRIu32 " nodes", TORUS_HOSTLIST_MAX);
	all.name = malloc((total ? total : 1) * sizeof(*all.name));
	index = torus_name_index_create((uint32_t)total, name_of, &all);
	if (!all.name || !index) {
		torus_fail(err, "out of memory");
		goto done;
	}
	for (int t = 0; t < machine->tori; t++) {
		const storus_converted_torus_t *torus = &machine->torus[t];

		for (uint32_t i = 0; i < torus->nodes; i++) {
			all.name[all.count] = torus->node[i].name;
			if (torus_name_index_add(index, all.count) != TORUS_NO_NAME) {
				torus_fail(err, "node '%s' is named twice",
					   torus->node[i].name);
				goto done;
			}
			all.count++;
		}
	}
	rc = 0;
done:
	torus_name_index_destroy(index);
	free(all.name);
	return rc;
}

static void sort_nodes(storus_converted_torus_t *torus)
{
	qsort(torus->node, torus->nodes, sizeof(*torus->node), compare_nodes);
}

static bool is_same_box(const torus_geometry_t *a, const torus_geometry_t *b)
{
	for (int axis = 0; axis < a->dims; axis++) {
		if (a->length[axis] != b->length[axis] || a->wrap[axis] != b->wrap[axis])
			return false;
	}
	return a->dims == b->dims;
}

bool storus_converted_same(storus_converted_torus_t *a, storus_converted_torus_t *b)
{
	if (a->nodes != b->nodes || !is_same_box(&a->geometry, &b->geometry))
		return false;
	sort_nodes(a);
	sort_nodes(b);
	for (uint32_t i = 0; i < a->nodes; i++) {
		if (a->node[i].cell != b->node[i].cell ||
		    strcmp(a->node[i].name, b->node[i].name) != 0)
			return false;
	}
	return true;
}

static void clear_torus(storus_converted_torus_t *torus)
{
	for (uint32_t i = 0; i < torus->nodes; i++)
		free(torus->node[i].name);
	free(torus->node);
	free(torus->list);
	free(torus->link);
	free(torus->name);
}

void storus_converted_remove(storus_converted_t *machine, int t)
{
	clear_torus(&machine->torus[t]);
	machine->tori--;
	memmove(&machine->torus[t], &machine->torus[t + 1],
		(size_t)(machine->tori - t) * sizeof(*machine->torus));
}

/* Nodes of the tori before number [t], and of that one as far as kept. */
static int owner_of(const storus_converted_t *machine, int t, uint32_t number)
{
	for (int owner = 0; owner < t; owner++) {
		if (number < machine->torus[owner].nodes)
			return owner;
		number -= machine->torus[owner].nodes;
	}
	return t;
}

int storus_converted_keep_first(storus_converted_t *machine, int t,
				storus_converted_repeated_t *repeated, torus_error_t *err)
{
	storus_converted_torus_t *torus = &machine->torus[t];
	all_nodes_t all = {0};
	torus_name_index_t *index;
	uint32_t total = 0, kept = 0, same;
	int rc = -1;

	*repeated = (storus_converted_repeated_t){0};
	for (int other = 0; other <= t; other++)
		total += machine->torus[other].nodes;
	all.name = malloc((total ? total : 1) * sizeof(*all.name));
	index = torus_name_index_create(total, name_of, &all);
	if (!all.name || !index) {
		torus_fail(err, "out of memory");
		goto done;
	}
	for (int other = 0; other < t; other++) {
		for (uint32_t i = 0; i < machine->torus[other].nodes; i++) {
			all.name[all.count] = machine->torus[other].node[i].name;
			torus_name_index_add(index, all.count++);
		}
	}
	for (uint32_t i = 0; i < torus->nodes; i++) {
		all.name[all.count] = torus->node[i].name;
		same = torus_name_index_add(index, all.count);
		if (same == TORUS_NO_NAME) {
			all.count++;
			torus->node[kept++] = torus->node[i];
			continue;
		}
		if (repeated->nodes++ == 0) {
			repeated->name = all.name[same];
			repeated->owner = owner_of(machine, t, same);
		}
		free(torus->node[i].name);
	}
	torus->nodes = kept;
	rc = 0;
done:
	torus_name_index_destroy(index);
	free(all.name);
	return rc;
}

uint32_t storus_converted_on_router(const storus_converted_torus_t *torus, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < torus->nodes && torus->node[end].cell == torus->node[first].cell)
		end++;
	return end - first;
}

/* Nodes on each router, or 0: they differ, or some router has none. */
static uint32_t nodes_per_router(const storus_converted_torus_t *torus)
{
	uint32_t common = storus_converted_on_router(torus, 0);

	if ((uint64_t)common * torus_geometry_cells(&torus->geometry) != torus->nodes)
		return 0;
	for (uint32_t i = common; i < torus->nodes; i += common) {
		if (storus_converted_on_router(torus, i) != common)
			return 0;
	}
	return common;
}

char *storus_converted_hostlist(const storus_converted_torus_t *torus, uint32_t first,
				uint32_t count)
{
	const char **name = malloc(count * sizeof(*name));
	char *list;

	if (!name)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		name[i] = torus->node[first + i].name;
	list = torus_hostlist_format(name, count);
	free(name);
	return list;
}

/* Find out how the nodes can be written down. */
static int lay_out(storus_converted_torus_t *torus, torus_error_t *err)
{
	torus->nodes_per_router = nodes_per_router(torus);
	if (torus->nodes_per_router == 0)
		return 0;
	torus->list = storus_converted_hostlist(torus, 0, torus->nodes);
	if (!torus->list)
		return torus_fail(err, "out of memory");
	if (strlen(torus->list) > LIST_MAX) {
		free(torus->list);
		torus->list = NULL;
	}
	return 0;
}

int storus_converted_finish(storus_converted_t *machine, torus_error_t *err)
{
	for (int t = 0; t < machine->tori; t++) {
		storus_converted_torus_t *torus = &machine->torus[t];

		if (torus->by_registration) {
			torus->nodes_per_router = 1;
			torus->list = strdup(TORUS_BY_REGISTRATION);
			if (!torus->list)
				return torus_fail(err, "out of memory");
			continue;
		}
		if (!torus->nodes)
			return torus_fail(err, "torus '%s' has no nodes", torus->name);
		sort_nodes(torus);
		if (lay_out(torus, err) != 0)
			return -1;
	}
	return check_names(machine, err);
}

void storus_converted_clear(storus_converted_t *machine)
{
	for (int t = 0; t < machine->tori; t++)
		clear_torus(&machine->torus[t]);
	free(machine->torus);
	*machine = (storus_converted_t){0};
}
