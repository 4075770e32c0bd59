/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tori whose nodes say where they are: see machine/registration.h. */
#include "machine/registration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* Room for TORUS_COORD_TEXT and "/65535". */
#define PLACE_TEXT (TORUS_COORD_TEXT + 8)

/* The names [name], [count] of them, as one block; NULL: out of memory. */
static char **as_block(const char *const *name, uint32_t count)
{
	size_t bytes = 0, pointers = count * sizeof(char *);
	char **block;
	char *at;

	for (uint32_t i = 0; i < count; i++)
		bytes += strlen(name[i]) + 1;
	block = malloc(pointers + bytes);
	if (!block)
		return NULL;
	at = (char *)block + pointers;
	for (uint32_t i = 0; i < count; i++) {
		size_t length = strlen(name[i]) + 1;

		block[i] = memcpy(at, name[i], length);
		at += length;
	}
	return block;
}

void torus_coord_format(const torus_geometry_t *geometry, uint32_t cell,
			char text[TORUS_COORD_TEXT])
{
	int32_t coord[TORUS_MAX_DIMS];
	size_t used = 0;

	torus_cell_to_coord(geometry, cell, coord);
	for (int axis = 0; axis < geometry->dims; axis++)
		used += (size_t)snprintf(text + used, TORUS_COORD_TEXT - used,
					 ":%" PRId32, coord[axis]);
}

char **torus_place_names(const char *name, const torus_geometry_t *geometry,
			 uint32_t nodes_per_router)
{
	uint32_t count = torus_geometry_cells(geometry) * nodes_per_router;
	size_t length = strlen(name), pointers = count * sizeof(char *);
	char **block = malloc(pointers + count * (length + PLACE_TEXT));
	char *at = (char *)block + pointers;

	for (uint32_t i = 0; block && i < count; i++) {
		block[i] = memcpy(at, name, length);
		torus_coord_format(geometry, i / nodes_per_router, at + length);
		at += strlen(at);
		if (i % nodes_per_router)
			at += sprintf(at, "/%" PRIu32, i % nodes_per_router);
		at++;
	}
	return block;
}

int torus_map_open(torus_map_t *map, torus_error_t *err)
{
	map->place_name = as_block((const char *const *)map->node_name, map->nodes);
	return map->place_name ? 0
			       : torus_fail(err, "out of memory for %" PRIu32 " names",
					    map->nodes);
}

bool torus_cluster_is_open(const torus_cluster_t *cluster)
{
	for (int t = 0; t < cluster->maps; t++) {
		if (cluster->map[t]->place_name)
			return true;
	}
	return false;
}

bool torus_map_is_vacant(const torus_map_t *map, uint32_t node)
{
	return map->place_name && !strcmp(map->node_name[node], map->place_name[node]);
}

uint32_t torus_map_vacancies(const torus_map_t *map)
{
	uint32_t vacant = 0;

	for (uint32_t node = 0; map->place_name && node < map->nodes; node++)
		vacant += torus_map_is_vacant(map, node);
	return vacant;
}

const char *torus_place_said(const char *features, size_t *length)
{
	size_t key = strlen(TORUS_PLACE_FEATURE);

	for (const char *at = features; at && *at; at += *at == ',') {
		size_t word = strcspn(at, ",");

		if (!strncmp(at, TORUS_PLACE_FEATURE, key)) {
			*length = word - key;
			return at + key;
		}
		at += word;
	}
	return NULL;
}

/* The places on each cell of a map by registration. */
static uint32_t places_on_cell(const torus_map_t *map)
{
	return map->nodes / torus_geometry_cells(&map->geometry);
}

/* Read ":1:0:0", all of it, to a cell. */
static bool parse_cell(const torus_geometry_t *geometry, const char *text, uint32_t *cell)
{
	int32_t coord[TORUS_MAX_DIMS] = {0};

	for (int axis = 0; axis < geometry->dims; axis++) {
		if (*text++ != ':' || *text < '0' || *text > '9')
			return false;
		for (; *text >= '0' && *text <= '9'; text++) {
			coord[axis] = coord[axis] * 10 + (*text - '0');
			if (coord[axis] >= geometry->length[axis])
				return false;
		}
	}
	*cell = torus_coord_to_cell(geometry, coord);
	return !*text;
}

/* The torus that a place names; -1: none. */
static int named_torus(const torus_cluster_t *cluster, const char *place)
{
	for (int t = 0; t < cluster->maps; t++) {
		size_t length = strlen(cluster->map[t]->name);

		if (!strncmp(place, cluster->map[t]->name, length) &&
		    (!place[length] || place[length] == ':'))
			return t;
	}
	return -1;
}

/*
 * Find the place [place], "TORUS:x:y", of a torus by registration: *map, and *places
 * nodes of it from number *node on. False: there is no such place; then *map is the torus
 * by registration that it names, or -1.
 */
static bool find_place(const torus_cluster_t *cluster, const char *place, int *map,
		       uint32_t *node, uint32_t *places)
{
	int t = named_torus(cluster, place);
	const torus_map_t *torus = t < 0 ? NULL : cluster->map[t];
	uint32_t cell;

	*map = torus && torus->place_name ? t : -1;
	if (*map < 0 || !parse_cell(&torus->geometry, place + strlen(torus->name), &cell))
		return false;
	*places = places_on_cell(torus);
	*node = cell * *places;
	return true;
}

/* Who is where; numbers are those of nodes in the whole cluster. */
typedef struct registering {
	torus_cluster_t *cluster;
	uint32_t *claim_at; /* of each number its claim, or NOBODY */
	/* Of each claim. */
	uint32_t *had;	  /* the number that its node had, or NOBODY */
	uint32_t *wanted; /* the first number of the cell that it claims, or NOBODY */
} registering_t;

bool torus_claim_names_place(const torus_cluster_t *cluster, torus_claim_t *claim,
			     int *map, uint32_t *node, uint32_t *places)
{
	uint32_t number, cell;
	int has;

	claim->result = TORUS_CLAIM_NONE;
	if (!claim->place)
		return false;
	if (torus_cluster_find(cluster, claim->node, &has, &number) &&
	    !cluster->map[has]->place_name) {
		const torus_map_t *written = cluster->map[has];

		claim->result = TORUS_CLAIM_WRITTEN;
		if (named_torus(cluster, claim->place) == has &&
		    parse_cell(&written->geometry, claim->place + strlen(written->name),
			       &cell) &&
		    cell == torus_map_cell(written, number))
			claim->result = TORUS_CLAIM_GRANTED;
		return false;
	}
	if (find_place(cluster, claim->place, map, node, places))
		return true;
	claim->result = *map < 0 ? TORUS_CLAIM_ALIEN : TORUS_CLAIM_OUTSIDE;
	return false;
}

/* What a claim says and what its node has; also its result as long as it gets nothing. */
static void understand(registering_t *r, torus_claim_t *claim, uint32_t i)
{
	const torus_cluster_t *cluster = r->cluster;
	uint32_t node, places;
	int t;

	r->had[i] = r->wanted[i] = NOBODY;
	if (torus_cluster_find(cluster, claim->node, &t, &node) &&
	    cluster->map[t]->place_name)
		r->had[i] = torus_cluster_number(cluster, t, node);
	if (torus_claim_names_place(cluster, claim, &t, &node, &places)) {
		claim->result = TORUS_CLAIM_TAKEN;
		r->wanted[i] = torus_cluster_number(cluster, t, node);
	}
}

static uint32_t places_from(const registering_t *r, uint32_t number)
{
	uint32_t node;
	int t;

	torus_cluster_at(r->cluster, number, &t, &node);
	return places_on_cell(r->cluster->map[t]);
}

/* Whether the node is where it claims to be. */
static bool is_there(const registering_t *r, uint32_t i)
{
	return r->had[i] != NOBODY && r->wanted[i] != NOBODY &&
	       r->had[i] >= r->wanted[i] &&
	       r->had[i] - r->wanted[i] < places_from(r, r->wanted[i]);
}

static void take(registering_t *r, torus_claim_t *claim, uint32_t i, uint32_t number)
{
	r->claim_at[number] = i;
	claim->result = TORUS_CLAIM_GRANTED;
}

/* Take a place on the cell that is claimed, the one that the node has if it can be. */
static void take_one(registering_t *r, torus_claim_t *claim, uint32_t i)
{
	uint32_t places = places_from(r, r->wanted[i]);

	if (is_there(r, i) && r->claim_at[r->had[i]] == NOBODY) {
		take(r, claim, i, r->had[i]);
		return;
	}
	for (uint32_t number = r->wanted[i]; number < r->wanted[i] + places; number++) {
		if (r->claim_at[number] == NOBODY) {
			take(r, claim, i, number);
			return;
		}
	}
}

/* By turns, the rules of the header one after the other. */
static void settle(registering_t *r, torus_claim_t *claim, uint32_t claims)
{
	for (uint32_t i = 0; i < claims; i++) {
		understand(r, &claim[i], i);
		if (!claim[i].stays || r->had[i] == NOBODY)
			continue;
		take(r, &claim[i], i, r->had[i]);
		if (!is_there(r, i))
			claim[i].result = TORUS_CLAIM_DEFERRED;
	}
	for (int turn = 0; turn < 4; turn++) {
		bool away = turn / 2, there = turn % 2 == 0;

		for (uint32_t i = 0; i < claims; i++) {
			if (claim[i].result == TORUS_CLAIM_TAKEN &&
			    claim[i].away == away && is_there(r, i) == there)
				take_one(r, &claim[i], i);
		}
	}
}

/* The name at a place, [number] in the whole cluster and [node] in its map. */
static const char *name_at(const registering_t *r, const torus_claim_t *claim,
			   const torus_map_t *map, uint32_t number, uint32_t node)
{
	uint32_t i = r->claim_at[number];

	return i == NOBODY ? map->place_name[node] : claim[i].node;
}

/* The new names of a map, in *block; NULL there: they are as they were. */
static int name_anew(const registering_t *r, const torus_claim_t *claim, int t,
		     char ***block, torus_error_t *err)
{
	const torus_map_t *map = r->cluster->map[t];
	uint32_t first = torus_cluster_number(r->cluster, t, 0);
	const char **name;
	bool same = true;

	*block = NULL;
	for (uint32_t node = 0; same && node < map->nodes; node++)
		same = !strcmp(name_at(r, claim, map, first + node, node),
			       map->node_name[node]);
	if (same)
		return 0;
	name = malloc(map->nodes * sizeof(*name));
	if (!name)
		return torus_fail(err, "out of memory for %" PRIu32 " names", map->nodes);
	for (uint32_t node = 0; node < map->nodes; node++)
		name[node] = name_at(r, claim, map, first + node, node);
	*block = as_block(name, map->nodes);
	free(name);
	return *block ? 0
		      : torus_fail(err, "out of memory for %" PRIu32 " names",
				   map->nodes);
}

/* Exchange the names of the maps that have new ones, there and back. */
static void exchange(torus_cluster_t *cluster, char ***block)
{
	for (int t = 0; t < cluster->maps; t++) {
		char **old = cluster->map[t]->node_name;

		if (!block[t])
			continue;
		cluster->map[t]->node_name = block[t];
		block[t] = old;
	}
}

/* Give the maps their new names, all or none. */
static int rename_all(registering_t *r, const torus_claim_t *claim, torus_error_t *err)
{
	torus_cluster_t *cluster = r->cluster;
	char ***block = calloc((size_t)cluster->maps, sizeof(*block));
	bool changed = false;
	int rc = block ? 0 : torus_fail(err, "out of memory");

	for (int t = 0; !rc && t < cluster->maps; t++) {
		if (!cluster->map[t]->place_name)
			continue;
		rc = name_anew(r, claim, t, &block[t], err);
		changed = changed || block[t];
	}
	if (!rc && changed) {
		exchange(cluster, block);
		rc = torus_cluster_index(cluster, NULL, err);
		if (rc)
			exchange(cluster, block);
	}
	for (int t = 0; block && t < cluster->maps; t++)
		free(block[t]);
	free(block);
	return rc;
}

int torus_cluster_register(torus_cluster_t *cluster, torus_claim_t *claim,
			   uint32_t claims, torus_error_t *err)
{
	uint32_t nodes = torus_cluster_nodes(cluster);
	registering_t r = {
		.cluster = cluster,
		.claim_at = malloc(nodes * sizeof(*r.claim_at)),
		.had = malloc((claims + 1) * sizeof(*r.had)),
		.wanted = malloc((claims + 1) * sizeof(*r.wanted)),
	};
	int rc = -1;

	if (r.claim_at && r.had && r.wanted) {
		memset(r.claim_at, 0xff, nodes * sizeof(*r.claim_at));
		settle(&r, claim, claims);
		rc = rename_all(&r, claim, err);
	} else {
		torus_fail(err, "out of memory for %" PRIu32 " nodes", nodes);
	}
	free(r.claim_at);
	free(r.had);
	free(r.wanted);
	return rc;
}

void torus_claim_explain(const torus_cluster_t *cluster, const torus_claim_t *claim,
			 torus_error_t *why)
{
	char dims[TORUS_DIMS_TEXT];
	uint32_t node, places;
	int t;

	why->text[0] = '\0';
	switch (claim->result) {
	case TORUS_CLAIM_NONE:
	case TORUS_CLAIM_GRANTED:
		break;
	case TORUS_CLAIM_DEFERRED:
		torus_fail(
			why,
			"node %s stays where it is until its jobs have ended, though it "
			"says %s now",
			claim->node, claim->place ? claim->place : "nothing");
		break;
	case TORUS_CLAIM_TAKEN:
		if (find_place(cluster, claim->place, &t, &node, &places))
			torus_fail(why, "node %s says %s, where node %s is", claim->node,
				   claim->place, cluster->map[t]->node_name[node]);
		break;
	case TORUS_CLAIM_OUTSIDE:
		find_place(cluster, claim->place, &t, &node, &places);
		torus_lengths_format(cluster->map[t]->geometry.dims,
				     cluster->map[t]->geometry.length, dims);
		torus_fail(why,
			   "node %s says %s, which is no place on torus '%s' of %s: it "
			   "takes a number from 0 for each of its %d dimensions",
			   claim->node, claim->place, cluster->map[t]->name, dims,
			   cluster->map[t]->geometry.dims);
		break;
	case TORUS_CLAIM_ALIEN:
		if (!*claim->place)
			torus_fail(
				why,
				"node %s has the feature '" TORUS_PLACE_FEATURE
				"' without a place: one is such as " TORUS_PLACE_FEATURE
				"main:1:0:0",
				claim->node);
		else
			torus_fail(
				why,
				"node %s says %s, but torus.conf has no torus of that name with "
				"Nodes=" TORUS_BY_REGISTRATION,
				claim->node, claim->place);
		break;
	case TORUS_CLAIM_WRITTEN:
		if (torus_cluster_find(cluster, claim->node, &t, &node))
			torus_fail(why,
				   "node %s says %s, but torus.conf has it elsewhere on "
				   "torus '%s', and what is written there counts",
				   claim->node, claim->place, cluster->map[t]->name);
		break;
	}
}
