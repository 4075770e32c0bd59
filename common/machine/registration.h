/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tori whose nodes say themselves where they are (Nodes=by_registration), as nodes do
 * that come and go: pods, instances of a cloud.
 *
 * The map of such a torus has every place from the beginning, as many as NodesPerRouter=
 * on each cell, and with it every rank of the curve; none of that ever changes. A place
 * where no node has said to be is vacant: the map calls it by its own name, such as
 * "main:1:0:0", or "main:1:0:0/1" for a second one on a cell, which no host can have. So
 * it is a place whose node Slurm does not know, one of those that torus.conf names and
 * Slurm does not; and nothing is planned anew when a node comes.
 */
#ifndef TORUS_MACHINE_REGISTRATION_H
#define TORUS_MACHINE_REGISTRATION_H

#include "machine/cluster.h"

/* The value of Nodes= that means it. */
#define TORUS_BY_REGISTRATION "by_registration"

/* The most places of such a torus. */
#define TORUS_MAX_REGISTERED 65536

/* What comes of a claim. */
typedef enum torus_claim_result {
	TORUS_CLAIM_NONE,     /* it claims no place, and has none */
	TORUS_CLAIM_GRANTED,  /* the node is where it says */
	TORUS_CLAIM_DEFERRED, /* the node stays where it was, as it must */
	TORUS_CLAIM_TAKEN,    /* another node is there */
	TORUS_CLAIM_OUTSIDE,  /* there is no such place on that torus */
	TORUS_CLAIM_ALIEN,    /* no torus of that name takes registrations */
	TORUS_CLAIM_WRITTEN,  /* torus.conf says where the node is, and that is elsewhere
			       */
} torus_claim_result_t;

/* What one node says. */
typedef struct torus_claim {
	const char *node;  /* its name */
	const char *place; /* "TORUS:x:y", a number for each dimension; NULL: nothing */
	bool stays;	   /* it is not to be moved: jobs run on it */
	bool away;	   /* it does not run, and gives way to one that does */
	torus_claim_result_t result; /* filled */
} torus_claim_t;

/*
 * Make the map of a torus, made with the names of its nodes, one by registration: its
 * places are what it calls its nodes, [nodes_per_router] on each cell. All are vacant.
 * Returns 0, or -1 with [err] filled (memory): the map is as it was.
 */
int torus_map_open(torus_map_t *map, torus_error_t *err);

/* Write what follows the name of a torus in that of a place: ":1:0:0". */
#define TORUS_COORD_TEXT (TORUS_MAX_DIMS * 10 + 1)
void torus_coord_format(const torus_geometry_t *geometry, uint32_t cell,
			char text[TORUS_COORD_TEXT]);

/*
 * The names of the places of a torus called [name], in the order of its cells, as one
 * malloc'ed block like torus_hostlist_expand()'s. NULL: out of memory.
 */
char **torus_place_names(const char *name, const torus_geometry_t *geometry,
			 uint32_t nodes_per_router);

/*
 * What a node says of its place by its features, a list with commas or NULL: the first
 * that begins with TORUS_PLACE_FEATURE, without that. Points into [features], *length
 * characters of it; NULL: nothing.
 */
#define TORUS_PLACE_FEATURE "torus="
const char *torus_place_said(const char *features, size_t *length);

/* Whether a cluster has such a torus. */
bool torus_cluster_is_open(const torus_cluster_t *cluster);

/* Whether nobody is at the place of node number [node] of [map]. */
bool torus_map_is_vacant(const torus_map_t *map, uint32_t node);

/* How many places of [map] are vacant; 0 where it is not by registration. O(nodes). */
uint32_t torus_map_vacancies(const torus_map_t *map);

/*
 * Put the nodes where they claim to be, all at once: claim[0 .. claims-1], in the order
 * in which Slurm has them, each node once. Places of nodes that are in no claim become
 * vacant. Who is where of several that claim a place: a node that stays; a node that was
 * there and is not away; one that is not away; one that was there; the first. On a cell
 * with several places a node keeps the one it has. Fills the results.
 *
 * Returns 0, or -1 with [err] filled (memory): the cluster is as it was.
 * O(places + claims), and nothing but time for the claims when nothing has changed.
 */
int torus_cluster_register(torus_cluster_t *cluster, torus_claim_t *claim,
			   uint32_t claims, torus_error_t *err);

/*
 * What can be said of a claim whoever is where. True: it names a place of a torus by
 * registration, *map and *places nodes of it from number *node on, that the node may
 * have. Otherwise the result of the claim is filled: TORUS_CLAIM_NONE, GRANTED (by
 * torus.conf), OUTSIDE, ALIEN or WRITTEN.
 */
bool torus_claim_names_place(const torus_cluster_t *cluster, torus_claim_t *claim,
			     int *map, uint32_t *node, uint32_t *places);

/*
 * Why a claim was not granted, for people: "node n1 says main:0:0:0, where node n0 is".
 * Empty where it was, or claims nothing.
 */
void torus_claim_explain(const torus_cluster_t *cluster, const torus_claim_t *claim,
			 torus_error_t *why);

#endif
